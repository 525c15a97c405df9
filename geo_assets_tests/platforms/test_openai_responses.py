"""OpenAI Responses on bodies of our own: spans, retrieved pages, background jobs."""

import copy
import json
from typing import Any

import pytest

from geo_assets.model.answers import CitationBasis, CitationMode, FinishReason, Pending, SearchState
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.registry import connector
from geo_assets_tests.platforms.bodies import OPENAI, OPENAI_TEXT, answer, ask, exchange, read, refused

DIALECT = "openai-responses"
JOB = {"background": True}


def _body(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(OPENAI), **changes}


def _said(*parts: dict[str, Any]) -> dict[str, Any]:
    return _body(output=[{"type": "message", "content": list(parts)}])


def test_spans_of_several_parts_point_into_the_whole_text_in_code_points() -> None:
    got = answer(read(DIALECT, OPENAI))
    assert got.text == OPENAI_TEXT
    assert got.citations is not None
    assert [(c.url, c.basis, c.order) for c in got.citations] == [
        ("https://tea.test/a?utm_source=openai", CitationBasis.CITED, 1),
        ("https://pots.test/c?id=4&utm_source=openai", CitationBasis.CITED, 2),
        ("https://news.test/z", CitationBasis.RETRIEVED, 3),
    ]
    assert [got.text[start:end] for c in got.citations for start, end in c.spans] == [
        "([tea.test](https://tea.test/a?utm_source=openai))",
        "([pots.test](https://pots.test/c?id=4&utm_source=openai))",
    ]
    assert (got.search_state, got.searches) == (SearchState.USED, ("warm teapot", "保温 茶壶"))
    assert (got.usage.input_tokens, got.usage.cached_tokens, got.usage.thinking_tokens) == (900, 100, 20)


def test_searches_are_counted_where_the_platform_does_not_bill_them_in_the_body() -> None:
    body = _body()
    del body["tool_usage"]
    assert answer(read(DIALECT, body)).usage.searches == 1
    assert answer(read(DIALECT, _body(tool_usage={"web_search": {"num_requests": 4}}))).usage.searches == 4


def test_a_search_without_annotations_keeps_its_sources_as_retrieved() -> None:
    body = _body()
    for part in body["output"][-1]["content"]:
        part["annotations"] = []
    got = answer(read(DIALECT, body))
    assert got.citations is not None
    assert {c.basis for c in got.citations} == {CitationBasis.RETRIEVED}
    assert len(got.citations) == 3


def test_opening_a_page_or_failing_to_search_is_no_search() -> None:
    body = _body()
    body["output"][1]["status"] = "failed"
    assert answer(read(DIALECT, body)).search_state is SearchState.NOT_USED


def test_one_page_cited_twice_is_one_source_with_two_spans() -> None:
    note = {"type": "url_citation", "url": "https://a.test", "title": "A"}
    notes = [{**note, "start_index": 6, "end_index": 9}, {**note, "start_index": 0, "end_index": 3}]
    got = answer(read(DIALECT, _said({"type": "output_text", "text": "茶壶🫖 and 壶", "annotations": notes})))
    assert got.citations is not None
    assert [(c.url, c.spans) for c in got.citations] == [("https://a.test", ((0, 3), (6, 9)))]


@pytest.mark.parametrize(("start", "end"), [(0, 99), (3, 3), (2, 1)])
def test_a_span_outside_the_text_is_dropped_with_a_warning_and_the_source_kept(start: int, end: int) -> None:
    note = {"type": "url_citation", "url": "https://a.test", "start_index": start, "end_index": end}
    got = answer(read(DIALECT, _said({"type": "output_text", "text": "茶壶", "annotations": [note]})))
    assert got.citations is not None
    assert [(c.url, c.spans) for c in got.citations] == [("https://a.test", ())]
    assert got.warnings == (f"the span {start}..{end} lies outside the text of 2 code points",)


def test_a_response_is_known_by_its_fields_where_it_does_not_name_itself() -> None:
    body = _body()
    del body["object"]
    assert answer(read(DIALECT, body)).text == OPENAI_TEXT
    del body["status"]
    assert refused(read(DIALECT, body)).error is ErrorClass.UNREADABLE


