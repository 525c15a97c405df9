"""Tallies: sums per question of everything that metrics are made of. They add up over days; observations do not.

What belongs here: from observations to counters. What does not: dividing them (`catalogue`) and publishing
(`visibility`). A window of 28 days is the sum of 28 tallies, so it never holds 28 days of answers in memory.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from geo_assets.metrics.observations import BrandView, Observation, SourceView
from geo_assets.metrics.scopes import asked_search_scope
from geo_assets.model.answers import CitationBasis, CitationMode
from geo_assets.model.dictionary import Dictionary
from geo_assets.model.readings import Stance
from geo_assets.model.states import RECEIVED, Outcome

Counts = dict[str, float]
"""Counter → value, where it is not 0. Counts are ints: small ones are shared objects, and there are very many."""
Questions = dict[str, Counts]
Scope = tuple[str, str]
"""Question scope and search scope."""

WORD_SHARE_MODES = (CitationMode.SPAN, CitationMode.BLOCK, CitationMode.MARKER)


@dataclass(frozen=True, slots=True)
class QuestionTraits:
    """What segments and scopes need to know of a question."""

    question_scope: str
    intent: str
    tags: tuple[str, ...]

    @property
    def segments(self) -> tuple[str, ...]:
        """The segments the question is part of."""
        return ("all", f"intent:{self.intent}", *(f"tag:{t}" for t in sorted(set(self.tags))))


@dataclass(slots=True)
class Tally:
    """Additive sums of one monitor on one platform.

    `answers[scope][question]` counts what does not depend on a brand, `brands[scope][brand][question]` what does.
    `outcomes` counts planned samples per exclusion state over all scopes; `readings_of` the second sum per brand,
    over counted answers. `asked` are the search scopes that samples were asked in.
    """

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    traits: dict[str, QuestionTraits] = field(default_factory=dict)
    answers: dict[Scope, Questions] = field(default_factory=dict)
    brands: dict[Scope, dict[str, Questions]] = field(default_factory=dict)
    readings_of: dict[str, Counter[str]] = field(default_factory=dict)
    reading_versions: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    bases: set[str] = field(default_factory=set)
    modes: set[str] = field(default_factory=set)
    late: int = 0

    @property
    def planned(self) -> int:
        """Planned samples, every one of them in exactly one exclusion state."""
        return sum(self.outcomes.values())

    @property
    def in_force(self) -> int:
        """Planned samples that no later plan has withdrawn: what completeness is measured against."""
        return self.planned - self.outcomes[Outcome.WITHDRAWN]

    @property
    def counted(self) -> int:
        """Samples with an answer that denominators count."""
        return self.outcomes[Outcome.COUNTED]

    def add(self, other: "Tally") -> None:
        """Add another day. Traits of a question are those of the day added last."""
        self.outcomes.update(other.outcomes)
        self.traits.update(other.traits)
        for scope, questions in other.answers.items():
            _merge(self.answers.setdefault(scope, {}), questions)
        for scope, brands in other.brands.items():
            mine = self.brands.setdefault(scope, {})
            for brand, questions in brands.items():
                _merge(mine.setdefault(brand, {}), questions)
        for brand, states in other.readings_of.items():
            self.readings_of.setdefault(brand, Counter()).update(states)
        self.reading_versions |= other.reading_versions
        self.asked |= other.asked
        self.bases |= other.bases
        self.modes |= other.modes
        self.late += other.late


def _merge(target: Questions, source: Mapping[str, Counts]) -> None:
    for question, counts in source.items():
        mine = target.setdefault(question, {})
        for name, value in counts.items():
            mine[name] = mine.get(name, 0) + value


def _add(counts: Counts, name: str, value: float) -> None:
    """Add to a counter; a 0 leaves no trace."""
    if value:
        counts[name] = counts.get(name, 0) + value


def tally(samples: Iterable[Observation], dictionary: Dictionary) -> Tally:
    """Count observations of one monitor, date and platform. The order of `samples` does not matter.

    Raises:
        ValueError: a usable answer that was not read for every brand of `dictionary`, or a sample given twice.
    """
    result = Tally()
    expected = frozenset(b.id for b in dictionary.brands)
    tracked = frozenset(b.id for b in dictionary.tracked)
    seen: set[str] = set()
    for sample in sorted(samples, key=lambda s: s.sample_id):
        if sample.sample_id in seen:
            raise ValueError(f"sample {sample.sample_id} is given twice; each planned sample counts once")
        seen.add(sample.sample_id)
        result.outcomes[sample.outcome] += 1
        result.traits[sample.question] = QuestionTraits(sample.question_scope, sample.intent, sample.tags)
        result.late += sample.late
        scope = (sample.question_scope, sample.search_scope)
        counts = result.answers.setdefault(scope, {}).setdefault(sample.question, {})
        result.asked.add(asked_search_scope(sample.search_asked))
        _add(counts, "received", int(sample.outcome in RECEIVED))
        _add(counts, "refused_or_filtered", int(sample.outcome in {Outcome.REFUSED, Outcome.FILTERED}))
        if not sample.usable:
            continue
        if sample.brands_read != expected:
            odd = sorted(sample.brands_read ^ expected)
            raise ValueError(
                f"sample {sample.sample_id} was read with another dictionary (differs in {odd}): read it again"
            )
        result.reading_versions.add(sample.reading)
        result.modes.add(sample.citation_mode)
        _count_answer(result, sample, scope, counts, tracked)
    return result


def _count_answer(result: Tally, sample: Observation, scope: Scope, counts: Counts, tracked: frozenset[str]) -> None:
    """Add one usable answer: first what concerns no brand, then each brand that it has something to say about."""
    named = {b: v for b, v in sample.brands.items() if v.named}
    rivals = {b: v for b, v in named.items() if b in tracked}
    leaders = [b for b, v in rivals.items() if v.tracked_rank == 1]
    pages = _pages(sample.sources)
    _add(counts, "answers", 1)
    _add(counts, "ranked_lists", sample.is_ranked_list)
    _add(counts, "named_total", len(rivals))
    _add(counts, "named_any", bool(rivals))
    _add(counts, "places_total", sum(v.count for v in rivals.values()))
    if sample.sources is not None:
        _add(counts, "citable", 1)
        result.bases |= {s.basis for s in sample.sources if not s.in_text_only}
        for basis, cited in pages.items():
            _add(counts, f"pages:{basis}", len(cited))
    share_of = _word_shares(sample)
    if share_of is not None:
        _add(counts, f"word_share_answers:{sample.citation_mode}", 1)
    brands = result.brands.setdefault(scope, {})

    def of(brand: str) -> Counts:
        return brands.setdefault(brand, {}).setdefault(sample.question, {})

    for brand, view in sample.brands.items():
        _count_brand(of(brand), view, sample, leaders if brand in leaders else [])
    for basis, cited in pages.items():
        for owner in sorted({o for o in cited.values() if o}):
            mine = of(owner)
            _add(mine, f"citing:{basis}", 1)
            _add(mine, f"ghost:{basis}", owner not in named)
            _add(mine, f"owned_pages:{basis}", sum(1 for o in cited.values() if o == owner))
    for owner, share in (share_of or {}).items():
        _add(of(owner), f"word_share:{sample.citation_mode}", share)
    if sample.outcome == Outcome.COUNTED:
        for brand in sample.brands_read:
            result.readings_of.setdefault(brand, Counter())[reading_state(sample.brands.get(brand))] += 1


def _count_brand(mine: Counts, view: BrandView, sample: Observation, leaders: list[str]) -> None:
    _add(mine, "named", view.named)
    _add(mine, "named_surely", view.named and not view.review)
    _add(mine, "named_possibly", view.named or view.review)
    if not view.named:
        return
    _add(mine, "named_citable", sample.sources is not None)
    _add(mine, "places", view.count)
    _add(mine, "first", 1.0 / len(leaders) if leaders else 0.0)
    if view.tracked_rank is not None:
        _add(mine, "ranked", 1)
        _add(mine, "rank_sum", view.tracked_rank)
        _add(mine, "reciprocal_rank", 1.0 / view.tracked_rank)
        _add(mine, "top3", view.tracked_rank <= 3)
        _add(mine, f"rank:{view.tracked_rank}", 1)
    _add(mine, "list_top3", bool(sample.is_ranked_list and view.list_rank is not None and view.list_rank <= 3))
    if view.stance is not None:
        _add(mine, "decided", 1)
        _add(mine, "recommended", view.stance == Stance.RECOMMENDED)
        _add(mine, "advised_against", view.stance == Stance.ADVISED_AGAINST)
    if sample.readable_chars > 0:
        _add(mine, "text_answers", 1)
        _add(mine, "text_share", min(1.0, view.sentence_chars / sample.readable_chars))


def reading_state(view: BrandView | None) -> str:
    """The brand-level state of a counted answer: exactly one of review, absent_statement, named, not_named."""
    if view is None:
        return "not_named"
    if view.review:
        return "review"
    if view.stance == Stance.ABSENT:
        return "absent_statement"
    return "named" if view.mentioned else "not_named"


def _pages(sources: tuple[SourceView, ...] | None) -> dict[str, dict[str, str | None]]:
    """Distinct pages and their owners, per citation basis."""
    pages: dict[str, dict[str, str | None]] = {}
    for source in sources or ():
        pages.setdefault(source.basis, {}).setdefault(source.page, source.owner)
    return pages


def _word_shares(sample: Observation) -> dict[str, float] | None:
    """Share of the answer's text that sentences pointing to each owner's sources hold (GEO paper, Imp_wc).

    None where the answer's sources are not tied to text. Aggarwal et al. 2024, "GEO: Generative Engine Optimization",
    section 2.2: words of sentences citing a source over words of the answer, split where sentences cite several.
    """
    if sample.citation_mode not in WORD_SHARE_MODES or sample.readable_chars <= 0:
        return None
    tied = [s for s in sample.sources or () if s.basis == CitationBasis.CITED and s.cited_chars is not None]
    if not tied:
        return None
    shares: dict[str, float] = {}
    for source in tied:
        if source.owner:
            shares[source.owner] = (
                shares.get(source.owner, 0.0) + float(source.cited_chars or 0.0) / sample.readable_chars
            )
    return {owner: min(1.0, share) for owner, share in sorted(shares.items())}
