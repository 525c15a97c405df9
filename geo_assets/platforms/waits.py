"""How long a platform asks us to wait, in seconds, wherever it says so: headers, rate-limit windows, bodies.

No clock here: an HTTP date is read against the response's own `Date` header, which also makes clock skew harmless.
"""

import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from geo_assets.platforms.wire import mapping, text

_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")
_UNITS = (86_400.0, 3600.0, 60.0, 1.0, 0.001)
_ENGLISH = re.compile(
    r"\b(?:try again|retry|retrying|wait)\D{0,24}?(\d+(?:\.\d+)?)\s*"
    r"(milliseconds?|ms|minutes?|mins?|m|seconds?|secs?|s)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"(\d+(?:\.\d+)?)\s*(毫秒|秒钟?|分钟)\s*(?:之|以)?[后後]")
_WORDS = (("milli", 0.001), ("ms", 0.001), ("毫", 0.001), ("m", 60.0), ("分", 60.0), ("", 1.0))  # first match


def wait_seconds(headers: Mapping[str, str], body: Any = None) -> float | None:
    """The wait that a response asks for, None where it names none.

    Precedence: `retry-after-ms`, `retry-after` (seconds or HTTP date), the body (a `retry_after` field or a sentence),
    the reset of an `x-ratelimit-*` window with nothing remaining.
    """
    candidates = (
        _number(headers.get("retry-after-ms"), 0.001),
        _retry_after(headers.get("retry-after"), headers.get("date")),
        _from_body(body),
        _window_reset(headers),
    )
    return next((seconds for seconds in candidates if seconds is not None), None)


def duration(value: str) -> float | None:
    """Seconds of a duration such as `1.734s`, `12ms`, `6m0s`, `1d2h`; None where it is none."""
    found = _DURATION.fullmatch(value.strip())
    if not found or not any(found.groups()):
        return None
    return sum(float(part) * unit for part, unit in zip(found.groups(), _UNITS, strict=True) if part)


def _number(value: Any, unit: float = 1.0) -> float | None:
    """A finite, non-negative number of seconds out of a number or its text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value) * unit
    except (ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _retry_after(value: str | None, now: str | None) -> float | None:
    if value is None:
        return None
    seconds = _number(value)
    if seconds is None:
        seconds = duration(value)
    if seconds is not None or now is None:
        return seconds
    try:
        return max(0.0, (parsedate_to_datetime(value) - parsedate_to_datetime(now)).total_seconds())
    except (ValueError, TypeError, OverflowError):  # not a date, or one with and one without a zone
        return None


def _from_body(body: Any) -> float | None:
    error = mapping(mapping(body).get("error")) or mapping(body)
    for holder in (error, mapping(body)):
        for key, unit in (("retry_after_ms", 0.001), ("retry_after", 1.0), ("retry_after_seconds", 1.0)):
            seconds = _number(holder.get(key), unit)
            if seconds is not None:
                return seconds
    # Cut short: the patterns are not linear on a million digits.
    message = (text(error.get("message")) or text(mapping(body).get("error")))[:1000]
    found = _ENGLISH.search(message) or _CHINESE.search(message)
    if not found:
        return None
    word = found[2].lower()
    return _number(found[1], next(unit for start, unit in _WORDS if word.startswith(start)))


def _window_reset(headers: Mapping[str, str]) -> float | None:
    """The longest reset among exhausted windows (requests, tokens) of OpenAI's rate-limit headers."""
    resets = [
        duration(headers.get(f"x-ratelimit-reset-{window}", ""))
        for window in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{window}", "").strip() == "0"
    ]
    return max((seconds for seconds in resets if seconds is not None), default=None)
