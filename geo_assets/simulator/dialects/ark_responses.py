"""Volcengine Ark: responses with `web_search`, the Doubao app's own answers with `doubao_app`, and plain chat.

Citations are annotations without offsets, or cards in search blocks; the text holds no markers. There is neither a
background mode nor cancelling. Facts as of 2026-11-29. That `background` is refused and other unknown fields are
ignored is our reading of them.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
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
    search_tokens,
    words,
)
from geo_assets.simulator.dialects.chat import FINISH, chat_usage, completion, event_stream, wants_usage
from geo_assets.simulator.pieces import Source
from geo_assets.simulator.settings import SimulatedPlatform

_FEATURES: Final = frozenset({"chat", "deep_chat", "ai_search", "reasoning_search"})
_ENGINES: Final = frozenset({"search_engine", "toutiao", "douyin", "moji"})
_CHINA = timezone(timedelta(hours=8), "CST")
_WEEKDAYS: Final = "一二三四五六日"

_ERRORS: Final[dict[Trouble, tuple[int, str, str, str]]] = {
    Trouble.AUTH: (401, "AuthenticationError", "Unauthorized", "The API key or AK/SK is missing or invalid."),
    Trouble.INVALID: (400, "InvalidParameter", "BadRequest", "The parameter {detail} is not valid."),
    Trouble.MISSING: (400, "MissingParameter", "BadRequest", "The request is missing the parameter {detail}."),
    Trouble.MODEL: (
        404,
        "InvalidEndpointOrModel.NotFound",
        "NotFound",
        "The model or endpoint {detail} does not exist or cannot be accessed.",
    ),
    Trouble.NO_TOOL: (403, "ToolNotOpen", "Forbidden", "The tool {detail} is not activated for the account."),
    Trouble.NOT_FOUND: (404, "NotFound", "NotFound", "The requested resource {detail} is not found."),
    Trouble.RATE_LIMITED: (
        429,
        "ModelAccountRpmRateLimitExceeded",
        "TooManyRequests",
        "The account RPM limit for the model was exceeded.",
    ),
    Trouble.QUOTA_EXHAUSTED: (403, "AccountOverdueError", "Forbidden", "The account has an overdue balance."),
    Trouble.CONTENT_FILTER: (
        400,
        "OutputTextSensitiveContentDetected",
        "BadRequest",
        "The request failed because the output text may contain sensitive information.",
    ),
    Trouble.SERVER_ERROR: (
        500,
        "InternalServiceError",
        "InternalServerError",
        "The service encountered an unexpected internal error.",
    ),
    Trouble.BAD_GATEWAY: (502, "InternalServiceError", "InternalServerError", "Bad gateway."),
    Trouble.OVERLOADED: (429, "ServerOverloaded", "TooManyRequests", "The service is overloaded."),
}


class ArkResponses(Dialect):
    """`POST /api/v3/responses` (and GET, DELETE), `POST /api/v3/chat/completions`."""

    name = "ark-responses"
    default_base_path = "/api/v3"

    @override
    def route(self, method: str, path: str, base_path: str) -> Route | None:
        if method == "POST":
            return {
                f"{base_path}/responses": Route("submit", "responses"),
                f"{base_path}/chat/completions": Route("submit", "chat"),
            }.get(path)
        prefix = f"{base_path}/responses/"
        if path.startswith(prefix) and method in {"GET", "DELETE"}:
            return Route("poll" if method == "GET" else "delete", "responses", path.removeprefix(prefix))
        return None

    @override
    def read(self, platform: SimulatedPlatform, route: Route, headers: Mapping[str, str], body: Body) -> Asked:
        if not self.authorised(platform, headers):
            raise RefusedError(Trouble.AUTH)
        model = body.get("model")
        if not isinstance(model, str) or not model:
            raise RefusedError(Trouble.MISSING, "model", "model")
        if model not in platform.models:
            raise RefusedError(Trouble.MODEL, model)
        attempt = headers.get("x-client-request-id")
        stream = body.get("stream") is True
        if route.protocol == "chat":
            question = chat_question(body.get("messages"))
            if question is None:
                raise RefusedError(Trouble.MISSING, "messages", "messages")
            return Asked("chat", question, model, search=False, body=body, stream=stream, attempt=attempt)
        asked = body.get("input")
        question = content_text(asked) if isinstance(asked, str) else chat_question(asked)
        if question is None:
            raise RefusedError(Trouble.MISSING, "input", "input")
        for field in ("background", "stream"):
            if body.get(field) is True:
                raise RefusedError(Trouble.INVALID, field, field)
        tools = _check_tools(body, headers)
        return Asked(
            protocol="doubao_app" if "doubao_app" in tools else "responses",
            question=question,
            model=model,
            search=bool(tools),
            body=body,
            stored=body.get("store", True) is True,
            attempt=attempt,
        )

    @override
    def answer(self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids) -> Reply:
        headers = {"x-request-id": _request_id(ids)}
        if asked.protocol == "chat":
            message = {"role": "assistant", "content": answer.text}
            usage = chat_usage(asked, answer, answer.text)
            body = completion(
                _request_id(ids), ids.created, asked.model, message, FINISH[answer.ending], usage,
                service_tier="default",
            )  # fmt: skip
            if asked.stream:
                return event_stream(body, include_usage=wants_usage(asked.body))
            return json_reply(200, body, headers)
        made = _app_output(answer, asked, ids) if asked.protocol == "doubao_app" else _output(answer, asked, ids)
        return json_reply(200, self._response(asked, answer, ids, made), headers)

    @override
    def job(
        self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids, status: JobStatus
    ) -> Reply:
        return self.answer(platform, asked, answer, ids)

    @override
    def deleted(self, upstream_id: str) -> Reply:
        return json_reply(200, {"id": upstream_id, "object": "response", "deleted": True})

    @override
    def upstream_id(self, ids: Ids) -> str:
        return f"resp_02{ids.created}{ids.token[:18]}"

    @override
    def refuse(self, platform: SimulatedPlatform, refusal: Refusal, ids: Ids) -> Reply:
        status, code, kind, message = _ERRORS[refusal.trouble]
        said = refusal.wait.sentence() if refusal.wait else ""
        text = f"{message.format(detail=refusal.detail)}{said} Request id: {_request_id(ids)}"
        error = {"code": code, "message": text, "param": refusal.param or "", "type": kind}
        waiting = refusal.wait.headers({}) if refusal.wait else {}
        return json_reply(status, {"error": error}, {"x-request-id": _request_id(ids), **waiting})

    def _response(self, asked: Asked, answer: SimulatedAnswer, ids: Ids, output: list[Body]) -> Body:
        cut = answer.ending is Ending.TRUNCATED
        made = {
            "created_at": ids.created,
            "id": self.upstream_id(ids),
            "max_output_tokens": asked.body.get("max_output_tokens", 32768),
            "model": asked.model,
            "object": "response",
            "output": output,
            "thinking": asked.body.get("thinking", {"type": "auto"}),
            "service_tier": "default",
            "status": "incomplete" if cut else "completed",
            "tools": asked.body.get("tools", []),
            "usage": _usage(asked, answer),
            "caching": {"type": "disabled"},
            "store": asked.stored,
            "expire_at": ids.created + 259_200,
        }
        return made | ({"incomplete_details": {"reason": "length"}} if cut else {})


def _check_tools(body: Body, headers: Mapping[str, str]) -> set[str]:
    """Names of the tools asked for; raises RefusedError for what Ark does not take."""
    tools = body.get("tools") or []
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise RefusedError(Trouble.INVALID, "tools", "tools")
    calls = body.get("max_tool_calls", 3)
    if not isinstance(calls, int) or not 1 <= calls <= 10:
        raise RefusedError(Trouble.INVALID, "max_tool_calls", "max_tool_calls")
    names: set[str] = set()
    for tool in tools:
        names.add(str(tool.get("type")))
        match tool.get("type"):
            case "web_search":
                for field, default in (("max_keyword", 3), ("limit", 10)):
                    number = tool.get(field, default)
                    if not isinstance(number, int) or not 1 <= number <= 50:
                        raise RefusedError(Trouble.INVALID, field, "tools")
                if not (words(tool.get("sources", ["search_engine"])) or {""}) <= _ENGINES:
                    raise RefusedError(Trouble.INVALID, "sources", "tools")
            case "doubao_app":
                if headers.get("ark-beta-doubao-app") != "true":
                    raise RefusedError(Trouble.NO_TOOL, "doubao_app")
                if not (words(tool.get("feature", {"ai_search": {}})) or {""}) <= _FEATURES:
                    raise RefusedError(Trouble.INVALID, "feature", "tools")
                if len(tools) > 1 or "temperature" in body:
                    raise RefusedError(Trouble.INVALID, "tools" if len(tools) > 1 else "temperature", "tools")
            case _:
                raise RefusedError(Trouble.INVALID, "type", "tools")
    return names


def _request_id(ids: Ids) -> str:
    return f"02{ids.created}{ids.token[:20]}"


def _output(answer: SimulatedAnswer, asked: Asked, ids: Ids) -> list[Body]:
    """Reasoning and search calls where a search ran, then the message."""
    output: list[Body] = []
    if answer.searched:
        summary = [{"type": "summary_text", "text": answer.thought}] if answer.thought else []
        output.append({"id": f"rs_{ids.token[:20]}", "type": "reasoning", "summary": summary, "status": "completed"})
        for number, query in enumerate(answer.queries or (asked.question,)):
            action = {"type": "search", "query": query}
            name = f"ws_{ids.token[:18]}{number}"
            output.append({"id": name, "type": "web_search_call", "status": "completed", "action": action})
    part: Body = {"type": "output_text", "text": answer.text}
    if answer.searched:
        part["annotations"] = [_annotation(s) for s in answer.sources if s.cited or answer.verbatim]
    status = "incomplete" if answer.ending is Ending.TRUNCATED else "completed"
    message = {"type": "message", "role": "assistant", "id": f"msg_{ids.token[:20]}", "status": status}
    return [*output, {**message, "content": [part]}]


def _annotation(source: Source) -> Body:
    when = datetime.fromtimestamp(source.published, UTC).astimezone(_CHINA)
    return {
        "type": "url_citation",
        "title": source.title,
        "url": source.url,
        "site_name": source.site,
        "summary": source.snippet,
        "publish_time": f"{when:%Y年%m月%d日 %H:%M:%S}(CST) 星期{_WEEKDAYS[when.weekday()]}",
        "logo_url": f"https://{source.host}/logo.png",
    }


def _app_output(answer: SimulatedAnswer, asked: Asked, ids: Ids) -> list[Body]:
    """One call of the app: a search block with cards where a search ran, then the text in output blocks."""
    feature = next(iter(asked.body["tools"][0].get("feature", {"ai_search": {}})))
    blocks: list[Body] = []
    if answer.searched:
        cards = [{"text_card": _card(number, source)} for number, source in enumerate(answer.sources, 1)]
        blocks.append(
            {
                "id": "b1",
                "type": "reasoning_search" if feature == "reasoning_search" else "search",
                "summary": f"搜索到 {len(cards)} 篇资料",
                "queries": list(answer.queries or (asked.question,)),
                "results": cards,
                "status": "completed",
            }
        )
    blocks.append({"id": "b2", "parent_id": "", "type": "output_text", "text": answer.text, "status": "completed"})
    call = {"id": f"da_{ids.token[:20]}", "type": "doubao_app_call", "feature": feature, "status": "completed"}
    return [{**call, "blocks": blocks}]


def _card(number: int, source: Source) -> Body:
    return {
        "id": number,
        "summary": source.snippet,
        "title": source.title,
        "sitename": source.site,
        "url": source.url,
        "logo_url": "",
        "doc_id": f"doc{number}",
        "image_url": "",
        "has_image": False,
        "publish_time_second": str(source.published),
        "original_doc_rank": number,
        "source_from": 1,
        "source_id": "",
        "source_for_baike": "",
        "index": number,
    }


def _usage(asked: Asked, answer: SimulatedAnswer) -> Body:
    """Token counts and tool calls; the app tool is billed by the call and reports no tokens."""
    app = asked.protocol == "doubao_app"
    read = 0 if app else estimate_tokens(asked.question) + search_tokens(answer)
    thought = estimate_tokens(answer.thought) if answer.searched and not app else 0
    wrote = 0 if app else estimate_tokens(answer.text) + thought
    tools: Any = None
    details: Any = None
    if app:
        tools = {"doubao_app": 1}
    elif answer.searched:
        count = max(1, len(answer.queries))
        tools, details = {"web_search": count}, {"web_search": {"search_engine": count}}
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": wrote,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": read + wrote,
        "tool_usage": tools,
        "tool_usage_details": details,
    }
