"""The cost book: append-only entries with idempotency keys, running sums for budgets, reconciliation.

Amounts are signed integer micros. Committed money is the sum of reserve, release, charge, refund and adjustment; an
estimate is a quote, and `unreconciled` marks the part of the standing reserves that may or may not have been charged.
What belongs here: what is booked when. What does not: prices (model.money) and who may spend (claims).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.statements import add_to, insert_missing
from geo_assets.model.money import EntryKind

COMMITTED = frozenset({EntryKind.RESERVE, EntryKind.RELEASE, EntryKind.CHARGE, EntryKind.REFUND, EntryKind.ADJUSTMENT})
RESERVE_QUANTILE = 0.95
RESERVE_MIN_CHARGES = 20
RESERVE_RECENT = 200
_SPEND_KEYS = ("date", "platform", "tenant", "monitor", "currency")


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """Quote, reserved, charged and open for one (tenant, monitor, platform, currency) of a date, in micros.

    `reserved` is what is still held, of which `unreconciled` belongs to attempts whose fate is unknown. `balanced`:
    every attempt is explained by its entries.
    """

    date: str
    platform: str
    tenant: str
    monitor: str
    currency: str
    estimated: int
    reserved: int
    charged: int
    refunded: int
    adjusted: int
    unreconciled: int
    attempts: int
    unexplained_attempts: int

    @property
    def committed(self) -> int:
        """Held and spent."""
        return self.reserved + self.charged + self.refunded + self.adjusted

    @property
    def balanced(self) -> bool:
        """Whether the entries explain every attempt."""
        return self.unexplained_attempts == 0


def entry(
    kind: EntryKind, attempt: Mapping[str, Any], amount: int, now: int, *, suffix: str = "", note: str | None = None
) -> dict[str, Any]:
    """One entry of an attempt; its key is kind, attempt and `suffix`."""
    return {
        "entry_key": f"{kind}:{attempt['attempt_id']}{suffix}",
        "date": attempt["date"],
        "tenant": attempt["tenant"],
        "monitor": attempt["monitor"],
        "platform": attempt["platform"],
        "account": attempt["account"],
        "sample_id": attempt["sample_id"],
        "attempt_id": attempt["attempt_id"],
        "kind": kind.value,
        "currency": attempt["currency"],
        "amount_micros": amount,
        "price_version": attempt["price_version"],
        "note": note,
        "booked_at": now,
        "simulated": attempt["simulated"],
    }


def book(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Append entries and keep the running sums. A key that is booked already is left alone, in both."""
    if not rows:
        return
    keys = [row["entry_key"] for row in rows]
    known = set(connection.execute(sa.select(t.entries.c.entry_key).where(t.entries.c.entry_key.in_(keys))).scalars())
    fresh = [row for row in rows if row["entry_key"] not in known]
    insert_missing(connection, t.entries, fresh)
    sums: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0])
    for row in fresh:
        amounts = sums[tuple(row[name] for name in _SPEND_KEYS)]
        if row["kind"] == EntryKind.ESTIMATE:
            amounts[0] += row["amount_micros"]
        elif EntryKind(row["kind"]) in COMMITTED:
            amounts[1] += row["amount_micros"]
    add_spend(
        connection,
        [
            dict(zip(_SPEND_KEYS, key, strict=True)) | {"estimated_micros": estimated, "committed_micros": committed}
            for key, (estimated, committed) in sums.items()
            if estimated or committed
        ],
    )


