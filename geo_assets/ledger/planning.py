"""Storing plans: the first plan of a (tenant, monitor, date) wins, a re-plan adds a revision. And the order of asking.

What belongs here: batches, samples at their birth, withdrawing, turns. What does not: expanding questions into samples
(configuration) and everything that happens to a sample afterwards.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from geo_assets.ledger import books
from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.rows import PLANNED_COLUMNS, state_from, state_values
from geo_assets.ledger.statements import add_to, insert_missing
from geo_assets.model.money import EntryKind
from geo_assets.model.plans import Batch, PlannedSample
from geo_assets.model.states import Outcome
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
    """Store a plan; the first of a (tenant, monitor, date) wins.

    Planning again changes nothing, whatever the configuration says meanwhile; but platforms of the very same snapshot
    that have no samples yet (planned apart, or without a key until now) join the plan. A re-plan with another snapshot
    adds samples that are new, and withdraws those that it leaves out and that were never submitted, on the platforms
    that it speaks about; it never alters a sample that was submitted.
    """
    now = database.now()

    def store(connection: Connection) -> PlanResult:
        if database.is_postgres:  # SQLite's write transactions exclude each other anyway
            key = int.from_bytes(hashlib.sha256(batch.batch_id.encode()).digest()[:8], "big", signed=True)
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))
        b, s = t.batches.c, t.samples.c
        latest = connection.execute(
            sa.select(b.revision, b.snapshot_hash)
            .where(b.batch_id == batch.batch_id)
            .order_by(b.revision.desc())
            .limit(1)
        ).first()
        known = {
            row[0]: row[1]
            for row in connection.execute(sa.select(s.sample_id, s.platform).where(s.batch_id == batch.batch_id))
        }
        is_new = latest is None or latest.snapshot_hash != batch.snapshot_hash
        replanning = replan and is_new and latest is not None
        planned_platforms: set[str] = set() if replanning else set(known.values())
        joins = not is_new or latest is None or replanning
        added = [x for x in batch.samples if joins and x.sample_id not in known and x.platform not in planned_platforms]
        revision = 0 if latest is None else latest.revision
        if is_new and joins:
            revision = 0 if latest is None else latest.revision + 1
            _insert_batch(connection, batch, revision, now)
        _insert_samples(connection, added, revision, now)
        withdrawn = _withdraw(connection, batch, known, now) if replanning else 0
        _book_quotes(connection, batch, added, revision, now)
        platforms = sorted({sample.platform for sample in added})
        counters = [{"date": batch.date, "platform": platform, "planned": 1} for platform in platforms]
        add_to(connection, t.queues, ("date", "platform"), counters)
        _insert_reasons(
            connection,
            batch.date,
            {(batch.tenant, batch.monitor, p): reason for p, reason in batch.skipped.items()},
            now,
        )
        standing = connection.execute(
            sa.select(sa.func.count()).where(s.batch_id == batch.batch_id, s.outcome != Outcome.WITHDRAWN.value)
        ).scalar_one()
        created = latest is None or bool(added) or replanning
        kept = batch.snapshot_hash if latest is None or created else latest.snapshot_hash
        return PlanResult(batch.batch_id, revision, created, standing, len(added), withdrawn, kept)

    return database.write(store)


def _insert_batch(connection: Connection, batch: Batch, revision: int, now: int) -> None:
    snapshot = {"snapshot_hash": batch.snapshot_hash, "content": canonical_json(batch.snapshot), "created_at": now}
    insert_missing(connection, t.snapshots, [snapshot])
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
    connection.execute(sa.insert(t.batches).values(row))


def _insert_samples(connection: Connection, added: Sequence[PlannedSample], revision: int, now: int) -> None:
    initial = state_values(INITIAL)

    def rows() -> Iterable[dict[str, Any]]:
        counts: dict[str, int] = {}
        for sample in sorted(added, key=lambda s: (s.repeat_index, s.position, s.sample_id)):
            counts[sample.platform] = counts.get(sample.platform, 0) + 1
            # Provisional until `arrange`: the monitor alone, at its priority's share.
            turn = counts[sample.platform] * 2.0 ** (NEUTRAL_PRIORITY - sample.priority)
            values: dict[str, Any] = {name: getattr(sample, name) for name in PLANNED_COLUMNS}
            values |= initial
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


def _withdraw(connection: Connection, batch: Batch, known: Mapping[str, str], now: int) -> int:
    """Withdraw what the batch leaves out. It speaks about the platforms that it asks or skips, not about others."""
    kept = {sample.sample_id for sample in batch.samples}
    platforms = {sample.platform for sample in batch.samples} | set(batch.skipped)
    gone = sorted(i for i, platform in known.items() if i not in kept and platform in platforms)
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
    """Record why nothing was planned, per (tenant, monitor, platform): missed, not_due, no_key, paused ... First wins.

    Planning records the reasons of the platforms that a batch skips by itself.
    """
    now = database.now()
    database.write(lambda connection: _insert_reasons(connection, date, reasons, now))


def _insert_reasons(connection: Connection, date: str, reasons: Mapping[tuple[str, str, str], str], now: int) -> None:
    rows = [
        {"date": date, "tenant": tenant, "monitor": monitor, "platform": platform, "reason": reason, "recorded_at": now}
        for (tenant, monitor, platform), reason in sorted(reasons.items())
    ]
    insert_missing(connection, t.day_reasons, rows)


def day_reasons(database: Database, date: str) -> dict[tuple[str, str, str], str]:
    """(tenant, monitor, platform) → why nothing was planned on this date.

    A plan made later removes nothing here; readers look for samples first.
    """
    statement = sa.select(t.day_reasons).where(t.day_reasons.c.date == date)
    with database.reading() as connection:
        rows = connection.execute(statement).mappings()
        return {(row["tenant"], row["monitor"], row["platform"]): row["reason"] for row in rows}
