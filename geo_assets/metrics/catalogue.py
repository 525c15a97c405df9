"""The catalogue: every rate, share and mean that we publish, each as one row over the counters of a tally.

What belongs here: numerator, denominator, interval and the reasons for null. What does not: counting (`tally`), names
and explanations for readers (`names`). A metric is Σy / Σx over questions, so intervals, windows and means over
platforms treat all of them alike.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from geo_assets.metrics.intervals import (
    Interval,
    Moments,
    logit_mean_interval,
    mean_interval,
    moments,
    rate_interval,
    ratio_interval,
)
from geo_assets.metrics.scopes import ALL
from geo_assets.metrics.tally import Counts
from geo_assets.model.answers import CitationBasis, CitationMode

MIN_TRACKED_FOR_TOP3 = 5
MIN_NAMED_FOR_MEAN_RANK = 5


@dataclass(frozen=True, slots=True)
class Side:
    """Numerator or denominator: from the counters of a question (answers, brand) to a number.

    `by_brand`: it depends on the brand, and is 0 for questions that say nothing about it.
    """

    read: Callable[[Counts, Counts], float]
    by_brand: bool


@cache
def answers(*names: str) -> Side:
    """Sum of counters that depend on no brand."""
    if len(names) == 1:  # by far the most frequent case
        (only,) = names
        return Side(lambda a, _: a.get(only, 0.0), by_brand=False)
    return Side(lambda a, _: sum(a.get(n, 0.0) for n in names), by_brand=False)


@cache
def brand(name: str) -> Side:
    """A counter of the brand."""
    return Side(lambda _, b: b.get(name, 0.0), by_brand=True)


class Slice:
    """One scope and segment: counters per question, and what all brands share of them, computed once.

    `tracked` and `competitors` are the sizes of the sets that ranks and shares are computed over.
    """

    def __init__(self, counts: Mapping[str, Counts], tracked: int) -> None:
        self.counts = counts
        self.tracked = tracked
        self.competitors = tracked - 1
        self.usable = any(c.get("answers") for c in counts.values())
        self._shared: dict[Side, tuple[dict[str, float], Moments]] = {}

    def shared(self, side: Side) -> tuple[dict[str, float], Moments]:
        """A denominator without a brand: question → x where x > 0, and its moments (of y = 0)."""
        if side not in self._shared:
            values = {q: x for q, a in self.counts.items() if (x := side.read(a, {}))}
            self._shared[side] = values, moments((0.0, x) for x in values.values())
        return self._shared[side]

    def total(self, name: str) -> float:
        """Sum of a counter over questions."""
        return self.shared(answers(name))[1].x


@dataclass(frozen=True, slots=True)
class View:
    """What a metric sees: a slice, and the counters of one brand in it, by question."""

    slice: Slice
    brand: Mapping[str, Counts]

    def total(self, name: str) -> float:
        """Sum of a counter of the brand."""
        return math.fsum(c.get(name, 0.0) for c in self.brand.values())


def as_not_named(_: Moments) -> Interval:
    """No interval: the number is itself a bound, with readings in doubt taken as not named."""
    return Interval(None, None, "review_as_not_named")


def as_named(_: Moments) -> Interval:
    """No interval: the number is itself a bound, with readings in doubt taken as named."""
    return Interval(None, None, "review_as_named")


@dataclass(frozen=True, slots=True)
class Metric:
    """One published number: Σ numerator / Σ denominator over questions.

    `empty` is the null reason where the denominator is 0; `guard` gives further reasons. `tracked_only`: not computed
    for products, which are no members of the set that ranks and shares are about. `verdict`: changes of it are judged.
    `bounds`: values the metric can take.
    """

    name: str
    numerator: Side
    denominator: Side
    interval: Callable[[Moments], Interval]
    empty: str = "no_counted_answer"
    guard: Callable[[View], str | None] = lambda _: None
    tracked_only: bool = True
    verdict: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)

    def denominators(self, view: View) -> Mapping[str, float]:
        """Question → denominator, where it is not 0."""
        if not self.denominator.by_brand:
            return view.slice.shared(self.denominator)[0]
        read, counts = self.denominator.read, view.slice.counts
        return {q: x for q, b in view.brand.items() if (x := read(counts[q], b))}

    def numerators(self, view: View, denominators: Mapping[str, float]) -> dict[str, float]:
        """Question → numerator, where it is not 0. Questions without the brand need no look."""
        read, counts = self.numerator.read, view.slice.counts
        if self.numerator.by_brand:
            return {q: y for q, b in view.brand.items() if q in denominators and (y := read(counts[q], b))}
        return {q: y for q in denominators if (y := read(counts[q], {}))}

    def pairs(self, view: View) -> "Pairs":
        """Numerators and denominators by question, and their moments; the cost is that of the brand's own questions."""
        xs = self.denominators(view)
        ys = self.numerators(view, xs)
        if self.denominator.by_brand:
            shared = moments((0.0, x) for x in xs.values())
        else:
            shared = view.slice.shared(self.denominator)[1]
        sums = shared._replace(
            y=math.fsum(ys.values()),
            yy=math.fsum(y * y for y in ys.values()),
            xy=math.fsum(y * xs[q] for q, y in ys.items()),
        )
        return Pairs(ys, xs, sums)


