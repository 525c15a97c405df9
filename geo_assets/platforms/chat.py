"""The chat-completions format (`choices[0].message`), blocking and streamed, that many platforms have copied.

What belongs here: what the copies have in common. What does not: search results, which every copy puts elsewhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from geo_assets.model.answers import FinishReason, HttpResponse, Rejected, Usage
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.failures import ErrorTable, find_error, rejected, unreadable
from geo_assets.platforms.sse import DONE, Event
from geo_assets.platforms.usage import read_usage
from geo_assets.platforms.wire import label, mapping, parse_json, rows, text

FINISH_REASONS: Mapping[str, FinishReason] = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
    "sensitive": FinishReason.CONTENT_FILTER,
    "tool_calls": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
}
# The platform gave up in the middle; the text so far is no answer.
BROKEN_OFF: Mapping[str, ErrorClass] = {
    "insufficient_system_resource": ErrorClass.OVERLOADED,
    "abort": ErrorClass.UPSTREAM_FAILED,
    "network_error": ErrorClass.SERVER_ERROR,
}


@dataclass(frozen=True, slots=True)
class Completion:
    """A chat completion, read. `message` is the raw message object, for what only one dialect knows."""

    text: str
    finish: FinishReason
    refusal: str | None
    id: str | None
    model: str | None
    usage: Usage
    message: Mapping[str, Any]


def finish_reason(value: Any) -> FinishReason:
    """The finish reason in our words; a missing one (and the string "null") is `unknown`, a new one `other`."""
    name = label(value)
    return FinishReason.UNKNOWN if name in {None, "null"} else FINISH_REASONS.get(str(name), FinishReason.OTHER)


def content_text(value: Any) -> str | None:
    """The text of a `content`: a string, null, or a list of parts with `text`. None where it is something else."""
    if value is None or isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return "".join(part if isinstance(part, str) else text(mapping(part).get("text")) for part in value)
    return None


def read_completion(value: Any) -> Completion | Rejected:
    """Read a blocking completion (or one put together from a stream)."""
    body = mapping(value)
    usage = read_usage(body.get("usage"))
    choices = rows(body.get("choices"))
    if not choices or not isinstance(choices[0].get("message"), dict):
        return unreadable("no_answer", "the body has no choices[0].message", usage)
    choice, message = choices[0], choices[0]["message"]
    answer = content_text(message.get("content"))
    if answer is None:
        return unreadable("no_answer", "choices[0].message.content is neither text nor a list of parts", usage)
    ended = label(choice.get("finish_reason"))
    if ended and ended in BROKEN_OFF:
        return Rejected(
            BROKEN_OFF[ended], ended, f"the platform broke the answer off ({ended})", usage=usage, accepted=True
        )
    refusal = text(message.get("refusal")) or None
    return Completion(
        text=answer or refusal or "",
        finish=FinishReason.REFUSAL if refusal else finish_reason(ended),
        refusal=refusal,
        id=label(body.get("id")),
        model=label(body.get("model")),
        usage=usage,
        message=message,
    )


def read_stream(response: HttpResponse, events: Sequence[Event], table: ErrorTable) -> Completion | Rejected:
    """Put a streamed completion together and read it.

    An error frame decides by its code; a stream that ends with neither a finish reason nor `[DONE]` was cut. Both prove
    that the platform ran the job.
    """
    parts: list[str] = []
    message: dict[str, Any] = {}
    whole: dict[str, Any] = {}
    ended, closed, started = None, False, False
    for event in events:
        if event.data.strip() == DONE:
            closed = True
            continue
        frame = mapping(parse_json(event.data))
        if error := find_error(frame):
            return rejected(response, frame, error, table, accepted=started, usage=_usage(whole))
        whole.update({key: frame[key] for key in ("id", "model", "usage") if frame.get(key)})
        for choice in rows(frame.get("choices"))[:1]:
            started = True
            delta = mapping(choice.get("delta")) or mapping(choice.get("message"))
            parts.append(content_text(delta.get("content")) or "")
            message.update({key: item for key, item in delta.items() if key != "content" and item is not None})
            ended = choice.get("finish_reason") or ended
    if not started:
        return unreadable("no_answer", "the stream holds no choices", _usage(whole))
    if not closed and not ended:
        return cut(_usage(whole))
    message["content"] = "".join(parts)
    return read_completion({**whole, "choices": [{"message": message, "finish_reason": ended}]})


def cut(usage: Usage | None) -> Rejected:
    """The reply for a stream that stops in the middle."""
    message = "the stream ends without a finish reason: the connection was cut"
    return Rejected(ErrorClass.UPSTREAM_FAILED, "stream_cut", message, usage=usage, accepted=True)


def _usage(whole: Mapping[str, Any]) -> Usage | None:
    return read_usage(whole["usage"]) if whole.get("usage") else None
