"""OpenAI-compatible servers on bodies of our own: blocking, streamed, and whatever gateways make of it."""

import json
from typing import Any

import pytest

from geo_assets.model.answers import CitationMode, FinishReason, SearchState
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.registry import connector
from geo_assets_tests.platforms.bodies import CHAT, CHAT_STREAM, answer, ask, chat, read, refused

DIALECT = "openai-chat"


def _read(body: Any, *args: Any, **given: Any) -> Any:
    return read(DIALECT, body, *args, search=False, **given)


def test_an_address_in_the_text_is_no_citation() -> None:
    got = answer(_read(CHAT))
    assert (got.citations, got.citation_mode, got.search_state) == (
        None,
        CitationMode.NONE,
        SearchState.NOT_APPLICABLE,
    )


def test_annotations_are_read_where_a_server_sends_them() -> None:
    note = {"type": "url_citation", "url_citation": {"url": "https://a.test", "start_index": 0, "end_index": 2}}
    got = answer(_read(chat("茶壶", annotations=[note])))
    assert got.citations is not None
    assert [(c.url, c.spans) for c in got.citations] == [("https://a.test", ((0, 2),))]
    assert (got.search_state, got.citation_mode) == (SearchState.USED, CitationMode.SPAN)


def test_a_stream_is_put_together_and_closed_by_its_usage() -> None:
    got = answer(_read(CHAT_STREAM))
    assert (got.text, got.finish_reason, got.model_served) == ("山月壶", FinishReason.STOP, "m")
    assert (got.usage.input_tokens, got.usage.output_tokens) == (3, 2)


def test_a_stream_that_is_closed_without_a_reason_is_whole_and_its_end_unknown() -> None:
    got = answer(_read('data: {"choices":[{"delta":{"content":"茶"}}]}\n\ndata: [DONE]\n\n'))
    assert (got.text, got.finish_reason) == ("茶", FinishReason.UNKNOWN)


@pytest.mark.parametrize("at", ["data: [DONE]", 'data: {"choices":[],', 'data: {"choices":[{"delta":{"content":"壶"}'])
def test_a_stream_is_whole_once_it_names_its_finish_reason(at: str) -> None:
    reply = _read(CHAT_STREAM[: CHAT_STREAM.index(at)])
    if at.endswith('"壶"}'):
        assert (refused(reply).error, refused(reply).accepted) == (ErrorClass.UPSTREAM_FAILED, True)
    else:
        assert answer(reply).text == "山月壶"


def test_an_error_before_the_first_word_was_not_accepted() -> None:
    frame = 'data: {"error": {"message": "slow down, retry in 4s", "code": "rate_limit_exceeded"}}\n\n'
    reply = refused(_read(frame))
    assert (reply.error, reply.accepted, reply.retry_after) == (ErrorClass.RATE_LIMITED, False, 4.0)


@pytest.mark.parametrize(
    ("reason", "error"),
    [("insufficient_system_resource", ErrorClass.OVERLOADED), ("abort", ErrorClass.UPSTREAM_FAILED)],
)
def test_an_answer_that_the_platform_broke_off_is_no_answer(reason: str, error: ErrorClass) -> None:
    reply = refused(_read(chat("half an", reason)))
    assert (reply.error, reply.code, reply.accepted) == (error, reason, True)
    assert reply.usage is not None
    assert reply.usage.output_tokens == 9


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", FinishReason.STOP),
        ("length", FinishReason.LENGTH),
        ("max_tokens", FinishReason.LENGTH),
        ("sensitive", FinishReason.CONTENT_FILTER),
        ("content_filter", FinishReason.CONTENT_FILTER),
        ("tool_calls", FinishReason.TOOL_CALLS),
        ("function_call", FinishReason.TOOL_CALLS),
        ("repetition", FinishReason.OTHER),
        (None, FinishReason.UNKNOWN),
    ],
)
def test_finish_reasons_in_our_words(reason: str | None, finish: FinishReason) -> None:
    assert answer(_read(chat("x", reason))).finish_reason is finish


def test_content_in_parts_is_joined() -> None:
    assert (
        answer(_read(chat([{"type": "text", "text": "茶"}, {"type": "text", "text": "壶"}, {"x": 1}]))).text == "茶壶"
    )


def test_blank_lines_before_the_body_are_a_platform_under_load() -> None:
    assert answer(_read("\n\n\n" + json.dumps(CHAT))).finish_reason is FinishReason.STOP


def test_an_empty_balance_is_told_by_its_status_where_the_code_says_nothing() -> None:
    body = {"error": {"message": "Insufficient Balance", "type": "unknown_error", "code": "invalid_request_error"}}
    assert refused(_read(body, 402)).error is ErrorClass.QUOTA_EXHAUSTED


@pytest.mark.parametrize(
    "message",
    [
        "Content Exists Risk",
        "The prompt was rejected by the content filter.",
        "blocked by our content management policy",
    ],
)
def test_a_filtered_question_is_told_by_its_message_where_the_code_is_general(message: str) -> None:
    body = {"error": {"message": message, "type": "BadRequestError", "code": 400}}
    assert refused(_read(body, 400)).error is ErrorClass.CONTENT_FILTERED


def test_the_configuration_says_what_a_code_means_on_this_server() -> None:
    body = {"error": {"message": "m", "code": "insufficient_quota"}}
    assert refused(_read(body, 429)).error is ErrorClass.QUOTA_EXHAUSTED
    corrected = {"error_classes": {"insufficient_quota": "rate_limited"}}
    assert refused(_read(body, 429, options=corrected)).error is ErrorClass.RATE_LIMITED


def test_a_server_without_keys_is_sent_none() -> None:
    with_key = connector(DIALECT).submit(ask(DIALECT, search=False))
    without = connector(DIALECT).submit(ask(DIALECT, search=False, options={"auth": "none"}))
    assert with_key.headers["Authorization"] == "Bearer {key}"
    assert "Authorization" not in without.headers
    assert without.url == "https://chat.test/v1/chat/completions"


def test_instructions_come_before_the_question() -> None:
    request = connector(DIALECT).submit(ask(DIALECT, search=False, options={"instructions": "Short."}))
    assert json.loads(request.body) == {
        "model": "model-1",
        "messages": [
            {"role": "system", "content": "Short."},
            {"role": "user", "content": "哪种茶壶 keeps warm? 🫖"},
        ],
    }
