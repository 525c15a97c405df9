"""Invented bodies, one set a dialect, and small builders, so that the tests bite without any fixture folder."""

import json
from collections.abc import Mapping
from typing import Any

from geo_assets.model.answers import Ask, Completed, Exchange, HttpRequest, HttpResponse, NormalAnswer, Rejected, Reply
from geo_assets.platforms.registry import connector

BASE_URLS = {
    "tencent-tokenhub": "https://tokenhub.test/v1",
    "dashscope": "https://dashscope.test/api/v1",
    "ark-responses": "https://ark.test/api/v3",
    "openai-responses": "https://openai.test/v1",
    "openai-chat": "https://chat.test/v1/",
}


def ask(dialect: str, *, search: bool = True, options: Mapping[str, Any] | None = None, **fields: Any) -> Ask:
    given: dict[str, Any] = {
        "platform": "p",
        "base_url": BASE_URLS[dialect],
        "model": "model-1",
        "question": "哪种茶壶 keeps warm? 🫖",
        "language": "zh",
        "search": search,
        "attempt_id": "a-0001",
        "idempotency_key": "k-0001",
        "options": options or {},
    }
    return Ask(**{**given, **fields})


def exchange(
    body: Any, status: int = 200, headers: Mapping[str, str] | None = None, *, kind: str = "submit", leg: int = 0
) -> Exchange:
    """`body`: bytes as they are, text as UTF-8, everything else as JSON."""
    if isinstance(body, str):
        body = body.encode()
    elif not isinstance(body, bytes):
        body = json.dumps(body, ensure_ascii=False).encode()
    return Exchange(leg, kind, HttpRequest("POST", "https://x.test"), HttpResponse(status, headers or {}, body))


def read(dialect: str, body: Any, status: int = 200, headers: Mapping[str, str] | None = None, **given: Any) -> Reply:
    kind = given.pop("kind", "submit")
    return connector(dialect).read(ask(dialect, **given), [exchange(body, status, headers, kind=kind)])


def answer(reply: Reply) -> NormalAnswer:
    assert isinstance(reply, Completed), reply
    return reply.answer


def refused(reply: Reply) -> Rejected:
    assert isinstance(reply, Rejected), reply
    return reply


def chat(content: Any, finish: str | None = "stop", usage: Any = None, **message: Any) -> dict[str, Any]:
    return {
        "id": "c-1",
        "object": "chat.completion",
        "model": "model-1-0901",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
        ],
        "usage": usage or {"prompt_tokens": 7, "completion_tokens": 9},
    }


TEXT = "🫖 保温首选山月壶[1]，其次 Fernhill[3]，但别买[9]。"

TENCENT = chat(
    TEXT,
    search_results=[
        {"index": 1, "url": "https://tea.test/a", "name": "壶评", "site": "茶网"},
        {"index": 2, "url": "https://tea.test/b?x=1", "name": "无人引用", "site": "茶网"},
        {"index": 3, "url": "https://pots.test/c", "name": "Fernhill review"},
    ],
)

DASHSCOPE = {
    "request_id": "r-1",
    "output": {
        "choices": [
            {
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": TEXT.replace("[", "[ref_")},
            }
        ],
        "search_info": {
            "search_results": [
                {"index": 1, "url": "https://tea.test/a", "title": "壶评", "site_name": "茶网"},
                {"index": 3, "url": "https://pots.test/c", "title": "Fernhill review", "site_name": ""},
            ]
        },
    },
    "usage": {"input_tokens": 70, "output_tokens": 9, "plugins": {"search": {"count": 2}}},
}

ARK = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "model": "model-1-0901",
    "output": [
        {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "保温 茶壶"}},
        {
            "type": "message",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": "山月壶保温最好。",
                    "annotations": [
                        {"type": "url_citation", "url": "https://tea.test/a", "title": "壶评", "site_name": "茶网"},
                        {"type": "url_citation", "url": "https://tea.test/a", "title": "壶评", "site_name": "茶网"},
                    ],
                }
            ],
        },
    ],
    "usage": {"input_tokens": 70, "output_tokens": 9, "tool_usage": {"web_search": 3}},
}

ARK_APP = {
    "id": "resp_2",
    "object": "response",
    "status": "completed",
    "model": "model-1-0901",
    "output": [
        {
            "type": "doubao_app_call",
            "status": "completed",
            "blocks": [
                {
                    "type": "reasoning_search",
                    "queries": ["保温 茶壶", "保温 茶壶"],
                    "results": [
                        {"text_card": {"title": "壶评", "sitename": "茶网", "url": "https://tea.test/a", "index": 1}},
                        {"text_card": {"title": "壶评", "sitename": "茶网", "url": "https://tea.test/a", "index": 2}},
                        {"image_card": {}},
                    ],
                },
                {"type": "output_text", "text": "山月壶"},
                {"type": "output_text", "text": "保温最好。"},
            ],
        }
    ],
    "usage": {"input_tokens": 0, "output_tokens": 0, "tool_usage": {"doubao_app": 1}},
}

