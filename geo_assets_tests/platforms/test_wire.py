"""What a body is, and typed access to what is in it."""

import math
from typing import Any

import pytest

from geo_assets.model.answers import HttpResponse, Usage
from geo_assets.platforms.sse import Event, parse_events
from geo_assets.platforms.usage import read_usage
from geo_assets.platforms.wire import BodyKind, count, label, mapping, one_line, open_body, rows, text

NGINX = b"<html>\r\n<head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>"


def _open(body: bytes, **headers: str) -> Any:
    return open_body(HttpResponse(200, {name.replace("_", "-"): value for name, value in headers.items()}, body))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", BodyKind.EMPTY),
        (b" \n\n ", BodyKind.EMPTY),
        (b'\n\n\n{"a": 1}', BodyKind.JSON),
        (b'\xef\xbb\xbf{"a": 1}', BodyKind.JSON),
        (b"null", BodyKind.JSON),
        (b'{"a": ', BodyKind.NOT_JSON),
        (b"upstream connect error", BodyKind.NOT_JSON),
        (b"[" * 100_000, BodyKind.NOT_JSON),
        (b'{"n": ' + b"9" * 5000 + b"}", BodyKind.NOT_JSON),
        (NGINX, BodyKind.ERROR_PAGE),
        (b"<!DOCTYPE html><title>x</title>", BodyKind.ERROR_PAGE),
        (b"<?xml version='1.0'?><Error/>", BodyKind.ERROR_PAGE),
        ("<html><form>请登录 <input type='password'></form></html>".encode(), BodyKind.LOGIN_PAGE),
        (b"<html><a href='/x'>Sign in to continue</a></html>", BodyKind.LOGIN_PAGE),
        (b"data: {}\n\n", BodyKind.EVENTS),
        (b"id:1\nevent:result\ndata:{}\n\n", BodyKind.EVENTS),
        (b": keep-alive\n\ndata: {}\n\n", BodyKind.EVENTS),
    ],
)
def test_a_body_is_told_by_its_bytes(body: bytes, kind: BodyKind) -> None:
    assert _open(body).kind is kind


def test_a_page_is_a_page_by_its_content_type_too() -> None:
    assert _open(b"Service down", content_type="text/html; charset=utf-8").kind is BodyKind.ERROR_PAGE


def test_json_behind_a_wrong_content_type_is_json() -> None:
    assert _open(b'{"a": 1}', content_type="text/html").value == {"a": 1}


def test_the_excerpt_of_a_page_is_its_words_on_one_line() -> None:
    assert _open(NGINX).excerpt == "502 Bad Gateway nginx"


def test_broken_utf8_is_read_with_a_warning() -> None:
    body = _open('{"a": "茶壶"}'.encode()[:-5] + b'\xe5"}')
    assert body.value == {"a": "茶\ufffd"}
    assert body.warnings == ("the body is not valid UTF-8; undecodable bytes were replaced",)


def test_events_come_with_names_statuses_and_joined_data() -> None:
    stream = "event:error\n:HTTP_STATUS/429\ndata:{\ndata: }\n\n: note\n\ndata: last without a blank line"
    assert parse_events(stream) == (Event("error", "{\n}", 429), Event("", "last without a blank line"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_end_their_lines_in_any_way(end: str) -> None:
    assert [event.data for event in parse_events(f"data: a{end}{end}data: b{end}{end}")] == ["a", "b"]


def test_a_line_separator_inside_data_is_text() -> None:
    assert parse_events("data: a\u2028b\x85c\n\n") == (Event("", "a\u2028b\x85c"),)


@pytest.mark.parametrize(
    ("value", "number"),
    [(3, 3), (3.0, 3), (0, 0), (-1, None), (True, None), ("3", None), (None, None), (math.nan, None), (math.inf, None)],
)
def test_a_count_is_a_non_negative_number_or_none(value: Any, number: int | None) -> None:
    assert count(value) == number


def test_accessors_keep_their_promise_on_any_type() -> None:
    for value in (None, 1, "x", [1, {"a": 1}], {"b": 2}, True):
        assert isinstance(mapping(value), dict)
        assert all(isinstance(row, dict) for row in rows(value))
        assert isinstance(text(value), str)
    assert rows([1, {"a": 1}, None]) == [{"a": 1}]


def test_text_can_always_be_written_as_utf8() -> None:
    assert text("a\ud83d") == "a\ufffd"
    assert text("🫖") == "🫖"


def test_labels_are_short_single_lines() -> None:
    assert label(429001) == "429001"
    assert label("  a\x00b\n") == "a b"
    assert label("") is None
    assert label(True) is None
    assert len(one_line("长" * 2000)) == 500


def test_usage_is_read_under_both_names_and_stays_none_where_unstated() -> None:
    assert read_usage({"prompt_tokens": 5, "completion_tokens": 6, "prompt_cache_hit_tokens": 2}) == Usage(5, 2, 6)
    both = {"input_tokens": 5, "output_tokens": 6, "output_tokens_details": {"reasoning_tokens": 4}}
    assert read_usage(both, searches=2) == Usage(5, None, 6, 4, 2)
    assert read_usage(None) == Usage()
    assert read_usage({"input_tokens": "5", "input_tokens_details": []}) == Usage()
