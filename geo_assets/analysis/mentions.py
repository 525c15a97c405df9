"""Reading the mentions of an answer: which brands it names, where, how often, in which place, with which stance.

Here: bringing matcher, prose, ambiguity, structure, rank and stance together. Pure and deterministic: the same text and
dictionary give the same reading. Work beyond the scan is only done where a name was found.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from geo_assets.analysis.absence import Absences
from geo_assets.analysis.ambiguity import judge
from geo_assets.analysis.candidates import find_candidates
from geo_assets.analysis.clauses import Offsets, Sentences
from geo_assets.analysis.folding import Folded, simplify
from geo_assets.analysis.matcher import Hit, Matcher
from geo_assets.analysis.place import Place, Verdict
from geo_assets.analysis.prose import Prose, Unread
from geo_assets.analysis.stance import StanceReader
from geo_assets.analysis.structure import Structure
from geo_assets.model.readings import BrandReading, Candidate, Occurrence, Stance

_REVIEW_BELOW = 0.54


class _Judged(NamedTuple):
    """A hit with the verdict on it."""

    hit: Hit
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class _Places:
    """The places of one brand: those that mention it, and what was judged of the others."""

    named: list[_Judged]
    refused: list[Verdict]
    absent: bool  # one of them only said that there is nothing about the brand


class MentionReading:
    """How one answer treats the brands of a dictionary.

    Names are found and judged at once; what not every caller needs is made when it is first asked for: `brands` (stance
    and place in lists), `sentences`, `structure`, `candidates`, `is_ranked_list`.
    """

    def __init__(
        self, matcher: Matcher, prose: Prose, plain: str, sentences: Sentences, places: Mapping[str, _Places]
    ) -> None:
        self.prose = prose
        self._matcher = matcher
        self._plain = plain  # the text in one script, at the same offsets
        self._sentences = sentences
        self._places = places

    def decided(self, brands: tuple[BrandReading, ...]) -> "MentionReading":
        """The same with what people decided about its brands."""
        other = copy(self)  # what is worked out already stays, but for what depends on the brands
        vars(other).pop("is_ranked_list", None)
        other.brands = brands
        return other

    @cached_property
    def places(self) -> Mapping[str, tuple[Offsets, ...]]:
        """Every mentioned brand with the half-open code-point offsets at which the answer names it."""
        return {
            brand: tuple((j.hit.start, j.hit.end) for j in found.named)
            for brand, found in self._places.items()
            if found.named
        }

    @cached_property
    def brands(self) -> tuple[BrandReading, ...]:
        """One reading for every brand, in the dictionary's order."""
        if not self._places:
            return _blank(self._matcher)
        reader = StanceReader(self._lines, self._sentences)
        ranks = _tracked_ranks(self._matcher, self.places)
        brands = list(_blank(self._matcher))
        for brand, found in self._places.items():
            if found.named:
                others = _others(self.places, self._matcher, brand)
                reading = _mentioned(brand, found.named, others, reader, ranks.get(brand))
            else:
                reading = _not_mentioned(brand, found.refused, absent=found.absent)
            brands[self._matcher.positions[brand]] = reading
        return tuple(brands)

    @cached_property
    def sentences(self) -> Mapping[str, tuple[Offsets, ...]]:
        """For every mentioned brand the spans of the sentences that name it."""
        return {
            brand: tuple(dict.fromkeys(self._sentences.at(start) for start, _ in places))
            for brand, places in self.places.items()
        }

    @property
    def readable_chars(self) -> int:
        """Code points of the answer that are prose of its own."""
        return self.prose.readable_chars

    @cached_property
    def _lines(self) -> Structure:
        return Structure(self._plain)

    @cached_property
    def structure(self) -> Structure:
        """The lines of the answer."""
        return self._lines if self._plain == self.prose.text else Structure(self.prose.text)

    @cached_property
    def is_ranked_list(self) -> bool:
        """Whether the answer prints item numbers, or a brand has a place in a list of it."""
        numbered = sum(line.number is not None for line in self.structure.lines)
        return numbered >= 2 or any(reading.list_rank for reading in self.brands)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Untracked names that head list items."""
        return find_candidates(self.structure, self.prose, [p for places in self.places.values() for p in places])


def read_mentions(matcher: Matcher, text: str, question: str | None = None) -> MentionReading:
    """Read one answer. `question` is the question asked: where the answer repeats it, its names do not count."""
    folded = Folded(text)
    prose = Prose(text, question, folded)
    hits = _readable(matcher, folded, prose)
    if not hits:
        return MentionReading(matcher, prose, text, Sentences(text), {})
    plain = simplify(text)
    sentences = Sentences(plain)
    judged = _by_brand(matcher, [_judge(matcher, plain, hit) for hit in hits])
    absences = Absences(plain, sentences)
    places = {brand: _sorted_out(items, absences) for brand, items in judged.items()}
    return MentionReading(matcher, prose, plain, sentences, places)


def _sorted_out(items: list[_Judged], absences: Absences) -> _Places:
    """The places that mention a brand, and the others."""
    named, refused = [], []
    absent = False
    for item in items:
        if not item.verdict.is_brand:
            refused.append(item.verdict)
        elif (item.hit.start, item.hit.end) in absences:
            absent = True
        else:
            named.append(item)
    return _Places(named, refused, absent)


def _readable(matcher: Matcher, folded: Folded, prose: Prose) -> list[Hit]:
    """Hits that stand in prose. A host counts only where the listed name is that host itself."""
    hits = []
    for hit in matcher.hits(folded):
        span = prose.unread_at(hit.start, hit.end)
        if span is None or (span.why is Unread.HOST and span.start == hit.start and span.end == hit.end):
            hits.append(hit)
    return hits


def _judge(matcher: Matcher, text: str, hit: Hit) -> _Judged:
    context = matcher.brand_context.get(hit.name.brand or "", matcher.context)
    return _Judged(hit, judge(Place(text, hit, context)))


def _by_brand(matcher: Matcher, judged: list[_Judged]) -> dict[str, list[_Judged]]:
    """The judged hits of each brand, those of its products included."""
    found: dict[str, list[_Judged]] = {}
    for item in judged:
        brand = item.hit.name.brand
        while brand is not None and brand in matcher.brands:
            places = found.setdefault(brand, [])
            if not any(p.hit.start == item.hit.start and p.hit.end == item.hit.end for p in places):
                places.append(item)
            brand = matcher.brands[brand].parent
    return found


def _others(named: Mapping[str, Sequence[Offsets]], matcher: Matcher, brand: str) -> list[Offsets]:
    """Places of the other brands, without the brand's own products and its parent."""
    own = set(named[brand])
    return [
        place
        for other, places in named.items()
        if other != brand and matcher.brands[other].parent != brand and matcher.brands[brand].parent != other
        for place in places
        if place not in own
    ]


