"""Tencent TokenHub: chat with search; sources inside the message, `[n]` markers, error codes as digit strings.

Facts as of 2026-11-29. Unknown request fields are ignored. The status for a model that the key cannot use (403, 403001)
is documented; that an unknown model gets the same is our reading of it.
"""

from collections.abc import Mapping
from typing import Final

from typing_extensions import override

from geo_assets.simulator.answers import SimulatedAnswer
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
    json_reply,
    mapping,
    one_of,
)
from geo_assets.simulator.dialects.chat import FINISH, chat_usage, completion, event_stream, wants_usage
from geo_assets.simulator.pieces import marked_text
from geo_assets.simulator.settings import SimulatedPlatform

_ERRORS: Final[dict[Trouble, tuple[int, str, str, str, str]]] = {
    Trouble.AUTH: (401, "authentication_error", "401002", "API Key 无效", "client"),
    Trouble.INVALID: (400, "invalid_request_error", "400001", "参数不合法", "client"),
    Trouble.MODEL: (403, "permission_error", "403001", "没有权限访问该模型", "gateway"),
    Trouble.NOT_FOUND: (404, "invalid_request_error", "404001", "接口不存在", "gateway"),
    Trouble.RATE_LIMITED: (429, "rate_limit_error", "429001", "请求超过限制，维度: rpm", "gateway"),
    Trouble.QUOTA_EXHAUSTED: (402, "permission_error", "403004", "免费额度已用尽，请开通后付费", "gateway"),
    Trouble.CONTENT_FILTER: (451, "content_filter_error", "451001", "内容涉及敏感信息", "gateway"),
    Trouble.SERVER_ERROR: (500, "upstream_error", "500001", "服务内部错误", "gateway"),
    Trouble.BAD_GATEWAY: (502, "upstream_error", "502001", "上游服务异常", "upstream"),
    Trouble.OVERLOADED: (503, "upstream_error", "503001", "服务繁忙", "upstream"),
}


class TencentTokenHub(Dialect):
    """`POST /v1/chat/completions`. No jobs, no cancelling, no idempotency key."""

    name = "tencent-tokenhub"
    default_base_path = "/v1"

    @override
    def route(self, method: str, path: str, base_path: str) -> Route | None:
        """The one endpoint."""
        if method == "POST" and path == f"{base_path}/chat/completions":
            return Route("submit", "chat")
        return None

    @override
    def read(self, platform: SimulatedPlatform, route: Route, headers: Mapping[str, str], body: Body) -> Asked:
        """Check key, model, messages and search options."""
        if not self.authorised(platform, headers):
            raise RefusedError(Trouble.AUTH)
        question = chat_question(body.get("messages"))
        model = body.get("model")
        if question is None or not isinstance(model, str):
            raise RefusedError(Trouble.INVALID)
        if model not in platform.models:
            raise RefusedError(Trouble.MODEL)
        options = body.get("web_search_options")
        if options is not None and (
            not isinstance(options, dict) or not one_of(options.get("search_source", "standard"), {"lite", "standard"})
        ):
            raise RefusedError(Trouble.INVALID)
        return Asked(
            protocol=route.protocol,
            question=question,
            model=model,
            search=bool(options and options.get("enable")),
            body=body,
            stream=bool(body.get("stream")),
        )

    @override
    def answer(self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids) -> Reply:
        """A chat completion; the key `search_results` is there only when a search ran."""
        text = marked_text(answer.pieces, lambda number: f"[{number}]")
        message: Body = {"role": "assistant", "content": text}
        if answer.searched:
            message["search_results"] = [
                {"index": n, "url": s.url, "name": s.title, "snippet": s.snippet, "site": s.site}
                for n, s in enumerate(answer.sources, 1)
            ]
        thinking = mapping(asked.body.get("thinking"))
        reasoning = 0
        if thinking.get("type") == "enabled" and answer.thought:
            message["reasoning_content"] = answer.thought
            reasoning = 100
        usage = chat_usage(asked, answer, text, reasoning)
        body = completion(ids.token, ids.created, asked.model, message, FINISH[answer.ending], usage)
        if asked.stream:
            return event_stream(body, include_usage=wants_usage(asked.body))
        return json_reply(200, body, {"x-request-id": ids.token})

    @override
    def upstream_id(self, ids: Ids) -> str:
        """The completion's id."""
        return ids.token

    @override
    def refuse(self, platform: SimulatedPlatform, refusal: Refusal, ids: Ids) -> Reply:
        """`{"error": {type, code, message, source, request_id}}`; no Retry-After of its own."""
        wait = refusal.wait
        status, kind, code, message, source = _ERRORS[refusal.trouble]
        error: Body = {
            "type": kind,
            "code": code,
            "message": message + (wait.sentence() if wait else ""),
            "source": source,
            "request_id": ids.token,
        }
        if source == "upstream":
            error |= {"upstream_code": "InternalError", "upstream_status": 500}
        return json_reply(status, {"error": error}, wait.headers({}) if wait else None)
