"""Token usage, under the two sets of names that all these platforms use (`prompt_tokens`, `input_tokens`)."""

from typing import Any

from geo_assets.model.answers import Usage
from geo_assets.platforms.wire import count, mapping


def read_usage(value: Any, *, searches: int | None = None, calls: int = 1) -> Usage:
    """What a `usage` object states; everything that it does not state stays None. `searches` as read by the dialect."""
    usage = mapping(value)
    incoming = mapping(usage.get("input_tokens_details")) or mapping(usage.get("prompt_tokens_details"))
    outgoing = mapping(usage.get("output_tokens_details")) or mapping(usage.get("completion_tokens_details"))
    return Usage(
        input_tokens=_first(usage.get("input_tokens"), usage.get("prompt_tokens")),
        cached_tokens=_first(incoming.get("cached_tokens"), usage.get("prompt_cache_hit_tokens")),
        output_tokens=_first(usage.get("output_tokens"), usage.get("completion_tokens")),
        # SGLang states reasoning tokens at the top level.
        thinking_tokens=_first(outgoing.get("reasoning_tokens"), usage.get("reasoning_tokens")),
        searches=searches,
        calls=calls,
    )


def _first(*values: Any) -> int | None:
    return next((number for number in map(count, values) if number is not None), None)
