import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from geo_assets.simulator.market import Market, MarketBrand
from geo_assets.simulator.process import SimulatorProcess
from geo_assets.simulator.settings import AnswerRates, SimulatedPlatform, SimulatorConfig

SHARED = Path(__file__).resolve().parents[2] / "../shared"
ORDINARY = AnswerRates(refused=0, empty=0, truncated=0, unsearched=0)
QUESTION_ZH = "小户型工作室适合买哪款人体工学椅？"
QUESTION_EN = "Which ergonomic office chairs are worth buying for a small studio?"

PLATFORMS = (
    SimulatedPlatform(id="tencent", dialect="tencent-tokenhub", models=("hy3",), base_path="/v1"),
    SimulatedPlatform(id="qwen", dialect="dashscope", models=("qwen3-max", "qwen3.7-plus"), base_path="/api/v1"),
    SimulatedPlatform(id="qwen-compatible", dialect="dashscope-compatible", models=("qwen3.7-max",)),
    SimulatedPlatform(id="doubao", dialect="ark-responses", models=("doubao-seed-2-1-pro-260915",)),
    SimulatedPlatform(id="gpt", dialect="openai-responses", models=("gpt-6.1-terra",)),
    SimulatedPlatform(id="gpt-chat", dialect="openai-chat", models=("gpt-6-luna", "gpt-5-search-api")),
    SimulatedPlatform(id="local", dialect="openai-chat", models=("qwen3:8b",), flavour="vllm"),
    SimulatedPlatform(id="ollama", dialect="openai-chat", models=("qwen3:8b",), flavour="ollama"),
)

MARKETS = (
    Market(
        id="chairs-zh",
        language="zh",
        topic="人体工学椅",
        questions=(QUESTION_ZH,),
        brands=(
            MarketBrand(
                id="haideng", name="海灯座椅", aliases=("海灯",), products=("海灯 Loop",), sites=("haideng.test",)
            ),
            MarketBrand(id="qingwu", name="青梧家居", sites=("qingwu.test",)),
            MarketBrand(id="lanjing", name="蓝鲸办公"),
        ),
    ),
    Market(
        id="chairs-en",
        language="en",
        topic="office chairs",
        questions=(QUESTION_EN,),
        brands=(
            MarketBrand(id="halden", name="Halden Seating", aliases=("Halden",), sites=("halden.test/shop",)),
            MarketBrand(id="aurora", name="AuroraChair", sites=("aurora.test",)),
            MarketBrand(id="kestrel", name="Kestrel", exclude=("kestrel hawk",)),
        ),
    ),
)

ASKING: dict[str, tuple[str, dict[str, Any]]] = {
    "tencent": (
        "/v1/chat/completions",
        {"model": "hy3", "messages": [{"role": "user", "content": "{q}"}], "web_search_options": {"enable": True}},
    ),
    "qwen": (
        "/api/v1/services/aigc/text-generation/generation",
        {
            "model": "qwen3-max",
            "input": {"messages": [{"role": "user", "content": "{q}"}]},
            "parameters": {
                "result_format": "message",
                "enable_search": True,
                "search_options": {
                    "forced_search": True,
                    "enable_source": True,
                    "enable_citation": True,
                    "citation_format": "[ref_<number>]",
                },
            },
        },
    ),
    "doubao": (
        "/api/v3/responses",
        {
            "model": "doubao-seed-2-1-pro-260915",
            "input": [{"role": "user", "content": [{"type": "input_text", "text": "{q}"}]}],
            "tools": [{"type": "web_search"}],
        },
    ),
    "gpt": (
        "/v1/responses",
        {
            "model": "gpt-6.1-terra",
            "input": "{q}",
            "tools": [{"type": "web_search"}],
            "include": ["web_search_call.action.sources"],
        },
    ),
    "gpt-chat": ("/v1/chat/completions", {"model": "gpt-6-luna", "messages": [{"role": "user", "content": "{q}"}]}),
    "local": ("/v1/chat/completions", {"model": "qwen3:8b", "messages": [{"role": "user", "content": "{q}"}]}),
}
"""Platform → path and request body of an ordinary question, `{q}` standing for its text."""


def text_of(platform: str, body: dict[str, Any]) -> str:
    """The answer's text in the platform's reply."""
    match platform:
        case "qwen":
            return body["output"]["choices"][0]["message"]["content"]
        case "doubao" | "gpt":
            message = next(item for item in body["output"] if item["type"] == "message")
            return message["content"][0]["text"]
    return body["choices"][0]["message"]["content"]


class Asker:
    """Asks the simulated platforms over HTTP."""

    def __init__(self, url: str) -> None:
        self.client = httpx.Client(base_url=url, headers={"authorization": "Bearer simulated"}, timeout=10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.client.close()

    def ask(self, platform: str, question: str = QUESTION_ZH, **headers: str) -> httpx.Response:
        path, _ = ASKING[platform]
        return self.send(platform, path, self.body(platform, question), **headers)

    def body(self, platform: str, question: str = QUESTION_ZH) -> dict[str, Any]:
        template = json.dumps(ASKING[platform][1], ensure_ascii=False)
        return json.loads(template.replace('"{q}"', json.dumps(question, ensure_ascii=False)))

    def send(self, platform: str, path: str, body: Any, method: str = "POST", **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.request(method, f"/p/{platform}{path}", json=body, headers=named)

    def admin(self, method: str, path: str, body: Any = None) -> Any:
        response = self.client.request(method, f"/_admin/{path}", json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def next_fault(
        self, kind: str, platform: str = "tencent", on: str = "submit", count: int = 1, **values: Any
    ) -> None:
        fault = {"kind": kind, **values}
        self.admin("POST", "faults/next", {"fault": fault, "platform": platform, "on": on, "count": count})


def simulator_config(folder: Path, **changes: Any) -> SimulatorConfig:
    values: dict[str, Any] = {
        "platforms": PLATFORMS,
        "markets": MARKETS,
        "rates": ORDINARY,
        "call_log": folder / "calls.jsonl",
    }
    return SimulatorConfig(**values | changes)


@pytest.fixture(scope="package")
def simulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatorProcess]:
    """One simulator for all tests that leave it as it was."""
    with SimulatorProcess(simulator_config(tmp_path_factory.mktemp("simulator"))) as process:
        yield process


@pytest.fixture
def asker(simulator: SimulatorProcess) -> Iterator[Asker]:
    with Asker(simulator.url) as made:
        yield made
        made.admin("POST", "reset")
