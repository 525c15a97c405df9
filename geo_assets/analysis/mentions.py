"""Reading the mentions of an answer: which brands it names, where, how often, in which place, with which stance.

Here: bringing matcher, prose, ambiguity, structure, rank and stance together. Pure and deterministic: the same text and
dictionary give the same reading. Work beyond the scan is only done where a name was found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from geo_assets.analysis.ambiguity import Place, Verdict, judge
from geo_assets.analysis.candidates import find_candidates
from geo_assets.analysis.clauses import Offsets, Sentences
from geo_assets.analysis.folding import Folded, simplify
from geo_assets.analysis.matcher import Hit, Matcher
from geo_assets.analysis.prose import Prose, Unread
from geo_assets.analysis.stance import StanceReader
from geo_assets.analysis.structure import Structure
from geo_assets.model.readings import BrandReading, Candidate, Occurrence, Stance

_REVIEW_BELOW = 0.54


@dataclass(frozen=True)
class MentionReading:
    """How one answer treats the brands of a dictionary.

    `brands`: one reading for every brand, in the dictionary's order. `sentences`: for every mentioned brand the spans
    (half-open code-point offsets) of the sentences that name it. What not every caller needs is made when it is asked
    for: `structure`, `candidates` and `is_ranked_list`. `lines`: the structure where reading has made it already.
    """

    brands: tuple[BrandReading, ...]
    sentences: Mapping[str, tuple[Offsets, ...]]
    prose: Prose = field(repr=False, compare=False)
    lines: Structure | None = field(default=None, repr=False, compare=False)

    @property
    def readable_chars(self) -> int:
        """Code points of the answer that are prose of its own."""
        return self.prose.readable_chars

    @cached_property
    def structure(self) -> Structure:
        """The lines of the answer."""
        return self.lines or Structure(self.prose.text)

    @cached_property
    def is_ranked_list(self) -> bool:
        """Whether the answer prints item numbers, or a brand has a place in a list of it."""
        numbered = sum(line.number is not None for line in self.structure.lines)
        return numbered >= 2 or any(reading.list_rank for reading in self.brands)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Untracked names that head list items."""
        places = [(o.start, o.end) for reading in self.brands for o in reading.occurrences]
        return find_candidates(self.structure, self.prose, places)


class _Judged(NamedTuple):
    """A hit with the verdict on it."""

    hit: Hit
    verdict: Verdict


def read_mentions(matcher: Matcher, text: str, question: str | None = None) -> MentionReading:
    """Read one answer. `question` is the question asked: where the answer repeats it, its names do not count."""
    folded = Folded(text)
    prose = Prose(text, question, folded)
    hits = _readable(matcher, folded, prose)
    if not hits:
        return MentionReading(_blank(matcher), {}, prose)
    plain = simplify(text)  # the same offsets, one script for all rules
    by_brand = _by_brand(matcher, [_judge(matcher, plain, hit) for hit in hits])
    sentences = Sentences(plain)
    structure = Structure(plain)
    reader = StanceReader(structure, sentences)
    absent: dict[str, bool] = {}
    kept: dict[str, list[_Judged]] = {}
    for brand, items in by_brand.items():
        meant = [j for j in items if j.verdict.is_brand]
        kept[brand] = [j for j in meant if not reader.is_absence((j.hit.start, j.hit.end))]
        absent[brand] = len(kept[brand]) < len(meant)
    ranks = _tracked_ranks(matcher, kept)
    brands = list(_blank(matcher))
    for brand, considered in by_brand.items():
        items = kept[brand]
        if items:
            reading = _mentioned(brand, items, _others(kept, matcher, brand), reader, ranks.get(brand))
        else:
            reading = _not_mentioned(brand, [j.verdict for j in considered], absent=absent[brand])
        brands[matcher.positions[brand]] = reading
    spans = {
        brand: tuple(dict.fromkeys(sentences.at(j.hit.start) for j in items)) for brand, items in kept.items() if items
    }
    return MentionReading(tuple(brands), spans, prose, structure if plain == text else None)


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


def _others(kept: Mapping[str, list[_Judged]], matcher: Matcher, brand: str) -> list[Offsets]:
    """Places of the other brands, without the brand's own products and its parent."""
    own = {(j.hit.start, j.hit.end) for j in kept[brand]}
    return [
        (j.hit.start, j.hit.end)
        for other, items in kept.items()
        if other != brand and matcher.brands[other].parent != brand and matcher.brands[brand].parent != other
        for j in items
        if (j.hit.start, j.hit.end) not in own
    ]


def _tracked_ranks(matcher: Matcher, kept: Mapping[str, list[_Judged]]) -> dict[str, int]:
    """Places by first mention among the tracked brands; products have none. Ties share the smaller number."""
    first = {b: items[0].hit.start for b, items in kept.items() if items and matcher.brands[b].parent is None}
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
    weakest = min((v for v in refused if not v.is_brand), key=lambda v: v.confidence, default=None)
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