def test_other_annotations_are_no_citations() -> None:
    note = {"type": "file_citation", "file_id": "f", "index": 1}
    assert answer(read(DIALECT, _said({"type": "output_text", "text": "t", "annotations": [note]}))).citations == ()


def test_a_refusal_is_an_answer_and_its_words_are_the_text() -> None:
    got = answer(read(DIALECT, _said({"type": "refusal", "refusal": "我不能回答。"})))
    assert (got.text, got.refusal, got.finish_reason) == ("我不能回答。", "我不能回答。", FinishReason.REFUSAL)


@pytest.mark.parametrize(
    ("reason", "finish", "warned"),
    [
        ("max_output_tokens", FinishReason.LENGTH, False),
        ("max_messages", FinishReason.LENGTH, False),
        ("steered", FinishReason.LENGTH, False),
        ("content_filter", FinishReason.CONTENT_FILTER, False),
        ("sunspots", FinishReason.LENGTH, True),
    ],
)
def test_incomplete_answers_say_why(reason: str, finish: FinishReason, warned: bool) -> None:
    got = answer(read(DIALECT, _body(status="incomplete", incomplete_details={"reason": reason})))
    assert (got.finish_reason, bool(got.warnings)) == (finish, warned)


@pytest.mark.parametrize("status", ["queued", "in_progress"])
@pytest.mark.parametrize("kind", ["submit", "poll"])
def test_an_accepted_job_is_pending_with_its_id(status: str, kind: str) -> None:
    body = {"id": "resp_9", "object": "response", "status": status, "output": [], "usage": None, "error": None}
    assert read(DIALECT, body, kind=kind, options=JOB) == Pending("resp_9")
    assert read(DIALECT, body, 200, {"retry-after": "3"}, kind=kind, options=JOB) == Pending("resp_9", 3.0)
    body["id"] = None
    assert refused(read(DIALECT, body, options=JOB)).error is ErrorClass.UNREADABLE


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("server_error", ErrorClass.SERVER_ERROR),
        ("rate_limit_exceeded", ErrorClass.RATE_LIMITED),
        ("invalid_prompt", ErrorClass.CONTENT_FILTERED),
        ("bio_policy", ErrorClass.CONTENT_FILTERED),
        ("data_residency_mismatch", ErrorClass.PERMISSION),
        ("never_seen", ErrorClass.UPSTREAM_FAILED),
        (None, ErrorClass.UPSTREAM_FAILED),
    ],
)
def test_a_failed_job_goes_by_its_code_and_was_accepted(code: str | None, error: ErrorClass) -> None:
    body = _body(status="failed", output=[], error={"code": code, "message": "m"} if code else None)
    reply = refused(read(DIALECT, body, kind="poll", options=JOB))
    assert (reply.error, reply.code, reply.accepted) == (error, code, True)
    assert reply.usage is not None
    assert reply.usage.input_tokens == 900


@pytest.mark.parametrize(
    ("body", "status", "headers"),
    [
        ({"error": {"code": "rate_limit_exceeded", "message": "m"}}, 429, {"retry-after": "6"}),
        ({"error": {"code": "server_error", "message": "m"}}, 500, {"retry-after": "6"}),
        ({"error": {"code": "server_is_overloaded", "message": "m"}}, 503, {"retry-after": "6"}),
        ({"error": {"code": "vector_store_timeout", "message": "m"}}, 500, {"retry-after": "6"}),
        ("<html>bad gateway</html>", 502, {"retry-after": "6"}),
        ("<html>not found</html>", 404, {"retry-after": "6"}),
        ("<html>fine</html>", 200, {"retry-after": "6"}),
        ('{"id": "resp_3", "object": "response", "sta', 200, {"retry-after": "6"}),
        ("", 200, {"retry-after": "6"}),
        ({"error": {"message": "conflict"}}, 409, {"retry-after": "6"}),
    ],
)
def test_a_poll_that_fails_is_no_failed_job(body: Any, status: int, headers: dict[str, str]) -> None:
    reply = refused(read(DIALECT, body, status, headers, kind="poll", options=JOB))
    assert (reply.error, reply.retry_after, reply.accepted) == (ErrorClass.POLL_FAILED, 6.0, True)