@dataclass(frozen=True, slots=True)
class Pairs:
    """A metric's numerators and denominators by question, where they are not 0, and their moments."""

    ys: Mapping[str, float]
    xs: Mapping[str, float]
    sums: Moments


@cache
def coverage(k: int) -> Side:
    """Chance that at least one of k answers names the brand: 1 - C(m - c, k) / C(m, k) (unbiased; Chen et al. 2021)."""

    def side(a: Counts, b: Counts) -> float:
        m, c = int(a.get("answers", 0)), int(b.get("named", 0))
        return 1.0 - math.comb(m - c, k) / math.comb(m, k)

    return Side(side, by_brand=True)


@cache
def enough_answers(k: int) -> Side:
    """1 for questions with at least k answers."""
    return Side(lambda a, _: float(a.get("answers", 0) >= k), by_brand=False)


def _few_tracked(view: View) -> str | None:
    return "fewer_than_5_tracked" if view.slice.tracked < MIN_TRACKED_FOR_TOP3 else None


def _few_named(view: View) -> str | None:
    return "named_in_fewer_than_5_answers" if view.total("named") < MIN_NAMED_FOR_MEAN_RANK else None


def _no_competitor(view: View) -> str | None:
    return "no_competitor_tracked" if view.slice.competitors == 0 else None


def _not_observable(view: View) -> str | None:
    return None if view.slice.total("citable") else "sources_not_observable"


RANKS = (1.0, math.inf)
_OF_ANSWERS = (brand("named"), answers("answers"))

PLAIN: tuple[Metric, ...] = (
    Metric("mention_rate", *_OF_ANSWERS, rate_interval, tracked_only=False, verdict=True),
    Metric("mention_rate_low", brand("named_surely"), answers("answers"), as_not_named, tracked_only=False),
    Metric("mention_rate_high", brand("named_possibly"), answers("answers"), as_named, tracked_only=False),
    Metric(
        "reach_rate",
        brand("named"),
        answers("answers", "refused_or_filtered"),
        rate_interval,
        empty="nothing_received",
        tracked_only=False,
    ),
    Metric("first_mention_rate", brand("first"), answers("answers"), rate_interval),
    Metric("first_given_named", brand("first"), brand("named"), ratio_interval, empty="never_named"),
    Metric("top3_rate", brand("top3"), answers("answers"), rate_interval, guard=_few_tracked),
    Metric("list_rank_top3_rate", brand("list_top3"), answers("ranked_lists"), ratio_interval, empty="no_ranked_list"),
    Metric(
        "mean_rank",
        brand("rank_sum"),
        brand("ranked"),
        partial(mean_interval, bounds=RANKS),
        empty="never_named",
        guard=_few_named,
        bounds=RANKS,
    ),
    Metric("reciprocal_rank", brand("reciprocal_rank"), answers("answers"), mean_interval, verdict=True),
    Metric(
        "sov_answers",
        brand("named"),
        answers("named_total"),
        ratio_interval,
        empty="nothing_named",
        guard=_no_competitor,
        verdict=True,
    ),
    Metric(
        "sov_occurrences",
        brand("places"),
        answers("places_total"),
        ratio_interval,
        empty="nothing_named",
        guard=_no_competitor,
    ),
    Metric(
        "sov_either", brand("named"), answers("named_any"), ratio_interval, empty="nothing_named", guard=_no_competitor
    ),
    Metric(
        "recommended_rate",
        brand("recommended"),
        brand("decided"),
        ratio_interval,
        empty="no_decided_stance",
        tracked_only=False,
    ),
    Metric(
        "negative_rate",
        brand("advised_against"),
        brand("decided"),
        ratio_interval,
        empty="no_decided_stance",
        tracked_only=False,
    ),
    Metric(
        "brand_text_share",
        brand("text_share"),
        brand("text_answers"),
        mean_interval,
        empty="never_named",
        tracked_only=False,
    ),
)
"""Metrics of which there is one each."""