def add_spend(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add to the running sums."""
    add_to(connection, t.spend, _SPEND_KEYS, rows)


def settle_entries(
    attempt: Mapping[str, Any], now: int, *, charge: int | None, executed: bool | None
) -> list[dict[str, Any]]:
    """What settling an attempt books.

    `charge`: micros, None = not known. `executed`: False = surely not executed, None = nobody knows. A known charge (0
    included) of a finished call releases the reserve; where nobody knows, the reserve stands and is marked
    unreconciled. An attempt that was marked so before and is settled now is unmarked.
    """
    held = attempt["reserved_micros"]
    was_uncertain = attempt["state"] in {"uncertain", "abandoned"}
    if charge is None and executed is not False:
        if was_uncertain:
            return []
        return [entry(EntryKind.UNRECONCILED, attempt, held, now)]
    rows = [entry(EntryKind.RELEASE, attempt, -held, now)]
    if charge:
        rows.append(entry(EntryKind.CHARGE, attempt, charge, now))
    if was_uncertain:
        rows.append(entry(EntryKind.UNRECONCILED, attempt, -held, now, suffix=":cleared"))
    return rows


def reserve_from_charges(database: Database, platform: str, model: str) -> int | None:
    """The 95th percentile (nearest rank) of the last 200 charges of (platform, model); None with fewer than 20."""
    statement = (
        sa.select(t.attempts.c.charged_micros)
        .where(t.attempts.c.platform == platform, t.attempts.c.model == model, t.attempts.c.charged_micros.is_not(None))
        .where(t.attempts.c.answered_at.is_not(None))
        .order_by(t.attempts.c.answered_at.desc())
        .limit(RESERVE_RECENT)
    )
    with database.reading() as connection:
        charges = sorted(connection.execute(statement).scalars())
    if len(charges) < RESERVE_MIN_CHARGES:
        return None
    return int(charges[math.ceil(RESERVE_QUANTILE * len(charges)) - 1])


def reconcile(database: Database, date: str, platform: str | None = None) -> list[Reconciliation]:
    """Quote ↔ reserved ↔ charged per (tenant, monitor, platform, currency), from the entries alone."""
    sums: dict[tuple[str, ...], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    entry_where, attempt_where = t.entries.c.date == date, t.attempts.c.date == date
    if platform is not None:
        entry_where = sa.and_(entry_where, t.entries.c.platform == platform)
        attempt_where = sa.and_(attempt_where, t.attempts.c.platform == platform)
    group = [t.entries.c[name] for name in _SPEND_KEYS]
    totals = (
        sa.select(*group, t.entries.c.kind, sa.func.sum(t.entries.c.amount_micros).label("amount"))
        .where(entry_where)
        .group_by(*group, t.entries.c.kind)
    )
    attempt_group = [t.attempts.c[name] for name in _SPEND_KEYS]
    per_attempt = (
        sa.select(
            t.entries.c.attempt_id,
            sa.func.count().label("entries"),
            sa.func.sum(sa.case((t.entries.c.kind == EntryKind.RESERVE.value, 1), else_=0)).label("reserves"),
            sa.func.sum(sa.case((t.entries.c.kind == EntryKind.RELEASE.value, 1), else_=0)).label("releases"),
            sa.func.sum(
                sa.case((t.entries.c.kind == EntryKind.UNRECONCILED.value, t.entries.c.amount_micros), else_=0)
            ).label("open_unreconciled"),
            sa.func.sum(sa.case((t.entries.c.kind == EntryKind.UNRECONCILED.value, 1), else_=0)).label("marks"),
        )
        .where(entry_where, t.entries.c.attempt_id.is_not(None))
        .group_by(t.entries.c.attempt_id)
        .subquery()
    )
    in_flight = t.attempts.c.state.in_(["submitting", "accepted"])
    explained = sa.and_(
        per_attempt.c.reserves == 1,
        sa.or_(in_flight, per_attempt.c.releases == 1, per_attempt.c.marks == 1),
    )
    tried = (
        sa.select(
            *attempt_group,
            sa.func.count().label("attempts"),
            sa.func.sum(sa.case((explained, 0), else_=1)).label("unexplained"),
        )
        .select_from(t.attempts.outerjoin(per_attempt, per_attempt.c.attempt_id == t.attempts.c.attempt_id))
        .where(attempt_where)
        .group_by(*attempt_group)
    )
    with database.reading() as connection:
        for row in connection.execute(totals):
            sums[tuple(row[:5])][row.kind] += int(row.amount)
        for row in connection.execute(tried):
            sums[tuple(row[:5])]["attempts"] += row.attempts
            sums[tuple(row[:5])]["unexplained"] += int(row.unexplained)
    return [_reconciliation(key, amounts) for key, amounts in sorted(sums.items())]


def _reconciliation(key: tuple[str, ...], amounts: Mapping[str, int]) -> Reconciliation:
    date, platform, tenant, monitor, currency = key
    return Reconciliation(
        date=date,
        platform=platform,
        tenant=tenant,
        monitor=monitor,
        currency=currency,
        estimated=amounts[EntryKind.ESTIMATE],
        reserved=amounts[EntryKind.RESERVE] + amounts[EntryKind.RELEASE],
        charged=amounts[EntryKind.CHARGE],
        refunded=amounts[EntryKind.REFUND],
        adjusted=amounts[EntryKind.ADJUSTMENT],
        unreconciled=amounts[EntryKind.UNRECONCILED],
        attempts=amounts["attempts"],
        unexplained_attempts=amounts["unexplained"],
    )


def spent(connection: Connection, date: str, platform: str) -> list[Mapping[str, Any]]:
    """The running sums of a partition, and of its monitors on other platforms of the same date."""
    statement = sa.select(t.spend).where(
        t.spend.c.date == date,
        sa.or_(
            t.spend.c.platform == platform,
            sa.tuple_(t.spend.c.tenant, t.spend.c.monitor).in_(
                sa.select(t.spend.c.tenant, t.spend.c.monitor).where(
                    t.spend.c.date == date, t.spend.c.platform == platform
                )
            ),
        ),
    )
    return [dict(row) for row in connection.execute(statement).mappings()]


def drift(database: Database, date: str) -> dict[tuple[str, ...], int]:
    """Running sums minus sums over entries, where they differ. Empty unless there is a bug; a check calls it."""
    committed = (
        sa.select(*(t.entries.c[name] for name in _SPEND_KEYS), sa.func.sum(t.entries.c.amount_micros).label("amount"))
        .where(t.entries.c.date == date, t.entries.c.kind.in_(sorted(kind.value for kind in COMMITTED)))
        .group_by(*(t.entries.c[name] for name in _SPEND_KEYS))
    )
    kept = sa.select(t.spend).where(t.spend.c.date == date)
    with database.reading() as connection:
        booked = {tuple(row[:5]): int(row.amount) for row in connection.execute(committed)}
        running = {
            tuple(row[name] for name in _SPEND_KEYS): row["committed_micros"]
            for row in connection.execute(kept).mappings()
        }
    keys: Iterable[tuple[str, ...]] = booked.keys() | running.keys()
    return {key: running.get(key, 0) - booked.get(key, 0) for key in keys if running.get(key, 0) != booked.get(key, 0)}
