"""The weighted mean of platforms' numbers, with its interval: the rows of `daily_visibility` over all platforms.

Answers of different platforms are never pooled: a platform that is asked more often, or answers more often, would
outvote the others.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from geo_assets.metrics.catalogue import (
    PLAIN,
    Metric,
    Pairs,
    Side,
    Slice,
    View,
    as_named,
    as_not_named,
    citation_metrics,
    coverage_at,
    is_published,
)
from geo_assets.metrics.intervals import Interval, effective_size, rate_interval, weighted_interval
from geo_assets.metrics.scopes import ALL, NONBRAND, SEARCHED, asked_search_scope
from geo_assets.metrics.tally import Scope
from geo_assets.metrics.visibility import Frame, MetricRow, ViewOf, views
from geo_assets.metrics.windows import Window, incomplete_platforms
from geo_assets.model.answers import CitationBasis
from geo_assets.model.dictionary import BrandEntry


@dataclass(frozen=True, slots=True)
class Denominators:
    """What the denominators of several platforms have in common: the questions with any, and Σ x·x' of each two."""

    questions: int
    products: Mapping[tuple[int, int], float]

    @classmethod
    def of(cls, columns: Sequence[Mapping[str, float]]) -> "Denominators":
        """From question → x, platform by platform."""
        products = {}
        for i, mine in enumerate(columns):
            for j, theirs in enumerate(columns[: i + 1]):
                few, many = sorted((mine, theirs), key=len)
                products[i, j] = math.fsum(x * many[q] for q, x in few.items() if q in many)
        return cls(len(set().union(*columns)), products)

    def squares(self, factors: Sequence[float]) -> float:
        """Σ over questions of (Σ over platforms of factor · x)²."""
        return math.fsum(
            (1.0 if i == j else 2.0) * factors[i] * factors[j] * value for (i, j), value in self.products.items()
        )


@dataclass(frozen=True, slots=True)
class Overall:
    """Numbers over all platforms of a monitor in one window: Σ weight · platform's number, or null."""

    windows: Mapping[str, Window]
    frames: Mapping[str, Frame]
    weights: Mapping[str, float]
    _shared: dict[tuple[Side, str], Denominators] = field(default_factory=dict, init=False, repr=False, compare=False)

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

    def _denominators(self, side: Side, segment: str, parts: Sequence[Pairs]) -> Denominators:
        """What the platforms' denominators have in common; computed once where it is the same for all brands."""
        if side.by_brand:
            return Denominators.of([p.xs for p in parts])
        if (side, segment) not in self._shared:
            self._shared[side, segment] = Denominators.of([p.xs for p in parts])
        return self._shared[side, segment]

    def _row(
        self, entry: BrandEntry, metric: Metric, segment: str, views_of: Mapping[str, View], lacking: Sequence[str]
    ) -> MetricRow:
        parts = {p: metric.pairs(view) for p, view in sorted(views_of.items())}
        shared = self._denominators(metric.denominator, segment, list(parts.values()))
        unknown = [
            p
            for p, part in parts.items()
            if self.frames[p].null_reason(self.windows[p].counts, metric, views_of[p], self._scope(p), part.sums.x)
        ]
        why = f"incomplete: {', '.join(lacking)}" if lacking else None
        if not why and unknown:
            why = f"no_value: {', '.join(sorted(unknown))}"
        value, interval = (
            (None, Interval(None, None, ""))
            if why
            else _mean(metric, [self.weights[p] for p in parts], list(parts.values()), shared)
        )
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
            "n_questions": shared.questions,
            "null_reason": why,
            "reading_version": " ".join(versions) or f"+{first.dictionary.hash[:12]}",
            "simulated": first.simulated,
        }


def _mean(
    metric: Metric, weights: Sequence[float], parts: Sequence[Pairs], shared: Denominators
) -> tuple[float, Interval]:
    """Σ weight × number of the platform, and its interval.

    A question's residual is Σ w (y - ratio · x) / Σx over platforms. Most questions have no y: what they add follows
    from sums that all brands share, so that the cost is that of the questions that name the brand.
    """
    value = math.fsum(w * p.sums.ratio for w, p in zip(weights, parts, strict=True))
    if metric.interval in {as_named, as_not_named}:
        return value, Interval(None, None, f"weighted_{metric.interval(parts[0].sums).method}")
    ups = [w / p.sums.x for w, p in zip(weights, parts, strict=True)]
    downs = [-up * p.sums.ratio for up, p in zip(ups, parts, strict=True)]
    terms = []
    for question in set().union(*(p.ys for p in parts)):
        named = sum(up * p.ys.get(question, 0.0) for up, p in zip(ups, parts, strict=True))
        rest = sum(down * p.xs.get(question, 0.0) for down, p in zip(downs, parts, strict=True))
        terms += [named * named, 2.0 * named * rest]
    unnamed = shared.squares(downs)
    squares = math.fsum([unnamed, *terms])
    if squares <= 1e-12 * math.fsum([unnamed, *map(abs, terms)]):  # rounding only
        squares = 0.0
    sizes = (
        [(w, effective_size(p.sums)) for w, p in zip(weights, parts, strict=True)]
        if metric.interval is rate_interval
        else None
    )
    return value, weighted_interval(value, squares, shared.questions, sizes, bounds=metric.bounds)
