"""The circuit breaker per (platform, account): when a platform fails for everybody, nobody goes on asking it.

States after Nygard, *Release It!*: closed, open, half-open, over a sliding window of the last calls; shared through the
ledger. A *stop* is harder than open: wrong key or unpaid bill, which no waiting mends. What belongs here: the rules as
functions of a row. What does not: which error counts (model.errors).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy.engine import Connection

from geo_assets.ledger import tables as t
from geo_assets.ledger.statements import locked_row, store_row

SECOND = 1_000_000
WINDOW = 20
MIN_CALLS = 12
OPEN_SHARE = 0.6
FIRST_OPEN_US = 30 * SECOND
MAX_OPEN_US = 600 * SECOND
PROBES = 2
LONG_OPENINGS = 5
"""Openings in a row after which people should know: by then it has been open for about eight minutes."""
KEYS = ("platform", "account")


class BreakerState(StrEnum):
    """Closed lets calls through, open none, half-open one at a time."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True)
class Gate:
    """What the breaker lets through now: at most `limit` calls at once (None = no limit).

    If it is 0, nothing leaves before `until` (None = not before a person acts).
    """

    limit: int | None
    until: int | None = None
    reason: str | None = None


def load(connection: Connection, platform: str, account: str) -> dict[str, Any]:
    """The account's row, locked."""
    fresh = {
        "state": BreakerState.CLOSED.value,
        "recent": "",
        "opened_at": 0,
        "open_until": 0,
        "openings": 0,
        "probes_passed": 0,
    }
    return locked_row(connection, t.breakers, {"platform": platform, "account": account}, fresh)


def store(connection: Connection, row: Mapping[str, Any]) -> None:
    """Write the row back."""
    store_row(connection, t.breakers, KEYS, row)


def gate(row: dict[str, Any], now: int, date: str, key_fingerprint: str | None) -> Gate:
    """What may leave now. A stop ends with another key, or on another capture date with one probe at a time."""
    if row["stopped_reason"] is not None:
        if row["stopped_date"] == date and (key_fingerprint is None or row["key_fingerprint"] == key_fingerprint):
            return Gate(0, None, row["stopped_reason"])
        lift(row)
        row["state"] = BreakerState.HALF_OPEN.value
    if row["state"] == BreakerState.OPEN:
        row["open_until"] = min(row["open_until"], now + MAX_OPEN_US)  # less only if the clock stepped back
        if now < row["open_until"]:
            return Gate(0, row["open_until"], "the platform's breaker is open")
        row |= {"state": BreakerState.HALF_OPEN.value, "probes_passed": 0}
    return Gate(1 if row["state"] == BreakerState.HALF_OPEN else None)


def observe(row: dict[str, Any], now: int, *, failed: bool) -> str | None:
    """Count one finished call. Returns what changed, for the log."""
    if row["stopped_reason"] is not None or row["state"] == BreakerState.OPEN:
        return None  # calls that were in flight when it opened say nothing new
    if row["state"] == BreakerState.HALF_OPEN:
        if failed:
            return _open(row, now)
        row["probes_passed"] += 1
        if row["probes_passed"] < PROBES:
            return None
        row |= {"state": BreakerState.CLOSED.value, "recent": "", "openings": 0, "probes_passed": 0}
        return "breaker closed: the platform answers again"
    row["recent"] = (row["recent"] + ("1" if failed else "0"))[-WINDOW:]
    failures = row["recent"].count("1")
    if len(row["recent"]) >= MIN_CALLS and failures >= OPEN_SHARE * len(row["recent"]):
        return _open(row, now)
    return None


def _open(row: dict[str, Any], now: int) -> str:
    wait = min(MAX_OPEN_US, FIRST_OPEN_US * 2 ** min(row["openings"], 10))
    row |= {
        "state": BreakerState.OPEN.value,
        "opened_at": now,
        "open_until": now + wait,
        "openings": row["openings"] + 1,
        "probes_passed": 0,
        "recent": "",
    }
    return f"breaker open for {wait // SECOND} s: most recent calls failed"


def stop(row: dict[str, Any], now: int, date: str, reason: str, key_fingerprint: str | None) -> str:
    """No call leaves on this account on this capture date until a person acts (another key, or `resume`)."""
    row |= {
        "stopped_reason": reason,
        "stopped_date": date,
        "key_fingerprint": key_fingerprint,
        "opened_at": now,
    }
    return f"account stopped: {reason}"


def lift(row: dict[str, Any]) -> None:
    """Forget a stop and start afresh."""
    row |= {
        "stopped_reason": None,
        "stopped_date": None,
        "key_fingerprint": None,
        "state": BreakerState.CLOSED.value,
        "recent": "",
        "openings": 0,
        "probes_passed": 0,
        "open_until": 0,
    }
