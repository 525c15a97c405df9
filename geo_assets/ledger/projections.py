"""Streams that tables are projected from: samples and exchanges in table order, so that they merge without a lookup.

What belongs here: joined selects for the lake. What does not: anything that decides or counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.queries import _stream, _typed
from geo_assets.ledger.rows import ExchangeRow


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """What all attempts of one sample add up to: exchanges, and the error of the last attempt that had one."""

    sample_id: str
    exchanges: int
    error_class: str | None
    error_code: str | None


def sample_facts(database: Database, date: str, platform: str) -> Iterator[SampleFacts]:
    """Facts of every sample of a partition, ordered by tenant, monitor, sample id like `queries.samples`."""
    s, a, x = t.samples, t.attempts, t.exchanges
    exchanges = sa.select(sa.func.count()).where(x.c.sample_id == s.c.sample_id).scalar_subquery()

    def last(column: sa.Column[Any]) -> sa.ScalarSelect[Any]:
        return (
            sa.select(column)
            .where(a.c.sample_id == s.c.sample_id, a.c.error_class.is_not(None))
            .order_by(a.c.number.desc())
            .limit(1)
            .scalar_subquery()
        )

    statement = (
        sa.select(
            s.c.sample_id,
            exchanges.label("exchanges"),
            last(a.c.error_class).label("error_class"),
            last(a.c.error_code).label("error_code"),
        )
        .where(s.c.date == date, s.c.platform == platform)
        .order_by(s.c.tenant, s.c.monitor, s.c.sample_id)
    )
    return _stream(database, statement, lambda row: SampleFacts(**row))


@dataclass(frozen=True, slots=True)
class PlacedExchange:
    """An exchange with its sample's place, and whether the sample keeps the attempt's answer."""

    tenant: str
    monitor: str
    accepted: bool
    exchange: ExchangeRow


def placed_exchanges(
    database: Database, date: str, platform: str, *, accepted_only: bool = False
) -> Iterator[PlacedExchange]:
    """Exchanges of a partition, ordered by tenant, monitor, sample id, attempt id, leg."""
    s, x = t.samples, t.exchanges
    accepted = sa.and_(s.c.accepted_attempt.is_not(None), s.c.accepted_attempt == x.c.attempt_id)
    statement = (
        sa.select(x, s.c.tenant.label("s_tenant"), s.c.monitor.label("s_monitor"), accepted.label("s_accepted"))
        .select_from(x.join(s, s.c.sample_id == x.c.sample_id))
        .where(s.c.date == date, s.c.platform == platform)
        .order_by(s.c.tenant, s.c.monitor, s.c.sample_id, x.c.attempt_id, x.c.leg)
    )
    if accepted_only:
        statement = statement.where(accepted)
    return _stream(
        database,
        statement,
        lambda row: PlacedExchange(
            row["s_tenant"], row["s_monitor"], bool(row["s_accepted"]), _typed(ExchangeRow, row)
        ),
    )


@dataclass(frozen=True, slots=True)
class PartitionRevision:
    """How much of a partition there is, and a name for its state: it changes with every settled sample.

    `planned` counts all samples, withdrawn ones too.
    """

    planned: int
    open: int
    revision: str


def partition_revisions(database: Database, dates: Sequence[str]) -> dict[tuple[str, str], PartitionRevision]:
    """(date, platform) → revision, for all partitions of these dates that have samples."""
    return _revisions(database, t.samples.c.date.in_(dates)) if dates else {}


def _revisions(database: Database, where: sa.ColumnElement[bool]) -> dict[tuple[str, str], PartitionRevision]:
    s = t.samples.c
    is_open = sa.case((s.outcome == "open", 1), else_=0)
    statement = (
        sa.select(
            s.date,
            s.platform,
            sa.func.count().label("planned"),
            sa.func.sum(is_open).label("open"),
            sa.func.max(s.updated_at).label("updated"),
        )
        .where(where)
        .group_by(s.date, s.platform)
    )
    with database.reading() as connection:
        return {
            (row["date"], row["platform"]): PartitionRevision(
                row["planned"], int(row["open"]), f"{row['planned']}.{int(row['open'])}.{row['updated']}"
            )
            for row in connection.execute(statement).mappings()
        }


def first_planned_date(database: Database) -> str | None:
    """The first date for which anything was ever planned, None in a fresh ledger."""
    with database.reading() as connection:
        found: str | None = connection.execute(sa.select(sa.func.min(t.batches.c.date))).scalar()
    return found


def revision_of(ledger: Any, date: str, platform: str) -> str:
    """The name of one partition's state; see `PartitionRevision`. Takes a Ledger."""
    where = sa.and_(t.samples.c.date == date, t.samples.c.platform == platform)
    found = _revisions(ledger.database, where).get((date, platform))
    return found.revision if found else "0.0.0"


def planned_monitors(ledger: Any, date: str, platform: str) -> set[tuple[str, str]]:
    """(tenant, monitor) pairs with samples in a partition. Takes a Ledger."""
    s = t.samples.c
    statement = sa.select(s.tenant, s.monitor).where(s.date == date, s.platform == platform).distinct()
    with ledger.database.reading() as connection:
        return {(row.tenant, row.monitor) for row in connection.execute(statement)}


def other_profile_date(ledger: Any, *, simulated: bool) -> str | None:
    """The first date that was planned under the other profile in this ledger, None as it should be. Takes a Ledger."""
    statement = sa.select(sa.func.min(t.batches.c.date)).where(t.batches.c.simulated != simulated)
    with ledger.database.reading() as connection:
        found: str | None = connection.execute(statement).scalar()
    return found
