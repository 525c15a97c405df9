"""Settling: what became of a claim, written in one transaction, conditional on token and state.

What belongs here: applying a decided settlement to attempt, sample, exchanges and books, and what a settlement may do
when its token is old. What does not: deciding what an answer or an error means (collection.judge).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from geo_assets.ledger import alerts, books, breaker, pace
from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.pace import LaneLimit
from geo_assets.ledger.rows import state_from, state_values
from geo_assets.ledger.statements import insert_missing, update_rows
from geo_assets.model.alerts import Alert, AlertKind
from geo_assets.model.states import Outcome, Submission
from geo_assets.model.transitions import Event, State, TransitionRefused, advance


@dataclass(frozen=True, slots=True)
class ExchangeRecord:
    """One exchange as it is booked. `error` where there was no response. Times in ledger time."""

    leg: int
    kind: str
    request_digest: str
    sent_at: int
    received_at: int
    response_digest: str | None = None
    http_status: int | None = None
    response_headers: Mapping[str, str] = field(default_factory=dict)
    response_bytes: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """What a finished call says about the platform. `stop` names why the account must rest."""

    lane: str
    limit: LaneLimit
    throttled: bool = False
    failed: bool = False
    stop: str | None = None
    key_fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of one claim.

    `event`: ANSWER, ANSWER_PARTLY, ACCEPT, POLL_AGAIN, RETRY, FAIL, LOSE, HOLD, GIVE_BACK. `outcome` for answers.
    `charge_micros`: None = not known; `executed`: False = surely not executed. `attempt` holds columns of the attempt
    to set (error_class, usage, model_served ...), `sample` those of the sample (due_at, passes, polls ...).
    """

    attempt_id: str
    sample_id: str
    platform: str
    account: str
    date: str
    fencing_token: int
    event: Event
    outcome: Outcome | None = None
    reason: str | None = None
    charge_micros: int | None = None
    executed: bool | None = None
    late: bool = False
    exchanges: tuple[ExchangeRecord, ...] = ()
    attempt: Mapping[str, Any] = field(default_factory=dict)
    sample: Mapping[str, Any] = field(default_factory=dict)
    signal: Signal | None = None


class Applied(StrEnum):
    """What a settlement did."""

    SETTLED = "settled"
    SUPERSEDED = "superseded"  # kept and booked, the sample's state is another claim's
    ALREADY = "already"  # the attempt had been settled; nothing changed


@dataclass(frozen=True, slots=True)
class SettleReport:
    """One result per settlement, in order, what changed at pace and breaker, and the alerts that are new."""

    applied: tuple[Applied, ...]
    notes: tuple[str, ...] = ()
    alerts: tuple[Alert, ...] = ()


_ATTEMPT_STATES = {
    Event.ANSWER: "answered",
    Event.ANSWER_PARTLY: "answered",
    Event.ACCEPT: "accepted",
    Event.POLL_AGAIN: "accepted",
    Event.RETRY: "rejected",
    Event.FAIL: "rejected",
    Event.LOSE: "uncertain",
    Event.HOLD: "uncertain",
    Event.GIVE_BACK: "given_back",
}
_ANSWERS = frozenset({Event.ANSWER, Event.ANSWER_PARTLY})
_OPEN_ATTEMPT = frozenset({"submitting", "accepted", "uncertain"})
PERMISSION_QUESTIONS = 3


def settle(
    database: Database, settlements: Sequence[Settlement], before_commit: Callable[[], None] | None = None
) -> SettleReport:
    """Settle claims in one transaction. `before_commit` is a fault point of tests.

    Raises:
        LedgerUnavailable: nothing was written; the same settlements may be given again.
    """

    def work(connection: Connection) -> SettleReport:
        report = _settle(connection, settlements, database.now())
        if before_commit is not None:
            before_commit()
        return report

    return database.write(work)


def _settle(connection: Connection, settlements: Sequence[Settlement], now: int) -> SettleReport:
    # One order of locks everywhere: samples, breaker, pace, spend. What all calls of an account share comes late, so
    # that others wait for it briefly. (A claim holds the pace before its samples, but waits for none of them.)
    sample_ids = sorted({s.sample_id for s in settlements})
    samples = {
        row["sample_id"]: dict(row)
        for row in connection.execute(
            sa.select(t.samples)
            .where(t.samples.c.sample_id.in_(sample_ids))
            .order_by(t.samples.c.sample_id)
            .with_for_update()
        ).mappings()
    }
    attempt_ids = sorted({s.attempt_id for s in settlements})
    attempts = {
        row["attempt_id"]: dict(row)
        for row in connection.execute(sa.select(t.attempts).where(t.attempts.c.attempt_id.in_(attempt_ids))).mappings()
    }
    changes = _Changes()
    applied = tuple(_apply(changes, samples[s.sample_id], attempts[s.attempt_id], s, now) for s in settlements)
    changes.write(connection)
    notes, raised = _observe(connection, settlements, now)
    books.book(connection, changes.entries)
    return SettleReport(applied, tuple(notes), raised)


