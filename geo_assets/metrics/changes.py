"""Verdicts on changes: did a number move, or is this the noise of good and bad days?

A platform has days that lift or lower all questions at once, so days are the units: the last 7 against the 28 before,
by Welch's t, on common questions of one series. What does not belong here: day-on-day differences (shown, never
judged) and the published levels (`visibility`).
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from geo_assets.metrics.intervals import Pair
from geo_assets.metrics.student import t_quantile, t_tail
from geo_assets.metrics.windows import COMPLETE, window_dates
from geo_assets.model.text import content_hash

RECENT_DAYS, BASE_DAYS = 7, 28
ALPHA, POWER = 0.05, 0.8


class VerdictKind(StrEnum):
    """What can be said about a change."""

    MOVED = "moved"
    WITHIN_NOISE = "within_noise"
    TOO_FEW = "too_few"
    SERIES_BREAK = "series_break"
    NOT_COMPARABLE = "not_comparable"


@dataclass(frozen=True, slots=True)
class DayValue:
    """One day of one series: numerator and denominator per question, and what makes days comparable.

    `series` is the series identity (`series_identity`), `reading` the reading version, `completeness` counted by
    planned.
    """

    pairs: Mapping[str, Pair]
    series: str
    reading: str
    completeness: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judged change. `change` = recent - base, in the metric's unit; `smallest_visible` is what the design can see.

    `p_value` is that of the weaker of the two days that must agree; None where nothing was tested. `reason` explains
    every kind but moved and within noise.
    """

    kind: VerdictKind
    base: float | None = None
    recent: float | None = None
    change: float | None = None
    smallest_visible: float | None = None
    p_value: float | None = None
    questions: int = 0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class WelchTest:
    """Welch's test of two samples: difference of means, its standard error, degrees of freedom, two-sided p."""

    difference: float
    error: float
    df: float
    p_value: float

    @property
    def smallest_visible(self) -> float:
        """The change that this design finds with a chance of 80 % at the 5 % level."""
        return (t_quantile(1 - ALPHA / 2, self.df) + t_quantile(POWER, self.df)) * self.error


def welch(base: Sequence[float], recent: Sequence[float]) -> WelchTest:
    """Welch's unequal-variances t test, degrees of freedom after Satterthwaite. Each side needs two values."""
    sides = []
    for values in (base, recent):
        mean = math.fsum(values) / len(values)
        sides.append((mean, math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values), len(values)))
    (mean_a, var_a, n_a), (mean_b, var_b, n_b) = sides
    difference, variance = mean_b - mean_a, var_a + var_b
    if variance <= 1e-24:
        return WelchTest(difference, 0.0, n_a + n_b - 2.0, 1.0 if abs(difference) <= 1e-12 else 0.0)
    df = variance**2 / (var_a**2 / (n_a - 1) + var_b**2 / (n_b - 1))
    error = math.sqrt(variance)
    return WelchTest(difference, error, df, t_tail(difference / error, df))


def series_identity(
    plan_rows: Iterable[Mapping[str, Any]], answer_rows: Iterable[Mapping[str, Any]], **more: str
) -> str:
    """Identity of a day's series: 16 hex digits over all that a change of breaks the line.

    From the plan: model asked, search, region, device, mode; from the answers: parser (the dialect's version) and model
    served; `more` takes what rows do not carry (platform, channel, hash of request parameters).
    """
    asked = {tuple(str(r[k]) for k in ("model_asked", "search_asked", "region", "device", "mode")) for r in plan_rows}
    served = {tuple(str(r[k]) for k in ("parser", "model_served")) for r in answer_rows if r.get("parser")}
    return content_hash([sorted(asked), sorted(served), more])[:16]


def judge(days: Mapping[str, DayValue], date: str) -> Verdict:
    """The verdict on one series as of `date`, before false-alarm control over its family (`control`).

    Needs all of the 36 days up to `date`: 28 + 7, and one more for the confirmation, for the test must agree in
    direction and significance on `date` and on the day before.
    """
    needed = window_dates(date, RECENT_DAYS + BASE_DAYS + 1)
    if lacking := [d for d in needed if d not in days or days[d].completeness < COMPLETE]:
        return Verdict(VerdictKind.TOO_FEW, reason=f"{len(lacking)} of {len(needed)} days missing or incomplete")
    if len({days[d].reading for d in needed}) > 1:
        return Verdict(VerdictKind.NOT_COMPARABLE, reason="days were read differently: read the older ones again")
    if len({days[d].series for d in needed}) > 1:
        return Verdict(VerdictKind.SERIES_BREAK, reason="platform, model, dialect or search contract changed")
    common = _regular(days, needed[:-RECENT_DAYS]) & _regular(days, needed[-RECENT_DAYS:])
    if not all(any(days[d].pairs.get(q, (0, 0))[1] > 0 for q in common) for d in needed):
        return Verdict(VerdictKind.TOO_FEW, reason="no question was answered on most days of both sides")
    values = [_day_value(days[d], common) for d in needed]
    today = welch(values[1:-RECENT_DAYS], values[-RECENT_DAYS:])
    before = welch(values[: -RECENT_DAYS - 1], values[-RECENT_DAYS - 1 : -1])
    confirmed = today.difference * before.difference > 0
    p_value = max(today.p_value, before.p_value) if confirmed else 1.0
    base = math.fsum(values[1:-RECENT_DAYS]) / BASE_DAYS
    return Verdict(
        VerdictKind.MOVED if p_value <= ALPHA else VerdictKind.WITHIN_NOISE,
        base=base,
        recent=base + today.difference,
        change=today.difference,
        smallest_visible=today.smallest_visible,
        p_value=p_value,
        questions=len(common),
    )


def _regular(days: Mapping[str, DayValue], dates: Sequence[str]) -> set[str]:
    """Questions answered on at least 80 % of the dates: the rest would shift days by their coming and going."""
    seen = Counter(q for d in dates for q, (_, x) in days[d].pairs.items() if x > 0)
    return {q for q, n in seen.items() if n >= COMPLETE * len(dates)}


def _day_value(day: DayValue, questions: set[str]) -> float:
    pairs = [day.pairs[q] for q in sorted(questions) if q in day.pairs]
    return math.fsum(y for y, _ in pairs) / math.fsum(x for _, x in pairs)


def control(family: Mapping[Hashable, Verdict], rate: float = ALPHA) -> dict[Hashable, Verdict]:
    """Benjamini-Hochberg over the tested verdicts of a family: what does not pass is within noise.

    The family is a monitor's headline metrics of one week, over its brands and platforms. Verdicts that tested nothing
    are returned as they are.
    """
    tested = sorted((v.p_value, str(k), k) for k, v in family.items() if v.p_value is not None)
    passing = 0
    for rank, (p_value, _, _) in enumerate(tested, 1):
        if p_value <= rate * rank / len(tested):
            passing = rank
    moved = {key for _, _, key in tested[:passing]}
    result = dict(family)
    for _, _, key in tested:
        kind = VerdictKind.MOVED if key in moved else VerdictKind.WITHIN_NOISE
        result[key] = replace(family[key], kind=kind)
    return result
