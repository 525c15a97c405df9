"""The ledger as others see it: one object, opened by URL, whose methods are the modules of this room.

What belongs here: opening, and one line per service. What does not: SQL.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy.engine import make_url

from geo_assets.ledger import actions, alerts, books, leases, planning, projections, queries
from geo_assets.ledger.claims import Claim, Claimed, ClaimOrder, claim, reconstruct
from geo_assets.ledger.engine import Clock, Database, LedgerUnavailable
from geo_assets.ledger.health import Health, health
from geo_assets.ledger.migrate import LedgerTooNew, migrate
from geo_assets.ledger.pace import LEAD_US, LaneLimit, reserve_slot
from geo_assets.ledger.rows import AttemptRow, BatchRow, EntryRow, ExchangeRow, SampleRow
from geo_assets.ledger.settle import ExchangeRecord, Settlement, SettleReport, record_exchange, settle
from geo_assets.ledger.status import (
    OpenPartition,
    Status,
    day_status,
    open_partition,
    open_partitions,
    partition_status,
)
from geo_assets.model.alerts import Alert, AlertKind
from geo_assets.model.plans import Batch


class Ledger:
    """The only truth of what was planned, tried, received and paid. Made by `open_ledger`; safe to use from threads."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _t: type[BaseException] | None, _e: BaseException | None, _b: TracebackType | None) -> None:
        self.close()

    def now(self) -> int:
        """The ledger's clock, microseconds since 1970 UTC."""
        return self.database.now()

    # Plans
    def plan(self, batch: Batch, *, replan: bool = False) -> planning.PlanResult:
        """Store a plan; see `planning.plan`."""
        return planning.plan(self.database, batch, replan=replan)

    def arrange(self, date: str, platform: str, weights: Mapping[str, float] | None = None) -> bool:
        """Compute turns after planning; see `planning.arrange`."""
        return planning.arrange(self.database, date, platform, weights)

    def expedite(self, date: str, platform: str, monitors: Sequence[tuple[str, str]]) -> None:
        """Move (tenant, monitor) pairs to the front."""
        planning.expedite(self.database, date, platform, monitors)

    def record_reasons(self, date: str, reasons: Mapping[tuple[str, str, str], str]) -> None:
        """Record why nothing was planned, per (tenant, monitor, platform)."""
        planning.record_reasons(self.database, date, reasons)

    def day_reasons(self, date: str) -> dict[tuple[str, str, str], str]:
        """(tenant, monitor, platform) → reason."""
        return planning.day_reasons(self.database, date)

    # Reading
    def batches(self, date: str) -> list[BatchRow]:
        """All plans of a date."""
        return queries.batches(self.database, date)

    def snapshot(self, snapshot_hash: str) -> dict[str, Any]:
        """A frozen configuration."""
        return queries.snapshot(self.database, snapshot_hash)

    def samples(self, date: str, platform: str | None = None) -> Iterator[SampleRow]:
        """Samples ordered by tenant, monitor, sample id; streamed."""
        return queries.samples(self.database, date, platform)

    def attempts(self, date: str, platform: str | None = None) -> Iterator[AttemptRow]:
        """Attempts ordered by id; streamed."""
        return queries.attempts(self.database, date, platform)

    def exchanges(self, date: str, platform: str | None = None) -> Iterator[ExchangeRow]:
        """Exchanges ordered by attempt and leg; streamed."""
        return queries.exchanges(self.database, date, platform)

    def entries(self, date: str, platform: str | None = None) -> Iterator[EntryRow]:
        """Cost entries ordered by key; streamed."""
        return queries.entries(self.database, date, platform)

    def sample_facts(self, date: str, platform: str) -> Iterator[projections.SampleFacts]:
        """What the attempts of each sample add up to, in the order of `samples`; streamed."""
        return projections.sample_facts(self.database, date, platform)

    def placed_exchanges(
        self, date: str, platform: str, *, accepted_only: bool = False
    ) -> Iterator[projections.PlacedExchange]:
        """Exchanges in the order of `samples`, then by attempt and leg; streamed."""
        return projections.placed_exchanges(self.database, date, platform, accepted_only=accepted_only)

    def sample(self, sample_id: str) -> queries.SampleHistory:
        """One sample with its attempts, exchanges and entries; a unique beginning of the id is enough."""
        return queries.history(self.database, sample_id)

    def status(self, date: str, platform: str | None = None) -> Status:
        """The status of a partition, or of a day."""
        if platform is None:
            return day_status(self.database, date)
        return partition_status(self.database, date, platform)

    def open_partition(self, date: str, platform: str) -> tuple[OpenPartition | None, tuple[str, ...]]:
        """One partition's open samples (None if there are none), and what only a person can unblock."""
        return open_partition(self.database, date, platform)

    def open_partitions(self, now: datetime) -> list[OpenPartition]:
        """Partitions with open samples and when they are due."""
        return open_partitions(self.database, now)

    def health(self, date: str, platform: str) -> list[Health]:
        """How collecting went, per (tenant, monitor)."""
        return health(self.database, date, platform)

    def reconcile(self, date: str, platform: str | None = None) -> list[books.Reconciliation]:
        """Quote ↔ reserved ↔ charged."""
        return books.reconcile(self.database, date, platform)

    def reserve_from_charges(self, platform: str, model: str) -> int | None:
        """A high quantile of recent charges, None with too few of them."""
        return books.reserve_from_charges(self.database, platform, model)

    # The collector's side
    def claim(self, order: ClaimOrder) -> Claimed:
        """Take due samples."""
        return claim(self.database, order)

    def settle(
        self, settlements: Sequence[Settlement], before_commit: Callable[[], None] | None = None
    ) -> SettleReport:
        """Write what became of claims."""
        return settle(self.database, settlements, before_commit)

    def record_exchange(self, attempt_id: str, record: ExchangeRecord) -> None:
        """Book an exchange that settles nothing."""
        record_exchange(self.database, attempt_id, record)

    def reserve_slot(self, platform: str, account: str, lane: str, limit: LaneLimit, lead_us: int = LEAD_US) -> int:
        """Take one slot of the pace outside a claim, at least `lead_us` ahead; returns its send time."""
        return reserve_slot(self.database, platform, account, lane, limit, lead_us)

    def frozen_platform(self, batch_id: str, revision: int, platform: str) -> dict[str, Any]:
        """What a batch's snapshot froze of a platform; empty where it says nothing of it."""
        return queries.frozen_platform(self.database, batch_id, revision, platform)

    def reconstruct(self, attempt_id: str) -> Claim | None:
        """The claim behind an attempt, None if unknown."""
        return reconstruct(self.database, attempt_id)

    def register_worker(self, row: leases.WorkerRow, purpose: str) -> None:
        """Make a worker's lease."""
        leases.register(self.database, row, purpose)

    def heartbeat(self, worker_id: str) -> None:
        """Renew a lease."""
        leases.heartbeat(self.database, worker_id)

    def end_worker(self, worker_id: str) -> None:
        """Give a lease back."""
        leases.end(self.database, worker_id)

    def dead_workers(
        self, date: str, platform: str, is_gone: Callable[[leases.WorkerRow], bool]
    ) -> list[leases.WorkerRow]:
        """Workers that hold samples of a partition and are dead."""
        return leases.dead_workers(self.database, date, platform, is_gone)

    def live_workers(self) -> set[str]:
        """Ids of workers whose lease holds."""
        return leases.live_workers(self.database)

    def reap(self, worker_id: str, date: str, platform: str, *, hold: bool) -> leases.Reaped:
        """Move a dead worker's samples of a partition."""
        return leases.reap(self.database, worker_id, date, platform, hold=hold)

    # Alerts
    def raise_alerts(self, raised: Sequence[Alert]) -> tuple[Alert, ...]:
        """Put alerts into the outbox; returns those that were not in it yet."""
        return alerts.raise_alerts(self.database, raised)

    def take_alert(self, destination: str, kinds: Sequence[AlertKind]) -> Alert | None:
        """An alert that a destination has not had; see `alerts.take`."""
        return alerts.take(self.database, destination, kinds)

    def alert_delivered(self, alert: Alert, destination: str) -> None:
        """A destination has taken an alert."""
        alerts.delivered(self.database, alert, destination)

    def alert_failed(self, alert: Alert, destination: str, error: str) -> None:
        """An alert could not be delivered; it is handed out again later."""
        alerts.failed(self.database, alert, destination, error)

    def alerts(self, date: str) -> list[alerts.AlertRow]:
        """The alerts of a capture date, with what became of them."""
        return alerts.alerts_of(self.database, date)

    # Decisions
    def close_window(self, date: str, platform: str, reason: str = "the window closed before it was asked") -> int:
        """End what was never asked; see `actions.close_window`."""
        return actions.close_window(self.database, date, platform, reason)

    def reopen(self, date: str, platform: str, *, who: str, reason: str) -> int:
        """Have not_captured samples asked after all, on their capture date."""
        return actions.reopen(self.database, date, platform, who=who, reason=reason)

    def uncertain(self, date: str | None = None, platform: str | None = None) -> list[str]:
        """Ids of uncertain samples."""
        return actions.uncertain(self.database, date, platform)

    def resolve(self, sample_id: str, decision: actions.Decision, *, reason: str, who: str, today: str) -> None:
        """Decide an uncertain sample."""
        actions.resolve(self.database, sample_id, decision, reason=reason, who=who, today=today)

    def cancel(
        self,
        *,
        who: str,
        reason: str,
        sample_id: str | None = None,
        date: str | None = None,
        platform: str | None = None,
        monitor: tuple[str, str] | None = None,
    ) -> actions.Cancelled:
        """Cancel a sample, a partition, or a monitor's samples of a date."""
        return actions.cancel(
            self.database,
            who=who,
            reason=reason,
            sample_id=sample_id,
            date=date,
            platform=platform,
            monitor=monitor,
        )

    def resume_account(self, platform: str, account: str, *, who: str, reason: str) -> None:
        """Lift a stop or an open breaker."""
        actions.resume(self.database, platform, account, who=who, reason=reason)


def open_ledger(url: str, *, clock: Clock | None = None) -> Ledger:
    """Open (and create or upgrade) a ledger: `sqlite:////abs/path` or `postgresql://...`.

    `clock` replaces the ledger's clock in tests.

    Raises:
        ValueError: the URL is of another kind.
        LedgerUnavailable: the database cannot be reached.
        LedgerTooNew: it was written by a newer version.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    database = Database(url, clock)
    try:
        migrate(database)
    except BaseException:
        database.close()
        raise
    return Ledger(database)


__all__ = ["Ledger", "LedgerTooNew", "LedgerUnavailable", "open_ledger"]
