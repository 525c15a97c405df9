"""Storing plans: the first plan of a (tenant, monitor, date) wins, a re-plan adds a revision. And the order of asking.

What belongs here: batches, samples at their birth, withdrawing, turns. What does not: expanding questions into samples
(configuration) and everything that happens to a sample afterwards.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from geo_assets.ledger import books
from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.rows import state_from, state_values
from geo_assets.ledger.statements import add_to, insert_missing
from geo_assets.model.money import EntryKind
from geo_assets.model.plans import Batch, PlannedSample
from geo_assets.model.text import canonical_json
from geo_assets.model.transitions import INITIAL, Event, advance

CHUNK = 2000
NEUTRAL_PRIORITY = 5


@dataclass(frozen=True, slots=True)
class PlanResult:
    """What planning did. `created`: this call stored a plan; otherwise an earlier one stands unchanged."""

    batch_id: str
    revision: int
    created: bool
    planned: int
    added: int
    withdrawn: int
    snapshot_hash: str


def plan(database: Database, batch: Batch, *, replan: bool = False) -> PlanResult:
    """Store a plan.

    A re-plan adds samples that are new and withdraws those that it leaves out and that were never submitted; it never
    alters one that was. Planning the same snapshot again changes nothing either way.
    """
    now = database.now()

    def store(connection: Connection) -> PlanResult:
        insert_missing(
            connection,
            t.snapshots,
            [{"snapshot_hash": batch.snapshot_hash, "content": canonical_json(batch.snapshot), "created_at": now}],
        )
        revision = _lock_revision(connection, batch, now, replan=replan)
        if revision is None:
            return _standing(connection, batch, now)
        known = set(
            connection.execute(sa.select(t.samples.c.sample_id).where(t.samples.c.batch_id == batch.batch_id)).scalars()
        )
        added = [sample for sample in batch.samples if sample.sample_id not in known]
        _insert_samples(connection, added, revision, now)
        withdrawn = _withdraw(connection, batch, known, now) if replan else 0
        _book_quotes(connection, batch, added, revision, now)
        _mark_planned(connection, batch.date, batch.samples)
        return PlanResult(
            batch.batch_id,
            revision,
            True,
            len(known) + len(added) - withdrawn,
            len(added),
            withdrawn,
            batch.snapshot_hash,
        )

    return database.write(store)


def _lock_revision(connection: Connection, batch: Batch, now: int, *, replan: bool) -> int | None:
    """The revision this plan is stored as, None where an earlier plan stands. The batch row decides races."""
    latest = connection.execute(
        sa.select(t.batches.c.revision, t.batches.c.snapshot_hash)
        .where(t.batches.c.batch_id == batch.batch_id)
        .order_by(t.batches.c.revision.desc())
        .limit(1)
    ).first()
    if latest is not None and (not replan or latest.snapshot_hash == batch.snapshot_hash):
        return None
    revision = 0 if latest is None else latest.revision + 1
    row = {
        "batch_id": batch.batch_id,
        "revision": revision,
        "tenant": batch.tenant,
        "monitor": batch.monitor,
        "date": batch.date,
        "snapshot_hash": batch.snapshot_hash,
        "skipped": canonical_json(dict(batch.skipped)),
        "merged": canonical_json([list(pair) for pair in batch.merged_duplicates]),
        "simulated": any(sample.simulated for sample in batch.samples),
        "created_at": now,
    }
    from sqlalchemy.dialects import postgresql, sqlite

    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    inserted = connection.execute(
        make(t.batches).values(row).on_conflict_do_nothing().returning(t.batches.c.revision)
    ).first()
    return None if inserted is None else revision


def _standing(connection: Connection, batch: Batch, now: int) -> PlanResult:
    """The plan that stands. Platforms that had no key when it was made join it once they have one.

    That alters nothing that was planned: the snapshot, which covers them too, must be the very same.
    """
    latest = connection.execute(
        sa.select(t.batches.c.revision, t.batches.c.snapshot_hash)
        .where(t.batches.c.batch_id == batch.batch_id)
        .order_by(t.batches.c.revision.desc())
        .limit(1)
    ).one()
    added: list[PlannedSample] = []
    if latest.snapshot_hash == batch.snapshot_hash:
        planned = set(
            connection.execute(
                sa.select(t.samples.c.platform).where(t.samples.c.batch_id == batch.batch_id).distinct()
            ).scalars()
        )
        added = [sample for sample in batch.samples if sample.platform not in planned]
        _insert_samples(connection, added, latest.revision, now)
        _book_quotes(connection, batch, added, latest.revision, now)
        _mark_planned(connection, batch.date, added)
    standing = connection.execute(
        sa.select(sa.func.count())
        .select_from(t.samples)
        .where(t.samples.c.batch_id == batch.batch_id, t.samples.c.outcome != "withdrawn")
    ).scalar_one()
    return PlanResult(batch.batch_id, latest.revision, False, standing, len(added), 0, latest.snapshot_hash)


def _mark_planned(connection: Connection, date: str, samples: Iterable[PlannedSample]) -> None:
    """Note that these samples' partitions have samples without a turn."""
    platforms = sorted({sample.platform for sample in samples})
    rows = [{"date": date, "platform": platform, "planned": 1} for platform in platforms]
    add_to(connection, t.queues, ("date", "platform"), rows)


