"""OpenAI's Responses API: blocking, or in the background with poll and cancel; inline links with offsets.

Facts as of 2026-11-29. Unknown parameters are refused, as are `temperature` and `top_p` (all models here reason).
Polling a cancelled or finished job again is harmless, and cancelling what is over returns it as it is.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from typing_extensions import override

from geo_assets.simulator.answers import Ending, SimulatedAnswer
from geo_assets.simulator.dialects.base import (
    Asked,
    Body,
    Dialect,
    Ids,
    JobStatus,
    Refusal,
    RefusedError,
    Reply,
    Route,
    Trouble,
    chat_question,
    content_text,
    estimate_tokens,
    json_reply,
    one_of,
    search_tokens,
)
from geo_assets.simulator.dialects.links import openai_links
from geo_assets.simulator.settings import SimulatedPlatform

_PARAMETERS: Final = frozenset(
    {
        "background", "background_options", "conversation", "include", "input", "instructions", "max_output_tokens",
        "max_tool_calls", "metadata", "model", "parallel_tool_calls", "previous_response_id", "prompt",
        "prompt_cache_key", "prompt_cache_retention", "reasoning", "safety_identifier", "service_tier", "store",
        "stream", "stream_options", "temperature", "text", "tool_choice", "tools", "top_logprobs", "top_p",
        "truncation", "user",
    }
)  # fmt: skip
_TYPES: Final[dict[str, type]] = {"include": list, "metadata": dict, "reasoning": dict, "tools": list}
_SEARCH_TOOLS: Final = frozenset({"web_search", "web_search_2025_08_26", "web_search_preview"})
_SOURCES: Final = "web_search_call.action.sources"
_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")

_ERRORS: Final[dict[Trouble, tuple[int, str, str | None, str]]] = {
    Trouble.AUTH: (401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    Trouble.INVALID: (400, "invalid_request_error", None, "{detail}"),
    Trouble.MISSING: (
        400,
        "invalid_request_error",
        "missing_required_parameter",
        "Missing required parameter: '{detail}'.",
    ),
    Trouble.UNKNOWN: (400, "invalid_request_error", "unknown_parameter", "Unknown parameter: '{detail}'."),
    Trouble.UNSUPPORTED: (
        400,
        "invalid_request_error",
        "unsupported_parameter",
        "Unsupported parameter: '{detail}' is not supported with this model.",
    ),
    Trouble.MODEL: (
        404,
        "invalid_request_error",
        "model_not_found",
        "The model `{detail}` does not exist or you lack access.",
    ),
    Trouble.NOT_FOUND: (404, "invalid_request_error", None, "Response with id '{detail}' not found."),
    Trouble.RATE_LIMITED: (
        429,
        "requests",
        "rate_limit_exceeded",
        "Rate limit reached on requests per min (RPM): Limit 500, Used 500, Requested 1.",
    ),
    Trouble.QUOTA_EXHAUSTED: (
        429,
        "insufficient_quota",
        "insufficient_quota",
        "Current quota exceeded; check plan and billing details.",
    ),
    Trouble.CONTENT_FILTER: (
        400,
        "invalid_request_error",
        "invalid_prompt",
        "Invalid prompt: flagged as potentially violating the usage policy.",
    ),
    Trouble.SERVER_ERROR: (
        500,
        "server_error",
        "server_error",
        "The server had an error while processing the request.",
    ),
    Trouble.BAD_GATEWAY: (502, "server_error", "server_error", "Bad gateway."),
    Trouble.OVERLOADED: (
        503,
        "service_unavailable_error",
        "server_is_overloaded",
        "The engine is currently overloaded, please try again later.",
    ),
}


class OpenAIResponses(Dialect):
    """`POST /v1/responses`, `GET` and `DELETE /v1/responses/{id}`, `POST /v1/responses/{id}/cancel`."""

    name = "openai-responses"
    default_base_path = "/v1"

    @override
    def route(self, method: str, path: str, base_path: str) -> Route | None:
        if path == f"{base_path}/responses":
            return Route("submit", "responses") if method == "POST" else None
        prefix = f"{base_path}/responses/"
        if not path.startswith(prefix):
            return None
        name, _, action = path.removeprefix(prefix).partition("/")
        match method, action:
            case "GET", "":
                return Route("poll", "responses", name)
            case "DELETE", "":
                return Route("delete", "responses", name)
            case "POST", "cancel":
                return Route("cancel", "responses", name)
        return None

    @override
    def read(self, platform: SimulatedPlatform, route: Route, headers: Mapping[str, str], body: Body) -> Asked:
        if not self.authorised(platform, headers):
            raise RefusedError(Trouble.AUTH)
        unknown = sorted(body.keys() - _PARAMETERS)
        if unknown:
            raise RefusedError(Trouble.UNKNOWN, unknown[0], unknown[0])
        model = body.get("model")
        if not isinstance(model, str) or not model:
            raise RefusedError(Trouble.MISSING, "model", "model")
        if model not in platform.models:
            raise RefusedError(Trouble.MODEL, model)
        asked = body.get("input")
        question = content_text(asked) if isinstance(asked, str) else chat_question(asked)
        if question is None:
            raise RefusedError(Trouble.MISSING, "input", "input")
        for parameter in ("temperature", "top_p"):
            if parameter in body:
                raise RefusedError(Trouble.UNSUPPORTED, parameter, parameter)
        if body.get("stream") is True:
            raise RefusedError(Trouble.UNSUPPORTED, "stream", "stream")
        background = body.get("background") is True
        stored = body.get("store", True) is not False
        if background and not stored:
            raise RefusedError(Trouble.INVALID, "Background responses require 'store' to be true.", "background")
        for parameter, kind in _TYPES.items():
            if body.get(parameter) is not None and not isinstance(body[parameter], kind):
                raise RefusedError(Trouble.INVALID, f"Invalid type for '{parameter}'.", parameter)
        metadata = body.get("metadata") or {}
        return Asked(
            protocol=route.protocol,
            question=question,
            model=model,
            search=_check_tools(body),
            body=body,
            background=background,
            stored=stored,
            attempt=headers.get("x-client-request-id") or metadata.get("attempt"),
        )

    @override
    def answer(self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids) -> Reply:
        return self.job(platform, asked, answer, ids, "completed")

    @override
    def job(
        self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids, status: JobStatus
    ) -> Reply:
        return json_reply(200, self._response(asked, answer, ids, status), _headers(ids))

    @override
    def filters_in_answer(self, platform: SimulatedPlatform) -> bool:
        return True

    @override
    def deleted(self, upstream_id: str) -> Reply:
        return json_reply(200, {"id": upstream_id, "object": "response", "deleted": True})

    @override
    def upstream_id(self, ids: Ids) -> str:
        return f"resp_{ids.token}"

    @override
    def refuse(self, platform: SimulatedPlatform, refusal: Refusal, ids: Ids) -> Reply:
        status, kind, code, message = _ERRORS[refusal.trouble]
        detail = "Cannot cancel a synchronous response." if refusal.detail == "cancel" else refusal.detail
        said = refusal.wait.sentence() if refusal.wait else ""
        error = {"message": message.format(detail=detail) + said, "type": kind, "param": refusal.param, "code": code}
        headers = {"x-request-id": f"req_{ids.token}"}
        if refusal.wait:
            milliseconds = max(1, round(1000 * refusal.wait.seconds))
            native = {"retry-after": str(-(-milliseconds // 1000)), "retry-after-ms": str(milliseconds)}
            headers |= refusal.wait.headers(native)
        return json_reply(status, {"error": error}, headers)

    def _response(self, asked: Asked, answer: SimulatedAnswer, ids: Ids, status: JobStatus) -> Body:
        """A response object in any state."""
        done = status == "completed"
        reason = {Ending.TRUNCATED: "max_output_tokens", Ending.FILTERED: "content_filter"}.get(answer.ending)
        incomplete = done and reason is not None
        failure = {"code": "server_error", "message": "An error occurred while processing the request."}
        body = asked.body
        made: Body = {
            "id": self.upstream_id(ids),
            "object": "response",
            "created_at": ids.created,
            "status": "incomplete" if incomplete else status,
            "background": asked.background,
            "completed_at": ids.created + 8 if done and not incomplete else None,
            "error": failure if status == "failed" else None,
            "incomplete_details": {"reason": reason} if incomplete else None,
            "instructions": body.get("instructions"),
            "max_output_tokens": body.get("max_output_tokens"),
            "max_tool_calls": body.get("max_tool_calls"),
            "model": asked.model if _DATED.search(asked.model) else f"{asked.model}-2026-10-20",
            "output": _output(asked, answer, ids) if done else [],
            "parallel_tool_calls": True,
            "previous_response_id": None,
            "prompt_cache_key": None,
            "reasoning": {"effort": (body.get("reasoning") or {}).get("effort", "medium"), "summary": None},
            "safety_identifier": None,
            "service_tier": "default",
            "store": asked.stored,
            "temperature": 1.0,
            "text": {"format": {"type": "text"}, "verbosity": "medium"},
            "tool_choice": body.get("tool_choice", "auto"),
            "tools": body.get("tools", []),
            "top_logprobs": 0,
            "top_p": 1.0,
            "truncation": "disabled",
            "usage": _usage(asked, answer) if done else None,
            "metadata": body.get("metadata") or {},
        }
        if done and answer.searched:
            made["tool_usage"] = {"web_search": {"num_requests": max(1, len(answer.queries))}}
        return made


def _check_tools(body: Body) -> bool:
    """Whether a search is offered; raises RefusedError for tools and contexts that do not exist."""
    tools = body.get("tools") or []
    for number, tool in enumerate(tools):
        kind = tool.get("type") if isinstance(tool, dict) else None
        if not one_of(kind, _SEARCH_TOOLS):
            param = f"tools[{number}].type"
            raise RefusedError(Trouble.INVALID, f"Invalid value: '{kind}'. Supported values are: 'web_search'.", param)
        size = tool.get("search_context_size", "medium")
        if not one_of(size, {"low", "medium", "high"}):
            param = f"tools[{number}].search_context_size"
            raise RefusedError(Trouble.INVALID, f"Invalid value: '{size}'.", param)
    return bool(tools)


def _headers(ids: Ids) -> dict[str, str]:
    return {
        "x-request-id": f"req_{ids.token}",
        "openai-processing-ms": "8421",
        "openai-version": "2020-10-01",
        "openai-organization": "org-simulated",
    }


def _output(asked: Asked, answer: SimulatedAnswer, ids: Ids) -> list[Body]:
    """Reasoning, one search call per query, and the message; a filtered answer has none of them."""
    if answer.ending is Ending.FILTERED:
        return []
    output: list[Body] = [{"id": f"rs_{ids.token}", "type": "reasoning", "summary": []}]
    if answer.searched:
        output += [
            {
                "id": f"ws_{ids.token}{number}",
                "type": "web_search_call",
                "status": "completed",
                "action": _search(asked, answer, query, number),
            }
            for number, query in enumerate(answer.queries or (asked.question,))
        ]
    if answer.ending is Ending.REFUSED:
        part: Body = {"type": "refusal", "refusal": answer.text}
    else:
        text, annotations = openai_links(answer)
        marked = [{"type": "url_citation", **annotation} for annotation in annotations]
        part = {"type": "output_text", "text": text, "annotations": marked, "logprobs": []}
    message = {
        "id": f"msg_{ids.token}",
        "type": "message",
        "role": "assistant",
        "status": "incomplete" if answer.ending is Ending.TRUNCATED else "completed",
        "phase": "final_answer",
        "content": [part],
    }
    return [*output, message]


def _search(asked: Asked, answer: SimulatedAnswer, query: str, number: int) -> Body:
    """A search action; the first one lists all sources, if they were asked for."""
    action: Body = {"type": "search", "query": query, "queries": [query]}
    if _SOURCES in (asked.body.get("include") or []):
        found = answer.sources if number == 0 else ()
        action["sources"] = [{"type": "url", "url": source.url} for source in found]
    return action


def _usage(asked: Asked, answer: SimulatedAnswer) -> Body:
    read = estimate_tokens(asked.question) + search_tokens(answer)
    wrote = estimate_tokens(answer.text)
    thinking: Any = 64 if wrote else 0
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": wrote + thinking,
        "output_tokens_details": {"reasoning_tokens": thinking},
        "total_tokens": read + wrote + thinking,
    }
