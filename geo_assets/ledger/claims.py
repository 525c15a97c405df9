"""Claiming: taking due samples for one worker, in one transaction with breaker, pace, concurrency and budget.

What belongs here: who may be asked now, and the attempt and reserve that this opens. What does not: asking, and what
became of it (settle).
"""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from geo_assets.ledger import alerts, books, breaker, pace
from geo_assets.ledger import tables as t
from geo_assets.ledger.budgets import Budgets, Purse
from geo_assets.ledger.engine import Database
from geo_assets.ledger.pace import LaneLimit
from geo_assets.ledger.rows import planned_from, state_from, state_values
from geo_assets.ledger.statements import insert_rows, update_rows
from geo_assets.model.alerts import Alert
from geo_assets.model.money import EntryKind
from geo_assets.model.plans import PlannedSample
from geo_assets.model.transitions import Event, State, advance

HORIZON_US = 250_000
"""Slots are reserved this far ahead. Short: what is claimed but unsent at a crash counts as perhaps sent."""


class Lane(StrEnum):
    """What a claim is for, and the lane of the pace that it takes."""

    SUBMIT = "submit"
    POLL = "poll"
    LOOKUP = "lookup"

    @property
    def pace_lane(self) -> str:
        """Look-ups share the poll lane."""
        return "submit" if self is Lane.SUBMIT else "poll"


@dataclass(frozen=True, slots=True)
class Claim:
    """One sample held by one worker until it is settled. `send_at` in ledger time; `legs` exchanges exist already.

    `pass_errors` counts error classes in the running pass; `tries` those attempts that count towards the total cap.
    `attempt` is the attempt's row as stored.
    """

    planned: PlannedSample
    revision: int
    lane: Lane
    state: State
    attempt: Mapping[str, Any]
    fencing_token: int
    send_at: int
    passes: int
    tries: int
    throttles: int
    polls: int
    pass_errors: Mapping[str, int]
    job_deadline: int | None
    legs: int = 0

    @property
    def attempt_id(self) -> str:
        """The attempt's id."""
        return str(self.attempt["attempt_id"])

    @property
    def sample_id(self) -> str:
        """The sample's id."""
        return self.planned.sample_id

    @property
    def upstream_id(self) -> str | None:
        """The platform's id of an accepted job."""
        found: str | None = self.attempt["upstream_id"]
        return found


@dataclass(frozen=True, slots=True)
class ClaimOrder:
    """What a worker wants to claim.

    `reserve` gives the micros to hold for a sample; `monitors` restricts to these (tenant, monitor) pairs. `same_key`:
    the platform honours idempotency keys, so a lost attempt is sent again with its own. `deadline` (ledger time): no
    new submission after it.
    """

    date: str
    platform: str
    account: str
    lane: Lane
    worker_id: str
    limit: LaneLimit
    count: int
    reserve: Callable[[PlannedSample], int]
    budgets: Budgets = field(default_factory=Budgets)
    monitors: Sequence[tuple[str, str]] = ()
    key_fingerprint: str | None = None
    same_key: bool = False
    lookup: bool = False
    deadline: int | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
    """The claims, and when asking again makes sense (ledger time; None = nothing to wait for on this lane).

    `reason` says what held it back; `dropped` are samples that became over_budget; `alerts` are new ones, which the
    ledger's outbox has too.
    """

    claims: tuple[Claim, ...]
    next_at: int | None = None
    reason: str | None = None
    stopped: bool = False
    dropped: int = 0
    alerts: tuple[Alert, ...] = ()


_EVENTS = {Lane.SUBMIT: Event.CLAIM, Lane.POLL: Event.CLAIM_JOB, Lane.LOOKUP: Event.CLAIM_LOOKUP}
_RUNNING_AS = {Lane.SUBMIT: "submitting", Lane.POLL: "accepted", Lane.LOOKUP: "uncertain"}


