"""Rows of the tall table: one monitor's numbers of one window on one platform, each with its interval or its reason.

What belongs here: walking brands, scopes and segments over a tally, and the ledgers of exclusions. What does not:
what a metric is (`catalogue`), weighing platforms (`daily`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from geo_assets.metrics.catalogue import ABOUT_ANSWERS, Metric, Slice, View, catalogue, is_published
from geo_assets.metrics.intervals import Interval
from geo_assets.metrics.observations import Observation
from geo_assets.metrics.scopes import ALL, NONBRAND, UNKNOWN, asked_search_scope
from geo_assets.metrics.tally import Counts, Scope, Tally, tally
from geo_assets.model.answers import CitationBasis
from geo_assets.model.dictionary import BrandEntry, Dictionary
from geo_assets.model.states import Outcome

MetricRow = dict[str, Any]
READING_STATES = ("named", "not_named", "absent_statement", "review")
CELLS = ("named_and_cited", "named_only", "cited_only", "neither")
ViewOf = Callable[[str | None], View]
"""From a brand (None: the answers themselves) to what its metrics see."""
EVERYWHERE: Scope = (ALL, ALL)


def partition_metrics(
    monitor_id: str,
    dictionary: Dictionary,
    samples: Sequence[Observation],
    *,
    reason: str | None = None,
    search_asked: bool = True,
    simulated: bool = False,
) -> list[MetricRow]:
    """All rows of one monitor for `visibility_metrics` of one date and platform, in key order.

    Args:
        monitor_id: the monitor.
        dictionary: what its answers were read with.
        samples: one observation per planned sample; empty where nothing was planned.
        reason: why nothing was planned (missed, not_due, no_key, paused, …); it becomes the null reason.
        search_asked: whether the platform is asked with search; decides the headline scope where nothing was planned.
        simulated: the profile. Rows of another profile are refused.

    Raises:
        ValueError: simulated and live samples mixed, exclusions that do not sum to the plan, or a reading that does not
            cover the dictionary.
    """
    refuse_mixture(monitor_id, samples, simulated=simulated)
    counts = tally(samples, dictionary)
    if counts.planned != len(samples):
        raise ValueError(f"{monitor_id}: exclusion states sum to {counts.planned}, the plan has {len(samples)} samples")
    return tally_metrics(monitor_id, dictionary, counts, reason=reason, search_asked=search_asked, simulated=simulated)


def tally_metrics(
    monitor_id: str,
    dictionary: Dictionary,
    counts: Tally,
    *,
    reason: str | None = None,
    search_asked: bool = True,
    simulated: bool = False,
) -> list[MetricRow]:
    """The same from a tally that was summed up piece by piece, for partitions that do not fit in memory."""
    frame = Frame(monitor_id, dictionary, "date", simulated, search_asked, reason)
    return sorted(frame.rows(counts), key=row_key)


def refuse_mixture(monitor_id: str, samples: Iterable[Observation], *, simulated: bool) -> None:
    """Raise ValueError where a sample is of the other profile: simulated and live rows never mix in one number."""
    if odd := [s.sample_id for s in samples if s.simulated != simulated]:
        theirs, ours = ("live", "simulated") if simulated else ("simulated", "live")
        raise ValueError(
            f"{monitor_id}: {len(odd)} samples are {theirs} (first: {odd[0]}), the numbers are {ours}; the two never "
            "mix: use a data folder for each profile"
        )


def row_key(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The key of a row of `visibility_metrics`; also the order of its rows (as UTF-8, which strings compare as)."""
    return tuple(row[k] for k in ("monitor", "brand", "metric", "segment", "question_scope", "search_scope"))