def test_a_job_that_the_platform_does_not_know_has_failed() -> None:
    body = {"error": {"message": "Response with id 'resp_3' not found.", "type": "invalid_request_error", "code": None}}
    reply = refused(read(DIALECT, body, 404, kind="poll", options=JOB))
    assert (reply.error, reply.accepted) == (ErrorClass.UPSTREAM_FAILED, True)


def test_a_poll_with_a_dead_key_stops_the_account() -> None:
    body = {"error": {"code": "invalid_api_key", "message": "m"}}
    reply = refused(read(DIALECT, body, 401, kind="poll", options=JOB))
    assert (reply.error, reply.accepted) == (ErrorClass.AUTH, True)


def test_the_last_exchange_decides() -> None:
    queued = {"id": "resp_3", "object": "response", "status": "queued", "output": []}
    exchanges = [exchange(queued), exchange("", 502, kind="poll", leg=1), exchange(OPENAI, kind="poll", leg=2)]
    assert answer(connector(DIALECT).read(ask(DIALECT, options=JOB), exchanges)).text == OPENAI_TEXT


def test_jobs_are_polled_with_their_sources_and_cancelled_by_id() -> None:
    asking = ask(DIALECT, options=JOB)
    poll = connector(DIALECT).poll(asking, "resp/9")
    cancel = connector(DIALECT).cancel(asking, "resp_9")
    assert (poll.method, poll.url) == (
        "GET",
        "https://openai.test/v1/responses/resp%2F9?include[]=web_search_call.action.sources",
    )
    assert (cancel.method, cancel.url, cancel.body) == ("POST", "https://openai.test/v1/responses/resp_9/cancel", b"")
    assert poll.headers == {"Authorization": "Bearer {key}", "X-Client-Request-Id": "a-0001"}


def test_a_cancelled_job_has_failed_and_was_accepted() -> None:
    reply = refused(read(DIALECT, _body(status="cancelled", output=[]), kind="cancel", options=JOB))
    assert (reply.error, reply.code, reply.accepted) == (ErrorClass.UPSTREAM_FAILED, "cancelled", True)


def test_a_job_that_ended_before_it_was_cancelled_is_read() -> None:
    assert answer(read(DIALECT, OPENAI, kind="cancel", options=JOB)).text == OPENAI_TEXT


def test_the_location_is_neutral_unless_one_is_named() -> None:
    def tool(**given: Any) -> Any:
        return json.loads(connector(DIALECT).submit(ask(DIALECT, **given)).body)["tools"][0]

    assert tool() == {"type": "web_search", "user_location": {"type": "approximate"}}
    assert tool(options={"neutral_location": False}) == {"type": "web_search"}
    here = {"user_location": {"country": "DE"}, "locations": {"paris": {"country": "FR", "city": "Paris"}}}
    assert tool(options=here)["user_location"] == {"type": "approximate", "country": "DE"}
    assert tool(options=here, region="paris")["user_location"] == {
        "type": "approximate",
        "country": "FR",
        "city": "Paris",
    }
    assert tool(options=here, region="GB//London")["user_location"] == {
        "type": "approximate",
        "country": "GB",
        "city": "London",
    }


def test_our_attempt_is_in_the_metadata_and_in_the_trace_header() -> None:
    request = connector(DIALECT).submit(ask(DIALECT, options={**JOB, "tool_choice": "web_search"}))
    body = json.loads(request.body)
    assert body["metadata"] == {"attempt": "a-0001"}
    assert (body["background"], body["store"], body["tool_choice"]) == (True, True, {"type": "web_search"})
    assert request.headers["X-Client-Request-Id"] == "a-0001"
    assert not {"temperature", "top_p"} & body.keys()


def test_a_search_that_is_off_leaves_no_tool_in_the_request() -> None:
    body = json.loads(connector(DIALECT).submit(ask(DIALECT, search=False)).body)
    assert body == {"model": "model-1", "input": "哪种茶壶 keeps warm? 🫖", "metadata": {"attempt": "a-0001"}}


def test_only_background_jobs_can_be_polled_and_cancelled() -> None:
    blocking, job = connector(DIALECT).capabilities({}), connector(DIALECT).capabilities(JOB)
    assert (blocking.background, blocking.cancel, job.background, job.cancel) == (False, False, True, True)
    assert job.citation_mode is CitationMode.SPAN
