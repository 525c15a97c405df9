"""Numbers of a day over windows and platforms: `daily_visibility`.

What belongs here: windows of 7 and 28 days from the answers of their days, and the weighted mean of platforms' rates.
What does not: metrics of one partition (`visibility`), judging changes (`changes`). Answers of different platforms are
never pooled: a platform that is asked more often, or answers more often, would outvote the others.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date as calendar_date
from datetime import timedelta

from geo_assets.metrics.catalogue import (
    PLAIN,
    Metric,
    Slice,
    View,
    as_named,
    as_not_named,
    citation_metrics,
    coverage_at,
    is_published,
)
from geo_assets.metrics.intervals import Interval, Moments, effective_size, rate_interval, weighted_interval
from geo_assets.metrics.observations import Observation
from geo_assets.metrics.scopes import ALL, NONBRAND, SEARCHED, asked_search_scope
from geo_assets.metrics.tally import Scope, Tally, tally
from geo_assets.metrics.visibility import Frame, MetricRow, ViewOf, refuse_mixture, views
from geo_assets.model.answers import CitationBasis
from geo_assets.model.dictionary import BrandEntry, Dictionary

WINDOWS: Mapping[str, int] = {"date": 1, "7d": 7, "28d": 28}
"""Windows and their days; each ends on the day itself."""
COMPLETE = 0.8
"""Share of planned samples that a platform must have counted to take part in a number over all platforms."""


@dataclass(slots=True)
class Window:
    """One platform in one window: the sum of its days, and per day (plan in force, counted)."""

    counts: Tally = field(default_factory=Tally)
    days: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def answered_days(self) -> int:
        """Days with at least one counted answer."""
        return sum(1 for _, counted in self.days.values() if counted)


def window_dates(date: str, days: int) -> list[str]:
    """The `days` dates that end on `date` (YYYY-MM-DD), oldest first."""
    last = calendar_date.fromisoformat(date)
    return [(last - timedelta(days=n)).isoformat() for n in range(days - 1, -1, -1)]


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
    return windows.rows()


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
        """Add the tally of one platform and day. Raises ValueError where either does not belong here."""
        if platform not in self._windows:
            raise ValueError(f"{self.monitor}: {platform} is none of its platforms {sorted(self._windows)}")
        if day not in self._dates["28d"]:
            raise ValueError(f"{self.monitor}: {day} is none of the 28 days up to {self.date}")
        for name, window in self._windows[platform].items():
            if day in self._dates[name]:
                window.counts.add(counts)
                planned, counted = window.days.get(day, (0, 0))
                window.days[day] = (planned + counts.in_force, counted + counts.counted)

    def rows(self) -> list[MetricRow]:
        """All rows, in key order."""
        rows: list[MetricRow] = []
        for name, length in WINDOWS.items():
            members = {p: self._windows[p][name] for p in self.platforms}
            frames = {
                p: Frame(
                    self.monitor,
                    self.dictionary,
                    name,
                    self.simulated,
                    self._search_asked.get(p, True),
                    self._reasons.get(p),
                    _days_note(window.answered_days, length),
                )
                for p, window in members.items()
            }
            for platform, frame in frames.items():
                rows += [{"platform": platform, **row} for row in frame.rows(members[platform].counts)]
            rows += [{"platform": ALL, **row} for row in Overall(members, frames, self._weights).rows()]
        return sorted(rows, key=daily_key)


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


def incomplete_platforms(windows: Mapping[str, Window]) -> list[str]:
    """Platforms that counted less than 80 % of their plan in a window.

    A platform without a plan on a day on which another had one is measured against its own largest day, so that an
    outage of the planner on one platform does not pass for a complete week.
    """
    busy = {d for w in windows.values() for d, (planned, _) in w.days.items() if planned}
    result = []
    for platform, window in windows.items():
        usual = max((planned for planned, _ in window.days.values()), default=0) or 1
        expected = sum(window.days.get(d, (0, 0))[0] or usual for d in busy)
        counted = sum(n for _, n in window.days.values())
        if not busy or counted < COMPLETE * expected:
            result.append(platform)
    return sorted(result)


@dataclass(frozen=True, slots=True)
class Overall:
    """Numbers over all platforms of a monitor in one window: Σ weight · platform's number, or null."""

    windows: Mapping[str, Window]
    frames: Mapping[str, Frame]
    weights: Mapping[str, float]

    def rows(self) -> Iterator[MetricRow]:
        """Headline rows for every brand, metric and segment; other scopes are not averaged over platforms."""
        if not self.windows:
            return
        frame = next(iter(self.frames.values()))
        bases = {b for w in self.windows.values() for b in w.counts.bases} | {CitationBasis.CITED.value}
        metrics = (
            *PLAIN,
            *(coverage_at(k) for k in sorted(set(frame.dictionary.coverage_k))),
            *(m for basis in sorted(bases) for m in citation_metrics(basis)),
        )
        lacking = incomplete_platforms(self.windows)
        for segment, seen in self._segments().items():
            for entry in frame.dictionary.brands:
                views_of = {p: seen[p](entry.id) if p in seen else View(Slice({}, 0), {}) for p in self.windows}
                for metric in metrics:
                    if is_published(metric, segment, product=entry.parent is not None):
                        yield self._row(entry, metric, segment, views_of, lacking)

    def _scope(self, platform: str) -> Scope:
        """A platform's headline scope; where both are asked, the searched one."""
        asked = self.windows[platform].counts.asked or {asked_search_scope(self.frames[platform].search_asked)}
        return (NONBRAND, SEARCHED if SEARCHED in asked else min(asked))

    def _segments(self) -> dict[str, dict[str, ViewOf]]:
        found: dict[str, dict[str, ViewOf]] = defaultdict(dict)
        for platform, window in self.windows.items():
            for segment, view_of in views(window.counts, self._scope(platform), self.frames[platform].dictionary):
                found[segment][platform] = view_of
        return dict(sorted(found.items()))

    def _row(
        self, entry: BrandEntry, metric: Metric, segment: str, views_of: Mapping[str, View], lacking: Sequence[str]
    ) -> MetricRow:
        parts = {p: Part.of(self.weights[p], metric, view) for p, view in sorted(views_of.items())}
        unknown = [
            p
            for p, part in parts.items()
            if self.frames[p].null_reason(self.windows[p].counts, metric, views_of[p], self._scope(p), part.sums.x)
        ]
        why = f"incomplete: {', '.join(lacking)}" if lacking else None
        if not why and unknown:
            why = f"no_value: {', '.join(sorted(unknown))}"
        value, interval = (None, Interval(None, None, "")) if why else _mean(metric, list(parts.values()))
        search = {self._scope(p)[1] for p in self.windows}
        versions = sorted({v for w in self.windows.values() for v in w.counts.reading_versions})
        first = next(iter(self.frames.values()))
        return {
            "monitor": first.monitor,
            "brand": entry.id,
            "brand_role": entry.role.value,
            "window": first.window,
            "metric": metric.name,
            "segment": segment,
            "question_scope": NONBRAND,
            "search_scope": search.pop() if len(search) == 1 else ALL,
            "headline": True,
            "numerator": None,
            "denominator": None,
            "value": value,
            "low": interval.low,
            "high": interval.high,
            "method": interval.method or None,
            "inference": "topic" if interval.low is not None else None,
            "n_questions": len(set().union(*(part.xs for part in parts.values()))),
            "null_reason": why,
            "reading_version": " ".join(versions) or f"+{first.dictionary.hash[:12]}",
            "simulated": first.simulated,
        }