@dataclass(frozen=True, slots=True)
class Frame:
    """What all rows of one monitor, platform and window share. `note` is added to every method (missing days)."""

    monitor: str
    dictionary: Dictionary
    window: str
    simulated: bool
    search_asked: bool = True
    reason: str | None = None
    note: str = ""

    def rows(self, counts: Tally) -> Iterator[MetricRow]:
        """Every row of a tally."""
        yield from self._ledger(counts)
        for scope in scopes(counts, search_asked=self.search_asked):
            headline = scope in headline_scopes(counts, search_asked=self.search_asked)
            usable = any(c.get("answers") for c in counts.answers.get(scope, {}).values())
            for segment, view_of in views(counts, scope, self.dictionary, segmented=headline):
                for metric in ABOUT_ANSWERS:
                    yield self.estimate(counts, None, metric, view_of(None), segment, scope)
                if not (headline or usable):  # a scope of refusals only: its ledger says all there is to say
                    continue
                for entry in self.dictionary.brands:
                    view = view_of(entry.id)
                    for metric in self.metrics(counts, entry, segment):
                        yield self.estimate(counts, entry, metric, view, segment, scope)
                    if segment == ALL and entry.parent is None:
                        yield from self._distributions(counts, entry, view, scope)

    def metrics(self, counts: Tally, entry: BrandEntry, segment: str) -> Iterator[Metric]:
        """The metrics that a brand or product has on this platform in a segment."""
        bases = frozenset(counts.bases | {CitationBasis.CITED.value})
        for metric in catalogue(self.dictionary.coverage_k, bases, frozenset(counts.modes)):
            if is_published(metric, segment, product=entry.parent is not None):
                yield metric

    def estimate(
        self, counts: Tally, entry: BrandEntry | None, metric: Metric, view: View, segment: str, scope: Scope
    ) -> MetricRow:
        """One metric as a row: value and interval, or null with its reason."""
        sums = metric.pairs(view).sums
        why = self.null_reason(counts, metric, view, scope, sums.x)
        interval = Interval(None, None, "") if why else metric.interval(sums)
        return self.row(
            counts,
            entry,
            metric.name,
            segment,
            scope,
            numerator=sums.y if sums.questions else None,
            denominator=sums.x if sums.questions else None,
            value=None if why else sums.ratio,
            low=interval.low,
            high=interval.high,
            method=interval.method or None,
            inference="topic" if interval.low is not None else None,
            n_questions=sums.questions,
            null_reason=why,
        )

    def null_reason(self, counts: Tally, metric: Metric, view: View, scope: Scope, denominator: float) -> str | None:
        """Why a metric has no value here; None where it has one."""
        if len(counts.reading_versions) > 1:
            return "mixed_readings"
        basis = metric.name.partition(":")[2]
        if basis == CitationBasis.CITED and counts.bases == {CitationBasis.RETRIEVED.value}:
            return "retrieved_only"
        if denominator > 0:
            return metric.guard(view)
        if view.slice.usable:
            return metric.guard(view) or metric.empty
        return nothing_counted(counts, scope, self.reason)

    def row(
        self, counts: Tally, entry: BrandEntry | None, metric: str, segment: str, scope: Scope, **values: Any
    ) -> MetricRow:
        """A row with everything that is the same for all rows filled in."""
        method = values.pop("method")
        if method and self.note:
            method = f"{method}; {self.note}"
        return {
            "monitor": self.monitor,
            "brand": entry.id if entry else "",
            "brand_role": entry.role.value if entry else "",
            "window": self.window,
            "metric": metric,
            "segment": segment,
            "question_scope": scope[0],
            "search_scope": scope[1],
            "headline": scope in headline_scopes(counts, search_asked=self.search_asked),
            "method": method,
            "reading_version": " ".join(sorted(counts.reading_versions)) or f"+{self.dictionary.hash[:12]}",
            "simulated": self.simulated,
            **values,
        }

    def count(
        self,
        counts: Tally,
        entry: BrandEntry | None,
        metric: str,
        scope: Scope,
        number: float,
        of: float,
        **values: Any,
    ) -> MetricRow:
        """A row of a ledger: `value` and `numerator` are the count itself, `denominator` what the counts sum to."""
        return self.row(
            counts,
            entry,
            metric,
            ALL,
            scope,
            **(
                {
                    "numerator": number,
                    "denominator": of,
                    "value": number,
                    "low": None,
                    "high": None,
                    "method": "count",
                    "inference": None,
                    "n_questions": len(counts.traits),
                    "null_reason": None,
                }
                | values
            ),
        )

    def _ledger(self, counts: Tally) -> Iterator[MetricRow]:
        """Both exclusion sums: planned samples per state, and counted answers per reading of every brand."""
        planned = float(counts.planned)
        for state in Outcome:
            yield self.count(
                counts, None, f"exclusion:{state.value}", EVERYWHERE, float(counts.outcomes[state]), planned
            )
        yield self.count(counts, None, "flag:late", EVERYWHERE, float(counts.late), planned)
        for entry in self.dictionary.brands:
            readings = counts.readings_of.get(entry.id, Counter[str]())
            for name in READING_STATES:
                number = float(readings[name])
                yield self.count(counts, entry, f"reading:{name}", EVERYWHERE, number, float(counts.counted))

    def _distributions(self, counts: Tally, entry: BrandEntry, view: View, scope: Scope) -> Iterator[MetricRow]:
        """Counts published beside rates: the set's size, answers per rank, and named × cited."""
        questions = {"n_questions": len(view.slice.counts)}
        yield self.count(
            counts, entry, "n_tracked", scope, float(view.slice.tracked), float(view.slice.tracked), **questions
        )
        ranks = sorted(
            {n for c in view.brand.values() for n in c if n.startswith("rank:")}, key=lambda n: int(n.partition(":")[2])
        )
        for name in ranks:
            yield self.count(counts, entry, name, scope, view.total(name), view.total("ranked"), **questions)
        citable = view.slice.total("citable")
        for basis in sorted(counts.bases or {CitationBasis.CITED.value}):
            if not citable:
                break
            ghost = view.total(f"ghost:{basis}")
            both = view.total(f"citing:{basis}") - ghost
            named_only = view.total("named_citable") - both
            cells = (both, named_only, ghost, citable - both - named_only - ghost)
            for cell, number in zip(CELLS, cells, strict=True):
                yield self.count(counts, entry, f"cell:{cell}:{basis}", scope, number, citable, **questions)


