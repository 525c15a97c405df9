"""What ends or decides samples from outside: the window closing, and a person's decisions with their reasons.

What belongs here: close, reopen, cancel, resolve, resume. Every decision of a person is recorded with who and why.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from geo_assets.ledger import books, breaker
from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.queries import NoSuchSample, history
from geo_assets.ledger.rows import state_from, state_values
from geo_assets.model.states import Outcome, Submission
from geo_assets.model.transitions import Event, TransitionRefused, advance

CHUNK = 1000


class Decision(StrEnum):
    """How a person decides an uncertain sample."""

    ASK_AGAIN = "ask_again"  # on its capture date only
    NOT_EXECUTED = "not_executed"  # the platform did not run it: failed, the reserve is released
    CHARGED = "charged"  # the platform ran it, the answer is lost: failed, the reserve becomes a charge
    GIVE_UP = "give_up"  # failed, the money stays unreconciled


@dataclass(frozen=True, slots=True)
class Cancelled:
    """What cancelling did. `jobs` are accepted ones, to be cancelled upstream: (sample, attempt, upstream id)."""

    withdrawn: int
    jobs: tuple[tuple[str, str, str], ...]


def close_window(database: Database, date: str, platform: str, reason: str) -> int:
    """End what was never asked as not_captured, what was tried as failed, what is uncertain as uncertain.

    Accepted jobs stay open (polling is not asking), and so does what a live worker holds. Returns the number ended.
    """

    def end(row: Any) -> tuple[Event, str]:
        if row["submission"] == Submission.UNCERTAIN:
            return Event.HOLD, f"{reason}; perhaps executed, never confirmed"
        if row["tries"] > 0 or row["throttles"] > 0:
            return Event.FAIL, f"{reason}; last error: {_last_error(row)}"
        return Event.CLOSE, reason

    s = t.samples.c
    where = sa.and_(
        s.date == date,
        s.platform == platform,
        s.collection == "queued",
        s.outcome == "open",
        s.submission != "accepted",
    )
    return _each(database, where, end)


def _last_error(row: Any) -> str:
    return row["outcome_reason"] or "none recorded"


def reopen(database: Database, date: str, platform: str, *, who: str, reason: str) -> int:
    """Have not_captured samples asked after all. The caller makes sure that it is still their capture date."""
    s = t.samples.c
    where = sa.and_(s.date == date, s.platform == platform, s.outcome == Outcome.NOT_CAPTURED.value)
    count = _each(database, where, lambda _row: (Event.REOPEN, None), due=database.now())
    _record(database, f"{date}/{platform}", "reopen", reason, who)
    return count


def _each(
    database: Database,
    where: sa.ColumnElement[bool],
    decide: Callable[[Any], tuple[Event, str | None]],
    due: int | None = None,
) -> int:
    """Apply one event to every sample of `where`, in short transactions."""
    total = 0
    after = ""

    def chunk(connection: Connection) -> tuple[int, int, str]:
        rows = (
            connection.execute(
                sa.select(t.samples)
                .where(where, t.samples.c.sample_id > after)
                .order_by(t.samples.c.sample_id)
                .limit(CHUNK)
                .with_for_update()
            )
            .mappings()
            .all()
        )
        now = database.now()
        updates = []
        for row in rows:
            event, reason = decide(row)
            state = advance(state_from(row), event)
            values = {
                **state_values(state),
                "outcome_reason": reason,
                "updated_at": now,
                "due_at": due or row["due_at"],
            }
            updates.append({"b_id": row["sample_id"], **values})
        if updates:
            names = [name for name in updates[0] if name != "b_id"]
            statement = (
                sa.update(t.samples)
                .where(t.samples.c.sample_id == sa.bindparam("b_id"))
                .values({name: sa.bindparam(name) for name in names})
            )
            connection.execute(statement, updates)
        return len(rows), len(updates), rows[-1]["sample_id"] if rows else after

    while True:
        seen, changed, after = database.write(chunk)
        total += changed
        if seen < CHUNK:
            return total


def uncertain(database: Database, date: str | None = None, platform: str | None = None) -> list[str]:
    """Ids of samples whose last attempt was perhaps executed, also those that wait to be asked again; oldest first."""
    s = t.samples.c
    statement = sa.select(s.sample_id).where(s.submission == "uncertain").order_by(s.date, s.updated_at, s.sample_id)
    statement = statement.where(s.outcome.in_([Outcome.OPEN.value, Outcome.UNCERTAIN.value]))
    if date is not None:
        statement = statement.where(s.date == date)
    if platform is not None:
        statement = statement.where(s.platform == platform)
    with database.reading() as connection:
        return list(connection.execute(statement).scalars())


def resolve(database: Database, sample_id: str, decision: Decision, *, reason: str, who: str, today: str) -> None:
    """Decide an uncertain sample.

    Raises:
        NoSuchSample: no sample, or several, begin so.
        TransitionRefused: it is not uncertain, or `ask_again` on a day that is past.
    """
    if not reason.strip():
        raise ValueError("give a reason for the decision; it is recorded")
    found = history(database, sample_id).sample
    if decision is Decision.ASK_AGAIN and found.planned.date != today:
        raise TransitionRefused(f"{found.sample_id} is of {found.planned.date}: a past day is never asked")

    def work(connection: Connection) -> None:
        now = database.now()
        row = (
            connection.execute(sa.select(t.samples).where(t.samples.c.sample_id == found.sample_id).with_for_update())
            .mappings()
            .one()
        )
        state = state_from(row)
        if state.is_open and row["submission"] == Submission.UNCERTAIN:
            state = advance(state, Event.HOLD)
        state = advance(state, Event.ASK_AGAIN if decision is Decision.ASK_AGAIN else Event.GIVE_UP)
        connection.execute(
            sa.update(t.samples)
            .where(t.samples.c.sample_id == found.sample_id)
            .values(**state_values(state), outcome_reason=f"{decision}: {reason}", due_at=now, updated_at=now)
        )
        if decision in {Decision.NOT_EXECUTED, Decision.CHARGED}:
            _decide_money(connection, found.sample_id, charged=decision is Decision.CHARGED, now=now)

    database.write(work)
    _record(database, found.sample_id, decision.value, reason, who)


def _decide_money(connection: Connection, sample_id: str, *, charged: bool, now: int) -> None:
    attempts = (
        connection.execute(
            sa.select(t.attempts).where(t.attempts.c.sample_id == sample_id, t.attempts.c.state == "uncertain")
        )
        .mappings()
        .all()
    )
    for attempt in attempts:
        charge = attempt["reserved_micros"] if charged else 0
        books.book(connection, books.settle_entries(dict(attempt), now, charge=charge, executed=charged))
        connection.execute(
            sa.update(t.attempts)
            .where(t.attempts.c.attempt_id == attempt["attempt_id"])
            .values(state="rejected" if charged else "ruled_out", charged_micros=charge, settled_at=now)
        )


def cancel(
    database: Database,
    *,
    who: str,
    reason: str,
    sample_id: str | None = None,
    date: str | None = None,
    platform: str | None = None,
    monitor: tuple[str, str] | None = None,
) -> Cancelled:
    """Cancel a sample, a partition, or a monitor's samples of a date. What is final already stays.

    Unsubmitted samples end at once; accepted jobs end here and are returned, to be cancelled upstream where
    that can be. Nothing is refunded: an accepted job's reserve stands, marked unreconciled, until its charge is known.
    """
    s = t.samples.c
    if sample_id is not None:
        where = s.sample_id == history(database, sample_id).sample.sample_id
    elif date is not None and (platform is not None or monitor is not None):
        where = s.date == date
        if platform is not None:
            where = sa.and_(where, s.platform == platform)
        if monitor is not None:
            where = sa.and_(where, s.tenant == monitor[0], s.monitor == monitor[1])
    else:
        raise ValueError("say what to cancel: a sample, or a date with a platform or a monitor")

    def work(connection: Connection) -> tuple[int, list[tuple[str, str, str]]]:
        now = database.now()
        rows = (
            connection.execute(
                sa.select(t.samples).where(where, s.outcome == "open").order_by(s.sample_id).with_for_update()
            )
            .mappings()
            .all()
        )
        jobs: list[tuple[str, str, str]] = []
        for row in rows:
            state = advance(state_from(row), Event.CANCEL)
            connection.execute(
                sa.update(t.samples)
                .where(s.sample_id == row["sample_id"])
                .values(**state_values(state), outcome_reason=reason, worker_id=None, updated_at=now)
            )
            if row["submission"] == Submission.ACCEPTED:
                jobs.append((row["sample_id"], row["current_attempt"], row["upstream_id"]))
        _cancel_attempts(connection, [row["current_attempt"] for row in rows if row["current_attempt"]], now)
        return len(rows) - len(jobs), jobs

    withdrawn, jobs = database.write(work)
    _record(database, sample_id or f"{date}/{platform or '*'}/{monitor or '*'}", "cancel", reason, who)
    return Cancelled(withdrawn, tuple(jobs))


def _cancel_attempts(connection: Connection, attempt_ids: Sequence[str], now: int) -> None:
    """Mark the money of accepted jobs; a call under way books its own cost when it comes back."""
    attempts = (
        connection.execute(
            sa.select(t.attempts).where(t.attempts.c.attempt_id.in_(attempt_ids), t.attempts.c.state == "accepted")
        )
        .mappings()
        .all()
    )
    connection.execute(
        sa.update(t.attempts)
        .where(t.attempts.c.attempt_id.in_([row["attempt_id"] for row in attempts]))
        .values(state="abandoned", settled_at=now, error_message="cancelled")
    )
    books.book(
        connection, [e for row in attempts for e in books.settle_entries(dict(row), now, charge=None, executed=None)]
    )


def resume(database: Database, platform: str, account: str, *, who: str, reason: str) -> None:
    """Lift a stop or an open breaker."""

    def work(connection: Connection) -> None:
        row = breaker.load(connection, platform, account)
        breaker.lift(row)
        breaker.store(connection, row)

    database.write(work)
    _record(database, f"{platform}/{account}", "resume", reason, who)


def _record(database: Database, subject: str, decision: str, reason: str, who: str) -> None:
    row = {"subject": subject, "decision": decision, "reason": reason, "who": who, "decided_at": database.now()}
    database.write(lambda connection: connection.execute(sa.insert(t.decisions).values(row)))


__all__ = [
    "Cancelled",
    "Decision",
    "NoSuchSample",
    "cancel",
    "close_window",
    "reopen",
    "resolve",
    "resume",
    "uncertain",
]
