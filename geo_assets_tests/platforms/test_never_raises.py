"""Whatever bytes come, `read` answers; what it answers can be stored."""

import copy
import dataclasses
import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geo_assets.model.answers import Completed, Pending, Rejected, Reply
from geo_assets.platforms.registry import DIALECTS, connector
from geo_assets.platforms.wire import parse_json
from geo_assets_tests.platforms.bodies import VALID, ask, exchange

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
STATUSES = st.sampled_from([200, 200, 200, 204, 302, 400, 401, 404, 429, 500, 503])
KINDS = st.sampled_from(["submit", "poll", "cancel"])
HEADERS = st.dictionaries(
    st.sampled_from(["retry-after", "retry-after-ms", "date", "content-type", "x-ratelimit-reset-tokens", "location"]),
    st.text(max_size=12) | st.sampled_from(["5", "-1", "1e400", "Sun, 29 Nov 2026 02:00:40 GMT", "text/html", "0"]),
    max_size=4,
)


def _check(reply: Reply) -> None:
    assert isinstance(reply, Completed | Pending | Rejected)
    json.dumps(dataclasses.asdict(reply), ensure_ascii=False).encode()  # strict UTF-8: no lone surrogates
    if isinstance(reply, Rejected):
        assert reply.message
        assert reply.retry_after is None or 0 <= reply.retry_after < float("inf")
    if isinstance(reply, Completed):
        answer = reply.answer
        spans = [span for citation in answer.citations or () for span in citation.spans]
        assert all(0 <= start < end <= len(answer.text) for start, end in spans)
        assert [c.order for c in answer.citations or ()] == list(range(1, len(answer.citations or ()) + 1))


def _read(dialect: str, body: Any, status: int, headers: dict[str, str], kind: str, search: bool) -> None:
    asking = ask(dialect, search=search, options={"background": True} if dialect == "openai-responses" else {})
    _check(connector(dialect).read(asking, [exchange(body, status, headers, kind=kind)]))


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in items for place in _places(inner, (*path, key)))]


def _replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    value = copy.deepcopy(value)
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = new
    return value


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(VALID), STATUSES, KINDS, HEADERS, st.booleans())
def test_a_valid_body_with_any_value_replaced_by_any_json(
    data: st.DataObject, valid: tuple[str, Any], status: int, kind: str, headers: dict[str, str], search: bool
) -> None:
    dialect, body = valid
    if isinstance(body, str):
        frames = body.splitlines(keepends=True)
        at = data.draw(st.integers(0, len(frames) - 1))
        frames[at] = f"data:{json.dumps(data.draw(JSON))}\n"
        body = "".join(frames)
    else:
        for _ in range(data.draw(st.integers(1, 3))):
            body = _replaced(body, data.draw(st.sampled_from(_places(body))), data.draw(JSON))
    _read(dialect, body, status, headers, kind, search)


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(VALID), STATUSES, KINDS)
def test_a_valid_body_cut_short_or_with_bytes_changed(
    data: st.DataObject, valid: tuple[str, Any], status: int, kind: str
) -> None:
    dialect, body = valid
    content = bytearray((body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    _read(dialect, bytes(content[: data.draw(st.integers(0, len(content)))]), status, {}, kind, True)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(DIALECTS), st.binary(max_size=200), STATUSES, HEADERS, KINDS)
def test_any_bytes(dialect: str, body: bytes, status: int, headers: dict[str, str], kind: str) -> None:
    _read(dialect, body, status, headers, kind, True)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(DIALECTS), JSON, STATUSES, KINDS)
def test_any_json(dialect: str, body: Any, status: int, kind: str) -> None:
    _read(dialect, json.dumps(body), status, {}, kind, True)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"choices":[{"message":{"content":"' + b"x" * 10,
        '{"error":{"message":"\\ud800","code":"\\udfff\\u0000"}}',
        '{"choices":[{"message":{"content":"\\ud83d[1]"},"finish_reason":"\\ud800"}],"id":"\\ud800"}',
        '{"usage":{"input_tokens":NaN,"output_tokens":Infinity},"output":[],"status":"completed","object":"response"}',
        b"\xff\xfe\x00\x00",
        b"data:\n\ndata: [DONE]\n\n",
        b"data: [DONE]\n\n",
        b":\n:\n",
    ],
)
def test_bodies_made_to_hurt(dialect: str, body: Any) -> None:
    for kind in ("submit", "poll", "cancel"):
        _read(dialect, body, 200, {}, kind, True)


WRONG: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1e308,
    "",
    "\x00",
    "\ud83d",
    "stop",
    [],
    [1],
    [[]],
    {},
    {"a": []},
    float("nan"),
)


@pytest.mark.parametrize(("dialect", "body"), [valid for valid in VALID if not isinstance(valid[1], str)])
def test_every_value_of_a_valid_body_may_be_of_any_type_or_missing(dialect: str, body: Any) -> None:
    for path in _places(body):
        for wrong in WRONG:
            _read(dialect, json.dumps(_replaced(body, path, wrong)), 200, {}, "submit", True)


@pytest.mark.parametrize(("dialect", "stream"), [valid for valid in VALID if isinstance(valid[1], str)])
def test_every_value_of_every_frame_may_be_of_any_type_or_missing(dialect: str, stream: str) -> None:
    for line in stream.splitlines():
        frame = parse_json(line.removeprefix("data:"))
        for path in _places(frame) if line.startswith("data:") and frame is not None else ():
            for wrong in WRONG:
                changed = stream.replace(line, "data:" + json.dumps(_replaced(frame, path, wrong)))
                _read(dialect, changed, 200, {}, "submit", True)


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize(
    "unit", [b"<", b"<a ", b"<script>", b"wait ", b"data:", b"[ref_", b"1", b'{"error":{"message":"1']
)
def test_a_megabyte_of_rubbish_is_read_in_no_time(unit: bytes, status: int) -> None:
    tail = b'"}}' if unit.startswith(b"{") else b""
    for body in (unit * (1_000_000 // len(unit)), unit + b"1" * 1_000_000 + tail, b"<html>" + unit * 200_000):
        started = time.process_time()
        _read("openai-chat", body, status, {}, "submit", False)
        assert time.process_time() - started < 2.0
