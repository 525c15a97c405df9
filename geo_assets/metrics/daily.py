"""Numbers of a day over windows and platforms: `daily_visibility`.

What belongs here: windows of 7 and 28 days from the answers of their days, and all rows in order. What does not:
metrics of one partition (`visibility`), the mean of platforms (`overall`), judging changes (`changes`).
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from geo_assets.metrics.observations import Observation
from geo_assets.metrics.overall import Overall
from geo_assets.metrics.scopes import ALL
from geo_assets.metrics.tally import Tally, tally
from geo_assets.metrics.visibility import Frame, MetricRow, refuse_mixture
from geo_assets.metrics.windows import WINDOWS, Window, window_dates
from geo_assets.model.dictionary import Dictionary


def daily_rows(
    date: str,
    monitor_id: str,
    dictionary: Dictionary,
    days: Iterable[tuple[str, str, Sequence[Observation]]],
    *,
    platforms: Sequence[str],
    weights: Mapping[str, float] | None = None,
    reasons: Mapping[str, str] | None = None,
    search_asked: Mapping[str, bool] | None = None,
    simulated: bool = False,
) -> list[MetricRow]:
    """All rows of one monitor for `daily_visibility` of `date`, in key order.

    Args:
        date: the capture date, YYYY-MM-DD; windows end on it.
        monitor_id: the monitor.
        dictionary: what all days were read with. A window whose days were read differently is null (mixed_readings).
        days: (platform, date, observations) for the 28 days up to `date`, in a fixed order; a generator is best, for
            each day is added up and let go. Days on which nothing was planned may be left out.
        platforms: the platforms of the monitor. All of them must be complete for numbers over all platforms.
        weights: platform → weight; 1 where missing. They are scaled to sum to 1 over `platforms`.
        reasons: platform → why nothing was planned on `date`.
        search_asked: platform → asked with search (True where missing), for days without a plan.
        simulated: the profile; observations of the other one are refused.

    Raises:
        ValueError: see `partition_metrics`; also a platform or date that does not belong here.
    """
    windows = MonitorWindows(
        date,
        monitor_id,
        dictionary,
        platforms=platforms,
        weights=weights,
        reasons=reasons,
        search_asked=search_asked,
        simulated=simulated,
    )
    for platform, day, samples in days:
        refuse_mixture(monitor_id, samples, simulated=simulated)
        windows.add(platform, day, tally(samples, dictionary))
    return list(windows.rows())


class MonitorWindows:
    """The windows of one monitor that end on `date`, added up day by day. Arguments as for `daily_rows`."""

    def __init__(
        self,
        date: str,
        monitor_id: str,
        dictionary: Dictionary,
        *,
        platforms: Sequence[str],
        weights: Mapping[str, float] | None = None,
        reasons: Mapping[str, str] | None = None,
        search_asked: Mapping[str, bool] | None = None,
        simulated: bool = False,
    ) -> None:
        self.date, self.monitor, self.dictionary, self.simulated = date, monitor_id, dictionary, simulated
        self.platforms = platforms
        self._weights = _normalised(platforms, weights or {})
        self._reasons, self._search_asked = reasons or {}, search_asked or {}
        self._dates = {name: set(window_dates(date, length)) for name, length in WINDOWS.items()}
        self._windows = {p: {w: Window() for w in WINDOWS} for p in platforms}

    def add(self, platform: str, day: str, counts: Tally) -> None:
        """Add the tally of one platform and day, which must not change afterwards.

        Raises ValueError where platform or day does not belong here.
        """
        if platform not in self._windows:
            raise ValueError(f"{self.monitor}: {platform} is none of its platforms {sorted(self._windows)}")
        if day not in self._dates["28d"]:
            raise ValueError(f"{self.monitor}: {day} is none of the 28 days up to {self.date}")
        for name, window in self._windows[platform].items():
            if day in self._dates[name]:
                window.add(day, counts)

    def rows(self) -> Iterator[MetricRow]:
        """All rows, in key order. Those of one platform are in memory together: hundreds of brands have many."""
        for platform in sorted({*self.platforms, ALL}):
            rows: list[MetricRow] = []
            if platform in self._windows:
                for name, window in self._windows[platform].items():
                    found = self._frame(platform, name).rows(window.counts)
                    rows += [{"platform": platform, **row} for row in found]
            if platform == ALL:
                for name in WINDOWS:
                    members = {p: self._windows[p][name] for p in self.platforms}
                    frames = {p: self._frame(p, name) for p in self.platforms}
                    found = Overall(members, frames, self._weights).rows()
                    rows += [{"platform": platform, **row} for row in found]
            yield from sorted(rows, key=daily_key)

    def _frame(self, platform: str, window: str) -> Frame:
        note = _days_note(self._windows[platform][window].answered_days, WINDOWS[window])
        return Frame(
            self.monitor,
            self.dictionary,
            window,
            self.simulated,
            self._search_asked.get(platform, True),
            self._reasons.get(platform),
            note,
        )


def daily_key(row: Mapping[str, object]) -> tuple[str, ...]:
    """The key of a row of `daily_visibility`; also the order of its rows."""
    names = ("monitor", "platform", "brand", "window", "metric", "segment", "question_scope", "search_scope")
    return tuple(str(row[k]) for k in names)


def _days_note(answered: int, length: int) -> str:
    return "" if length in {answered, 1} else f"{answered} of {length} days"


def _normalised(platforms: Sequence[str], weights: Mapping[str, float]) -> dict[str, float]:
    raw = {p: float(weights.get(p, 1.0)) for p in platforms}
    if any(not w > 0 or math.isinf(w) for w in raw.values()):
        raise ValueError(f"platform_weights must be positive numbers, not {raw}")
    total = math.fsum(raw.values())
    return {p: w / total for p, w in raw.items()}