ABOUT_ANSWERS: tuple[Metric, ...] = (
    Metric("answered_rate", answers("answers"), answers("received"), rate_interval, empty="nothing_received"),
)
"""Metrics about the answers themselves; their rows have no brand."""


def coverage_at(k: int) -> Metric:
    """coverage_at_k: mean over questions with at least k answers."""
    return Metric(
        f"coverage_at_{k}",
        coverage(k),
        enough_answers(k),
        logit_mean_interval,
        empty=f"no_question_with_{k}_answers",
        tracked_only=False,
    )


def citation_metrics(basis: str) -> tuple[Metric, ...]:
    """Metrics over sources, for one citation basis: its name follows the metric's, they never share a number."""
    citing, ghost = brand(f"citing:{basis}"), brand(f"ghost:{basis}")
    return (
        Metric(
            f"citation_rate:{basis}",
            citing,
            answers("citable"),
            rate_interval,
            empty="sources_not_observable",
            verdict=basis == CitationBasis.CITED,
        ),
        Metric(
            f"citation_share:{basis}",
            brand(f"owned_pages:{basis}"),
            answers(f"pages:{basis}"),
            ratio_interval,
            empty="no_citation",
            guard=_not_observable,
        ),
        Metric(f"ghost_rate:{basis}", ghost, citing, ratio_interval, empty="never_cited", guard=_not_observable),
        Metric(f"ghost_incidence:{basis}", ghost, answers("citable"), rate_interval, empty="sources_not_observable"),
    )


def source_word_share(mode: str) -> Metric:
    """source_word_share for one way of tying sources to text."""
    return Metric(
        f"source_word_share:{mode}",
        brand(f"word_share:{mode}"),
        answers(f"word_share_answers:{mode}"),
        mean_interval,
        empty="no_source_tied_to_text",
    )


@cache
def catalogue(coverage_k: tuple[int, ...], bases: frozenset[str], modes: frozenset[str]) -> tuple[Metric, ...]:
    """All metrics of a brand: the plain ones, and the families for these k, citation bases and citation modes."""
    tied = [m for m in (CitationMode.SPAN, CitationMode.BLOCK, CitationMode.MARKER) if m in modes]
    return (
        *PLAIN,
        *(coverage_at(k) for k in sorted(set(coverage_k))),
        *(m for basis in sorted(set(bases)) for m in citation_metrics(basis)),
        *(source_word_share(mode) for mode in tied),
    )


IN_SEGMENTS = frozenset({"mention_rate", "first_mention_rate", "reciprocal_rank", "sov_answers", "recommended_rate"})
"""Metrics that are published for segments too; a segment has few answers, and most metrics need many."""


def is_published(metric: Metric, segment: str, *, product: bool) -> bool:
    """Whether a metric has a row: products only where they are members, segments only the metrics that they carry."""
    if product and metric.tracked_only:
        return False
    if segment == ALL:
        return True
    return not product and (metric.name in IN_SEGMENTS or metric.name.startswith("citation_rate:"))