def _tracked_ranks(matcher: Matcher, named: Mapping[str, Sequence[Offsets]]) -> dict[str, int]:
    """Places by first mention among the tracked brands; products have none. Ties share the smaller number."""
    first = {brand: places[0][0] for brand, places in named.items() if matcher.brands[brand].parent is None}
    ordered = sorted(first.values())
    return {brand: ordered.index(start) + 1 for brand, start in first.items()}


def _mentioned(
    brand: str, items: list[_Judged], others: list[Offsets], reader: StanceReader, tracked: int | None
) -> BrandReading:
    places = [(j.hit.start, j.hit.end) for j in items]
    stance, stance_confidence = reader.read(places, others)
    confidence = max(j.verdict.confidence for j in items)
    doubt = confidence < _REVIEW_BELOW
    return BrandReading(
        brand=brand,
        mentioned=True,
        count=len(items),
        occurrences=tuple(Occurrence(j.hit.start, j.hit.end, j.hit.name.text, j.verdict.confidence) for j in items),
        stance=stance,
        stance_confidence=stance_confidence,
        tracked_rank=tracked,
        list_rank=_list_rank(reader, places),
        confidence=confidence,
        review=doubt,
        review_reason=items[0].verdict.reason if doubt else None,
        own_count=sum(j.hit.name.brand == brand for j in items),
    )


def _list_rank(reader: StanceReader, places: list[Offsets]) -> int | None:
    for place in places:
        if (rank := reader.list_rank(place)) is not None:
            return rank
    for place in places:
        if (rank := reader.prose_rank(place)) is not None:
            return rank
    return None


def _not_mentioned(brand: str, refused: Sequence[Verdict], *, absent: bool) -> BrandReading:
    weakest = min(refused, key=lambda v: v.confidence, default=None)
    confidence = 0.9 if absent else weakest.confidence if weakest else 1.0
    doubt = confidence < _REVIEW_BELOW
    return BrandReading(
        brand=brand,
        mentioned=False,
        count=0,
        occurrences=(),
        stance=Stance.ABSENT if absent else None,
        stance_confidence=0.9 if absent else None,
        tracked_rank=None,
        list_rank=None,
        confidence=confidence,
        review=doubt,
        review_reason=weakest.reason if doubt and weakest else None,
    )


@lru_cache(maxsize=8)
def _blank(matcher: Matcher) -> tuple[BrandReading, ...]:
    """The readings of an answer that names nobody: the same object for every such answer."""
    return tuple(_not_mentioned(entry.id, (), absent=False) for entry in matcher.dictionary.brands)
