"""The outbox of alerts: raised in the transaction of what they are about, handed out to one deliverer at a time.

The transactional outbox pattern (Richardson, *Microservices Patterns*, ch. 3.2.2): an alert exists if, and only if,
what it tells of was committed. Kind, subject and capture date identify it, so raising it again changes nothing. What
belongs here: rows. What does not: sending.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.rows import to_datetime
from geo_assets.ledger.statements import insert_missing
from geo_assets.model.alerts import Alert, AlertKind

SECOND = 1_000_000
NEWS_US = 48 * 3600 * SECOND
"""Older alerts are no news: a destination that is new, or was away, is not told of them."""

LEASE_US = 60 * SECOND
"""How long a deliverer has an alert for itself; longer than any sending takes."""

RETRY_FIRST_US = 5 * SECOND
RETRY_LONGEST_US = 600 * SECOND
KEYS = ("kind", "subject", "date")


@dataclass(frozen=True, slots=True)
class Delivery:
    """One alert at one destination. `delivered_at` None: not yet; `error` then says why the last try failed."""

    destination: str
    tries: int
    delivered_at: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class AlertRow:
    """An alert as kept, with what became of it at each destination that was tried."""

    alert: Alert
    raised_at: datetime
    deliveries: list[Delivery]


def record(connection: Connection, alerts: Iterable[Alert], now: int) -> tuple[Alert, ...]:
    """Raise alerts inside a transaction; returns those that had not been raised before."""
    wanted = {alert.key: alert for alert in alerts}
    if not wanted:
        return ()
    a = t.alerts.c
    known = {
        tuple(row)
        for row in connection.execute(
            sa.select(a.kind, a.subject, a.date).where(sa.tuple_(a.kind, a.subject, a.date).in_(list(wanted)))
        )
    }
    fresh = tuple(alert for key, alert in sorted(wanted.items()) if key not in known)
    insert_missing(
        connection,
        t.alerts,
        [{**dict(zip(KEYS, alert.key, strict=True)), "detail": alert.detail, "raised_at": now} for alert in fresh],
    )
    return fresh


def raise_alerts(database: Database, alerts: Sequence[Alert]) -> tuple[Alert, ...]:
    """Raise alerts by themselves; returns the new ones. Raising known ones takes no write lock."""
    known = _known(database, alerts)
    news = [alert for alert in alerts if alert.key not in known]
    return database.write(lambda connection: record(connection, news, database.now())) if news else ()


def _known(database: Database, alerts: Sequence[Alert]) -> set[tuple[str, ...]]:
    a = t.alerts.c
    keys = [alert.key for alert in alerts]
    with database.reading() as connection:
        found = connection.execute(
            sa.select(a.kind, a.subject, a.date).where(sa.tuple_(a.kind, a.subject, a.date).in_(keys))
        )
        return {tuple(row) for row in found}


def take(database: Database, destination: str, kinds: Sequence[AlertKind]) -> Alert | None:
    """The oldest alert of these kinds that a destination has not had, if any; the caller has it to itself.

    It must say `delivered` or `failed` within `LEASE_US`; otherwise the alert is handed out again.
    """
    now = database.now()
    waiting = _waiting(destination, kinds, now)
    with database.reading() as connection:
        if connection.execute(waiting.limit(1)).first() is None:
            return None
    d = t.alert_deliveries.c

    def work(connection: Connection) -> Alert | None:
        for row in connection.execute(waiting).mappings():
            keys = {name: row[name] for name in KEYS} | {"destination": destination}
            alert = Alert(AlertKind(row["kind"]), row["subject"], row["date"], row["detail"])
            insert_missing(connection, t.alert_deliveries, [keys])
            mine = connection.execute(
                sa.update(t.alert_deliveries)
                .where(_of(alert, destination))
                .where(d.delivered_at.is_(None), d.next_try_at <= now)
                .values(tries=d.tries + 1, next_try_at=now + LEASE_US)
            )
            if mine.rowcount:
                return alert
        return None

    return database.write(work)


def _waiting(destination: str, kinds: Sequence[AlertKind], now: int) -> sa.Select[tuple[str, str, str, str]]:
    a, d = t.alerts.c, t.alert_deliveries.c
    same = sa.and_(*(d[name] == a[name] for name in KEYS), d.destination == destination)
    return (
        sa.select(a.kind, a.subject, a.date, a.detail)
        .select_from(t.alerts.outerjoin(t.alert_deliveries, same))
        .where(a.raised_at > now - NEWS_US, a.kind.in_([kind.value for kind in kinds]))
        .where(sa.or_(d.destination.is_(None), sa.and_(d.delivered_at.is_(None), d.next_try_at <= now)))
        .order_by(a.raised_at, a.kind, a.subject)
    )


def delivered(database: Database, alert: Alert, destination: str) -> None:
    """A destination has taken it."""
    values = {"delivered_at": database.now(), "error": None}
    database.write(lambda connection: _update(connection, alert, destination, values))


def failed(database: Database, alert: Alert, destination: str, error: str) -> None:
    """It could not be delivered: to be tried again, after 5 s at first, doubling to 10 minutes."""
    tries = sa.select(t.alert_deliveries.c.tries).where(_of(alert, destination))

    def work(connection: Connection) -> None:
        doublings = min(connection.execute(tries).scalar_one() - 1, 10)
        wait = min(RETRY_LONGEST_US, RETRY_FIRST_US << doublings)
        _update(connection, alert, destination, {"error": error, "next_try_at": database.now() + wait})

    database.write(work)


def _of(alert: Alert, destination: str) -> sa.ColumnElement[bool]:
    d = t.alert_deliveries.c
    keys = dict(zip(KEYS, alert.key, strict=True)) | {"destination": destination}
    return sa.and_(*(d[name] == value for name, value in keys.items()))


def _update(connection: Connection, alert: Alert, destination: str, values: Mapping[str, object]) -> None:
    connection.execute(sa.update(t.alert_deliveries).where(_of(alert, destination)).values(values))


def alerts_of(database: Database, date: str) -> list[AlertRow]:
    """The alerts of a capture date in the order raised, with their deliveries."""
    a, d = t.alerts.c, t.alert_deliveries.c
    same = sa.and_(*(d[name] == a[name] for name in KEYS))
    statement = (
        sa.select(t.alerts, d.destination, d.tries, d.delivered_at, d.error)
        .select_from(t.alerts.outerjoin(t.alert_deliveries, same))
        .where(a.date == date)
        .order_by(a.raised_at, a.kind, a.subject, d.destination)
    )
    found: dict[tuple[str, ...], AlertRow] = {}
    with database.reading() as connection:
        for row in connection.execute(statement).mappings():
            alert = Alert(AlertKind(row["kind"]), row["subject"], row["date"], row["detail"])
            raised = to_datetime(row["raised_at"])
            assert raised is not None
            deliveries = found.setdefault(alert.key, AlertRow(alert, raised, [])).deliveries
            if row["destination"] is not None:
                when = to_datetime(row["delivered_at"])
                deliveries.append(Delivery(row["destination"], row["tries"], when, row["error"]))
    return list(found.values())
