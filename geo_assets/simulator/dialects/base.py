"""What every dialect offers, and what they share: reading requests, writing replies.

What belongs here: types and small helpers without any platform's peculiarity.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from enum import StrEnum
from typing import Any, Literal

from geo_assets.simulator.answers import SimulatedAnswer, language_of
from geo_assets.simulator.draws import token
from geo_assets.simulator.settings import SimulatedPlatform

Body = dict[str, Any]


class Trouble(StrEnum):
    """Why a platform refuses, in no platform's words."""

    AUTH = "auth"
    INVALID = "invalid"
    MISSING = "missing"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"
    NO_TOOL = "no_tool"
    MODEL = "model"
    NOT_FOUND = "not_found"
    RATE_LIMITED = "rate_limited"
    QUOTA_EXHAUSTED = "quota_exhausted"
    CONTENT_FILTER = "content_filter"
    SERVER_ERROR = "server_error"
    BAD_GATEWAY = "bad_gateway"
    OVERLOADED = "overloaded"


@dataclass(frozen=True, slots=True)
class Route:
    """What a path stands for: the kind of call, which of the dialect's protocols, and the job's id if it names one."""

    kind: Literal["submit", "poll", "cancel", "delete"]
    protocol: str
    upstream_id: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as the dialect understood it. `body` is the request itself, for what the reply echoes."""

    protocol: str
    question: str
    model: str
    search: bool
    body: Body = field(default_factory=dict)
    stream: bool = False
    background: bool = False
    stored: bool = False
    attempt: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A response. Header names in lower case; `content-length` is added when it is sent."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ids:
    """Names and times of one call: `token` is unique to it (32 hex digits), `created` in seconds since 1970."""

    token: str
    created: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Seconds to wait and how to say so. `native`: as the platform does by itself, which may be not at all."""

    seconds: float
    said_as: Literal["native", "seconds", "date", "body", "none"] = "native"

    def headers(self, native: Mapping[str, str]) -> dict[str, str]:
        """`Retry-After` as asked for; `native` is what the platform itself would send."""
        if self.said_as == "native":
            return dict(native)
        if self.said_as == "seconds":
            return {"retry-after": str(max(1, round(self.seconds + 0.499)))}
        if self.said_as == "date":
            when = datetime.now(UTC) + timedelta(seconds=self.seconds + 1)
            return {"retry-after": format_datetime(when.replace(microsecond=0), usegmt=True)}
        return {}

    def sentence(self) -> str:
        """What is added to the message in the body."""
        return f" Please try again in {self.seconds:g}s." if self.said_as == "body" else ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the platform refuses. `detail` is what its message names, `param` the field at fault, `wait` for limits."""

    trouble: Trouble
    detail: str = ""
    param: str | None = None
    wait: Wait | None = None


class RefusedError(Exception):
    """The platform refuses the request."""

    def __init__(self, trouble: Trouble, detail: str = "", param: str | None = None) -> None:
        super().__init__(trouble, detail, param)
        self.refusal = Refusal(trouble, detail, param)


JobStatus = Literal["queued", "in_progress", "completed", "failed", "cancelled"]


class Dialect(ABC):
    """One wire format. Stateless. What a platform does not have is never called, as `route` does not lead to it."""

    name: str
    default_base_path: str
    skips_search_over_limit = False

    @abstractmethod
    def route(self, method: str, path: str, base_path: str) -> Route | None:
        """What the path (without the platform's prefix) stands for, None for nothing."""

    @abstractmethod
    def read(self, platform: SimulatedPlatform, route: Route, headers: Mapping[str, str], body: Body) -> Asked:
        """The request understood; raises RefusedError where the platform would refuse it."""

    @abstractmethod
    def answer(self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids) -> Reply:
        """The reply that carries the answer."""

    @abstractmethod
    def upstream_id(self, ids: Ids) -> str:
        """The id that the platform gives the job or response."""

    @abstractmethod
    def refuse(self, platform: SimulatedPlatform, refusal: Refusal, ids: Ids) -> Reply:
        """The refusal in the platform's own words."""

    def authorised(self, platform: SimulatedPlatform, headers: Mapping[str, str]) -> bool:
        """Whether the `Authorization` header holds a key of the platform."""
        scheme, _, key = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and key.strip() in platform.keys

    def filters_in_answer(self, platform: SimulatedPlatform) -> bool:  # noqa: ARG002 - some dialects look at it
        """Whether filtered content shows as an answer that was stopped (True) or as an HTTP error (False)."""
        return False

    def job(
        self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids, status: JobStatus
    ) -> Reply:
        """The reply that describes a job, or a stored response, in this status."""
        raise NotImplementedError

    def deleted(self, upstream_id: str) -> Reply:
        """The reply to the deletion of a stored response."""
        raise NotImplementedError


def json_reply(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Reply:
    """A JSON response."""
    content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    return Reply(status, content, {"content-type": "application/json", **(headers or {})})


def estimate_tokens(text: str) -> int:
    """A plausible token count: 0.7 a Chinese character, a quarter of the letters else."""
    per_character = 0.7 if language_of(text) == "zh" else 0.25
    return max(1, round(len(text) * per_character)) if text else 0


def mapping(value: Any) -> Body:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def one_of(value: Any, allowed: Collection[str]) -> bool:
    """Whether the value is one of the allowed words; requests can hold anything in any place."""
    return isinstance(value, str) and value in allowed


def words(value: Any) -> set[str] | None:
    """The words of a list or the keys of an object, None where the value is neither or holds something else."""
    if not isinstance(value, list | dict) or not all(isinstance(word, str) for word in value):
        return None
    return set(value)


def chat_question(messages: Any) -> str | None:
    """The last user message of a chat as text, None where there is none."""
    if not isinstance(messages, list):
        return None
    for message in reversed(messages):
        if isinstance(message, dict) and message.get("role") == "user":
            return content_text(message.get("content"))
    return None


def content_text(content: Any) -> str | None:
    """Text of a message's content: a string, or a list of parts with `text`."""
    if isinstance(content, str):
        return content or None
    if isinstance(content, list):
        texts = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
        return "".join(texts) or None
    return None


def search_tokens(answer: SimulatedAnswer) -> int:
    """Input tokens that retrieved pages add."""
    return 620 * len(answer.sources) if answer.searched else 0


def uuid_like(*key: object) -> str:
    """A UUID (version 4 in form) that depends on `key` alone."""
    digits = token(32, *key)
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:32]}"
