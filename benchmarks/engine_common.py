"""What the engine's benchmarks share: a platform, a plan, a simulator with given latency, limits and faults."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from geo_assets.collection import CollectRequest
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import Ledger, open_ledger
from geo_assets.model.configuration import Lane, Limits, Platform, PriceVersion, Timeouts
from geo_assets.model.plans import Batch, PlannedSample, batch_id, sample_id
from geo_assets.model.text import question_revision
from geo_assets.simulator.faults import Fault, FaultKind, FaultPlan, FaultRule
from geo_assets.simulator.process import SimulatorProcess
from geo_assets.simulator.settings import SIMULATED_KEY, Latency, SimulatedPlatform, SimulatorConfig, simulated_base_url

ZONE = "Asia/Shanghai"


def today() -> str:
    return datetime.now(ZoneInfo(ZONE)).date().isoformat()


def platform(
    name: str = "bench", *, rate: float = 1000.0, burst: int = 50, concurrency: int = 50, read: float = 60.0
) -> Platform:
    lane = Lane(per_second=rate, burst=burst, concurrency=concurrency)
    return Platform(
        id=name,
        name=name,
        dialect="openai-chat",
        base_url="https://bench.example/v1",
        model="m1",
        search=False,
        limits=Limits(submit=lane),
        timeouts=Timeouts(read=read, total=read + 5),
        prices=(
            PriceVersion(
                version="v1", valid_from="2026-01-01", currency="CNY", input_per_million="2", output_per_million="6"
            ),
        ),
    )


def plan(ledger: Ledger, of: Platform, count: int, *, tenant: str = "acme", monitor: str = "bench") -> None:
    date = today()
    batch = batch_id(tenant, monitor, date, simulated=True)
    samples = []
    for position in range(count):
        text = f"哪个品牌的洗衣机最值得买? 第 {position} 问"
        revision = question_revision(text)
        samples.append(
            PlannedSample(
                sample_id(batch, revision, of.id, None, None, None, 0, 0), batch, tenant, monitor, date, of.id,
                f"q{position}", revision, text, "zh", "category", (), 1, None, None, None, 0, 0, position, 5,
                of.model, of.search, "main", "v1", "CNY", 100_000, True,
            )
        )  # fmt: skip
    ledger.plan(Batch(batch, tenant, monitor, date, f"{monitor}-{of.id}", {"bench": of.id}, tuple(samples)))


def faults(share: float, *, seconds: float = 1.0, hang: float = 40.0) -> FaultPlan:
    """Five kinds in equal parts: 500, 503, 429 with Retry-After, reset, hang."""
    kinds = (
        Fault(kind=FaultKind.SERVER_ERROR),
        Fault(kind=FaultKind.SERVER_ERROR, status=503),
        Fault(kind=FaultKind.RATE_LIMITED, seconds=seconds, wait_as="seconds"),
        Fault(kind=FaultKind.RESET_AFTER),
        Fault(kind=FaultKind.HANG, seconds=hang),
    )
    return FaultPlan(rules=tuple(FaultRule(fault=f, rate=share / len(kinds)) for f in kinds), max_per_sample=None)


@dataclass
class Bench:
    """A data folder with a running simulator."""

    folder: Path
    url: str
    platforms: Sequence[Platform]

    @property
    def call_log(self) -> Path:
        return self.folder / "calls.jsonl"

    def ledger(self, url: str | None = None) -> Ledger:
        return open_ledger(url or f"sqlite:///{self.folder / 'ledger.db'}")

    def evidence(self) -> EvidenceStore:
        return EvidenceStore(self.folder / "evidence")

    def request(self, of: Platform, **changes: object) -> CollectRequest:
        values: dict[str, object] = {
            "platform": of, "date": today(), "timezone": ZONE,
            "base_url": simulated_base_url(self.url, of), "keys": {"main": SIMULATED_KEY},
        }  # fmt: skip
        return CollectRequest(**(values | changes))  # type: ignore[arg-type]


@contextmanager
def bench(
    platforms: Sequence[Platform],
    *,
    latency: Latency | None = None,
    fault_plan: FaultPlan | None = None,
    true_rate: float | None = None,
    burst: int = 1,
) -> Iterator[Bench]:
    with tempfile.TemporaryDirectory(prefix="geo-bench-") as name:
        folder = Path(name)
        simulated = tuple(
            SimulatedPlatform(
                id=p.id, dialect=p.dialect, models=(p.model,), base_path="/v1",
                per_second=true_rate, burst=burst, latency=latency or Latency(), flavour="vllm",
            )
            for p in platforms
        )  # fmt: skip
        config = SimulatorConfig(platforms=simulated, call_log=folder / "calls.jsonl", faults=fault_plan or FaultPlan())
        with SimulatorProcess(config) as simulator:
            yield Bench(folder, simulator.url, platforms)