def _insert_samples(connection: Connection, added: Sequence[PlannedSample], revision: int, now: int) -> None:
    def rows() -> Iterable[dict[str, Any]]:
        counts: dict[str, int] = {}
        for sample in sorted(added, key=lambda s: (s.repeat_index, s.position, s.sample_id)):
            counts[sample.platform] = counts.get(sample.platform, 0) + 1
            # Provisional until `arrange`: the monitor alone, at its priority's share.
            turn = counts[sample.platform] * 2.0 ** (NEUTRAL_PRIORITY - sample.priority)
            values = asdict(sample) | state_values(INITIAL)
            values["tags"] = json.dumps(sample.tags, ensure_ascii=False)
            yield values | {
                "revision": revision,
                "turn": turn,
                "queued_at": now,
                "due_at": now,
                "updated_at": now,
                "fencing_token": 0,
            }

    iterator = iter(rows())
    while chunk := list(islice(iterator, CHUNK)):
        connection.execute(sa.insert(t.samples), chunk)


def _withdraw(connection: Connection, batch: Batch, known: set[str], now: int) -> int:
    gone = sorted(known - {sample.sample_id for sample in batch.samples})
    count = 0
    for start in range(0, len(gone), CHUNK):
        found = connection.execute(
            sa.select(t.samples)
            .where(t.samples.c.sample_id.in_(gone[start : start + CHUNK]), t.samples.c.outcome == "open")
            .where(t.samples.c.submission == "planned", t.samples.c.collection == "queued", t.samples.c.attempts == 0)
            .order_by(t.samples.c.sample_id)
            .with_for_update()
        ).mappings()
        for row in found:
            state = advance(state_from(row), Event.WITHDRAW)
            connection.execute(
                sa.update(t.samples)
                .where(t.samples.c.sample_id == row["sample_id"])
                .values(**state_values(state), outcome_reason="left out by a later plan", updated_at=now)
            )
            count += 1
    return count


def _book_quotes(connection: Connection, batch: Batch, added: Sequence[PlannedSample], revision: int, now: int) -> None:
    quotes: dict[tuple[str, str, str, str], int] = {}
    counts: dict[tuple[str, str], int] = {}
    for sample in added:
        key = (sample.platform, sample.account, sample.currency, sample.price_version)
        quotes[key] = quotes.get(key, 0) + sample.estimate_micros
        counts[sample.platform, sample.currency] = counts.get((sample.platform, sample.currency), 0) + 1
    books.book(
        connection,
        [
            {
                "entry_key": f"estimate:{batch.batch_id}:{revision}:{platform}:{account}:{currency}:{version}",
                "date": batch.date,
                "tenant": batch.tenant,
                "monitor": batch.monitor,
                "platform": platform,
                "account": account,
                "sample_id": None,
                "attempt_id": None,
                "kind": EntryKind.ESTIMATE.value,
                "currency": currency,
                "amount_micros": amount,
                "price_version": version,
                "note": None,
                "booked_at": now,
                "simulated": any(sample.simulated for sample in added),
            }
            for (platform, account, currency, version), amount in sorted(quotes.items())
        ],
    )
    where = {"date": batch.date, "tenant": batch.tenant, "monitor": batch.monitor}
    books.add_spend(
        connection,
        [where | {"platform": p, "currency": currency, "planned": n} for (p, currency), n in counts.items()],
    )


