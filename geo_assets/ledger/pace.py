"""Pace: how fast calls may leave on one lane of an (platform, account), for all processes and machines together.

The generic cell rate algorithm (GCRA, ITU-T I.371) keeps one number per lane, the theoretical arrival time of the next
call. Slots are reserved in the claim's own transaction, so a rate is exact whoever asks. What belongs here: the
algorithm and how the rate adapts, as functions of a row. What does not: sleeping, and waits of a single sample.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.engine import Connection

from geo_assets.ledger import tables as t
from geo_assets.ledger.engine import Database
from geo_assets.ledger.statements import locked_row, store_row

SECOND = 1_000_000

MARGIN = 0.97
"""Share of the configured rate that is used: calls reach a platform with a jitter that its own limiter must not see."""

LEAD_US = 20_000
"""No slot is nearer than this: the claim's commit and the way to the call take their time."""

WINDOW_CALLS = 50
WINDOW_US = 5 * SECOND
SLOW_SHARE = 0.20
"""A window's throttled share above which the pace slows; below it, throttled calls only delay their own samples."""

CLEAN_SHARE = 0.05
"""A window with no more than this went well: its rate is one to come back to."""

BACK_OFF = 0.95
"""After slowing: the share of the last good, or just measured, rate that is used."""

DEEPEST_CUT = 0.4

STEADY_US = 45 * SECOND
PROBE_STEP = 0.02
PROBE_US = 5 * SECOND
FLOOR = 0.02
"""The pace never falls below this share of the configured rate."""

KEYS = ("platform", "account", "lane")


@dataclass(frozen=True, slots=True)
class LaneLimit:
    """Configured limits of a lane: calls a second, burst, calls at once."""

    per_second: float
    burst: int
    concurrency: int


def load(connection: Connection, platform: str, account: str, lane: str, limit: LaneLimit, now: int) -> dict[str, Any]:
    """The lane's row, locked. A changed configuration takes effect at once and forgets what was learned."""
    keys = {"platform": platform, "account": account, "lane": lane}
    fresh = {
        "tat": now,
        "rate": limit.per_second,
        "configured_rate": limit.per_second,
        "good_rate": 0.0,
        "window_start": now,
        "window_calls": 0,
        "window_throttled": 0,
        "steady_until": 0,
    }
    row = locked_row(connection, t.pace, keys, fresh)
    if row["configured_rate"] != limit.per_second:
        row |= {"rate": limit.per_second, "configured_rate": limit.per_second, "good_rate": 0.0, "steady_until": 0}
    # No reservation reaches further than this; a time beyond it was written before the clock stepped back.
    furthest = now + 2 * SECOND + int(interval_us(row) * (limit.burst + limit.concurrency + 1))
    if row["tat"] > furthest:
        row["tat"] = now
        store(connection, row)
    return row


def store(connection: Connection, row: Mapping[str, Any]) -> None:
    """Write the row back."""
    store_row(connection, t.pace, KEYS, row)


def interval_us(row: Mapping[str, Any]) -> float:
    """Microseconds between calls at the present pace."""
    return SECOND / (float(row["rate"]) * MARGIN)


def slots(row: Mapping[str, Any], limit: LaneLimit, now: int, wanted: int, horizon_us: int) -> list[int]:
    """Send times of up to `wanted` calls that may leave before `now + horizon_us`."""
    step = interval_us(row)
    times: list[int] = []
    soonest = now + LEAD_US
    for index in range(wanted):
        at = max(float(soonest), max(row["tat"], soonest) + index * step - (limit.burst - 1) * step)
        if at > now + horizon_us:
            break
        times.append(int(at))
    return times


def take(row: dict[str, Any], now: int, count: int, lead_us: int = LEAD_US) -> None:
    """Reserve the first `count` of the slots just offered."""
    row["tat"] = int(max(row["tat"], now + lead_us) + count * interval_us(row))


def next_slot(row: Mapping[str, Any], limit: LaneLimit, now: int, lead_us: int = LEAD_US) -> int:
    """When the next call may leave, at least `lead_us` from now."""
    return max(now + lead_us, int(row["tat"] - (limit.burst - 1) * interval_us(row)))


def observe(row: dict[str, Any], now: int, calls: int, throttled: int) -> str | None:
    """Count finished calls; slow down or speed up when a window is full. Returns what changed, for the log.

    A window above `SLOW_SHARE` sends the pace back to just below the last rate that went well, or where there is none,
    to just below what the window itself measured (rate × share that passed). After a steady time it probes upwards in
    small steps.
    """
    row["window_calls"] += calls
    row["window_throttled"] += throttled
    age = now - row["window_start"]
    if age < 0 or (age > 60 * SECOND and row["window_calls"] < WINDOW_CALLS):
        row |= {"window_start": now, "window_calls": 0, "window_throttled": 0}
        return None
    change = _recover(row, now)
    if row["window_calls"] < WINDOW_CALLS or age < WINDOW_US:
        return change
    share = row["window_throttled"] / row["window_calls"]
    sent_rate = min(row["rate"], row["window_calls"] * SECOND / age)
    row |= {"window_start": now, "window_calls": 0, "window_throttled": 0}
    if share <= SLOW_SHARE:
        if share <= CLEAN_SHARE:
            row["good_rate"] = row["rate"]
        return change
    measured = max(sent_rate / MARGIN * (1 - share), row["rate"] * DEEPEST_CUT)
    good = row["good_rate"] if 0 < row["good_rate"] < row["rate"] else measured
    row["rate"] = max(row["configured_rate"] * FLOOR, good * BACK_OFF)
    row |= {"good_rate": 0.0, "steady_until": now + STEADY_US}
    return f"slowed to {row['rate']:.2f}/s: {share:.0%} of recent calls were throttled"


def _recover(row: dict[str, Any], now: int) -> str | None:
    if row["rate"] >= row["configured_rate"]:
        return None
    row["steady_until"] = min(row["steady_until"], now + STEADY_US)  # less only if the clock stepped back
    if now < row["steady_until"]:
        return None
    row["rate"] = min(row["configured_rate"], row["rate"] * (1 + PROBE_STEP))
    row["steady_until"] = now + PROBE_US
    return f"sped up to {row['rate']:.2f}/s" if row["rate"] == row["configured_rate"] else None


def reserve_slot(
    database: Database, platform: str, account: str, lane: str, limit: LaneLimit, lead_us: int = LEAD_US
) -> int:
    """Take one slot outside a claim, for a further exchange, or instead of a missed one; returns its send time."""

    def work(connection: Connection) -> int:
        now = database.now()
        row = load(connection, platform, account, lane, limit, now)
        at = next_slot(row, limit, now, lead_us)
        take(row, now, 1, lead_us)
        store(connection, row)
        return at

    return database.write(work)
