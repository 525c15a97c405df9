"""Connectors and simulator were written apart from the same facts: here they meet."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from geo_assets.model.answers import (
    Ask,
    CitationBasis,
    Completed,
    Exchange,
    FinishReason,
    HttpRequest,
    HttpResponse,
    Pending,
    Rejected,
    Reply,
    SearchState,
)
from geo_assets.model.errors import ErrorClass
from geo_assets.model.text import normalise_question
from geo_assets.platforms.registry import connector
from geo_assets.simulator.answers import read_answers
from geo_assets.simulator.market import MarketIndex
from geo_assets.simulator.process import SimulatorProcess
from geo_assets.simulator.settings import AnswerRates, SimulatedPlatform
from geo_assets_tests.simulator.conftest import MARKETS, QUESTION_EN, QUESTION_ZH, SHARED, Asker, simulator_config

SURFACES: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "tencent": ("tencent-tokenhub", "/v1", "hy3", {}),
    "qwen": ("dashscope", "/api/v1", "qwen3-max", {"forced_search": True}),
    "doubao": ("ark-responses", "/api/v3", "doubao-seed-2-1-pro-260915", {}),
    "doubao-app": ("ark-responses", "/api/v3", "doubao-seed-2-1-pro-260915", {"tool": "doubao_app"}),
    "gpt": ("openai-responses", "/v1", "gpt-6.1-terra", {}),
    "gpt-job": ("openai-responses", "/v1", "gpt-6.1-terra", {"background": True}),
    "local": ("openai-chat", "", "deepseek-flash", {}),
}


def surfaces() -> tuple[SimulatedPlatform, ...]:
    return tuple(
        SimulatedPlatform(id=name, dialect=dialect, models=(model,), base_path=base, flavour="vllm")
        for name, (dialect, base, model, _) in SURFACES.items()
    )


class Line:
    """Asks through a connector over HTTP, as the engine does."""

    def __init__(self, asker: Asker, url: str) -> None:
        self.asker = asker
        self.url = url

    def ask(self, surface: str, question: str, sample: str) -> tuple[Ask, Reply]:
        dialect, base, model, options = SURFACES[surface]
        ask = Ask(
            platform=surface, base_url=f"{self.url}/p/{surface}{base}", model=model, question=question, language="zh",
            search=surface != "local", attempt_id=f"{sample}-1", idempotency_key=f"{sample}-1", options=options,
        )  # fmt: skip
        speaker = connector(dialect)
        exchanges = [self._exchange(0, "submit", speaker.submit(ask), sample)]
        reply = speaker.read(ask, exchanges)
        while isinstance(reply, Pending):
            time.sleep(0.02)
            exchanges.append(self._exchange(len(exchanges), "poll", speaker.poll(ask, reply.upstream_id), sample))
            reply = speaker.read(ask, exchanges)
        return ask, reply

    def _exchange(self, leg: int, kind: str, request: HttpRequest, sample: str) -> Exchange:
        headers = {name: value.replace("{key}", "simulated") for name, value in request.headers.items()}
        headers |= {"X-Geo-Sample": sample, "X-Geo-Date": "2026-11-29"}
        response = self.asker.client.request(request.method, request.url, content=request.body, headers=headers)
        received = {name.lower(): value for name, value in response.headers.items()}
        return Exchange(leg, kind, request, HttpResponse(response.status_code, received, response.content))


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    config = simulator_config(tmp_path_factory.mktemp("line"), platforms=surfaces())
    with SimulatorProcess(config) as process, Asker(process.url) as asker:
        yield Line(asker, process.url)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("question", [QUESTION_ZH, QUESTION_EN])
def test_connectors_read_what_the_simulator_writes(line: Line, surface: str, question: str) -> None:
    for number in range(8):
        _, reply = line.ask(surface, question, f"s{number}")
        assert isinstance(reply, Completed), reply
        answer = reply.answer
        assert len(answer.text) > 40
        assert answer.finish_reason is FinishReason.STOP
        assert not answer.warnings
        if surface == "local":
            assert answer.citations is None
            continue
        assert answer.search_state is SearchState.USED
        assert answer.citations
        assert all(re.match(r"https://[^/]+\.(example|test)/", citation.url) for citation in answer.citations)
        for citation in answer.citations:
            for start, end in citation.spans:
                assert answer.text[start:end][0] in "[("
    assert {citation.basis for citation in answer.citations or ()} <= set(CitationBasis)


ENDINGS = [
    ("rate_limited", ErrorClass.RATE_LIMITED),
    ("server_error", ErrorClass.SERVER_ERROR),
    ("auth", ErrorClass.AUTH),
    ("quota_exhausted", ErrorClass.QUOTA_EXHAUSTED),
    ("unreadable", ErrorClass.UNREADABLE),
]


@pytest.mark.parametrize("surface", ["tencent", "qwen", "doubao", "gpt", "local"])
@pytest.mark.parametrize(("kind", "expected"), ENDINGS)
def test_connectors_class_every_failure_rightly(line: Line, surface: str, kind: str, expected: ErrorClass) -> None:
    line.asker.next_fault(kind, surface)
    _, reply = line.ask(surface, QUESTION_ZH, f"f-{kind}")
    assert isinstance(reply, Rejected)
    assert reply.error is expected


@pytest.mark.parametrize("surface", ["tencent", "qwen", "doubao", "gpt", "local"])
def test_filtered_content_is_recognised(line: Line, surface: str) -> None:
    line.asker.next_fault("content_filter", surface)
    _, reply = line.ask(surface, QUESTION_ZH, "filtered")
    if isinstance(reply, Completed):
        assert reply.answer.finish_reason is FinishReason.CONTENT_FILTER
    else:
        assert isinstance(reply, Rejected)
        assert reply.error is ErrorClass.CONTENT_FILTERED


@pytest.mark.parametrize("surface", ["tencent", "qwen", "doubao", "doubao-app", "gpt"])
def test_a_skipped_search_is_noticed(line: Line, surface: str) -> None:
    line.asker.next_fault("search_skipped", surface)
    _, reply = line.ask(surface, QUESTION_ZH, "skipped")
    assert isinstance(reply, Completed)
    assert reply.answer.search_state is SearchState.NOT_USED


def recorded(folder: Path) -> Path:
    corpus = SHARED / "corpus/answers.jsonl"
    if corpus.is_file():
        return corpus
    rows = [
        {
            "question": "哪款好？",
            "answer_text": "1. **甲**[1]\n\n> 乙 🪑\r\n",
            "citations": [{"url": "https://a.test/1"}],
        },
        {
            "question": "Which one?",
            "answer_text": "See ([a](https://a.test/1)).\n",
            "citations": [{"url": "https://a.test/1"}],
        },
    ]
    file = folder / "answers.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return file


def test_recorded_answers_arrive_equal_through_every_wire_format(tmp_path: Path) -> None:
    file = recorded(tmp_path)
    expected = {question: answer.text for question, answer in read_answers(file).items()}
    config = simulator_config(tmp_path, platforms=surfaces(), answers=file, rates=AnswerRates(refused=0.5))
    with SimulatorProcess(config) as process, Asker(process.url) as asker:
        line = Line(asker, process.url)
        for surface in SURFACES:
            for question, text in expected.items():
                _, reply = line.ask(surface, question, "r")
                assert isinstance(reply, Completed), (surface, question, reply)
                assert reply.answer.text == text, (surface, question)
    assert MarketIndex(MARKETS).find(normalise_question(QUESTION_ZH), "zh") is MARKETS[0]
