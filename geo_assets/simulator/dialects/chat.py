"""The `chat/completions` shape that several platforms share: requests, replies, event streams.

What belongs here: what is the same everywhere. Each platform's extra keys and errors stand in its own dialect.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from geo_assets.simulator.answers import Ending, SimulatedAnswer
from geo_assets.simulator.dialects.base import Asked, Body, Reply, estimate_tokens, search_tokens

FINISH: dict[Ending, str] = {
    Ending.COMPLETE: "stop",
    Ending.REFUSED: "stop",
    Ending.EMPTY: "stop",
    Ending.TRUNCATED: "length",
    Ending.FILTERED: "content_filter",
}


def chat_usage(asked: Asked, answer: SimulatedAnswer, text: str, reasoning: int = 0) -> Body:
    """Token counts of a chat completion."""
    prompt = estimate_tokens(asked.question) + search_tokens(answer)
    written = estimate_tokens(text) + reasoning
    return {
        "prompt_tokens": prompt,
        "completion_tokens": written,
        "total_tokens": prompt + written,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }


def completion(
    id_: str, created: int, model: str, message: Mapping[str, Any], finish: str, usage: Body, **extra: Any
) -> Body:
    """A `chat.completion` object."""
    return {
        "id": id_,
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [{"index": 0, "message": dict(message), "finish_reason": finish}],
        "usage": usage,
        **extra,
    }


def event_stream(body: Body, *, include_usage: bool) -> Reply:
    """The completion as server-sent events: role, text in runs, finish, usage if asked for, `[DONE]`."""
    message = body["choices"][0]["message"]
    shared = {**{k: body[k] for k in ("id", "created", "model")}, "object": "chat.completion.chunk"}

    def chunks() -> Iterator[Body]:
        yield {**shared, "choices": [_choice({"role": "assistant", "content": ""}, None)]}
        text = message.get("content") or ""
        for start in range(0, len(text), 24):
            yield {**shared, "choices": [_choice({"content": text[start : start + 24]}, None)]}
        rest = {key: value for key, value in message.items() if key not in {"role", "content"} and value}
        yield {**shared, "choices": [_choice(rest, body["choices"][0]["finish_reason"])]}
        if include_usage:
            yield {**shared, "choices": [], "usage": body["usage"]}

    lines = [f"data: {json.dumps(chunk, ensure_ascii=False, separators=(',', ':'))}\n\n" for chunk in chunks()]
    lines.append("data: [DONE]\n\n")
    return Reply(200, "".join(lines).encode(), {"content-type": "text/event-stream"})


def _choice(delta: Mapping[str, Any], finish: str | None) -> Body:
    return {"index": 0, "delta": dict(delta), "finish_reason": finish}


def wants_usage(body: Body) -> bool:
    """Whether a streaming request asks for a usage chunk."""
    options = body.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))
