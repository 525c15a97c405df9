"""Any OpenAI-compatible chat server (Ollama, vLLM, SGLang, DeepSeek's chat, gateways), blocking or streamed.

No search, so no sources: URLs standing in the text are no citations. Where a server does send `url_citation`
annotations they are read. A parameter that a server does not know is dropped without notice: sent is not applied.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from geo_assets.model.answers import (
    Ask,
    CitationMode,
    Completed,
    HttpRequest,
    HttpResponse,
    NormalAnswer,
    Rejected,
    Reply,
    SearchState,
)
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.base import Dialect, json_post, without_none
from geo_assets.platforms.chat import Completion, read_completion, read_stream
from geo_assets.platforms.connector import Capabilities
from geo_assets.platforms.failures import ErrorTable
from geo_assets.platforms.openai_responses import CODES
from geo_assets.platforms.options import Options
from geo_assets.platforms.responses import citations, part_annotations
from geo_assets.platforms.sse import Event

# In the words of DeepSeek, of gateways, and of filters put in front of local servers.
_FILTERED = re.compile(r"content exists risk|content[ _-](?:filter|policy|management policy)", re.IGNORECASE)


class ChatOptions(Options):
    """Options of `openai-chat`, named as on the wire.

    `auth: none` sends no key. `error_classes` says what a code means on this server (`insufficient_quota` is a bill at
    OpenAI and tokens a minute at Alibaba).
    """

    stream: bool | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    temperature: float | int | None = None
    top_p: float | int | None = None
    seed: int | None = None
    thinking: Literal["enabled", "disabled", "adaptive", "auto"] | None = None
    reasoning_effort: str | None = None
    instructions: str | None = None
    auth: Literal["bearer", "none"] = "bearer"
    error_classes: dict[str, str] = Field(default_factory=dict)


class OpenAIChat(Dialect):
    """The dialect `openai-chat`; base URL as the server has it, normally ending in `/v1`."""

    dialect = "openai-chat"
    version = "1"
    options_type = ChatOptions
    errors = ErrorTable(
        {**CODES, "content_filter": ErrorClass.CONTENT_FILTERED},
        messages=(
            (
                re.compile(r"maximum context length|context window|context_length", re.IGNORECASE),
                ErrorClass.CONTEXT_LENGTH,
            ),
            (_FILTERED, ErrorClass.CONTENT_FILTERED),
        ),
    )

    def capabilities(self, options: Mapping[str, Any]) -> Capabilities:
        """Neither search nor location nor jobs."""
        del options
        return Capabilities(
            search=False,
            search_can_be_off=True,
            region=False,
            citation_mode=CitationMode.NONE,
            option_names=ChatOptions.names(),
        )

    def _check(self, model: str, search: bool, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        del model
        problems = []
        if search:
            remedy = "openai-chat has no search; set `search: false`, or use a dialect that searches"
            problems.append(("search", remedy))
        if options.get("max_tokens") is not None and options.get("max_completion_tokens") is not None:
            problems.append(("options.max_tokens", "set either max_tokens or max_completion_tokens, not both"))
        known = ", ".join(ErrorClass)
        problems += [
            (f"options.error_classes.{code}", f"{name!r} is no error class; use one of: {known}")
            for code, name in ChatOptions.of(options).error_classes.items()
            if name not in set(ErrorClass)
        ]
        return problems

    def submit(self, ask: Ask) -> HttpRequest:
        """One user message, after the instructions if there are any."""
        options = ChatOptions.of(ask.options)
        system = [{"role": "system", "content": options.instructions}] if options.instructions else []
        body = {"model": ask.model, "messages": [*system, {"role": "user", "content": ask.question}]}
        body |= without_none(
            stream=options.stream,
            stream_options={"include_usage": True} if options.stream else None,
            max_tokens=options.max_tokens,
            max_completion_tokens=options.max_completion_tokens,
            temperature=options.temperature,
            top_p=options.top_p,
            seed=options.seed,
            thinking={"type": options.thinking} if options.thinking else None,
            reasoning_effort=options.reasoning_effort,
        )
        # OpenAI traces by one name, vLLM by the other.
        request = json_post(ask, "/chat/completions", body, X_Request_Id=ask.attempt_id)
        if options.auth == "bearer":
            return request
        headers = {name: value for name, value in request.headers.items() if name != "Authorization"}
        return HttpRequest(request.method, request.url, headers, request.body)

    def _errors(self, ask: Ask) -> ErrorTable:
        given = ask.options.get("error_classes")
        if not isinstance(given, Mapping) or not given:
            return self.errors
        known = {code: ErrorClass(name) for code, name in given.items() if name in set(ErrorClass)}
        return ErrorTable({**self.errors.codes, **known}, self.errors.messages)

    def _read_answer(self, ask: Ask, response: HttpResponse, value: Any, warnings: Sequence[str]) -> Reply:
        del response
        return _answer(ask, read_completion(value), warnings)

    def _read_events(self, ask: Ask, response: HttpResponse, events: Sequence[Event], warnings: Sequence[str]) -> Reply:
        return _answer(ask, read_stream(response, events, self._errors(ask)), warnings)


def _answer(ask: Ask, completion: Completion | Rejected, warnings: Sequence[str]) -> Reply:
    if isinstance(completion, Rejected):
        return completion
    annotations, notes = part_annotations(completion.message, len(completion.text))
    return Completed(
        NormalAnswer(
            text=completion.text,
            citations=citations(annotations) if annotations else None,
            citation_mode=CitationMode.SPAN if annotations else CitationMode.NONE,
            searches=(),
            search_state=SearchState.USED if annotations else SearchState.NOT_APPLICABLE,
            model_asked=ask.model,
            model_served=completion.model,
            finish_reason=completion.finish,
            usage=completion.usage,
            upstream_ids={"response": completion.id} if completion.id else {},
            refusal=completion.refusal,
            warnings=(*warnings, *notes),
        )
    )
