"""What travels between us and a platform, and the normal form that is read out of it.

Connectors do no I/O: they build an `HttpRequest` and read `Exchange`s. The engine sends, stores and books every
exchange, so nothing is retried or lost below it, and stored evidence is read again by the very same code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from geo_assets.model.errors import ErrorClass


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One HTTP request, complete but for the secret: `{key}` in a header value stands for the account's key."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """One HTTP response as received; `body` is the decoded entity (content codings undone). Header names lower case."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and the response to it.

    `leg` counts from 0 within an attempt; `kind` is submit, poll, evidence, cancel or lookup.
    """

    leg: int
    kind: str
    request: HttpRequest
    response: HttpResponse


@dataclass(frozen=True, slots=True)
class Ask:
    """One attempt's question to one platform, all that a connector needs to know.

    `options` are the dialect's own switches from the platform's configuration (validated by `Connector.check_options`).
    `attempt_id` is put wherever the platform echoes or traces it.
    """

    platform: str
    base_url: str
    model: str
    question: str
    language: str
    search: bool
    attempt_id: str
    idempotency_key: str
    region: str | None = None
    device: str | None = None
    mode: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class SearchState(StrEnum):
    """Whether the platform searched the web for this answer. `n/a`: no search was asked for and none can be seen."""

    USED = "used"
    NOT_USED = "not_used"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "n/a"


class CitationBasis(StrEnum):
    """`cited`: the answer points to it. `retrieved`: the platform read it, and does not say whether it was used."""

    CITED = "cited"
    RETRIEVED = "retrieved"


class CitationMode(StrEnum):
    """How a platform ties sources to text."""

    SPAN = "span"
    BLOCK = "block"
    CHUNK = "chunk"
    MARKER = "marker"
    DOCUMENT = "document"
    NONE = "none"


class FinishReason(StrEnum):
    """Why the text ends, in one vocabulary for all platforms."""

    STOP = "stop"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"
    TOOL_CALLS = "tool_calls"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Citation:
    """A source that the platform gives with an answer.

    `order` counts from 1 as the platform lists it; `marker` is the number in the text's own markers, if any. `spans`
    are half-open ranges of code points in the answer's text that point to this source.
    """

    url: str
    basis: CitationBasis
    order: int
    title: str | None = None
    site: str | None = None
    marker: str | None = None
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What the platform says it used; None = not stated. `reported_micros`: a price that the platform itself names."""

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    thinking_tokens: int | None = None
    searches: int | None = None
    calls: int = 1
    reported_micros: int | None = None


@dataclass(frozen=True, slots=True)
class NormalAnswer:
    """The normal form of an answer.

    `citations` is None where the platform gives no source list at all (not observable), empty where it gives one with
    nothing in it. `search_state` says what ran, whatever was asked for.
    """

    text: str
    citations: tuple[Citation, ...] | None
    citation_mode: CitationMode
    searches: tuple[str, ...]
    search_state: SearchState
    model_asked: str
    model_served: str | None
    finish_reason: FinishReason
    usage: Usage
    upstream_ids: Mapping[str, str] = field(default_factory=dict)
    refusal: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Completed:
    """The attempt brought an answer (perhaps an empty, refused, filtered or truncated one: see `finish_reason`)."""

    answer: NormalAnswer


@dataclass(frozen=True, slots=True)
class Pending:
    """The platform accepted the job; poll for it. `poll_after` in seconds, None = the engine's own rhythm."""

    upstream_id: str
    poll_after: float | None = None


@dataclass(frozen=True, slots=True)
class NextLeg:
    """The attempt needs a further exchange (tool loops, continuations)."""

    request: HttpRequest


@dataclass(frozen=True, slots=True)
class Rejected:
    """The platform gave no answer. `retry_after` in seconds as the platform asked for it, from header or body.

    `usage` where a failed call still reports what it used. `accepted` is True where the body proves that the platform
    ran the job (a failed background job), so that its cost is booked.
    """

    error: ErrorClass
    code: str | None
    message: str
    retry_after: float | None = None
    usage: Usage | None = None
    accepted: bool = False


Reply = Completed | Pending | NextLeg | Rejected
