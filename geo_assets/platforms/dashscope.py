"""Alibaba DashScope, native protocol: text generation, and the multimodal route, which searches only while streaming.

Observable: all retrieved sources, which of them the text marks (`[ref_n]`), billed searches, whether a search ran (the
platform drops searches under load with HTTP 200). Not observable: the queries, and the model that answered.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from geo_assets.model.answers import (
    Ask,
    CitationMode,
    Completed,
    HttpRequest,
    HttpResponse,
    NormalAnswer,
    Reply,
    SearchState,
)
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.base import Dialect, json_post, without_none
from geo_assets.platforms.chat import content_text, cut, finish_reason
from geo_assets.platforms.connector import Capabilities
from geo_assets.platforms.failures import ErrorTable, find_error, rejected, unreadable
from geo_assets.platforms.markers import Source, cite
from geo_assets.platforms.options import Options
from geo_assets.platforms.sse import Event
from geo_assets.platforms.usage import read_usage
from geo_assets.platforms.wire import count, label, mapping, parse_json, rows, text

_PATHS = {
    "text": "/services/aigc/text-generation/generation",
    "multimodal": "/services/aigc/multimodal-generation/generation",
}
_AGENTS = ("agent", "agent_max")
# The plus line is multimodal from Qwen3.5 on; so are the vision and omni models.
_MULTIMODAL = re.compile(r"qwen(?:3\.(?:[5-9]|\d\d)|[4-9](?:\.\d+)?)-plus|qwen.*-(?:vl|omni)", re.IGNORECASE)


class DashScopeOptions(Options):
    """Options of `dashscope`, named as on the wire. `route: multimodal` streams."""

    route: Literal["text", "multimodal"] = "text"
    max_tokens: int | None = None
    enable_thinking: bool | None = None
    thinking_budget: int | None = None
    forced_search: bool = True
    search_strategy: Literal["turbo", "max", "agent", "agent_max"] | None = None
    enable_citation: bool = True
    citation_format: Literal["[<number>]", "[ref_<number>]"] = "[ref_<number>]"
    freshness: Literal[7, 30, 180, 365] | None = None
    assigned_site_list: list[str] | None = None
    enable_search_extension: bool | None = None


class DashScope(Dialect):
    """The dialect `dashscope`; base URL ends in `/api/v1`."""

    dialect = "dashscope"
    version = "1"
    options_type = DashScopeOptions
    errors = ErrorTable(
        {
            "DataInspectionFailed": ErrorClass.CONTENT_FILTERED,
            "Arrearage": ErrorClass.QUOTA_EXHAUSTED,
            "InvalidParameter": ErrorClass.INVALID_REQUEST,
            "InvalidApiKey": ErrorClass.AUTH,
            "AllocationQuota.FreeTierOnly": ErrorClass.QUOTA_EXHAUSTED,
            "AccessDenied": ErrorClass.PERMISSION,
            "Model.AccessDenied": ErrorClass.PERMISSION,
            "ModelNotFound": ErrorClass.INVALID_REQUEST,
            "Throttling": ErrorClass.RATE_LIMITED,  # with .RateQuota, .BurstRate, and .AllocationQuota: tokens a minute
            "PrepaidBillOverdue": ErrorClass.QUOTA_EXHAUSTED,
            "PostpaidBillOverdue": ErrorClass.QUOTA_EXHAUSTED,
            "CommodityNotPurchased": ErrorClass.QUOTA_EXHAUSTED,
            "InternalError": ErrorClass.SERVER_ERROR,
            "RequestTimeOut": ErrorClass.TIMEOUT,
            "ModelServingError": ErrorClass.OVERLOADED,
            "ModelUnavailable": ErrorClass.OVERLOADED,
            # The same in the words of the compatible routes, which shared gateways answer with.
            "data_inspection_failed": ErrorClass.CONTENT_FILTERED,
            "invalid_parameter_error": ErrorClass.INVALID_REQUEST,
            "invalid_api_key": ErrorClass.AUTH,
            "model_not_found": ErrorClass.INVALID_REQUEST,
            "limit_requests": ErrorClass.RATE_LIMITED,
            "limit_burst_rate": ErrorClass.RATE_LIMITED,
            "insufficient_quota": ErrorClass.RATE_LIMITED,  # tokens a minute, whatever it means elsewhere
            "internal_error": ErrorClass.SERVER_ERROR,
        },
        messages=((re.compile(r"range of input length|input length", re.IGNORECASE), ErrorClass.CONTEXT_LENGTH),),
    )

    def capabilities(self, options: Mapping[str, Any]) -> Capabilities:
        """Search without a location; nothing to poll or cancel."""
        return Capabilities(
            search=True,
            search_can_be_off=True,
            region=False,
            citation_mode=_mode(options),
            option_names=DashScopeOptions.names(),
        )

    def _check(self, model: str, search: bool, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        given = DashScopeOptions.of(options)
        problems = []
        if given.route == "text" and _MULTIMODAL.match(model):
            remedy = f"{model} is multimodal and searches only while streaming: set `route: multimodal`"
            problems.append(("options.route", remedy))
        if given.search_strategy in _AGENTS and "citation_format" in options:
            remedy = f"search_strategy {given.search_strategy} writes no markers; remove citation_format"
            problems.append(("options.citation_format", remedy))
        if given.enable_thinking is False and given.thinking_budget is not None:
            problems.append(("options.thinking_budget", "has no effect with `enable_thinking: false`; remove it"))
        if not search:
            problems += [
                (f"options.{name}", "has no effect with `search: false`; remove it")
                for name in ("search_strategy", "freshness", "assigned_site_list", "enable_search_extension")
                if options.get(name) is not None
            ]
        return problems

    def submit(self, ask: Ask) -> HttpRequest:
        """One user message; the multimodal route wants it in parts, and streams in deltas."""
        options = DashScopeOptions.of(ask.options)
        streamed = options.route == "multimodal"
        parameters: dict[str, Any] = {"result_format": "message"}
        if streamed:
            parameters["incremental_output"] = True
        parameters["enable_search"] = ask.search
        if ask.search:
            parameters["search_options"] = self._search_options(options)
        parameters |= without_none(
            enable_thinking=options.enable_thinking,
            thinking_budget=options.thinking_budget,
            max_tokens=options.max_tokens,
        )
        content = [{"text": ask.question}] if streamed else ask.question
        body = {
            "model": ask.model,
            "input": {"messages": [{"role": "user", "content": content}]},
            "parameters": parameters,
        }
        headers = {"X_DashScope_SSE": "enable"} if streamed else {}
        return json_post(ask, _PATHS[options.route], body, **headers)

    @staticmethod
    def _search_options(options: DashScopeOptions) -> dict[str, Any]:
        marked = _mode(options.model_dump()) is CitationMode.MARKER
        return {
            "forced_search": options.forced_search,
            "enable_source": True,
            **({"enable_citation": True, "citation_format": options.citation_format} if marked else {}),
            **without_none(
                search_strategy=options.search_strategy,
                freshness=options.freshness,
                assigned_site_list=options.assigned_site_list,
                enable_search_extension=options.enable_search_extension,
            ),
        }

    def _read_answer(self, ask: Ask, response: HttpResponse, value: Any, warnings: Sequence[str]) -> Reply:
        del response
        return _answer(ask, value, warnings)

    def _read_events(self, ask: Ask, response: HttpResponse, events: Sequence[Event], warnings: Sequence[str]) -> Reply:
        """Merge the frames: text from all, sources from whichever has them, usage from the last."""
        parts: list[str] = []
        whole: dict[str, Any] = {}
        search_info: Mapping[str, Any] = {}
        ended, started = None, False
        for event in events:
            frame = mapping(parse_json(event.data))
            error = find_error(frame)
            if error or event.name == "error":
                status = event.status or response.status
                usage = read_usage(whole["usage"]) if "usage" in whole else None
                at = HttpResponse(status, response.headers)
                return rejected(at, frame, error, self.errors, accepted=started, usage=usage)
            output = mapping(frame.get("output"))
            whole.update({key: frame[key] for key in ("request_id", "usage") if frame.get(key)})
            if rows(mapping(output.get("search_info")).get("search_results")):
                search_info = output["search_info"]
            for choice in rows(output.get("choices"))[:1]:
                started = True
                parts.append(content_text(mapping(choice.get("message")).get("content")) or "")
                reason = label(choice.get("finish_reason"))
                ended = reason if reason not in {None, "null"} else ended
        if not started:
            return unreadable("no_answer", "the stream holds no choices")
        if ended is None:
            return cut(read_usage(whole["usage"]) if "usage" in whole else None)
        choice = {"message": {"content": "".join(parts)}, "finish_reason": ended}
        return _answer(ask, {**whole, "output": {"choices": [choice], "search_info": search_info}}, warnings)


def _mode(options: Mapping[str, Any]) -> CitationMode:
    """Markers, unless they are switched off or left out by an agent strategy."""
    agent = options.get("search_strategy") in _AGENTS
    return CitationMode.MARKER if options.get("enable_citation", True) and not agent else CitationMode.DOCUMENT


def _answer(ask: Ask, value: Any, warnings: Sequence[str]) -> Reply:
    body = mapping(value)
    output = mapping(body.get("output"))
    search = mapping(mapping(mapping(body.get("usage")).get("plugins")).get("search"))
    billed = count(search.get("count"))
    usage = read_usage(body.get("usage"), searches=billed)
    choices = rows(output.get("choices"))
    if not choices or not isinstance(choices[0].get("message"), dict):
        return unreadable("no_answer", "the body has no output.choices[0].message", usage)
    answer = content_text(choices[0]["message"].get("content"))
    if answer is None:
        return unreadable("no_answer", "the message's content is neither text nor a list of parts", usage)
    listed = rows(mapping(output.get("search_info")).get("search_results"))
    searched = bool(listed) or bool(billed)
    sources = [
        Source(label(row.get("index")), text(row.get("url")), label(row.get("title")), label(row.get("site_name")))
        for row in listed
    ]
    citations, unmatched = cite(answer, sources)
    # A search that ran without listing anything hides its sources; one that did not run has none.
    observable = bool(listed) or (ask.search and not searched)
    notes = list(unmatched) if observable else []
    state = SearchState.NOT_USED if ask.search else SearchState.NOT_APPLICABLE
    if ask.search and not searched and ask.options.get("forced_search", True):
        notes.append("the search was forced and did not run: the platform skips searches under load")
    request = label(body.get("request_id"))
    return Completed(
        NormalAnswer(
            text=answer,
            citations=citations if observable else None,
            citation_mode=_mode(ask.options) if observable else CitationMode.NONE,
            searches=(),
            search_state=SearchState.USED if searched else state,
            model_asked=ask.model,
            model_served=None,
            finish_reason=finish_reason(choices[0].get("finish_reason")),
            usage=usage,
            upstream_ids={"request": request} if request else {},
            warnings=(*warnings, *notes),
        )
    )