_FIRST = "🫖 Fernhill pours well ([tea.test](https://tea.test/a?utm_source=openai)). "
_SECOND = "山月壶保温 ([pots.test](https://pots.test/c?id=4&utm_source=openai))."


def _part(text: str, url: str, link: str) -> dict[str, Any]:
    start = text.index(link)
    note = {"type": "url_citation", "start_index": start, "end_index": start + len(link), "url": url, "title": "t"}
    return {"type": "output_text", "text": text, "annotations": [note]}


OPENAI = {
    "id": "resp_3",
    "object": "response",
    "status": "completed",
    "model": "model-1-0901",
    "error": None,
    "output": [
        {"type": "reasoning", "summary": []},
        {
            "type": "web_search_call",
            "status": "completed",
            "action": {
                "type": "search",
                "queries": ["warm teapot", "保温 茶壶"],
                "sources": [
                    {"type": "url", "url": "https://tea.test/a"},
                    {"type": "url", "url": "https://news.test/z"},
                    {"type": "url", "url": "https://pots.test/c?id=4"},
                ],
            },
        },
        {
            "type": "web_search_call",
            "status": "completed",
            "action": {"type": "open_page", "url": "https://tea.test/a"},
        },
        {
            "type": "message",
            "phase": "commentary",
            "content": [{"type": "output_text", "text": "Let me look.", "annotations": []}],
        },
        {
            "type": "message",
            "phase": "final_answer",
            "content": [
                _part(
                    _FIRST, "https://tea.test/a?utm_source=openai", "([tea.test](https://tea.test/a?utm_source=openai))"
                ),
                _part(
                    _SECOND,
                    "https://pots.test/c?id=4&utm_source=openai",
                    "([pots.test](https://pots.test/c?id=4&utm_source=openai))",
                ),
            ],
        },
    ],
    "usage": {
        "input_tokens": 900,
        "input_tokens_details": {"cached_tokens": 100},
        "output_tokens": 80,
        "output_tokens_details": {"reasoning_tokens": 20},
    },
    "tool_usage": {"web_search": {"num_requests": 1}},
}
OPENAI_TEXT = _FIRST + _SECOND

CHAT = chat("Fernhill keeps tea warm, see https://tea.test/a.", reasoning="think")

CHAT_STREAM = (
    ": hello\r\n\r\n"
    'data: {"id":"c-2","model":"m","choices":[{"delta":{"role":"assistant","content":""}}]}\r\n\r\n'
    'data: {"choices":[{"delta":{"reasoning_content":"hm","content":"山月"},"finish_reason":null}]}\r\n\r\n'
    'data: {"choices":[{"delta":{"content":"壶"},"finish_reason":"stop"}]}\r\n\r\n'
    'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}\r\n\r\n'
    "data: [DONE]\r\n\r\n"
)


def dashscope_stream(*frames: Any, name: str = "result", status: int = 200) -> str:
    return "".join(
        f"id:{n}\nevent:{name}\n:HTTP_STATUS/{status}\ndata:{json.dumps(frame, ensure_ascii=False)}\n\n"
        for n, frame in enumerate(frames, start=1)
    )


DASHSCOPE_STREAM = dashscope_stream(
    {"output": {"choices": [{"message": {"content": []}, "finish_reason": "null"}]}, "usage": {"input_tokens": 70}},
    {"output": {"choices": [{"message": {"content": [{"text": "山月壶"}]}, "finish_reason": "null"}]}},
    {
        "output": {
            "choices": [{"message": {"content": [{"text": "保温[ref_1]。"}]}, "finish_reason": "null"}],
            "search_info": {"search_results": [{"index": 1, "url": "https://tea.test/a", "title": "壶评"}]},
        }
    },
    {
        "output": {"choices": [{"message": {"content": []}, "finish_reason": "stop"}]},
        "usage": {"input_tokens": 70, "output_tokens": 5, "plugins": {"search": {"count": 1}}},
        "request_id": "r-2",
    },
)

VALID: tuple[tuple[str, Any], ...] = (
    ("tencent-tokenhub", TENCENT),
    ("dashscope", DASHSCOPE),
    ("dashscope", DASHSCOPE_STREAM),
    ("ark-responses", ARK),
    ("ark-responses", ARK_APP),
    ("openai-responses", OPENAI),
    ("openai-chat", CHAT),
    ("openai-chat", CHAT_STREAM),
)