class _Changes:
    """Rows to write, gathered over all settlements of a transaction."""

    def __init__(self) -> None:
        self.samples: dict[str, dict[str, Any]] = {}
        self.attempts: dict[str, dict[str, Any]] = {}
        self.exchanges: list[dict[str, Any]] = []
        self.entries: list[dict[str, Any]] = []

    def write(self, connection: Connection) -> None:
        insert_missing(connection, t.exchanges, self.exchanges)
        update_rows(connection, t.attempts, "attempt_id", self.attempts)
        update_rows(connection, t.samples, "sample_id", self.samples)


def _apply(changes: _Changes, sample: dict[str, Any], attempt: dict[str, Any], s: Settlement, now: int) -> Applied:
    changes.exchanges.extend(_exchange_row(attempt, s.fencing_token, record) for record in s.exchanges)
    if attempt["state"] not in _OPEN_ATTEMPT or (attempt["state"] == "accepted" and s.event is Event.ACCEPT):
        return Applied.ALREADY
    event, state = _possible_event(sample, attempt, s)
    if event is None and s.event not in _ANSWERS and attempt["state"] == "uncertain" and s.executed is not False:
        return Applied.ALREADY  # it was given up for lost, and this says no more
    if (
        event is None
        and s.event in {Event.POLL_AGAIN, Event.ACCEPT, Event.GIVE_BACK}
        and attempt["state"] == "accepted"
    ):
        return Applied.ALREADY
    _change_attempt(changes, attempt, s, now, superseded=event is None)
    if event is None:
        if s.event in _ANSWERS:
            _merge(changes.samples, sample, {"superseded": True, "updated_at": now})
        return Applied.SUPERSEDED
    assert state is not None
    values: dict[str, Any] = {**state_values(state), "updated_at": now, "worker_id": None, **s.sample}
    if s.reason is not None or not state.is_open:
        values["outcome_reason"] = s.reason
    if s.event in _ANSWERS:
        values |= {"accepted_attempt": s.attempt_id, "current_attempt": s.attempt_id, "late": s.late}
    _merge(changes.samples, sample, values)
    return Applied.SETTLED


def _merge(target: dict[str, dict[str, Any]], row: dict[str, Any], values: Mapping[str, Any]) -> None:
    target.setdefault(row["sample_id"], {}).update(values)
    row.update(values)


def _possible_event(
    sample: Mapping[str, Any], attempt: Mapping[str, Any], s: Settlement
) -> tuple[Event | None, State | None]:
    """The event that this settlement may cause now, and where it leads; None where the sample is another claim's.

    The holder of the newest token has its event. An older one may still bring the answer (or the acceptance) of the
    sample's own present attempt, or an answer where everything since is uncertain and nothing was accepted.
    """
    state = state_from(sample)
    newest = sample["fencing_token"] == s.fencing_token
    own = sample["current_attempt"] == s.attempt_id
    candidates: list[Event] = []
    if newest:
        event = s.event
        if event is Event.GIVE_BACK and attempt["was_uncertain"] and state.submission is Submission.SUBMITTING:
            event = Event.GIVE_BACK_UNCERTAIN
        candidates.append(event)
    elif own and s.event in _ANSWERS | {Event.ACCEPT}:
        candidates.append(s.event)
    if s.event in _ANSWERS and sample["accepted_attempt"] is None:
        candidates.append(Event.LATE_ANSWER)
    if own and s.event in {Event.RETRY, Event.FAIL} and s.executed is False:
        candidates.append(Event.RULED_OUT)
    for event in candidates:
        try:
            return event, advance(state, event, s.outcome)
        except TransitionRefused:
            continue
    return None, None


def _change_attempt(changes: _Changes, attempt: dict[str, Any], s: Settlement, now: int, *, superseded: bool) -> None:
    new_state = _ATTEMPT_STATES[s.event]
    if superseded and s.event in _ANSWERS:
        new_state = "superseded"
    elif s.event is Event.GIVE_BACK and attempt["state"] != "submitting":
        new_state = attempt["state"]  # a poll or look-up that was not sent ends nothing
    elif s.event is Event.FAIL and attempt["state"] == "accepted" and s.executed is None:
        new_state = "abandoned"
    if new_state != "accepted" and new_state != attempt["state"]:
        executed = False if s.event is Event.GIVE_BACK else s.executed
        changes.entries.extend(books.settle_entries(attempt, now, charge=s.charge_micros, executed=executed))
    values = {"state": new_state, "late": s.late or bool(attempt["late"]), **s.attempt}
    if new_state != "accepted":
        values |= {"settled_at": now, "charged_micros": s.charge_micros}
    changes.attempts.setdefault(s.attempt_id, {}).update(values)
    attempt.update(values)


