"""Plans, claims and settlements for tests."""

from dataclasses import replace
from typing import Any

from geo_assets.ledger import Ledger
from geo_assets.ledger.budgets import Budgets
from geo_assets.ledger.claims import Claim, Claimed, ClaimOrder, Lane
from geo_assets.ledger.leases import WorkerRow
from geo_assets.ledger.pace import LaneLimit
from geo_assets.ledger.settle import ExchangeRecord, Settlement, Signal
from geo_assets.model.plans import Batch, PlannedSample, batch_id, sample_id
from geo_assets.model.states import Outcome
from geo_assets.model.text import content_hash, question_revision
from geo_assets.model.transitions import Event

DATE = "2026-11-29"
FAST = LaneLimit(10_000, 1000, 1000)


def sample(
    position: int,
    *,
    tenant: str = "acme",
    monitor: str = "washers",
    date: str = DATE,
    platform: str = "qwen",
    repeat: int = 0,
    priority: int = 5,
    simulated: bool = True,
    **changes: Any,
) -> PlannedSample:
    batch = batch_id(tenant, monitor, date, simulated=simulated)
    text = changes.pop("text", f"哪个品牌的洗衣机好? ({position})")
    revision = question_revision(text)
    planned = PlannedSample(
        sample_id=sample_id(batch, revision, platform, None, None, None, 0, repeat),
        batch_id=batch,
        tenant=tenant,
        monitor=monitor,
        date=date,
        platform=platform,
        question_id=f"q{position}",
        question_revision=revision,
        question_text=text,
        language="zh",
        intent="category",
        tags=("家电",),
        weight=1,
        region=None,
        device=None,
        mode=None,
        slot=0,
        repeat_index=repeat,
        position=position,
        priority=priority,
        model="m1",
        search=True,
        account="main",
        price_version="v1",
        currency="CNY",
        estimate_micros=1000,
        simulated=simulated,
    )
    return replace(planned, **changes)


def batch(
    samples: list[PlannedSample], *, snapshot: dict[str, Any] | None = None, skipped: dict[str, str] | None = None
) -> Batch:
    first = samples[0]
    content = {"questions": [s.question_text for s in samples]} if snapshot is None else snapshot
    return Batch(
        batch_id=first.batch_id,
        tenant=first.tenant,
        monitor=first.monitor,
        date=first.date,
        snapshot_hash=content_hash(content),
        snapshot=content,
        samples=tuple(samples),
        skipped=skipped or {},
    )


def questions(count: int, **common: Any) -> list[PlannedSample]:
    return [sample(position, **common) for position in range(count)]


def plan(ledger: Ledger, count: int, **common: Any) -> list[PlannedSample]:
    planned = questions(count, **common)
    ledger.plan(batch(planned))
    ledger.arrange(planned[0].date, planned[0].platform)
    return planned


def worker(ledger: Ledger, name: str = "w1", pid: int = 1) -> str:
    ledger.register_worker(WorkerRow(name, "host", pid, "boot", "", 0), "test")
    return name


def order(lane: Lane = Lane.SUBMIT, count: int = 10, worker_id: str = "w1", **changes: Any) -> ClaimOrder:
    values: dict[str, Any] = {
        "date": DATE,
        "platform": "qwen",
        "account": "main",
        "limit": FAST,
        "reserve": lambda _sample: 500,
        "budgets": Budgets(),
    }
    return ClaimOrder(lane=lane, count=count, worker_id=worker_id, **(values | changes))


def claim(ledger: Ledger, count: int = 10, lane: Lane = Lane.SUBMIT, **changes: Any) -> list[Claim]:
    return list(ledger.claim(order(lane, count, **changes)).claims)


def claimed(ledger: Ledger, count: int = 10, lane: Lane = Lane.SUBMIT, **changes: Any) -> Claimed:
    return ledger.claim(order(lane, count, **changes))


def settlement(taken: Claim, event: Event, **changes: Any) -> Settlement:
    defaults: dict[Event, dict[str, Any]] = {
        Event.ANSWER: {"outcome": Outcome.COUNTED, "charge_micros": 300, "executed": True},
        Event.ANSWER_PARTLY: {"outcome": Outcome.COUNTED, "charge_micros": 300, "executed": True},
        Event.RETRY: {"charge_micros": 0, "executed": False},
        Event.FAIL: {"charge_micros": 0, "executed": False, "reason": "auth: no such key"},
        Event.GIVE_BACK: {"executed": False},
    }
    values = {
        "attempt_id": taken.attempt_id,
        "sample_id": taken.sample_id,
        "platform": taken.planned.platform,
        "account": taken.planned.account,
        "date": taken.planned.date,
        "fencing_token": taken.fencing_token,
        "event": event,
        **defaults.get(event, {}),
        **changes,
    }
    return Settlement(**values)


def record(taken: Claim, leg: int = 0, kind: str = "submit", at: int = 1_795_968_000_000_000) -> ExchangeRecord:
    return ExchangeRecord(leg, kind, "0" * 64, at, at + 1_000_000, response_digest="1" * 64, http_status=200)


def signal(**changes: Any) -> Signal:
    return Signal(lane="submit", limit=FAST, **changes)
