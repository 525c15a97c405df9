"""DashScope's native protocol on bodies of our own."""

import copy
import json
from typing import Any

import pytest

from geo_assets.model.answers import CitationBasis, CitationMode, FinishReason, SearchState
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.registry import connector
from geo_assets_tests.platforms.bodies import (
    DASHSCOPE,
    DASHSCOPE_STREAM,
    answer,
    ask,
    dashscope_stream,
    read,
    refused,
)

DIALECT = "dashscope"


def _body(**usage: Any) -> dict[str, Any]:
    body = copy.deepcopy(DASHSCOPE)
    body["usage"] = usage
    return body


def test_markers_find_their_sources_and_an_unmatched_one_warns() -> None:
    got = answer(read(DIALECT, DASHSCOPE))
    assert got.citations is not None
    assert [(c.marker, c.basis, c.order) for c in got.citations] == [
        ("1", CitationBasis.CITED, 1),
        ("3", CitationBasis.CITED, 2),
    ]
    assert [got.text[start:end] for c in got.citations for start, end in c.spans] == ["[ref_1]", "[ref_3]"]
    assert got.warnings == ("marker 9 has no source",)
    assert (got.usage.searches, got.model_served, dict(got.upstream_ids)) == (2, None, {"request": "r-1"})


def test_a_silently_skipped_search_is_not_used_with_a_warning() -> None:
    body = _body(input_tokens=7)
    del body["output"]["search_info"]
    body["output"]["choices"][0]["message"]["content"] = "没搜。"
    got = answer(read(DIALECT, body))
    assert (got.search_state, got.citations) == (SearchState.NOT_USED, ())
    assert got.warnings == ("the search was forced and did not run: the platform skips searches under load",)
    assert answer(read(DIALECT, body, options={"forced_search": False})).warnings == ()


def test_a_billed_search_without_a_list_hides_its_sources() -> None:
    body = _body(input_tokens=7, plugins={"search": {"count": 1}})
    del body["output"]["search_info"]
    got = answer(read(DIALECT, body))
    assert (got.search_state, got.citations, got.warnings) == (SearchState.USED, None, ())


def test_a_list_proves_a_search_that_is_not_billed() -> None:
    got = answer(read(DIALECT, _body(input_tokens=7)))
    assert (got.search_state, got.usage.searches) == (SearchState.USED, None)


def test_a_stream_is_put_together_from_its_deltas() -> None:
    got = answer(read(DIALECT, DASHSCOPE_STREAM))
    assert (got.text, got.finish_reason, got.search_state) == (
        "山月壶保温[ref_1]。",
        FinishReason.STOP,
        SearchState.USED,
    )
    assert got.citations is not None
    assert [(c.url, c.spans) for c in got.citations] == [("https://tea.test/a", ((5, 12),))]
    assert (got.usage.output_tokens, got.usage.searches) == (5, 1)


def test_a_cut_stream_is_a_failed_job_that_was_accepted() -> None:
    reply = refused(read(DIALECT, DASHSCOPE_STREAM[: DASHSCOPE_STREAM.index("id:4")]))
    assert (reply.error, reply.code, reply.accepted) == (ErrorClass.UPSTREAM_FAILED, "stream_cut", True)
    assert reply.usage is not None
    assert reply.usage.input_tokens == 70


def test_an_error_frame_decides_by_its_code_and_by_the_status_in_its_comment() -> None:
    first = DASHSCOPE_STREAM[: DASHSCOPE_STREAM.index("id:4")]
    known = dashscope_stream({"code": "Throttling.RateQuota", "message": "m"}, name="error", status=429)
    reply = refused(read(DIALECT, first + known))
    assert (reply.error, reply.accepted) == (ErrorClass.RATE_LIMITED, True)
    unknown = dashscope_stream({"code": "Unheard", "message": "m"}, name="error", status=500)
    assert refused(read(DIALECT, unknown)).error is ErrorClass.SERVER_ERROR


@pytest.mark.parametrize("stream", ["data: {}\n\n", "data: not json\n\n", "event:result\ndata:[]\n\n"])
def test_a_stream_without_choices_is_unreadable(stream: str) -> None:
    assert refused(read(DIALECT, stream)).error is ErrorClass.UNREADABLE


def test_the_multimodal_route_streams_in_deltas() -> None:
    request = connector(DIALECT).submit(ask(DIALECT, options={"route": "multimodal"}))
    body = json.loads(request.body)
    assert request.headers["X-DashScope-SSE"] == "enable"
    assert request.url.endswith("/api/v1/services/aigc/multimodal-generation/generation")
    assert body["parameters"]["incremental_output"] is True
    assert body["input"]["messages"][0]["content"] == [{"text": "哪种茶壶 keeps warm? 🫖"}]


def test_an_agent_strategy_asks_for_sources_without_markers() -> None:
    body = json.loads(connector(DIALECT).submit(ask(DIALECT, options={"search_strategy": "agent"})).body)
    assert body["parameters"]["search_options"] == {
        "forced_search": True,
        "enable_source": True,
        "search_strategy": "agent",
    }


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ({}, CitationMode.MARKER),
        ({"enable_citation": False}, CitationMode.DOCUMENT),
        ({"search_strategy": "agent"}, CitationMode.DOCUMENT),
        ({"search_strategy": "max"}, CitationMode.MARKER),
    ],
)
def test_without_markers_sources_belong_to_the_whole_answer(options: dict[str, Any], mode: CitationMode) -> None:
    assert connector(DIALECT).capabilities(options).citation_mode is mode
    assert answer(read(DIALECT, DASHSCOPE, options=options)).citation_mode is mode


@pytest.mark.parametrize("model", ["qwen3.5-plus", "qwen3.7-plus-2026-09-01", "qwen4-plus", "qwen3-vl-plus"])
def test_a_multimodal_model_on_the_text_route_is_refused(model: str) -> None:
    field, remedy = connector(DIALECT).check_options(model, True, {})[0]
    assert (field, "route: multimodal" in remedy) == ("options.route", True)
    assert connector(DIALECT).check_options(model, True, {"route": "multimodal"}) == []


@pytest.mark.parametrize("model", ["qwen3-max", "qwen3.7-max", "qwen-plus", "qwen3.4-plus"])
def test_a_text_model_on_the_text_route_is_fine(model: str) -> None:
    assert connector(DIALECT).check_options(model, True, {"search_strategy": "max"}) == []