def _exchange_row(attempt: Mapping[str, Any], token: int, record: ExchangeRecord) -> dict[str, Any]:
    return {
        "attempt_id": attempt["attempt_id"],
        "leg": record.leg,
        "sample_id": attempt["sample_id"],
        "date": attempt["date"],
        "platform": attempt["platform"],
        "kind": record.kind,
        "fencing_token": token,
        "request_digest": record.request_digest,
        "response_digest": record.response_digest,
        "http_status": record.http_status,
        "response_headers": json.dumps(dict(record.response_headers), sort_keys=True, ensure_ascii=False),
        "response_bytes": record.response_bytes,
        "error": record.error,
        "sent_at": record.sent_at,
        "received_at": record.received_at,
        "simulated": attempt["simulated"],
    }


def _observe(
    connection: Connection, settlements: Sequence[Settlement], now: int
) -> tuple[list[str], tuple[Alert, ...]]:
    """Tell breaker and pace what the calls said."""
    accounts: dict[tuple[str, str], list[Settlement]] = {}
    for s in settlements:
        if s.signal is not None:
            accounts.setdefault((s.platform, s.account), []).append(s)
    notes: list[str] = []
    raised: list[Alert] = []
    for (platform, account), group in sorted(accounts.items()):
        row = breaker.load(connection, platform, account)
        for s in group:
            signal = s.signal
            assert signal is not None
            if not signal.throttled and signal.lane == "submit":
                change = breaker.observe(row, now, failed=signal.failed)
                _note(notes, platform, change)
                if change is not None and row["openings"] >= breaker.LONG_OPENINGS:
                    detail = f"{change}; opened {row['openings']} times in a row"
                    raised.append(Alert(AlertKind.BREAKER_OPEN, f"account {platform}/{account}", s.date, detail))
            stop = signal.stop or _forbidden(connection, s)
            if stop is not None and row["stopped_reason"] is None:
                text = breaker.stop(row, now, s.date, stop, signal.key_fingerprint)
                _note(notes, platform, text)
                raised.append(Alert(AlertKind.ACCOUNT_STOPPED, f"account {platform}/{account}", s.date, stop))
        breaker.store(connection, row)
        for lane, limit in {(s.signal.lane, s.signal.limit) for s in group if s.signal}:
            calls = [s.signal for s in group if s.signal and s.signal.lane == lane]
            pace_row = pace.load(connection, platform, account, lane, limit, now)
            _note(notes, platform, pace.observe(pace_row, now, len(calls), sum(c.throttled for c in calls)))
            pace.store(connection, pace_row)
    return notes, alerts.record(connection, raised, now)


def _note(notes: list[str], platform: str, text: str | None) -> None:
    if text is not None:
        notes.append(f"{platform}: {text}")


def _forbidden(connection: Connection, s: Settlement) -> str | None:
    """A 403 may be about one question; on three different ones it is about the account."""
    if s.attempt.get("error_class") != "permission":
        return None
    statement = (
        sa.select(sa.func.count(sa.distinct(t.samples.c.question_revision)))
        .select_from(t.samples.join(t.attempts, t.attempts.c.sample_id == t.samples.c.sample_id))
        .where(t.attempts.c.date == s.date, t.attempts.c.platform == s.platform, t.attempts.c.account == s.account)
        .where(sa.or_(t.attempts.c.error_class == "permission", t.attempts.c.attempt_id == s.attempt_id))
    )
    count = connection.execute(statement).scalar_one()
    if count < PERMISSION_QUESTIONS:
        return None
    return f"permission: refused on {count} different questions ({s.attempt.get('error_message') or 'no message'})"


def record_exchange(database: Database, attempt_id: str, record: ExchangeRecord) -> None:
    """Book an exchange that settles nothing (cancelling upstream). It takes the next free leg."""

    def work(connection: Connection) -> None:
        attempt = (
            connection.execute(sa.select(t.attempts).where(t.attempts.c.attempt_id == attempt_id)).mappings().one()
        )
        legs = sa.select(sa.func.coalesce(sa.func.max(t.exchanges.c.leg), -1)).where(
            t.exchanges.c.attempt_id == attempt_id
        )
        leg = connection.execute(legs).scalar_one() + 1
        row = _exchange_row(dict(attempt), attempt["fencing_token"], record) | {"leg": leg}
        connection.execute(sa.insert(t.exchanges).values(row))

    database.write(work)
