"""Reading the ledger: streams of rows in a fixed order, and one sample with all that happened to it.

What belongs here: selects without a decision in them. What does not: counts and states of partitions (see status).
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa

from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.rows import (
    AttemptRow,
    BatchRow,
    EntryRow,
    ExchangeRow,
    SampleRow,
    planned_from,
    state_from,
    to_datetime,
)

Row = TypeVar("Row")
_PAGE = 2000


class NoSuchSample(LookupError):  # noqa: N818 - says what is the case
    """No sample, or more than one, begins with the given id."""


@dataclass(frozen=True, slots=True)
class SampleHistory:
    """A sample and everything that the ledger knows about it, oldest first."""

    sample: SampleRow
    attempts: tuple[AttemptRow, ...]
    exchanges: tuple[ExchangeRow, ...]
    entries: tuple[EntryRow, ...]


_ACCEPTED = (
    "response_digest",
    "response_bytes",
    "http_status",
    "asked_at",
    "accepted_at",
    "answered_at",
    "model_served",
    "finish_reason",
    "search_state",
    "connector",
)


def _sample_select(where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    accepted = t.attempts.alias("accepted")
    charged = (
        sa.select(sa.func.coalesce(sa.func.sum(t.attempts.c.charged_micros), 0))
        .where(t.attempts.c.sample_id == t.samples.c.sample_id)
        .scalar_subquery()
    )
    snapshot = (
        sa.select(t.batches.c.snapshot_hash)
        .where(t.batches.c.batch_id == t.samples.c.batch_id, t.batches.c.revision == t.samples.c.revision)
        .scalar_subquery()
    )
    return (
        sa.select(
            t.samples,
            *(accepted.c[name].label(f"a_{name}") for name in _ACCEPTED),
            charged.label("charged"),
            snapshot.label("snapshot_hash"),
        )
        .select_from(t.samples.outerjoin(accepted, accepted.c.attempt_id == t.samples.c.accepted_attempt))
        .where(where)
        .order_by(t.samples.c.tenant, t.samples.c.monitor, t.samples.c.sample_id)
    )


def _sample_row(row: Any) -> SampleRow:
    return SampleRow(
        planned=planned_from(row),
        state=state_from(row),
        revision=row["revision"],
        outcome_reason=row["outcome_reason"],
        late=bool(row["late"]),
        superseded=bool(row["superseded"]),
        fencing_token=row["fencing_token"],
        due_at=to_datetime(row["due_at"]) if row["outcome"] == "open" else None,
        attempts=row["attempts"],
        passes=row["passes"],
        polls=row["polls"],
        upstream_id=row["upstream_id"],
        accepted_attempt=row["accepted_attempt"],
        response_digest=row["a_response_digest"],
        response_bytes=row["a_response_bytes"],
        http_status=row["a_http_status"],
        asked_at=to_datetime(row["a_asked_at"]),
        accepted_at=to_datetime(row["a_accepted_at"]),
        answered_at=to_datetime(row["a_answered_at"]),
        model_served=row["a_model_served"],
        finish_reason=row["a_finish_reason"],
        search_state=row["a_search_state"],
        connector=row["a_connector"],
        charged_micros=int(row["charged"]),
        snapshot_hash=row["snapshot_hash"],
        queued_at=to_datetime(row["queued_at"]),
    )


_TIMES = frozenset(
    {
        "claimed_at",
        "asked_at",
        "accepted_at",
        "answered_at",
        "settled_at",
        "sent_at",
        "received_at",
        "booked_at",
        "created_at",
    }
)
_JSON = frozenset({"usage", "response_headers", "skipped", "merged"})


def _value(name: str, value: Any) -> Any:
    if name in _TIMES:
        return to_datetime(value)
    if name in _JSON and value is not None:
        parsed = json.loads(value)
        return tuple(tuple(pair) for pair in parsed) if name == "merged" else parsed
    return value


def _typed(kind: Callable[..., Row], row: Any) -> Row:
    fields = kind.__dataclass_fields__  # type: ignore[attr-defined]
    return kind(**{name: _value(name, row[name]) for name in fields})


def _stream(database: Database, statement: sa.Select[Any], make: Callable[[Any], Row]) -> Iterator[Row]:
    with database.reading() as connection:
        result = connection.execution_options(yield_per=_PAGE).execute(statement)
        for row in result.mappings():
            yield make(row)


def _partition(table: sa.Table, date: str, platform: str | None) -> sa.ColumnElement[bool]:
    where = table.c.date == date
    return where if platform is None else sa.and_(where, table.c.platform == platform)


def samples(database: Database, date: str, platform: str | None) -> Iterator[SampleRow]:
    """All samples of a partition, ordered by tenant, monitor, sample id (code points)."""
    return _stream(database, _sample_select(_partition(t.samples, date, platform)), _sample_row)


def attempts(database: Database, date: str, platform: str | None) -> Iterator[AttemptRow]:
    """All attempts of a partition, ordered by attempt id."""
    where = _partition(t.attempts, date, platform)
    statement = sa.select(t.attempts).where(where).order_by(t.attempts.c.attempt_id)
    return _stream(database, statement, lambda row: _typed(AttemptRow, row))


def exchanges(database: Database, date: str, platform: str | None) -> Iterator[ExchangeRow]:
    """All exchanges of a partition, ordered by attempt id and leg."""
    where = _partition(t.exchanges, date, platform)
    statement = sa.select(t.exchanges).where(where).order_by(t.exchanges.c.attempt_id, t.exchanges.c.leg)
    return _stream(database, statement, lambda row: _typed(ExchangeRow, row))


def entries(database: Database, date: str, platform: str | None) -> Iterator[EntryRow]:
    """All cost entries of a partition, ordered by key."""
    where = _partition(t.entries, date, platform)
    statement = sa.select(t.entries).where(where).order_by(t.entries.c.entry_key)
    return _stream(database, statement, lambda row: _typed(EntryRow, row))


def batches(database: Database, date: str) -> list[BatchRow]:
    """All plans of a date, ordered by tenant, monitor, revision."""
    statement = (
        sa.select(t.batches)
        .where(t.batches.c.date == date)
        .order_by(t.batches.c.tenant, t.batches.c.monitor, t.batches.c.batch_id, t.batches.c.revision)
    )
    with database.reading() as connection:
        return [_typed(BatchRow, row) for row in connection.execute(statement).mappings()]


def snapshot(database: Database, snapshot_hash: str) -> dict[str, Any]:
    """A frozen configuration.

    Raises:
        LookupError: there is none of this hash.
    """
    statement = sa.select(t.snapshots.c.content).where(t.snapshots.c.snapshot_hash == snapshot_hash)
    with database.reading() as connection:
        content = connection.execute(statement).scalar()
    if content is None:
        raise LookupError(f"no snapshot {snapshot_hash!r} in the ledger")
    parsed: dict[str, Any] = json.loads(content)
    return parsed


def frozen_platform(database: Database, batch_id: str, revision: int, platform: str) -> dict[str, Any]:
    """What the snapshot of a batch froze of a platform (options, prices ...); empty where it says nothing of it."""
    statement = (
        sa.select(t.snapshots.c.content)
        .join(t.batches, t.batches.c.snapshot_hash == t.snapshots.c.snapshot_hash)
        .where(t.batches.c.batch_id == batch_id, t.batches.c.revision == revision)
    )
    with database.reading() as connection:
        content = connection.execute(statement).scalar()
    platforms = json.loads(content or "{}").get("platforms", {})
    frozen = platforms.get(platform, {}) if isinstance(platforms, dict) else {}
    return dict(frozen)


def history(database: Database, sample_id: str) -> SampleHistory:
    """One sample by its id, or by the beginning of it if that is unique.

    Raises:
        NoSuchSample: none or several begin so.
    """
    upper = sample_id + "\U0010ffff"
    with database.reading() as connection:
        ids = connection.execute(
            sa.select(t.samples.c.sample_id)
            .where(t.samples.c.sample_id >= sample_id, t.samples.c.sample_id < upper)
            .order_by(t.samples.c.sample_id)
            .limit(3)
        ).scalars()
        found = [i for i in ids if i.startswith(sample_id)]
        if sample_id in found:
            found = [sample_id]
        if len(found) != 1 or not sample_id:
            what = "is not in the ledger" if not found else f"is not unique ({', '.join(found)} ...)"
            raise NoSuchSample(f"sample {sample_id!r} {what}")
        sample = connection.execute(_sample_select(t.samples.c.sample_id == found[0])).mappings().one()
        tried = connection.execute(
            sa.select(t.attempts).where(t.attempts.c.sample_id == found[0]).order_by(t.attempts.c.number)
        ).mappings()
        attempt_rows = tuple(_typed(AttemptRow, row) for row in tried)
        ids_of_attempts = [row.attempt_id for row in attempt_rows]
        legs = connection.execute(
            sa.select(t.exchanges)
            .where(t.exchanges.c.attempt_id.in_(ids_of_attempts))
            .order_by(t.exchanges.c.sent_at, t.exchanges.c.attempt_id, t.exchanges.c.leg)
        ).mappings()
        exchange_rows = tuple(_typed(ExchangeRow, row) for row in legs)
        booked = connection.execute(
            sa.select(t.entries)
            .where(t.entries.c.attempt_id.in_(ids_of_attempts))
            .order_by(t.entries.c.booked_at, t.entries.c.entry_key)
        ).mappings()
        entry_rows = tuple(_typed(EntryRow, row) for row in booked)
    return SampleHistory(_sample_row(sample), attempt_rows, exchange_rows, entry_rows)
