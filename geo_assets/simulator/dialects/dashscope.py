"""Alibaba DashScope, native protocol: full source list, `[ref_n]` markers, flat errors, no model name in the body.

Text models and multimodal models have an endpoint each; multimodal ones search only while streaming. Above the search
limit the real platform answers 200 without having searched. Facts as of 2026-11-29.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

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
    estimate_tokens,
    json_reply,
    mapping,
    one_of,
    search_tokens,
    uuid_like,
)
from geo_assets.simulator.pieces import marked_text
from geo_assets.simulator.settings import SimulatedPlatform

_TEXT: Final = "/services/aigc/text-generation/generation"
_MULTIMODAL: Final = "/services/aigc/multimodal-generation/generation"
_MULTIMODAL_MODEL = re.compile(r"qwen3\.([5-9]|\d\d)-plus")
_STRATEGIES: Final = frozenset({"turbo", "max", "agent", "agent_max"})
_FORMATS: Final[dict[str, str]] = {"[<number>]": "[{}]", "[ref_<number>]": "[ref_{}]"}

_ERRORS: Final[dict[Trouble, tuple[int, str, str]]] = {
    Trouble.AUTH: (401, "InvalidApiKey", "Invalid API-key provided."),
    Trouble.INVALID: (400, "InvalidParameter", "{detail}"),
    Trouble.MODEL: (404, "ModelNotFound", "Model not exist."),
    Trouble.NOT_FOUND: (404, "InvalidURL", "The requested URL does not exist."),
    Trouble.RATE_LIMITED: (429, "Throttling.RateQuota", "Requests rate limit exceeded, please try again later."),
    Trouble.QUOTA_EXHAUSTED: (
        400,
        "Arrearage",
        "Access denied, please make sure the account is in good standing.",
    ),
    Trouble.CONTENT_FILTER: (400, "DataInspectionFailed", "Output data may contain inappropriate content."),
    Trouble.SERVER_ERROR: (500, "InternalError", "An internal error has occurred, please try again later."),
    Trouble.BAD_GATEWAY: (502, "InternalError", "Bad gateway."),
    Trouble.OVERLOADED: (503, "ModelUnavailable", "Model is unavailable, please try again later."),
}


class DashScope(Dialect):
    """`POST /api/v1/services/aigc/{text,multimodal}-generation/generation`."""

    name = "dashscope"
    default_base_path = "/api/v1"
    skips_search_over_limit = True

    @override
    def route(self, method: str, path: str, base_path: str) -> Route | None:
        if method != "POST":
            return None
        return {
            base_path + _TEXT: Route("submit", "text"),
            base_path + _MULTIMODAL: Route("submit", "multimodal"),
        }.get(path)

    @override
    def read(self, platform: SimulatedPlatform, route: Route, headers: Mapping[str, str], body: Body) -> Asked:
        if not self.authorised(platform, headers):
            raise RefusedError(Trouble.AUTH)
        model = body.get("model")
        if not isinstance(model, str) or not model:
            raise RefusedError(Trouble.INVALID, "Required parameter(model) missing or invalid.")
        if model not in platform.models:
            raise RefusedError(Trouble.MODEL)
        question = chat_question(mapping(body.get("input")).get("messages"))
        if question is None:
            raise RefusedError(Trouble.INVALID, "Required parameter(input.messages) missing or invalid.")
        if (_MULTIMODAL_MODEL.match(model) is not None) != (route.protocol == "multimodal"):
            raise RefusedError(Trouble.INVALID, "url error, please check url!")
        parameters = mapping(body.get("parameters"))
        search = parameters.get("enable_search") is True
        stream = headers.get("x-dashscope-sse") == "enable"
        if search and route.protocol == "multimodal" and not stream:
            raise RefusedError(Trouble.INVALID, "Non-streaming mode does not support Web Search")
        options = mapping(parameters.get("search_options"))
        if not one_of(options.get("search_strategy", "turbo"), _STRATEGIES):
            raise RefusedError(Trouble.INVALID, "parameters.search_options.search_strategy is not valid.")
        if not one_of(options.get("citation_format", "[<number>]"), _FORMATS):
            raise RefusedError(Trouble.INVALID, "parameters.search_options.citation_format is not valid.")
        return Asked(route.protocol, question, model, search, body, stream)

    @override
    def answer(self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids) -> Reply:
        parameters = mapping(asked.body.get("parameters"))
        options = mapping(parameters.get("search_options"))
        text = _marked(answer, options)
        thought = answer.thought if parameters.get("enable_thinking") is True else ""
        finish = "length" if answer.ending is Ending.TRUNCATED else "stop"
        output = _output(asked, text, thought, finish, as_message=parameters.get("result_format") == "message")
        strategy = options.get("search_strategy", "turbo")
        usage = _usage(asked, answer, text + thought)
        if answer.searched:
            usage["plugins"] = {"search": {"count": 1, "strategy": strategy}}
            if options.get("enable_source") is True:
                output["search_info"] = {"search_results": _results(answer), "extra_tool_info": []}
        body = {"request_id": self.upstream_id(ids), "output": output, "usage": usage}
        headers = {"x-request-id": self.upstream_id(ids)}
        if asked.stream:
            frames = _frames(body, incremental=parameters.get("incremental_output") is True)
            content = "".join(_event(number, frame) for number, frame in enumerate(frames, 1))
            return Reply(200, content.encode(), {"content-type": "text/event-stream;charset=UTF-8", **headers})
        return json_reply(200, body, headers)

    @override
    def upstream_id(self, ids: Ids) -> str:
        return uuid_like(ids.token)

    @override
    def refuse(self, platform: SimulatedPlatform, refusal: Refusal, ids: Ids) -> Reply:
        status, code, message = _ERRORS[refusal.trouble]
        said = refusal.wait.sentence() if refusal.wait else ""
        name = self.upstream_id(ids)
        body = {"code": code, "message": message.format(detail=refusal.detail) + said, "request_id": name}
        waiting = refusal.wait.headers({}) if refusal.wait else {}
        return json_reply(status, body, {"x-request-id": name, **waiting})


def _marked(answer: SimulatedAnswer, options: Mapping[str, Any]) -> str:
    """The text, with markers where they were asked for (the agent strategies have none)."""
    cites = options.get("enable_citation") is True and not str(options.get("search_strategy")).startswith("agent")
    if not cites:
        return answer.text
    pattern = _FORMATS[options.get("citation_format", "[<number>]")]
    return marked_text(answer.pieces, pattern.format)


def _output(asked: Asked, text: str, thought: str, finish: str, *, as_message: bool) -> Body:
    if not as_message and asked.protocol == "text":
        return {"text": text, "finish_reason": finish}
    content: Any = [{"text": text}] if asked.protocol == "multimodal" else text
    message: Body = {"role": "assistant", "content": content}
    if thought:
        message["reasoning_content"] = thought
    return {"choices": [{"finish_reason": finish, "message": message}]}


def _usage(asked: Asked, answer: SimulatedAnswer, written: str) -> Body:
    read, wrote = estimate_tokens(asked.question) + search_tokens(answer), estimate_tokens(written)
    return {
        "input_tokens": read,
        "output_tokens": wrote,
        "total_tokens": read + wrote,
        "prompt_tokens_details": {"cached_tokens": 0},
    }


def _results(answer: SimulatedAnswer) -> list[Body]:
    return [
        {"index": n, "title": s.title, "url": s.url, "site_name": s.site, "icon": ""}
        for n, s in enumerate(answer.sources, 1)
    ]


def _frames(body: Body, *, incremental: bool) -> Iterator[Body]:
    """The body as a stream: sources first, text in runs (deltas, or ever longer), usage of searches last."""
    output, usage = body["output"], body["usage"]
    choice = output.get("choices", [{}])[0]
    content = choice.get("message", {}).get("content", output.get("text", ""))
    listed = isinstance(content, list)
    text: str = content[0]["text"] if listed else content
    early = {key: value for key, value in usage.items() if key != "plugins"}

    def frame(part: str, finish: str, extra: Body, spent: Body) -> Body:
        piece: Any = ([{"text": part}] if part else []) if listed else part
        message = {"role": "assistant", "content": piece}
        made = {"choices": [{"message": message, "finish_reason": finish}], **extra}
        return {"output": made, "usage": spent, "request_id": body["request_id"]}

    yield frame("", "null", {key: output[key] for key in ("search_info",) if key in output}, early)
    for start in range(0, len(text), 40):
        yield frame(text[start if incremental else 0 : start + 40], "null", {}, early)
    yield frame("" if incremental else text, choice.get("finish_reason", "stop"), {}, usage)


def _event(number: int, frame: Body) -> str:
    data = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
    return f"id:{number}\nevent:result\n:HTTP_STATUS/200\ndata:{data}\n\n"
