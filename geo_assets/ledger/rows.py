"""What the ledger hands out: one frozen row type per table that others read.

What belongs here: shapes, and turning stored integers into them. Times are aware datetimes in UTC.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from geo_assets.model.plans import PlannedSample
from geo_assets.model.states import Collection, Evidence, Outcome, Submission
from geo_assets.model.transitions import State

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_datetime(micros: int | None) -> datetime | None:
    """Ledger time → aware datetime, exactly. None and 0 (never) → None."""
    return None if not micros else _EPOCH + timedelta(microseconds=micros)


def to_micros(moment: datetime) -> int:
    """Aware datetime → ledger time, exactly.

    Raises:
        ValueError: the datetime has no zone.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone; give an aware datetime")
    return (moment - _EPOCH) // timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One sample as the ledger has it: what was planned, its state, and what its accepted attempt brought.

    `attempts` counts all claims to ask it; `response_digest` to `connector` are those of the accepted attempt, None
    without one. `charged_micros` is the sum of charges over all its attempts.
    """

    planned: PlannedSample
    state: State
    revision: int
    outcome_reason: str | None
    late: bool
    superseded: bool
    fencing_token: int
    due_at: datetime | None
    attempts: int
    passes: int
    polls: int
    upstream_id: str | None
    accepted_attempt: str | None
    response_digest: str | None
    response_bytes: int | None
    http_status: int | None
    asked_at: datetime | None
    accepted_at: datetime | None
    answered_at: datetime | None
    model_served: str | None
    finish_reason: str | None
    search_state: str | None
    connector: str | None
    charged_micros: int
    snapshot_hash: str
    queued_at: datetime | None = None

    @property
    def sample_id(self) -> str:
        """The planned sample's id."""
        return self.planned.sample_id

    @property
    def outcome(self) -> Outcome:
        """The terminal outcome, or `open`."""
        return self.state.outcome


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One try at a sample.

    `state`: submitting, accepted, answered, rejected, uncertain, ruled_out, given_back, superseded, abandoned.
    """

    attempt_id: str
    sample_id: str
    date: str
    platform: str
    account: str
    model: str
    tenant: str
    monitor: str
    number: int
    pass_number: int
    fencing_token: int
    worker_id: str
    state: str
    simulated: bool
    idempotency_key: str
    upstream_id: str | None
    error_class: str | None
    error_code: str | None
    error_message: str | None
    http_status: int | None
    claimed_at: datetime | None
    asked_at: datetime | None
    accepted_at: datetime | None
    answered_at: datetime | None
    settled_at: datetime | None
    response_digest: str | None
    response_bytes: int | None
    model_served: str | None
    finish_reason: str | None
    search_state: str | None
    usage: Mapping[str, Any] | None
    currency: str
    reserved_micros: int
    charged_micros: int | None
    connector: str | None
    late: bool


@dataclass(frozen=True, slots=True)
class ExchangeRow:
    """One HTTP exchange of an attempt. `error` names what happened instead of a response."""

    attempt_id: str
    leg: int
    sample_id: str
    date: str
    platform: str
    kind: str
    fencing_token: int
    request_digest: str
    response_digest: str | None
    http_status: int | None
    response_headers: Mapping[str, str]
    response_bytes: int | None
    error: str | None
    sent_at: datetime | None
    received_at: datetime | None
    simulated: bool


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry of the cost book. Amounts are signed: releases and refunds are negative, a balance is a plain sum."""

    entry_key: str
    date: str
    tenant: str
    monitor: str
    platform: str
    account: str
    sample_id: str | None
    attempt_id: str | None
    kind: str
    currency: str
    amount_micros: int
    price_version: str
    note: str | None
    booked_at: datetime | None
    simulated: bool


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One plan of a monitor for a date; revision 0 is the first. `snapshot` is the frozen configuration."""

    batch_id: str
    revision: int
    tenant: str
    monitor: str
    date: str
    snapshot_hash: str
    skipped: Mapping[str, str]
    merged: tuple[tuple[str, str], ...]
    simulated: bool
    created_at: datetime | None


PLANNED_COLUMNS = tuple(PlannedSample.__dataclass_fields__)


def planned_from(row: Any) -> PlannedSample:
    """The planned part of a sample's row."""
    values = {name: row[name] for name in PLANNED_COLUMNS}
    values["tags"] = tuple(json.loads(values["tags"]))
    return PlannedSample(**values)


def state_from(row: Any) -> State:
    """The state layers of a sample's row."""
    return State(
        Submission(row["submission"]), Collection(row["collection"]), Evidence(row["evidence"]), Outcome(row["outcome"])
    )


def state_values(state: State) -> dict[str, str]:
    """The state layers as column values."""
    return {
        "submission": state.submission.value,
        "collection": state.collection.value,
        "evidence": state.evidence.value,
        "outcome": state.outcome.value,
    }
