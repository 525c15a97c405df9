"""Alibaba Model Studio in OpenAI's formats: chat without any trace of sources, responses with addresses only.

Facts as of 2026-11-29. `insufficient_quota` is a limit on tokens per minute here, not an unpaid bill.
"""

from collections.abc import Mapping
from typing import Final

from typing_extensions import override

from geo_assets.simulator.answers import Ending, SimulatedAnswer
from geo_assets.simulator.dialects.base import (
    Asked,
    Body,
    Dialect,
    Ids,
    Refusal,
    RefusedError,
    Reply,
    Route,
    Trouble,
    chat_question,
    content_text,
    estimate_tokens,
    json_reply,
    search_tokens,
    uuid_like,
)
from geo_assets.simulator.dialects.chat import FINISH, chat_usage, completion, event_stream, wants_usage
from geo_assets.simulator.pieces import marked_text
from geo_assets.simulator.settings import SimulatedPlatform

_ERRORS: Final[dict[Trouble, tuple[int, str, str, str]]] = {
    Trouble.AUTH: (401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    Trouble.INVALID: (400, "invalid_request_error", "invalid_parameter_error", "{detail}"),
    Trouble.MODEL: (404, "invalid_request_error", "model_not_found", "The model `{detail}` does not exist."),
    Trouble.NOT_FOUND: (404, "invalid_request_error", "not_found", "Not found."),
    Trouble.RATE_LIMITED: (429, "limit_requests", "limit_requests", "Requests rate limit exceeded."),
    Trouble.QUOTA_EXHAUSTED: (400, "Arrearage", "Arrearage", "Access denied: the account is not in good standing."),
    Trouble.CONTENT_FILTER: (
        400,
        "data_inspection_failed",
        "data_inspection_failed",
        "Output data may contain inappropriate content.",
    ),
    Trouble.SERVER_ERROR: (500, "internal_error", "internal_error", "An internal error has occurred."),
    Trouble.BAD_GATEWAY: (502, "internal_error", "internal_error", "Bad gateway."),
    Trouble.OVERLOADED: (503, "ModelUnavailable", "ModelUnavailable", "Model is unavailable."),
}


class DashScopeCompatible(Dialect):
    """`POST /compatible-mode/v1/chat/completions` and `/responses`."""

    name = "dashscope-compatible"
    default_base_path = "/compatible-mode/v1"
    skips_search_over_limit = True

    @override
    def route(self, method: str, path: str, base_path: str) -> Route | None:
        if method != "POST":
            return None
        return {
            f"{base_path}/chat/completions": Route("submit", "chat"),
            f"{base_path}/responses": Route("submit", "responses"),
        }.get(path)

    @override
    def read(self, platform: SimulatedPlatform, route: Route, headers: Mapping[str, str], body: Body) -> Asked:
        if not self.authorised(platform, headers):
            raise RefusedError(Trouble.AUTH)
        model = body.get("model")
        if not isinstance(model, str) or not model:
            raise RefusedError(Trouble.INVALID, "model is required", "model")
        if model not in platform.models:
            raise RefusedError(Trouble.MODEL, model)
        if route.protocol == "chat":
            question = chat_question(body.get("messages"))
            search = body.get("enable_search") is True
        else:
            asked = body.get("input")
            question = content_text(asked) if isinstance(asked, str) else chat_question(asked)
            tools = body.get("tools")
            search = isinstance(tools, list) and any(
                isinstance(tool, dict) and tool.get("type") == "web_search" for tool in tools
            )
        if question is None:
            field = "messages" if route.protocol == "chat" else "input"
            raise RefusedError(Trouble.INVALID, f"{field} is required", field)
        return Asked(route.protocol, question, model, search, body, body.get("stream") is True)

    @override
    def answer(self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids) -> Reply:
        text = marked_text(answer.pieces, lambda number: f"[{number}]")
        if asked.protocol == "responses":
            return json_reply(200, _response(asked, answer, text, ids))
        message = {"role": "assistant", "content": text}
        usage = chat_usage(asked, answer, text)
        id_ = f"chatcmpl-{uuid_like(ids.token)}"
        body = completion(id_, ids.created, asked.model, message, FINISH[answer.ending], usage)
        if asked.stream:
            return event_stream(body, include_usage=wants_usage(asked.body))
        return json_reply(200, body)

    @override
    def upstream_id(self, ids: Ids) -> str:
        return uuid_like(ids.token)

    @override
    def refuse(self, platform: SimulatedPlatform, refusal: Refusal, ids: Ids) -> Reply:
        status, kind, code, message = _ERRORS[refusal.trouble]
        said = refusal.wait.sentence() if refusal.wait else ""
        error = {
            "message": message.format(detail=refusal.detail) + said,
            "type": kind,
            "param": refusal.param,
            "code": code,
        }
        waiting = refusal.wait.headers({}) if refusal.wait else {}
        return json_reply(status, {"error": error, "request_id": self.upstream_id(ids)}, waiting)


def _response(asked: Asked, answer: SimulatedAnswer, text: str, ids: Ids) -> Body:
    name = uuid_like(ids.token)
    cut = answer.ending is Ending.TRUNCATED
    output: list[Body] = []
    if answer.searched:
        sources = [{"type": "url", "url": source.url} for source in answer.sources]
        action = {"type": "search", "query": next(iter(answer.queries), asked.question), "sources": sources}
        output.append({"id": f"ws_{name}", "type": "web_search_call", "status": "completed", "action": action})
    content = [{"type": "output_text", "text": text, "annotations": []}]
    status = "incomplete" if cut else "completed"
    output.append({"id": f"msg_{name}", "type": "message", "role": "assistant", "status": status, "content": content})
    read, wrote = estimate_tokens(asked.question) + search_tokens(answer), estimate_tokens(text)
    usage: Body = {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": wrote,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + wrote,
    }
    if answer.searched:
        usage["x_tools"] = {"web_search": {"count": len(answer.queries)}}
    return {
        "id": f"resp_{name}",
        "object": "response",
        "created_at": ids.created,
        "status": status,
        "model": asked.model,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": asked.body.get("tools", []),
        "output": output,
        "usage": usage,
    }
