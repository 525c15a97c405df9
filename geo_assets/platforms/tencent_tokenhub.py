"""Tencent TokenHub: chat completions with search; sources inside the message, markers `[n]`.

Observable: all retrieved sources, which of them the text marks, whether a search ran (no key when none did). Not
observable: the queries, and how many searches are billed.
"""

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
from geo_assets.platforms.chat import Completion, read_completion, read_stream
from geo_assets.platforms.connector import Capabilities
from geo_assets.platforms.failures import ErrorTable
from geo_assets.platforms.markers import Source, cite
from geo_assets.platforms.options import LocatedOptions
from geo_assets.platforms.sse import Event
from geo_assets.platforms.wire import label, rows, text


class TencentOptions(LocatedOptions):
    """Options of `tencent-tokenhub`, named as on the wire."""

    max_tokens: int | None = None
    search_source: Literal["lite", "standard"] | None = None
    thinking: Literal["enabled", "disabled", "adaptive"] | None = None
    reasoning_effort: Literal["none", "low", "medium", "high"] | None = None


class TencentTokenHub(Dialect):
    """The dialect `tencent-tokenhub`; base URL ends in `/v1`."""

    dialect = "tencent-tokenhub"
    version = "1"
    options_type = TencentOptions
    errors = ErrorTable(
        {
            "400001": ErrorClass.INVALID_REQUEST,
            "400002": ErrorClass.INVALID_REQUEST,
            "400004": ErrorClass.INVALID_REQUEST,
            "401002": ErrorClass.AUTH,
            "401007": ErrorClass.QUOTA_EXHAUSTED,  # in arrears
            "401008": ErrorClass.QUOTA_EXHAUSTED,
            "403004": ErrorClass.QUOTA_EXHAUSTED,  # free quota used up, service not opened
            "403001": ErrorClass.PERMISSION,
            "403002": ErrorClass.PERMISSION,
            "403005": ErrorClass.PERMISSION,
            "429001": ErrorClass.RATE_LIMITED,
            "451001": ErrorClass.CONTENT_FILTERED,
            "502001": ErrorClass.SERVER_ERROR,
            "content_filter_error": ErrorClass.CONTENT_FILTERED,
            "authentication_error": ErrorClass.AUTH,
            "rate_limit_error": ErrorClass.RATE_LIMITED,
        }
    )

    def capabilities(self, options: Mapping[str, Any]) -> Capabilities:
        """Search and location; nothing to poll or cancel."""
        del options
        return Capabilities(
            search=True,
            search_can_be_off=True,
            region=True,
            citation_mode=CitationMode.MARKER,
            option_names=TencentOptions.names(),
        )

    def _check(self, model: str, search: bool, options: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        del search, options
        if model.startswith("hunyuan"):
            return [("model", f"{model} was withdrawn on 2026-06-22; use a TokenHub model such as hy3")]
        return ()

    def submit(self, ask: Ask) -> HttpRequest:
        """One user message; `web_search_options` only where search is asked for."""
        options = TencentOptions.of(ask.options)
        body = {
            "model": ask.model,
            "messages": [{"role": "user", "content": ask.question}],
            "stream": False,
            **without_none(max_tokens=options.max_tokens, reasoning_effort=options.reasoning_effort),
        }
        if options.thinking:
            body["thinking"] = {"type": options.thinking}
        if ask.search:
            place = options.place(ask)
            body["web_search_options"] = {
                "enable": True,
                **without_none(search_source=options.search_source, user_location=place.wire() if place else None),
            }
        return json_post(ask, "/chat/completions", body)

    def _read_answer(self, ask: Ask, response: HttpResponse, value: Any, warnings: Sequence[str]) -> Reply:
        del response
        completion = read_completion(value)
        return _answer(ask, completion, warnings) if isinstance(completion, Completion) else completion

    def _read_events(self, ask: Ask, response: HttpResponse, events: Sequence[Event], warnings: Sequence[str]) -> Reply:
        completion = read_stream(response, events, self.errors)
        return _answer(ask, completion, warnings) if isinstance(completion, Completion) else completion


def _answer(ask: Ask, completion: Completion, warnings: Sequence[str]) -> Completed:
    listed = completion.message.get("search_results")
    searched = isinstance(listed, list)
    sources = [
        Source(label(row.get("index")), text(row.get("url")), label(row.get("name")), label(row.get("site")))
        for row in rows(listed)
    ]
    citations, unmatched = cite(completion.text, sources)
    # Without a search there is no list at all; where one was asked for, its absence says that there are no sources.
    observable = searched or ask.search
    state = SearchState.NOT_USED if ask.search else SearchState.NOT_APPLICABLE
    return Completed(
        NormalAnswer(
            text=completion.text,
            citations=citations if observable else None,
            citation_mode=CitationMode.MARKER if observable else CitationMode.NONE,
            searches=(),
            search_state=SearchState.USED if searched else state,
            model_asked=ask.model,
            model_served=completion.model,
            finish_reason=completion.finish,
            usage=completion.usage,
            upstream_ids={"response": completion.id} if completion.id else {},
            refusal=completion.refusal,
            warnings=(*warnings, *(unmatched if observable else ())),
        )
    )
