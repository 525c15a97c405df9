"""OpenAI's chat completions and the servers that copy them. No sources, except on OpenAI's own search model.

`SimulatedPlatform.flavour` chooses whose errors and extra keys are shown: `openai` refuses unknown arguments, `vllm`
and `ollama` ignore them; `ollama` asks for no key. Facts as of 2026-11-29.
"""

from collections.abc import Mapping
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
    json_reply,
)
from geo_assets.simulator.dialects.chat import FINISH, chat_usage, completion, event_stream, wants_usage
from geo_assets.simulator.dialects.links import openai_links
from geo_assets.simulator.settings import SimulatedPlatform

_ARGUMENTS: Final = frozenset(
    {
        "audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens",
        "max_tokens", "messages", "metadata", "modalities", "model", "n", "parallel_tool_calls", "prediction",
        "presence_penalty", "prompt_cache_key", "reasoning_effort", "response_format", "safety_identifier", "seed",
        "service_tier", "stop", "store", "stream", "stream_options", "temperature", "tool_choice", "tools",
        "top_logprobs", "top_p", "user", "verbosity", "web_search_options",
    }
)  # fmt: skip

_OPENAI: Final[dict[Trouble, tuple[int, str, str | None, str]]] = {
    Trouble.AUTH: (401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    Trouble.UNKNOWN: (400, "invalid_request_error", None, "Unrecognized request argument supplied: {detail}"),
    Trouble.MISSING: (
        400, "invalid_request_error", "missing_required_parameter", "Missing required parameter: '{detail}'."
    ),
    Trouble.UNSUPPORTED: (400, "invalid_request_error", None, "Web search options not supported with this model."),
    Trouble.MODEL: (
        404, "invalid_request_error", "model_not_found", "The model `{detail}` does not exist or you lack access."
    ),
    Trouble.NOT_FOUND: (404, "invalid_request_error", "unknown_url", "Unknown request URL: {detail}."),
    Trouble.RATE_LIMITED: (429, "requests", "rate_limit_exceeded", "Rate limit reached on requests per min (RPM)."),
    Trouble.QUOTA_EXHAUSTED: (
        429, "insufficient_quota", "insufficient_quota", "Current quota exceeded; check plan and billing details."
    ),
    Trouble.CONTENT_FILTER: (
        400, "invalid_request_error", "content_policy_violation", "Invalid prompt: flagged by the usage policy."
    ),
    Trouble.SERVER_ERROR: (500, "server_error", None, "The server had an error while processing the request."),
    Trouble.BAD_GATEWAY: (502, "server_error", None, "Bad gateway."),
    Trouble.OVERLOADED: (503, "service_unavailable_error", None, "The engine is currently overloaded."),
}  # fmt: skip

_VLLM: Final[dict[Trouble, tuple[int, str, str]]] = {
    Trouble.AUTH: (401, "AuthenticationError", "Unauthorized"),
    Trouble.MISSING: (400, "BadRequestError", "Field required: {detail}"),
    Trouble.MODEL: (404, "NotFoundError", "The model `{detail}` does not exist."),
    Trouble.NOT_FOUND: (404, "NotFoundError", "Not Found"),
    Trouble.RATE_LIMITED: (429, "TooManyRequestsError", "Too many requests."),
    Trouble.QUOTA_EXHAUSTED: (402, "PaymentRequiredError", "The account's balance is used up."),
    Trouble.CONTENT_FILTER: (400, "BadRequestError", "The prompt was rejected by the content filter."),
    Trouble.SERVER_ERROR: (500, "InternalServerError", "internal error"),
    Trouble.BAD_GATEWAY: (502, "BadGatewayError", "upstream unavailable"),
    Trouble.OVERLOADED: (503, "ServiceUnavailableError", "server busy, maximum pending requests exceeded"),
}

_OLLAMA_TYPES: Final[dict[Trouble, tuple[str, str]]] = {
    Trouble.MODEL: ("not_found_error", "model '{detail}' not found"),
    Trouble.MISSING: ("invalid_request_error", "{detail} is required"),
}


class OpenAIChat(Dialect):
    """`POST {base}/chat/completions`."""

    name = "openai-chat"
    default_base_path = "/v1"

    @override
    def route(self, method: str, path: str, base_path: str) -> Route | None:
        """The one endpoint that asks."""
        if method == "POST" and path == f"{base_path}/chat/completions":
            return Route("submit", "chat")
        return None

    @override
    def read(self, platform: SimulatedPlatform, route: Route, headers: Mapping[str, str], body: Body) -> Asked:
        """Check key, arguments, model and messages."""
        if platform.flavour != "ollama" and not self.authorised(platform, headers):
            raise RefusedError(Trouble.AUTH)
        unknown = sorted(body.keys() - _ARGUMENTS)
        if unknown and platform.flavour == "openai":
            raise RefusedError(Trouble.UNKNOWN, unknown[0])
        model = body.get("model")
        if not isinstance(model, str) or not model:
            raise RefusedError(Trouble.MISSING, "model", "model")
        if model not in platform.models:
            raise RefusedError(Trouble.MODEL, model, "model")
        question = chat_question(body.get("messages"))
        if question is None:
            raise RefusedError(Trouble.MISSING, "messages", "messages")
        searches = platform.flavour == "openai" and "search" in model
        if "web_search_options" in body and platform.flavour == "openai" and not searches:
            raise RefusedError(Trouble.UNSUPPORTED, "web_search_options", "web_search_options")
        return Asked(
            protocol=route.protocol,
            question=question,
            model=model,
            search=searches,
            body=body,
            stream=bool(body.get("stream")),
            attempt=headers.get("x-client-request-id") or headers.get("x-request-id"),
        )

    @override
    def answer(self, platform: SimulatedPlatform, asked: Asked, answer: SimulatedAnswer, ids: Ids) -> Reply:
        """A chat completion in the flavour's own dress."""
        text, annotations = openai_links(answer)
        message: Body = {"role": "assistant", "content": text}
        extra: Body = {}
        if platform.flavour == "openai":
            message |= {
                "refusal": None,
                "annotations": [{"type": "url_citation", "url_citation": a} for a in annotations],
            }
            extra = {"service_tier": "default", "system_fingerprint": None}
            if answer.ending is Ending.REFUSED:
                message |= {"content": None, "refusal": text}
        elif platform.flavour == "vllm":
            message |= {"refusal": None, "annotations": None, "tool_calls": [], "reasoning": None}
            extra = {"service_tier": None, "system_fingerprint": "vllm-0.11.0-a3b21f94"}
        else:
            extra = {"system_fingerprint": "fp_ollama"}
        served = f"{asked.model}-2025-10-14" if asked.search else asked.model
        body = completion(
            self.upstream_id(ids), ids.created, served, message, FINISH[answer.ending],
            chat_usage(asked, answer, text), **extra,
        )  # fmt: skip
        if asked.stream:
            return event_stream(body, include_usage=wants_usage(asked.body))
        return json_reply(200, body, {"x-request-id": f"req_{ids.token}"})

    @override
    def filters_in_answer(self, platform: SimulatedPlatform) -> bool:
        return True

    @override
    def upstream_id(self, ids: Ids) -> str:
        """The completion's id."""
        return f"chatcmpl-{ids.token[:24]}"

    @override
    def refuse(self, platform: SimulatedPlatform, refusal: Refusal, ids: Ids) -> Reply:
        """The flavour's error: OpenAI names codes, vLLM repeats the status as a number, Ollama leaves the code null."""
        wait = refusal.wait
        headers = {"x-request-id": f"req_{ids.token}"}
        said = wait.sentence() if wait else ""
        if platform.flavour == "openai":
            status, kind, code, message = _OPENAI[refusal.trouble]
            native = {"retry-after": str(max(1, round(wait.seconds + 0.499)))} if wait else {}
            error: Any = {
                "message": message.format(detail=refusal.detail) + said,
                "type": kind,
                "param": refusal.param,
                "code": code,
            }
        else:
            status, kind, message = _VLLM[refusal.trouble]
            native = {}
            if platform.flavour == "ollama":
                kind, message = _OLLAMA_TYPES.get(refusal.trouble, ("api_error", message))
            error = {"message": message.format(detail=refusal.detail) + said, "type": kind, "param": refusal.param}
            error["code"] = status if platform.flavour == "vllm" else None
            if refusal.trouble is Trouble.AUTH:
                error = "Unauthorized"
        return json_reply(status, {"error": error}, headers | (wait.headers(native) if wait else {}))