def arrange(database: Database, date: str, platform: str, weights: Mapping[str, float] | None = None) -> bool:
    """Give the queued samples of a partition their turns, if a plan came in since the last time; True if it did.

    Weighted fair queueing in two levels: tenants share the platform by weight (default 1 each) however many questions
    they have; inside a tenant, monitors share by priority, each step of priority doubling the share. Within a monitor:
    round by round of repeats, then the order of its list. A low priority has a small share, so it is never starved.
    """

    def work(connection: Connection) -> bool:
        queue = (
            connection.execute(
                sa.select(t.queues).where(t.queues.c.date == date, t.queues.c.platform == platform).with_for_update()
            )
            .mappings()
            .first()
        )
        if queue is None or queue["arranged"] >= queue["planned"]:
            return False
        s = t.samples.c
        queued = sa.and_(s.date == date, s.platform == platform, s.collection == "queued", s.outcome == "open")
        stretch = sa.case(*((s.priority == p, 2.0 ** (NEUTRAL_PRIORITY - p)) for p in range(10)), else_=1.0)
        in_monitor = (
            sa.select(
                s.sample_id,
                s.tenant,
                (
                    sa.func.row_number().over(
                        partition_by=[s.tenant, s.monitor], order_by=[s.repeat_index, s.position, s.sample_id]
                    )
                    * stretch
                ).label("place"),
            )
            .where(queued)
            .subquery()
        )
        weight = (
            sa.case(
                *((in_monitor.c.tenant == name, float(value)) for name, value in sorted((weights or {}).items())),
                else_=1.0,
            )
            if weights
            else sa.literal(1.0)
        )
        turns = sa.select(
            in_monitor.c.sample_id,
            (
                sa.func.row_number().over(
                    partition_by=in_monitor.c.tenant, order_by=[in_monitor.c.place, in_monitor.c.sample_id]
                )
                / weight
            ).label("turn"),
        ).subquery()
        connection.execute(
            sa.update(t.samples).where(s.sample_id == turns.c.sample_id).values(turn=sa.cast(turns.c.turn, sa.Float))
        )
        connection.execute(
            sa.update(t.queues)
            .where(t.queues.c.date == date, t.queues.c.platform == platform)
            .values(arranged=queue["planned"])
        )
        return True

    behind = sa.select(t.queues.c.date).where(
        t.queues.c.date == date, t.queues.c.platform == platform, t.queues.c.arranged < t.queues.c.planned
    )
    with database.reading() as connection:
        if connection.execute(behind).first() is None:
            return False
    return database.write(work)


def expedite(database: Database, date: str, platform: str, monitors: Sequence[tuple[str, str]]) -> None:
    """Move the queued samples of these (tenant, monitor) to the front of the partition."""
    s = t.samples.c
    front = -1_000_000_000.0

    def work(connection: Connection) -> None:
        for tenant, monitor in monitors:
            connection.execute(
                sa.update(t.samples)
                .where(s.date == date, s.platform == platform, s.tenant == tenant, s.monitor == monitor)
                .where(s.collection == "queued", s.turn > front / 2)
                .values(turn=s.turn + front)
            )

    database.write(work)


def record_reasons(database: Database, date: str, reasons: Mapping[tuple[str, str, str], str]) -> None:
    """Record why nothing was planned, per (tenant, monitor, platform): missed, not_due, no_key, paused ... First wins."""
    now = database.now()
    rows = [
        {"date": date, "tenant": tenant, "monitor": monitor, "platform": platform, "reason": reason, "recorded_at": now}
        for (tenant, monitor, platform), reason in sorted(reasons.items())
    ]
    if rows:
        database.write(lambda connection: insert_missing(connection, t.day_reasons, rows))


def day_reasons(database: Database, date: str) -> dict[tuple[str, str, str], str]:
    """(tenant, monitor, platform) → why nothing was planned on this date. A plan made later removes nothing here;
    readers look for samples first.
    """
    statement = sa.select(t.day_reasons).where(t.day_reasons.c.date == date)
    with database.reading() as connection:
        rows = connection.execute(statement).mappings()
        return {(row["tenant"], row["monitor"], row["platform"]): row["reason"] for row in rows}
