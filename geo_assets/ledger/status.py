"""The one place that derives the state of a partition or a day from its samples, and tells what is due when.

What belongs here: counts, states, due times. UI metadata, CLI, report, checks and sensors all call it, so they agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from geo_assets.ledger import tables as t
from geo_assets.ledger.breaker import BreakerState
from geo_assets.ledger.engine import Database
from geo_assets.ledger.rows import to_datetime, to_micros
from geo_assets.model.states import RECEIVED, Outcome


class PartitionState(StrEnum):
    """Complete, partial and failed are final: every, some or no planned sample brought an observation."""

    EMPTY = "empty"
    OPEN = "open"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Status:
    """Counts of the samples of a partition or day.

    `planned` leaves out withdrawn samples. `submission`, `collection`, `evidence` count layers over all samples,
    `outcomes` over all samples too. `next_due_at`: when an open sample can next be worked on, None where nothing is
    open or only a person can help (`blocked` says why).
    """

    date: str
    platform: str | None
    planned: int
    received: int
    open: int
    late: int
    superseded: int
    attempts: int
    submission: Mapping[str, int]
    collection: Mapping[str, int]
    evidence: Mapping[str, int]
    outcomes: Mapping[str, int]
    next_due_at: datetime | None
    blocked: tuple[str, ...]
    state: PartitionState

    @property
    def counted(self) -> int:
        """Usable answers, as far as the ledger can tell."""
        return self.outcomes.get(Outcome.COUNTED, 0)


@dataclass(frozen=True, slots=True)
class OpenPartition:
    """A partition with open samples. `next_due_at` None: blocked until a person acts."""

    date: str
    platform: str
    next_due_at: datetime | None
    open: int


def partition_status(database: Any, date: str, platform: str) -> Status:
    """The status of one partition."""
    return _status(_of(database), date, platform)


def day_status(database: Any, date: str) -> Status:
    """The status of all platforms of a date together."""
    return _status(_of(database), date, None)


def _of(ledger: Any) -> Database:
    """Takes a Ledger or its Database."""
    found: Database = getattr(ledger, "database", ledger)
    return found


def derive(outcomes: Mapping[str, int]) -> PartitionState:
    """The state that a set of outcomes makes."""
    planned = sum(outcomes.values()) - outcomes.get(Outcome.WITHDRAWN, 0)
    if planned == 0:
        return PartitionState.EMPTY
    if outcomes.get(Outcome.OPEN, 0):
        return PartitionState.OPEN
    received = sum(count for outcome, count in outcomes.items() if Outcome(outcome) in RECEIVED)
    if received == planned:
        return PartitionState.COMPLETE
    return PartitionState.PARTIAL if received else PartitionState.FAILED


def _status(database: Database, date: str, platform: str | None) -> Status:
    s = t.samples.c
    where = s.date == date if platform is None else sa.and_(s.date == date, s.platform == platform)
    layers = ("submission", "collection", "evidence", "outcome")
    statement = (
        sa.select(
            *(s[name] for name in layers),
            sa.func.count().label("n"),
            sa.func.sum(sa.case((s.late, 1), else_=0)).label("late"),
            sa.func.sum(sa.case((s.superseded, 1), else_=0)).label("superseded"),
            sa.func.sum(s.attempts).label("attempts"),
        )
        .where(where)
        .group_by(*(s[name] for name in layers))
    )
    counts: dict[str, dict[str, int]] = {name: {} for name in layers}
    late = superseded = attempts = 0
    with database.reading() as connection:
        for row in connection.execute(statement).mappings():
            for name in layers:
                counts[name][row[name]] = counts[name].get(row[name], 0) + row["n"]
            late += int(row["late"])
            superseded += int(row["superseded"])
            attempts += int(row["attempts"])
    outcomes = counts["outcome"]
    now = to_datetime(database.now())
    assert now is not None
    partitions, blocked = _open(database, now, date, platform) if outcomes.get(Outcome.OPEN) else ([], ())
    due = [p.next_due_at for p in partitions if p.next_due_at is not None]
    return Status(
        date=date,
        platform=platform,
        planned=sum(outcomes.values()) - outcomes.get(Outcome.WITHDRAWN, 0),
        received=sum(n for outcome, n in outcomes.items() if Outcome(outcome) in RECEIVED),
        open=outcomes.get(Outcome.OPEN, 0),
        late=late,
        superseded=superseded,
        attempts=attempts,
        submission=counts["submission"],
        collection=counts["collection"],
        evidence=counts["evidence"],
        outcomes=outcomes,
        next_due_at=min(due, default=None),
        blocked=blocked,
        state=derive(outcomes),
    )


def open_partitions(database: Any, now: datetime) -> list[OpenPartition]:
    """Every partition with open samples, ordered by date and platform. One look at an index of open samples only."""
    return _open(_of(database), now, None, None)[0]


def open_partition(database: Any, date: str, platform: str) -> tuple[OpenPartition | None, tuple[str, ...]]:
    """One partition's open samples (None if there are none), and what only a person can unblock."""
    found = _of(database)
    now = to_datetime(found.now())
    assert now is not None
    partitions, blocked = _open(found, now, date, platform)
    return (partitions[0] if partitions else None), blocked


def _open(
    database: Database, now: datetime, date: str | None, platform: str | None
) -> tuple[list[OpenPartition], tuple[str, ...]]:
    s, w = t.samples.c, t.workers.c
    clock = to_micros(now)
    where = [s.outcome == "open"]
    if date is not None:
        where.append(s.date == date)
    if platform is not None:
        where.append(s.platform == platform)
    keys = (s.date, s.platform, s.account, s.collection, s.submission)
    grouped = (
        sa.select(*keys, sa.func.min(s.due_at).label("due"), sa.func.count().label("n"))
        .where(*where)
        .group_by(*keys)
        .order_by(s.date, s.platform)
    )
    # Running samples are due when their worker's lease runs out, unless it is renewed.
    leases = (
        sa.select(s.date, s.platform, s.account, sa.func.min(w.expires_at).label("due"))
        .select_from(t.samples.join(t.workers, w.worker_id == s.worker_id))
        .where(*where, s.collection == "running")
        .group_by(s.date, s.platform, s.account)
    )
    with database.reading() as connection:
        groups = connection.execute(grouped).mappings().all()
        expiries = {(r["date"], r["platform"], r["account"]): r["due"] for r in connection.execute(leases).mappings()}
        gates = {(r["platform"], r["account"]): dict(r) for r in connection.execute(sa.select(t.breakers)).mappings()}
    partitions: dict[tuple[str, str], tuple[int | None, int]] = {}
    blocked: set[str] = set()
    for row in groups:
        account = (row["date"], row["platform"], row["account"])
        due: int | None = row["due"] if row["collection"] == "queued" else expiries.get(account, clock)
        gate = gates.get((row["platform"], row["account"]))
        if gate is not None and row["collection"] == "queued" and row["submission"] != "accepted":
            if gate["stopped_reason"] is not None and gate["stopped_date"] == row["date"]:
                due = None
                blocked.add(f"{row['platform']}: account {row['account']} stopped: {gate['stopped_reason']}")
            elif gate["state"] == BreakerState.OPEN:
                due = max(due or 0, gate["open_until"])
        key = (row["date"], row["platform"])
        earlier, count = partitions.get(key, (None, 0))
        known = [moment for moment in (earlier, due) if moment is not None]
        partitions[key] = (min(known, default=None), count + row["n"])
    found = [OpenPartition(key[0], key[1], to_datetime(due), count) for key, (due, count) in sorted(partitions.items())]
    return found, tuple(sorted(blocked))
