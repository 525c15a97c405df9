"""Worker leases and the reaper: noticing that a worker is gone, and setting free what it held.

What belongs here: the lease row of a worker and moving samples of a dead one. The reaper moves samples, it does not
touch tokens: an answer that the dead worker stored is still settled under its own. What does not: finding such answers
(collection.recovery does that before it reaps).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from geo_assets.ledger import books
from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.rows import state_from, state_values
from geo_assets.model.states import Submission
from geo_assets.model.transitions import Event, advance

SECOND = 1_000_000
TTL_US = 30 * SECOND
HEARTBEAT_S = 10.0


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker's identity, enough to see from the same host whether its process still lives."""

    worker_id: str
    host: str
    pid: int
    boot_id: str
    process_start: str
    expires_at: int


@dataclass(frozen=True, slots=True)
class Reaped:
    """What the reaper moved: `lost` attempts that perhaps were executed, `freed` jobs and look-ups to go on with."""

    lost: int = 0
    freed: int = 0


def register(database: Database, row: WorkerRow, purpose: str) -> None:
    """Make the worker's lease."""
    now = database.now()
    values = {
        "worker_id": row.worker_id,
        "host": row.host,
        "pid": row.pid,
        "boot_id": row.boot_id,
        "process_start": row.process_start,
        "purpose": purpose,
        "started_at": now,
        "heartbeat_at": now,
        "expires_at": now + TTL_US,
    }
    database.write(lambda connection: connection.execute(sa.insert(t.workers).values(values)))


def heartbeat(database: Database, worker_id: str) -> None:
    """Renew the lease, also one that has run out meanwhile."""
    database.refresh_clock()
    now = database.now()
    database.write(
        lambda connection: connection.execute(
            sa.update(t.workers)
            .where(t.workers.c.worker_id == worker_id)
            .values(heartbeat_at=now, expires_at=now + TTL_US, ended_at=None)
        )
    )


def end(database: Database, worker_id: str) -> None:
    """Give the lease back; the worker holds nothing any more."""
    now = database.now()
    database.write(
        lambda connection: connection.execute(
            sa.update(t.workers).where(t.workers.c.worker_id == worker_id).values(ended_at=now, expires_at=now)
        )
    )


def dead_workers(database: Database, date: str, platform: str, is_gone: Callable[[WorkerRow], bool]) -> list[WorkerRow]:
    """Workers that hold samples of a partition and whose lease ran out, or whose process is known to be gone."""
    w, s = t.workers.c, t.samples.c
    holding = sa.select(s.worker_id).where(s.date == date, s.platform == platform, s.collection == "running").distinct()
    statement = sa.select(t.workers).where(w.worker_id.in_(holding)).order_by(w.worker_id)
    now = database.now()
    with database.reading() as connection:
        rows = [
            WorkerRow(r["worker_id"], r["host"], r["pid"], r["boot_id"], r["process_start"], r["expires_at"])
            for r in connection.execute(statement).mappings()
        ]
    # An expiry further away than a lease lasts means that the clock stepped back.
    return [row for row in rows if not now < row.expires_at <= now + 2 * TTL_US or is_gone(row)]


def live_workers(database: Database) -> set[str]:
    """Workers whose lease holds."""
    statement = sa.select(t.workers.c.worker_id).where(
        t.workers.c.ended_at.is_(None), t.workers.c.expires_at > database.now()
    )
    with database.reading() as connection:
        return set(connection.execute(statement).scalars())


def reap(database: Database, worker_id: str, date: str, platform: str, *, hold: bool) -> Reaped:
    """Move a dead worker's samples of a partition: sent ones become uncertain (`hold`: and stay so), jobs go on.

    The caller has looked for answers that the worker stored.

    The possible cost of a lost attempt stays reserved and is marked unreconciled.
    """

    def work(connection: Connection) -> Reaped:
        now = database.now()
        rows = (
            connection.execute(
                sa.select(t.samples)
                .where(t.samples.c.worker_id == worker_id, t.samples.c.collection == "running")
                .where(t.samples.c.date == date, t.samples.c.platform == platform)
                .order_by(t.samples.c.sample_id)
                .with_for_update()
            )
            .mappings()
            .all()
        )
        lost = [row for row in rows if row["submission"] == Submission.SUBMITTING]
        for row in rows:
            _free(connection, row, now, hold=hold)
        _lose_attempts(connection, [row["current_attempt"] for row in lost], now)
        return Reaped(len(lost), len(rows) - len(lost))

    return database.write(work)


def _free(connection: Connection, row: Any, now: int, *, hold: bool) -> None:
    event = Event.GIVE_BACK
    values: dict[str, Any] = {"due_at": now}
    if row["submission"] == Submission.SUBMITTING:
        event = Event.HOLD if hold else Event.LOSE
        values["outcome_reason"] = "the worker died while the call was under way" if hold else None
    state = advance(state_from(row), event)
    connection.execute(
        sa.update(t.samples)
        .where(t.samples.c.sample_id == row["sample_id"])
        .values(**state_values(state), **values, worker_id=None, updated_at=now)
    )


def _lose_attempts(connection: Connection, attempt_ids: list[str], now: int) -> None:
    attempts = (
        connection.execute(
            sa.select(t.attempts).where(t.attempts.c.attempt_id.in_(attempt_ids), t.attempts.c.state == "submitting")
        )
        .mappings()
        .all()
    )
    connection.execute(
        sa.update(t.attempts)
        .where(t.attempts.c.attempt_id.in_([row["attempt_id"] for row in attempts]))
        .values(state="uncertain", error_class="disconnect", error_message="the worker died", settled_at=now)
    )
    entries = [e for row in attempts for e in books.settle_entries(dict(row), now, charge=None, executed=None)]
    books.book(connection, entries)