@dataclass(frozen=True, slots=True)
class Part:
    """One platform's share in a mean over platforms: numerators and denominators by question, and their moments."""

    weight: float
    ys: Mapping[str, float]
    xs: Mapping[str, float]
    sums: Moments

    @classmethod
    def of(cls, weight: float, metric: Metric, view: View) -> "Part":
        """The part of one view."""
        xs = metric.denominators(view)
        return cls(weight, metric.numerators(view, xs), xs, metric.moments(view))


def _mean(metric: Metric, parts: Sequence[Part]) -> tuple[float, Interval]:
    """Σ weight × number of the platform, and its interval."""
    value = math.fsum(p.weight * p.sums.ratio for p in parts)
    if metric.interval in {as_named, as_not_named}:
        return value, Interval(None, None, f"weighted_{metric.interval(parts[0].sums).method}")
    residuals: dict[str, float] = defaultdict(float)
    for part in parts:
        up, down = part.weight / part.sums.x, part.weight * part.sums.ratio / part.sums.x
        for question, y in part.ys.items():
            residuals[question] += up * y
        for question, x in part.xs.items():
            residuals[question] -= down * x
    squares = math.fsum(r * r for r in residuals.values())
    sizes = [(p.weight, effective_size(p.sums)) for p in parts] if metric.interval is rate_interval else None
    questions = len(residuals)
    if squares <= 1e-24:  # rounding only
        squares = 0.0
    return value, weighted_interval(value, squares, questions, sizes, bounds=metric.bounds)
