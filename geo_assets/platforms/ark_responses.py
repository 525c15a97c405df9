"""Volcengine Ark: the `web_search` tool, the `doubao_app` tool (the answer that the Doubao app gives), and plain chat.

Observable with `web_search`: the cited pages of the whole answer (no spans, no markers), queries, billed searches. With
`doubao_app`: what the app's search found, queries. Without search, Ark's plain chat route is asked.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from geo_assets.model.answers import (
    Ask,
    Citation,
    CitationBasis,
    CitationMode,
    Completed,
    FinishReason,
    HttpRequest,
    HttpResponse,
    NormalAnswer,
    Rejected,
    Reply,
    SearchState,
    Usage,
)
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.base import Dialect, json_post, without_none
from geo_assets.platforms.chat import Completion, read_completion, read_stream
from geo_assets.platforms.connector import Capabilities
from geo_assets.platforms.failures import ApiError, ErrorTable, find_error, rejected, unreadable
from geo_assets.platforms.options import LocatedOptions
from geo_assets.platforms.responses import Output, citations, finish, is_response, read_output
from geo_assets.platforms.sse import Event
from geo_assets.platforms.usage import read_usage
from geo_assets.platforms.wire import count, label, mapping, rows, text

FEATURES = ("chat", "deep_chat", "ai_search", "reasoning_search")
_SEARCH_ONLY = ("max_keyword", "limit", "sources", "max_tool_calls")


class ArkOptions(LocatedOptions):
    """Options of `ark-responses`, named as on the wire. `feature`: how the app is asked; a `mode` overrides it."""

    tool: Literal["web_search", "doubao_app"] = "web_search"
    feature: Literal["chat", "deep_chat", "ai_search", "reasoning_search"] = "ai_search"
    role_description: str | None = None
    max_keyword: Annotated[int, Field(ge=1, le=50)] | None = None
    limit: Annotated[int, Field(ge=1, le=50)] | None = None
    sources: list[Literal["search_engine", "toutiao", "douyin", "moji"]] | None = None
    max_tool_calls: Annotated[int, Field(ge=1, le=10)] | None = None
    thinking: Literal["enabled", "disabled", "auto"] | None = None
    reasoning_effort: str | None = None
    max_output_tokens: int | None = None
    store: bool | None = None


class ArkResponses(Dialect):
    """The dialect `ark-responses`; base URL ends in `/api/v3`."""

    dialect = "ark-responses"
    version = "1"
    options_type = ArkOptions
    errors = ErrorTable(
        {
            "SensitiveContentDetected": ErrorClass.CONTENT_FILTERED,
            "InputTextSensitiveContentDetected": ErrorClass.CONTENT_FILTERED,
            "OutputTextSensitiveContentDetected": ErrorClass.CONTENT_FILTERED,
            "InputTextRiskDetection": ErrorClass.CONTENT_FILTERED,
            "MissingParameter": ErrorClass.INVALID_REQUEST,
            "InvalidParameter": ErrorClass.INVALID_REQUEST,
            "InvalidEndpoint.ClosedEndpoint": ErrorClass.INVALID_REQUEST,
            "AuthenticationError": ErrorClass.AUTH,
            "AccountOverdueError": ErrorClass.QUOTA_EXHAUSTED,
            "AccessDenied": ErrorClass.PERMISSION,
            "ToolNotOpen": ErrorClass.PERMISSION,
            "InvalidEndpointOrModel.NotFound": ErrorClass.INVALID_REQUEST,
            "ModelNotOpen": ErrorClass.INVALID_REQUEST,
            "RateLimitExceeded": ErrorClass.RATE_LIMITED,
            "ModelAccountRpmRateLimitExceeded": ErrorClass.RATE_LIMITED,
            "ModelAccountTpmRateLimitExceeded": ErrorClass.RATE_LIMITED,
            "AccountRateLimitExceeded": ErrorClass.RATE_LIMITED,
            "QuotaExceeded": ErrorClass.QUOTA_EXHAUSTED,
            "SetLimitExceeded": ErrorClass.QUOTA_EXHAUSTED,
            "ServerOverloaded": ErrorClass.OVERLOADED,
            "InternalServiceError": ErrorClass.SERVER_ERROR,
        }
    )

    def capabilities(self, options: Mapping[str, Any]) -> Capabilities:
        """Search and location; the Doubao app decides by itself whether it searches."""
        app = options.get("tool") == "doubao_app"
        return Capabilities(
            search=True,
            search_can_be_off=not app,
            region=True,
            citation_mode=CitationMode.DOCUMENT,
            modes=frozenset(FEATURES) if app else frozenset(),
            option_names=ArkOptions.names(),
        )

    def _check(self, model: str, search: bool, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        del model
        app = options.get("tool") == "doubao_app"
        problems = []
        if app and not search:
            remedy = "the Doubao app decides by itself whether to search; leave search on, or use `tool: web_search`"
            problems.append(("search", remedy))
        idle = _SEARCH_ONLY if app else ("feature", "role_description")
        tool = "doubao_app" if app else "web_search"
        problems += [
            (f"options.{name}", f"is no option of the tool {tool}; remove it")
            for name in idle
            if options.get(name) is not None
        ]
        if not app and not search:
            problems += [
                (f"options.{name}", "has no effect with `search: false`; remove it")
                for name in _SEARCH_ONLY
                if options.get(name) is not None
            ]
        return problems

    def submit(self, ask: Ask) -> HttpRequest:
        """`/responses` with one tool, or the plain chat route where no search is asked for."""
        options = ArkOptions.of(ask.options)
        thinking = {"type": options.thinking} if options.thinking else None
        if not ask.search and options.tool == "web_search":
            body: dict[str, Any] = {"model": ask.model, "messages": [{"role": "user", "content": ask.question}]}
            body |= without_none(
                thinking=thinking, max_tokens=options.max_output_tokens, reasoning_effort=options.reasoning_effort
            )
            return json_post(ask, "/chat/completions", body)
        app = options.tool == "doubao_app"
        body = {
            "model": ask.model,
            "input": [{"role": "user", "content": [{"type": "input_text", "text": ask.question}]}],
            "tools": [self._tool(ask, options)],
            "stream": False,
            **without_none(
                max_tool_calls=options.max_tool_calls,
                thinking=thinking,
                reasoning={"effort": options.reasoning_effort} if options.reasoning_effort else None,
                max_output_tokens=options.max_output_tokens,
                store=options.store,
            ),
        }
        return json_post(ask, "/responses", body, **({"ark_beta_doubao_app": "true"} if app else {}))

    @staticmethod
    def _tool(ask: Ask, options: ArkOptions) -> dict[str, Any]:
        place = options.place(ask)
        where = without_none(user_location=place.wire() if place else None)
        if options.tool == "doubao_app":
            role = without_none(role_description=options.role_description)
            return {
                "type": "doubao_app",
                "feature": {ask.mode or options.feature: {"type": "enabled", **role}},
                **where,
            }
        named = without_none(max_keyword=options.max_keyword, limit=options.limit, sources=options.sources)
        return {"type": "web_search", **named, **where}

    def _error_in(self, value: Any) -> ApiError | None:
        return None if is_response(value) else find_error(value)

    def _read_answer(self, ask: Ask, response: HttpResponse, value: Any, warnings: Sequence[str]) -> Reply:
        body = mapping(value)
        if "choices" in body:
            return _chat(ask, read_completion(body), warnings)
        if not is_response(value):
            return unreadable("no_answer", "the body is neither a response object nor a chat completion")
        status = label(body.get("status"))
        usage = _usage(body) if body.get("usage") else None
        if status == "failed":
            return rejected(response, value, find_error(value), self.errors, accepted=True, usage=usage)
        if status == "in_progress":
            late = "the response is still in progress, and Ark has no jobs to poll"
            return Rejected(ErrorClass.UPSTREAM_FAILED, status, late, usage=usage, accepted=True)
        if status not in {"completed", "incomplete"} or not isinstance(body.get("output"), list):
            return unreadable("no_answer", f"status {status} without a readable output", usage)
        return _answer(ask, body, status, list(warnings))

    def _read_events(self, ask: Ask, response: HttpResponse, events: Sequence[Event], warnings: Sequence[str]) -> Reply:
        return _chat(ask, read_stream(response, events, self.errors), warnings)


def _chat(ask: Ask, completion: Completion | Rejected, warnings: Sequence[str]) -> Reply:
    """A plain chat answer: no search, no sources."""
    if isinstance(completion, Rejected):
        return completion
    return Completed(
        NormalAnswer(
            text=completion.text,
            citations=None,
            citation_mode=CitationMode.NONE,
            searches=(),
            search_state=SearchState.NOT_USED if ask.search else SearchState.NOT_APPLICABLE,
            model_asked=ask.model,
            model_served=completion.model,
            finish_reason=completion.finish,
            usage=completion.usage,
            upstream_ids={"response": completion.id} if completion.id else {},
            refusal=completion.refusal,
            warnings=tuple(warnings),
        )
    )


def _usage(body: Mapping[str, Any]) -> Usage:
    """Tokens, and billed tool calls: `tool_usage` names only tools that ran."""
    tools = mapping(mapping(body.get("usage")).get("tool_usage"))
    searches = (count(tools.get("web_search")) or 0) if tools else None
    return read_usage(body.get("usage"), searches=searches, calls=count(tools.get("doubao_app")) or 1)


def _answer(ask: Ask, body: Mapping[str, Any], status: str, warnings: list[str]) -> Completed:
    output = read_output(body.get("output"))
    app = [item for item in rows(body.get("output")) if item.get("type") == "doubao_app_call"]
    usage = _usage(body)
    said, found, queries, searched = _app(app) if app else _web(output, usage)
    ended: FinishReason = finish(status, body.get("incomplete_details"), output, warnings)
    state = SearchState.NOT_USED if ask.search else SearchState.NOT_APPLICABLE
    observable = bool(app) or ask.search or output.annotated
    response = label(body.get("id"))
    return Completed(
        NormalAnswer(
            text=said or output.refusal or "",
            citations=found if observable else None,
            citation_mode=CitationMode.DOCUMENT if observable else CitationMode.NONE,
            searches=queries,
            search_state=SearchState.USED if searched else state,
            model_asked=ask.model,
            model_served=label(body.get("model")),
            finish_reason=ended,
            usage=usage,
            upstream_ids={"response": response} if response else {},
            refusal=output.refusal,
            warnings=(*warnings, *output.warnings),
        )
    )


_Reading = tuple[str, tuple[Citation, ...], tuple[str, ...], bool]


def _web(output: Output, usage: Usage) -> _Reading:
    searched = output.search_calls > 0 or bool(usage.searches)
    return output.text, citations(output.annotations, output.sources), output.queries, searched


def _app(calls: Sequence[Mapping[str, Any]]) -> _Reading:
    """The app's answer out of its blocks. Its search results are what it read; the text does not say what it used."""
    parts: list[str] = []
    queries: list[str] = []
    found: dict[str, Citation] = {}
    searched = False
    for block in (block for call in calls for block in rows(call.get("blocks"))):
        if block.get("type") == "output_text":
            parts.append(text(block.get("text")))
        elif block.get("type") in ("search", "reasoning_search"):
            searched = True
            asked = block.get("queries")
            queries += [text(query) for query in asked] if isinstance(asked, list) else []
            for card in (mapping(row.get("text_card")) for row in rows(block.get("results"))):
                url = text(card.get("url"))
                if url and url not in found:
                    title, site = label(card.get("title")), label(card.get("sitename"))
                    found[url] = Citation(url, CitationBasis.RETRIEVED, len(found) + 1, title, site)
    return "".join(parts), tuple(found.values()), tuple(dict.fromkeys(filter(None, queries))), searched
