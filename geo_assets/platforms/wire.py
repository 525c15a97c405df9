"""Lenient reading of bodies: what kind of thing came back, and typed access to JSON whose types nobody guarantees.

What belongs here: bytes to JSON, event streams or "a web page", and accessors that always return the promised type.
What does not: the meaning of any platform's field.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from geo_assets.model.answers import HttpResponse
from geo_assets.platforms.sse import Event, looks_like_events, parse_events

MAX_MESSAGE = 500
_MAX_PAGE = 10_000  # of a page's text is looked at: the patterns below are not linear on hostile input
_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_PAGE = re.compile(r"<(?:!doctype\s+html|html|head|body|\?xml)\b", re.IGNORECASE)
_TAG = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_LOGIN = re.compile(
    r"type\s*=\s*[\"']?password|\b(?:log|sign)[\s-]?in\b|captcha|登录|登陆|登入|请先登|验证码|扫码",
    re.IGNORECASE,
)


class BodyKind(StrEnum):
    """What a body is by its bytes, whatever its headers say."""

    JSON = "json"
    EVENTS = "events"
    LOGIN_PAGE = "login_page"
    ERROR_PAGE = "error_page"
    EMPTY = "empty_body"
    NOT_JSON = "not_json"


@dataclass(frozen=True, slots=True)
class Body:
    """An opened body: `value` for JSON, `events` for an event stream, `excerpt` (one line) for everything else."""

    kind: BodyKind
    value: Any = None
    events: tuple[Event, ...] = ()
    excerpt: str = ""
    warnings: tuple[str, ...] = ()


def open_body(response: HttpResponse) -> Body:
    """Tell what a response body is. Never raises."""
    warnings: tuple[str, ...] = ()
    try:
        content = response.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        content = response.body.decode("utf-8-sig", "replace")
        warnings = ("the body is not valid UTF-8; undecodable bytes were replaced",)
    # Servers under load send blank lines ahead of the JSON to keep the connection alive.
    content = content.strip()
    if not content:
        return Body(BodyKind.EMPTY, excerpt="empty body")
    content_type = response.headers.get("content-type", "").lower()
    if content[0] != "<":
        try:
            return Body(BodyKind.JSON, json.loads(content), warnings=warnings)
        except (ValueError, RecursionError):
            if looks_like_events(content):
                return Body(BodyKind.EVENTS, None, parse_events(content), one_line(content), warnings)
    if "text/html" in content_type or _PAGE.search(content[:1000]):
        page = content[:_MAX_PAGE]
        kind = BodyKind.LOGIN_PAGE if _LOGIN.search(page) else BodyKind.ERROR_PAGE
        return Body(kind, excerpt=one_line(_TAG.sub(" ", page)) or kind.value, warnings=warnings)
    return Body(BodyKind.NOT_JSON, excerpt=one_line(content) or "control characters only", warnings=warnings)


def parse_json(text_: str) -> Any:
    """The JSON value of `text_`, or None where it does not parse."""
    try:
        return json.loads(text_)
    except (ValueError, RecursionError):
        return None


def mapping(value: Any) -> Mapping[str, Any]:
    """`value` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def rows(value: Any) -> list[Mapping[str, Any]]:
    """The JSON objects in `value` if it is a list, else nothing."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: Any) -> str:
    """`value` if it is a string, else an empty one. Lone surrogates (legal in JSON, not in UTF-8) become U+FFFD."""
    return _SURROGATES.sub("\ufffd", value) if isinstance(value, str) else ""


def label(value: Any) -> str | None:
    """A short name or id out of a string or a number; None where there is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return one_line(text(value)) or None


def count(value: Any) -> int | None:
    """A non-negative whole number, None where `value` is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        return None
    return int(value)


def one_line(value: str) -> str:
    """Text fit for a log line or a database column: no control characters, one line, at most 500 characters."""
    return " ".join(_CONTROLS.sub(" ", text(value)).split())[:MAX_MESSAGE]