def claim(database: Database, order: ClaimOrder) -> Claimed:
    """Take up to `order.count` due samples. One transaction; the lane's pace row is the lock that serialises claims."""
    return database.write(lambda connection: _claim(connection, order, database.now()))


def _claim(connection: Connection, order: ClaimOrder, now: int) -> Claimed:
    breaker_row = breaker.load(connection, order.platform, order.account)
    before = dict(breaker_row)
    gate = breaker.gate(breaker_row, now, order.date, order.key_fingerprint)
    if breaker_row != before:
        breaker.store(connection, breaker_row)
    if gate.limit == 0 and order.lane is Lane.SUBMIT:
        return Claimed((), gate.until, gate.reason, stopped=gate.until is None)
    pace_row = pace.load(connection, order.platform, order.account, order.lane.pace_lane, order.limit, now)
    room = order.limit.concurrency - _running(connection, order)
    if gate.limit is not None and order.lane is Lane.SUBMIT:
        room = min(room, gate.limit - _running(connection, order))
    if room <= 0:
        return Claimed((), now + 1_000_000, "as many calls are running as the platform may have at once")
    times = pace.slots(pace_row, order.limit, now, min(order.count, room), HORIZON_US)
    if not times:
        return Claimed((), pace.next_slot(pace_row, order.limit, now) - HORIZON_US // 2, "pace")
    rows = _due(connection, order, now, len(times))
    if not rows:
        return Claimed((), _next_due(connection, order, now), "nothing is due")
    claims, dropped, raised = _open_attempts(connection, order, rows, times, now)
    pace.take(pace_row, now, len(claims))
    pace.store(connection, pace_row)
    paced = claims and len(times) < min(order.count, room)
    again = pace.next_slot(pace_row, order.limit, now) - HORIZON_US // 2 if paced else now
    return Claimed(tuple(claims), again, "pace" if paced else None, dropped=dropped, alerts=raised)


def _running(connection: Connection, order: ClaimOrder) -> int:
    s = t.samples.c
    statement = (
        sa.select(sa.func.count())
        .select_from(t.samples)
        .where(s.platform == order.platform, s.account == order.account, s.submission == _RUNNING_AS[order.lane])
        .where(s.collection == "running")
    )
    return int(connection.execute(statement).scalar_one())


def _submissions(order: ClaimOrder) -> tuple[str, ...]:
    if order.lane is Lane.POLL:
        return ("accepted",)
    if order.lane is Lane.LOOKUP:
        return ("uncertain",)
    return ("planned",) if order.lookup else ("uncertain", "planned")


def due_statement(order: ClaimOrder, submission: str, now: int, count: int) -> sa.Select[Any]:
    """The claim's own select. A test holds its query plan to the index `geo_samples_claim`."""
    s = t.samples.c
    statement = (
        sa.select(t.samples)
        .where(s.date == order.date, s.platform == order.platform, s.account == order.account)
        .where(s.submission == submission, s.collection == "queued", s.due_at <= now)
        .order_by(s.turn)
        .limit(count)
        .with_for_update(skip_locked=True)
    )
    if order.monitors:
        statement = statement.where(sa.tuple_(s.tenant, s.monitor).in_([tuple(pair) for pair in order.monitors]))
    return statement


def _due(connection: Connection, order: ClaimOrder, now: int, count: int) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = []
    for submission in _submissions(order):
        if len(rows) < count:
            statement = due_statement(order, submission, now, count - len(rows))
            rows.extend(dict(row) for row in connection.execute(statement).mappings())
    return rows


def _next_due(connection: Connection, order: ClaimOrder, now: int) -> int | None:
    s = t.samples.c
    statement = (
        sa.select(sa.func.min(s.due_at))
        .where(s.date == order.date, s.platform == order.platform, s.account == order.account)
        .where(s.submission.in_(_submissions(order)), s.collection == "queued", s.outcome == "open", s.due_at > now)
    )
    if order.monitors:
        statement = statement.where(sa.tuple_(s.tenant, s.monitor).in_([tuple(pair) for pair in order.monitors]))
    found: int | None = connection.execute(statement).scalar()
    return found


def _open_attempts(
    connection: Connection, order: ClaimOrder, rows: Sequence[Mapping[str, Any]], times: Sequence[int], now: int
) -> tuple[list[Claim], int, tuple[Alert, ...]]:
    if order.lane is not Lane.SUBMIT:
        return _resume_attempts(connection, order, rows, times, now), 0, ()
    purse = Purse(connection, order.budgets, order.date, order.platform)
    lost_keys = _lost_keys(connection, rows) if order.same_key else {}
    claims: list[Claim] = []
    sample_updates: dict[str, dict[str, Any]] = {}
    attempt_rows: list[dict[str, Any]] = []
    dropped = 0
    for row in rows:
        planned, state = planned_from(row), state_from(row)
        reserve = order.reserve(planned)
        refusal = purse.refuses(planned, reserve, is_retry=row["tries"] > 0)
        if refusal is not None:
            _drop(connection, row, state, refusal, now)
            dropped += 1
            continue
        purse.take(planned, reserve, is_retry=row["tries"] > 0)
        token, number = row["fencing_token"] + 1, row["attempts"] + 1
        after = advance(state, Event.CLAIM)
        attempt_id = f"a{planned.sample_id[1:13]}-{number}-{secrets.token_hex(4)}"
        attempt = {
            "attempt_id": attempt_id,
            "sample_id": planned.sample_id,
            "date": planned.date,
            "platform": planned.platform,
            "account": planned.account,
            "model": planned.model,
            "tenant": planned.tenant,
            "monitor": planned.monitor,
            "number": number,
            "pass_number": row["passes"],
            "fencing_token": token,
            "worker_id": order.worker_id,
            "state": "submitting",
            "was_uncertain": row["submission"] == "uncertain",
            "simulated": planned.simulated,
            "idempotency_key": lost_keys.get(planned.sample_id, attempt_id),
            "upstream_id": None,
            "claimed_at": now,
            "currency": planned.currency,
            "price_version": planned.price_version,
            "reserved_micros": reserve,
        }
        attempt_rows.append(attempt)
        sample_updates[planned.sample_id] = {
            **state_values(after),
            "fencing_token": token,
            "attempts": number,
            "tries": row["tries"] + 1,
            "worker_id": order.worker_id,
            "current_attempt": attempt_id,
            "upstream_id": None,
            "updated_at": now,
        }
        claims.append(_make_claim(order, row, planned, after, attempt, token, times[len(claims)]))
    if claims:
        insert_rows(connection, t.attempts, attempt_rows)
        update_rows(connection, t.samples, "sample_id", sample_updates)
        books.book(connection, [books.entry(EntryKind.RESERVE, a, a["reserved_micros"], now) for a in attempt_rows])
        purse.store(connection)
    return claims, dropped, alerts.record(connection, purse.alerts.values(), now)


def _resume_attempts(
    connection: Connection, order: ClaimOrder, rows: Sequence[Mapping[str, Any]], times: Sequence[int], now: int
) -> list[Claim]:
    """Take over the samples' present attempts, to poll an accepted job or to look an uncertain one up."""
    ids = [row["current_attempt"] for row in rows]
    attempts = {
        row["attempt_id"]: dict(row)
        for row in connection.execute(sa.select(t.attempts).where(t.attempts.c.attempt_id.in_(ids))).mappings()
    }
    legs = _legs(connection, ids)
    claims: list[Claim] = []
    for row, send_at in zip(rows, times, strict=False):
        token = row["fencing_token"] + 1
        after = advance(state_from(row), _EVENTS[order.lane])
        attempt = attempts[row["current_attempt"]] | {"worker_id": order.worker_id, "fencing_token": token}
        connection.execute(
            sa.update(t.attempts)
            .where(t.attempts.c.attempt_id == attempt["attempt_id"])
            .values(worker_id=order.worker_id, fencing_token=token)
        )
        connection.execute(
            sa.update(t.samples)
            .where(t.samples.c.sample_id == row["sample_id"])
            .values(**state_values(after), fencing_token=token, worker_id=order.worker_id, updated_at=now)
        )
        taken = _make_claim(
            order, row, planned_from(row), after, attempt, token, send_at, legs.get(row["current_attempt"], 0)
        )
        claims.append(taken)
    return claims


def _make_claim(
    order: ClaimOrder,
    row: Mapping[str, Any],
    planned: PlannedSample,
    state: State,
    attempt: Mapping[str, Any],
    token: int,
    send_at: int,
    legs: int = 0,
) -> Claim:
    return Claim(
        planned=planned,
        revision=row["revision"],
        lane=order.lane,
        state=state,
        attempt=attempt,
        fencing_token=token,
        send_at=send_at,
        passes=row["passes"],
        tries=row["tries"] + (order.lane is Lane.SUBMIT),
        throttles=row["throttles"],
        polls=row["polls"],
        pass_errors=json.loads(row["pass_errors"]),
        job_deadline=row["job_deadline"],
        legs=legs,
    )


def _legs(connection: Connection, attempt_ids: Sequence[str]) -> dict[str, int]:
    e = t.exchanges.c
    statement = (
        sa.select(e.attempt_id, sa.func.max(e.leg)).where(e.attempt_id.in_(list(attempt_ids))).group_by(e.attempt_id)
    )
    return {row[0]: row[1] + 1 for row in connection.execute(statement)}


def _lost_keys(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Sample id → idempotency key of its lost attempt."""
    lost = [row["current_attempt"] for row in rows if row["submission"] == "uncertain"]
    statement = sa.select(t.attempts.c.sample_id, t.attempts.c.idempotency_key).where(t.attempts.c.attempt_id.in_(lost))
    return {row[0]: row[1] for row in connection.execute(statement)} if lost else {}


def _drop(connection: Connection, row: Mapping[str, Any], state: State, reason: str, now: int) -> None:
    """End a sample that no budget pays for: over_budget if it was never asked, else as what its last attempt was."""
    if row["attempts"] == 0:
        event = Event.OVER_BUDGET
    else:
        event = Event.HOLD if row["submission"] == "uncertain" else Event.FAIL
    connection.execute(
        sa.update(t.samples)
        .where(t.samples.c.sample_id == row["sample_id"])
        .values(**state_values(advance(state, event)), outcome_reason=reason, updated_at=now)
    )


def reconstruct(database: Database, attempt_id: str) -> Claim | None:
    """The claim that an attempt was made under, for settling from its sidecars; None if there is no such attempt."""
    with database.reading() as connection:
        attempt = (
            connection.execute(sa.select(t.attempts).where(t.attempts.c.attempt_id == attempt_id)).mappings().first()
        )
        if attempt is None:
            return None
        row = (
            connection.execute(sa.select(t.samples).where(t.samples.c.sample_id == attempt["sample_id"]))
            .mappings()
            .one()
        )
        legs = _legs(connection, [attempt_id])
    return Claim(
        planned=planned_from(row),
        revision=row["revision"],
        lane=Lane.POLL if attempt["state"] == "accepted" else Lane.SUBMIT,
        state=state_from(row),
        attempt=dict(attempt),
        fencing_token=attempt["fencing_token"],
        send_at=attempt["claimed_at"],
        passes=row["passes"],
        tries=row["tries"],
        throttles=row["throttles"],
        polls=row["polls"],
        pass_errors=json.loads(row["pass_errors"]),
        job_deadline=row["job_deadline"],
        legs=legs.get(attempt_id, 0),
    )
