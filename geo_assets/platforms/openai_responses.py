"""OpenAI Responses with web search: blocking, or as a background job with submit, poll and cancel.

Observable: cited addresses with code-point spans of the inline link, everything retrieved, queries, billable searches,
whether a search ran. `metadata` is echoed, so an operator finds an orphaned job by our attempt id.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote

from geo_assets.model.answers import (
    Ask,
    CitationMode,
    Completed,
    Exchange,
    HttpRequest,
    HttpResponse,
    NormalAnswer,
    Pending,
    Rejected,
    Reply,
    SearchState,
)
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.base import Dialect, json_post, url, without_none
from geo_assets.platforms.connector import Capabilities
from geo_assets.platforms.failures import ApiError, ErrorTable, find_error, rejected, unreadable
from geo_assets.platforms.options import LocatedOptions
from geo_assets.platforms.responses import citations, finish, is_response, read_output
from geo_assets.platforms.usage import read_usage
from geo_assets.platforms.waits import wait_seconds
from geo_assets.platforms.wire import BodyKind, count, label, mapping, open_body

_SOURCES = "web_search_call.action.sources"
_POLL_ON = frozenset(
    {
        ErrorClass.RATE_LIMITED,
        ErrorClass.OVERLOADED,
        ErrorClass.SERVER_ERROR,
        ErrorClass.UNREADABLE,
        ErrorClass.TIMEOUT,
        ErrorClass.UPSTREAM_FAILED,
    }
)

CODES: Mapping[str, ErrorClass] = {
    "context_length_exceeded": ErrorClass.CONTEXT_LENGTH,
    "unsupported_parameter": ErrorClass.INVALID_REQUEST,
    "model_not_found": ErrorClass.INVALID_REQUEST,
    "invalid_prompt": ErrorClass.CONTENT_FILTERED,
    "content_policy_violation": ErrorClass.CONTENT_FILTERED,
    "bio_policy": ErrorClass.CONTENT_FILTERED,
    "misalignment_policy_violation": ErrorClass.CONTENT_FILTERED,
    "invalid_api_key": ErrorClass.AUTH,
    "data_residency_mismatch": ErrorClass.PERMISSION,
    "rate_limit_exceeded": ErrorClass.RATE_LIMITED,
    "requests": ErrorClass.RATE_LIMITED,  # the `type` of a rate limit names its dimension
    "tokens": ErrorClass.RATE_LIMITED,
    "insufficient_quota": ErrorClass.QUOTA_EXHAUSTED,
    "credit_balance_exhausted": ErrorClass.QUOTA_EXHAUSTED,
    "organization_spend_limit_exceeded": ErrorClass.QUOTA_EXHAUSTED,
    "project_spend_limit_exceeded": ErrorClass.QUOTA_EXHAUSTED,
    "organization_usage_limit_exceeded": ErrorClass.QUOTA_EXHAUSTED,
    "server_error": ErrorClass.SERVER_ERROR,
    "server_is_overloaded": ErrorClass.OVERLOADED,
    "service_unavailable_error": ErrorClass.OVERLOADED,
    "slow_down": ErrorClass.OVERLOADED,
    "vector_store_timeout": ErrorClass.UPSTREAM_FAILED,
}


class OpenAIOptions(LocatedOptions):
    """Options of `openai-responses`, named as on the wire.

    `metadata: false` leaves our attempt id out of the body. `neutral_location: false` leaves the location out where
    none is set; the platform then assumes the US.
    """

    background: bool = False
    instructions: str | None = None
    max_output_tokens: int | None = None
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    search_context_size: Literal["low", "medium", "high"] | None = None
    tool_choice: Literal["auto", "required", "web_search"] | None = None
    allowed_domains: list[str] | None = None
    external_web_access: bool | None = None
    service_tier: Literal["auto", "default", "flex", "scale", "priority", "fast", "ultrafast"] | None = None
    store: bool | None = None
    metadata: bool = True
    neutral_location: bool = True


class OpenAIResponses(Dialect):
    """The dialect `openai-responses`; base URL ends in `/v1`."""

    dialect = "openai-responses"
    version = "1"
    options_type = OpenAIOptions
    # Only codes known to pass are waited for; an unknown 429 gets a few tries, for it may be a bill.
    errors = ErrorTable(CODES, unknown_429=ErrorClass.OVERLOADED)

    def capabilities(self, options: Mapping[str, Any]) -> Capabilities:
        """Search, location, and with `background` jobs that can be cancelled."""
        background = options.get("background") is True
        return Capabilities(
            search=True,
            search_can_be_off=True,
            region=True,
            citation_mode=CitationMode.SPAN,
            background=background,
            cancel=background,
            option_names=OpenAIOptions.names(),
        )

    def _check(self, model: str, search: bool, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        given = OpenAIOptions.of(options)
        problems = []
        if given.background and given.store is False:
            problems.append(("options.store", "background jobs need storing; remove `store: false`"))
        if not search and given.tool_choice in {"required", "web_search"}:
            problems.append(("options.tool_choice", "forces a search that `search: false` leaves out; remove it"))
        if "search-preview" in model or "deep-research" in model:
            problems.append(("model", f"{model} was shut down on 2026-07-23; use a current model with search on"))
        return problems

    def submit(self, ask: Ask) -> HttpRequest:
        """The question as `input`; the search tool and its sources only where search is asked for."""
        options = OpenAIOptions.of(ask.options)
        body: dict[str, Any] = {"model": ask.model, "input": ask.question}
        body |= without_none(
            instructions=options.instructions,
            max_output_tokens=options.max_output_tokens,
            service_tier=options.service_tier,
            store=True if options.background else options.store,
        )
        if ask.search:
            body |= {"tools": [self._tool(ask, options)], "include": [_SOURCES]}
            if options.tool_choice:
                forced = options.tool_choice == "web_search"
                body["tool_choice"] = {"type": "web_search"} if forced else options.tool_choice
        if options.reasoning_effort:
            body["reasoning"] = {"effort": options.reasoning_effort}
        if options.background:
            body["background"] = True
        if options.metadata:
            body["metadata"] = {"attempt": ask.attempt_id}
        return json_post(ask, "/responses", body)

    @staticmethod
    def _tool(ask: Ask, options: OpenAIOptions) -> dict[str, Any]:
        place = options.place(ask)
        neutral = {"type": "approximate"} if options.neutral_location else None
        return {
            "type": "web_search",
            **without_none(
                search_context_size=options.search_context_size,
                user_location=place.wire() if place else neutral,
                external_web_access=options.external_web_access,
                filters={"allowed_domains": options.allowed_domains} if options.allowed_domains else None,
            ),
        }

    def poll(self, ask: Ask, upstream_id: str) -> HttpRequest:
        """GET the job with everything it retrieved."""
        return self._job(ask, "GET", f"{quote(upstream_id, safe='')}?include[]={_SOURCES}")

    def cancel(self, ask: Ask, upstream_id: str) -> HttpRequest:
        """POST to the job's cancel address."""
        return self._job(ask, "POST", f"{quote(upstream_id, safe='')}/cancel")

    @staticmethod
    def _job(ask: Ask, method: str, path: str) -> HttpRequest:
        headers = {"Authorization": "Bearer {key}", "X-Client-Request-Id": ask.attempt_id}
        return HttpRequest(method, url(ask, f"/responses/{path}"), headers)

    def read(self, ask: Ask, exchanges: Sequence[Exchange]) -> Reply:
        """What the last exchange says; a call about a job that fails is told from a job that failed."""
        last = exchanges[-1]
        reply = self._read(ask, last.response)
        if last.kind != "poll" or not isinstance(reply, Rejected) or reply.accepted:
            return reply
        return self._poll_error(last.response, reply)

    @staticmethod
    def _poll_error(response: HttpResponse, reply: Rejected) -> Rejected:
        if response.status == 404 and open_body(response).kind is BodyKind.JSON:
            gone = f"the platform does not know the job any more: {reply.message}"
            return Rejected(ErrorClass.UPSTREAM_FAILED, reply.code or "not_found", gone, accepted=True)
        if reply.error in _POLL_ON or response.status in {404, 409}:
            wait = reply.retry_after if reply.retry_after is not None else wait_seconds(response.headers)
            return Rejected(ErrorClass.POLL_FAILED, reply.code, reply.message, retry_after=wait, accepted=True)
        return Rejected(reply.error, reply.code, reply.message, accepted=True)

    def _error_in(self, value: Any) -> ApiError | None:
        return None if is_response(value) else find_error(value)

    def _read_answer(self, ask: Ask, response: HttpResponse, value: Any, warnings: Sequence[str]) -> Reply:
        if not is_response(value):
            return unreadable("no_answer", "the body is no response object")
        body = mapping(value)
        status, job = label(body.get("status")), label(body.get("id"))
        usage = read_usage(body.get("usage")) if body.get("usage") else None
        if status in {"queued", "in_progress"} and job:
            return Pending(job, poll_after=wait_seconds(response.headers))
        if status == "cancelled":
            return Rejected(
                ErrorClass.UPSTREAM_FAILED, "cancelled", "the job was cancelled", usage=usage, accepted=True
            )
        if status == "failed":
            return rejected(response, value, find_error(value), self.errors, accepted=True, usage=usage)
        if status not in {"completed", "incomplete"} or not isinstance(body.get("output"), list):
            return unreadable("no_answer", f"status {status} without a readable output", usage)
        return _answer(ask, body, status, list(warnings))


def _answer(ask: Ask, body: Mapping[str, Any], status: str, warnings: list[str]) -> Completed:
    output = read_output(body.get("output"))
    billed = count(mapping(mapping(body.get("tool_usage")).get("web_search")).get("num_requests"))
    searched = output.search_calls > 0
    state = SearchState.NOT_USED if ask.search else SearchState.NOT_APPLICABLE
    observable = output.annotated or searched or bool(output.sources)
    ended = finish(status, body.get("incomplete_details"), output, warnings)
    job = label(body.get("id"))
    return Completed(
        NormalAnswer(
            text=output.text or output.refusal or "",
            citations=citations(output.annotations, output.sources) if observable else None,
            citation_mode=CitationMode.SPAN if observable else CitationMode.NONE,
            searches=output.queries,
            search_state=SearchState.USED if searched else state,
            model_asked=ask.model,
            model_served=label(body.get("model")),
            finish_reason=ended,
            usage=read_usage(
                body.get("usage"), searches=output.search_calls if billed is None and ask.search else billed
            ),
            upstream_ids={"response": job} if job else {},
            refusal=output.refusal,
            warnings=(*warnings, *output.warnings),
        )
    )
