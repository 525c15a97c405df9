"""Platforms, plans and requests for tests of the collector against the simulator."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from geo_assets.collection import CollectReport, CollectRequest, collect_partition
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import Ledger
from geo_assets.model.configuration import Lane, Limits, Platform, PriceVersion, Timeouts
from geo_assets.platforms.connector import Connector
from geo_assets.platforms.registry import connector
from geo_assets.simulator.faults import FaultPlan
from geo_assets.simulator.process import SimulatorProcess
from geo_assets.simulator.settings import (
    SIMULATED_KEY,
    AnswerRates,
    Latency,
    SimulatorConfig,
    simulated_base_url,
    simulated_platforms,
)
from geo_assets_tests.ledger import builders

ZONE = "Asia/Shanghai"
PRICES = (
    PriceVersion(version="v1", valid_from="2026-01-01", currency="CNY", input_per_million="2", output_per_million="6"),
)


def today() -> str:
    return datetime.now(ZoneInfo(ZONE)).date().isoformat()


def platform(dialect: str = "openai-chat", **changes: Any) -> Platform:
    """Fast limits and short time-outs. `openai-responses` runs as a background job."""
    lane = Lane(per_second=500, burst=50, concurrency=20)
    values: dict[str, Any] = {
        "id": "qwen",
        "name": "qwen",
        "dialect": dialect,
        "base_url": "https://platform.example/v1",
        "model": "m1",
        "search": dialect != "openai-chat",
        "options": {"background": True} if dialect == "openai-responses" else {},
        "limits": Limits(submit=lane, poll=lane, download=lane),
        "timeouts": Timeouts(read=2, total=3, job=60),
        "prices": PRICES,
    }
    return Platform(**(values | changes))


def plan(ledger: Ledger, of: Platform, count: int, **common: Any) -> None:
    common = {"date": today(), "platform": of.id, "search": of.search, "estimate_micros": 100_000} | common
    ledger.plan(builders.batch(builders.questions(count, **common)))


def request(of: Platform, base_url: str, **changes: Any) -> CollectRequest:
    values: dict[str, Any] = {"date": today(), "timezone": ZONE, "keys": {"main": SIMULATED_KEY}}
    return CollectRequest(platform=of, base_url=base_url, **(values | changes))


def collect(
    ledger: Ledger, evidence: EvidenceStore, asked: CollectRequest, via: Connector | None = None, **more: Any
) -> CollectReport:
    return collect_partition(asked, ledger, evidence, via or connector(asked.platform.dialect), **more)


@contextmanager
def simulator(
    folder: Path, *platforms: Platform, faults: FaultPlan | None = None, latency: float = 0.0, plain: bool = True
) -> Iterator[SimulatorProcess]:
    """A simulator of these platforms; `plain` gives only ordinary answers."""
    rates = AnswerRates(refused=0, empty=0, truncated=0, unsearched=0) if plain else AnswerRates()
    config = SimulatorConfig(
        platforms=simulated_platforms(platforms, latency=Latency(median=latency)),
        call_log=folder / "calls.jsonl",
        faults=faults or FaultPlan(),
        rates=rates,
    )
    with SimulatorProcess(config) as process:
        yield process


def base_url(process: SimulatorProcess, of: Platform) -> str:
    return simulated_base_url(process.url, of)