def scopes(counts: Tally, *, search_asked: bool) -> list[Scope]:
    """Scopes with planned samples, and the headline whether it has any or not."""
    return sorted(set(counts.answers) | headline_scopes(counts, search_asked=search_asked))


def headline_scopes(counts: Tally, *, search_asked: bool) -> set[Scope]:
    """The scopes that headlines show: questions that name no brand, searched where a search was asked for."""
    return {(NONBRAND, search) for search in counts.asked or {asked_search_scope(search_asked)}}


def views(
    counts: Tally, scope: Scope, dictionary: Dictionary, *, segmented: bool = True
) -> Iterable[tuple[str, ViewOf]]:
    """Segments of a scope, each with a function from a brand to what its metrics see.

    `segmented` False gives the whole scope only: outside the headline, segments would be many rows of few answers.
    """
    questions = counts.answers.get(scope, {})
    brands = counts.brands.get(scope, {})
    segments: dict[str, dict[str, Counts]] = {ALL: {}}
    for question in sorted(questions):
        for segment in counts.traits[question].segments if segmented else (ALL,):
            segments.setdefault(segment, {})[question] = questions[question]
    for segment, members in sorted(segments.items()):
        part = Slice(members, len(dictionary.tracked))

        def view_of(brand: str | None, part: Slice = part) -> View:
            mine: Mapping[str, Counts] = brands.get(brand, {}) if brand else {}
            return View(part, {q: c for q, c in mine.items() if q in part.counts})

        yield segment, view_of


def nothing_counted(counts: Tally, scope: Scope, reason: str | None) -> str:
    """Why a scope has no usable answer: the plan's reason, the one state that all samples share, or the scope's."""
    if counts.planned == 0:
        return reason or "not_planned"
    if not counts.counted:
        states = [s for s, n in counts.outcomes.items() if n]
        return states[0].value if len(states) == 1 else "no_counted_answer"
    unknown = counts.answers.get((scope[0], UNKNOWN), {})
    if scope[1] != UNKNOWN and any(c.get("answers") for c in unknown.values()):
        return "search_unknown"
    return "no_answer_in_scope"
