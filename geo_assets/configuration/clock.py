"""Dates and instants in the project's time zone: capture dates, windows, due days.

Belongs here: arithmetic between instants (aware datetimes) and capture dates (`YYYY-MM-DD`). Does not: reading the
clock; callers pass `now`.

A local day has 23, 24 or 25 hours. A local time that a clock change skips stands for the instant of the change onward
(RFC 5545, section 3.3.5); of one that occurs twice, a window opens at the first and closes at the second.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from geo_assets.model.configuration import Monitor, Platform, Project, Weekday, Window


@dataclass(frozen=True, slots=True)
class Bounds:
    """A half-open span of time in UTC: `opens` belongs to it, `closes` does not."""

    opens: datetime
    closes: datetime

    def contains(self, instant: datetime) -> bool:
        """Whether an aware instant lies within."""
        return self.opens <= _aware(instant) < self.closes


def _aware(instant: datetime) -> datetime:
    if instant.tzinfo is None:
        msg = "an instant needs its time zone: use datetime.now(UTC)"
        raise ValueError(msg)
    return instant


def zone_of(project: Project) -> ZoneInfo:
    """The project's time zone."""
    return ZoneInfo(project.timezone)


def capture_date(instant: datetime, zone: ZoneInfo) -> str:
    """The capture date of an instant: its date in `zone`."""
    return _aware(instant).astimezone(zone).date().isoformat()


def is_past(day: str, now: datetime, zone: ZoneInfo) -> bool:
    """Whether the capture date is over in `zone`; a past day is never asked."""
    return day < capture_date(now, zone)


def day_bounds(day: str, zone: ZoneInfo) -> Bounds:
    """The whole local day, from midnight to the next one: 23, 24 or 25 hours."""
    first = date.fromisoformat(day)
    return Bounds(_instant(first, time(), zone), _instant(first + timedelta(days=1), time(), zone))


def collection_bounds(day: str, window: Window | None, zone: ZoneInfo) -> Bounds:
    """When samples of a capture date may be asked; `closes` is the deadline.

    The deadline is the earlier of the window's end and the next local midnight. Without a window (a manual run) it is
    the whole local day.
    """
    whole = day_bounds(day, zone)
    if window is None:
        return whole
    first = date.fromisoformat(day)
    opens = _instant(first, time.fromisoformat(window.start), zone)
    closes = _instant(first, time.fromisoformat(window.end), zone, last=True)
    return Bounds(max(opens, whole.opens), min(closes, whole.closes))


def window_of(project: Project, platform: Platform) -> Window:
    """The platform's own window, else the project's."""
    return platform.window or project.window


def is_due(monitor: Monitor, day: str) -> bool:
    """Whether the monitor is asked on this capture date: every day, or on its weekday."""
    if monitor.frequency == "daily":
        return True
    return list(Weekday)[date.fromisoformat(day).weekday()] is monitor.weekday


def _instant(day: date, at: time, zone: ZoneInfo, *, last: bool = False) -> datetime:
    """The instant of a local time in UTC; of a repeated one the first, or the last."""
    return datetime.combine(day, at, tzinfo=zone).replace(fold=int(last and _repeated(day, at, zone))).astimezone(UTC)


def _repeated(day: date, at: time, zone: ZoneInfo) -> bool:
    """Whether a local time occurs twice (a skipped one has a smaller offset before than after)."""
    local = datetime.combine(day, at, tzinfo=zone)
    first, second = local.utcoffset(), local.replace(fold=1).utcoffset()
    return first is not None and second is not None and first > second
