"""Volcengine Ark on bodies of our own: the search tool, the Doubao app, plain chat."""

import copy
import json
from typing import Any

import pytest

from geo_assets.model.answers import CitationBasis, CitationMode, FinishReason, SearchState
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.registry import connector
from geo_assets_tests.platforms.bodies import ARK, ARK_APP, answer, ask, chat, read, refused

DIALECT = "ark-responses"
APP = {"tool": "doubao_app"}


def _ark(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(ARK), **changes}


def test_annotations_are_cited_sources_of_the_whole_answer() -> None:
    got = answer(read(DIALECT, ARK))
    assert got.citations is not None
    assert [(c.url, c.basis, c.title, c.site, c.spans) for c in got.citations] == [
        ("https://tea.test/a", CitationBasis.CITED, "壶评", "茶网", ())
    ]
    assert (got.citation_mode, got.searches) == (CitationMode.DOCUMENT, ("保温 茶壶",))
    assert (got.search_state, got.usage.searches) == (SearchState.USED, 3)


def test_billed_searches_prove_a_search_without_a_call_item() -> None:
    assert answer(read(DIALECT, _ark(output=ARK["output"][1:]))).search_state is SearchState.USED


def test_no_call_and_no_bill_is_no_search() -> None:
    body = _ark(output=ARK["output"][1:], usage={"input_tokens": 1, "tool_usage": None})
    body["output"][0]["content"][0].pop("annotations")
    got = answer(read(DIALECT, body))
    assert (got.search_state, got.citations, got.usage.searches) == (SearchState.NOT_USED, (), None)


def test_the_apps_answer_is_the_sum_of_its_text_blocks_and_its_results_are_retrieved() -> None:
    got = answer(read(DIALECT, ARK_APP, options=APP))
    assert got.text == "山月壶保温最好。"
    assert got.citations is not None
    assert [(c.url, c.basis, c.site) for c in got.citations] == [
        ("https://tea.test/a", CitationBasis.RETRIEVED, "茶网")
    ]
    assert (got.searches, got.search_state) == (("保温 茶壶",), SearchState.USED)
    assert (got.usage.calls, got.usage.searches) == (1, 0)


def test_the_app_may_answer_without_a_search() -> None:
    body = copy.deepcopy(ARK_APP)
    body["output"][0]["blocks"] = body["output"][0]["blocks"][1:]
    got = answer(read(DIALECT, body, options=APP))
    assert (got.search_state, got.citations) == (SearchState.NOT_USED, ())


@pytest.mark.parametrize(
    ("details", "finish"),
    [
        ({"reason": "length"}, FinishReason.LENGTH),
        ({"reason": "max_output_tokens"}, FinishReason.LENGTH),
        ({"reason": "content_filter"}, FinishReason.CONTENT_FILTER),
        ({"reason": "x", "content_filter": {"type": "violence"}}, FinishReason.CONTENT_FILTER),
        (None, FinishReason.LENGTH),
    ],
)
def test_an_incomplete_response_says_why(details: Any, finish: FinishReason) -> None:
    assert answer(read(DIALECT, _ark(status="incomplete", incomplete_details=details))).finish_reason is finish


def test_a_failed_response_under_200_goes_by_its_code_and_was_accepted() -> None:
    reply = refused(read(DIALECT, _ark(status="failed", error={"code": "ServerOverloaded", "message": "m"})))
    assert (reply.error, reply.accepted) == (ErrorClass.OVERLOADED, True)
    assert reply.usage is not None
    assert reply.usage.input_tokens == 70


def test_there_is_nothing_to_poll() -> None:
    reply = refused(read(DIALECT, _ark(status="in_progress")))
    assert (reply.error, reply.accepted) == (ErrorClass.UPSTREAM_FAILED, True)
    with pytest.raises(NotImplementedError, match="no jobs to poll"):
        connector(DIALECT).poll(ask(DIALECT), "resp_1")
    with pytest.raises(NotImplementedError, match="cannot cancel"):
        connector(DIALECT).cancel(ask(DIALECT), "resp_1")


def test_without_search_the_chat_route_is_asked_and_read() -> None:
    request = connector(DIALECT).submit(ask(DIALECT, search=False))
    assert request.url == "https://ark.test/api/v3/chat/completions"
    got = answer(read(DIALECT, chat("山月壶。"), search=False))
    assert (got.text, got.citations, got.search_state) == ("山月壶。", None, SearchState.NOT_APPLICABLE)


def test_a_chat_reply_to_a_search_was_not_searched() -> None:
    assert answer(read(DIALECT, chat("山月壶。"))).search_state is SearchState.NOT_USED


def test_a_mode_picks_the_apps_feature() -> None:
    request = connector(DIALECT).submit(ask(DIALECT, options=APP, mode="reasoning_search"))
    body = json.loads(request.body)
    assert body["tools"] == [{"type": "doubao_app", "feature": {"reasoning_search": {"type": "enabled"}}}]
    assert request.headers["ark-beta-doubao-app"] == "true"
    assert connector(DIALECT).capabilities(APP).modes == {"chat", "deep_chat", "ai_search", "reasoning_search"}
    assert connector(DIALECT).capabilities({}).modes == frozenset()
