"""Reading the mentions of an answer: which brands it names, where, how often, in which place, with which stance.

Here: bringing matcher, prose, ambiguity, structure, rank and stance together. Pure and deterministic: the same text and
dictionary give the same reading. Work beyond the scan is only done where a name was found.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from geo_assets.analysis.ambiguity import Place, Verdict, judge
from geo_assets.analysis.candidates import find_candidates
from geo_assets.analysis.clauses import Offsets, Sentences
from geo_assets.analysis.folding import Folded
from geo_assets.analysis.matcher import Hit, Matcher, compile_matcher
from geo_assets.analysis.prose import Prose, Unread
from geo_assets.analysis.rank import list_rank, prose_rank
from geo_assets.analysis.stance import StanceReader
from geo_assets.analysis.structure import LineKind, Structure
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role
from geo_assets.model.readings import BrandReading, Candidate, Occurrence, Stance

_REVIEW_BELOW = 0.54


@dataclass(frozen=True, slots=True)
class MentionReading:
    """How one answer treats the brands of a dictionary.

    `brands`: one reading for every brand, in the dictionary's order. `sentences`: for every mentioned brand the spans
    (half-open code-point offsets) of the sentences that name it. `candidates`: untracked names that head list items.
    """

    brands: tuple[BrandReading, ...]
    candidates: tuple[Candidate, ...] = ()
    is_ranked_list: bool = False
    readable_chars: int = 0
    sentences: Mapping[str, tuple[Offsets, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A hit with the verdict on it; `aside` is set where it does not count although the name stands there."""

    hit: Hit
    verdict: Verdict


def read_mentions(matcher: Matcher, text: str, question: str | None = None) -> MentionReading:
    """Read one answer. `question` is the question asked: where the answer repeats it, its names do not count."""
    prose = Prose(text, question)
    hits = _readable(matcher, text, prose)
    judged = [_judge(matcher, text, hit, hits) for hit in hits]
    structure = Structure(text) if judged or _has_list(text) else None
    if structure is None:
        return MentionReading(_unnamed(matcher), readable_chars=prose.readable_chars)
    by_brand = _by_brand(matcher, judged)
    sentences = Sentences(text)
    reader = StanceReader(structure, sentences)
    kept = {brand: [j for j in items if j.verdict.is_brand] for brand, items in by_brand.items()}
    absent: dict[str, list[_Judged]] = {}
    for brand, items in kept.items():
        absent[brand] = [j for j in items if reader.is_absence((j.hit.start, j.hit.end), [])]
        kept[brand] = [j for j in items if j not in absent[brand]]
    order = _tracked_ranks(matcher, kept)
    readings = []
    spans: dict[str, tuple[Offsets, ...]] = {}
    for entry in matcher.dictionary.brands:
        items = kept.get(entry.id, [])
        if not items:
            readings.append(_not_mentioned(entry, by_brand.get(entry.id, []), absent.get(entry.id, [])))
            continue
        readings.append(
            _mentioned(entry, items, by_brand[entry.id], _others(kept, matcher, entry), reader, order[entry.id])
        )
        spans[entry.id] = tuple(dict.fromkeys(sentences.spans[sentences.index_at(j.hit.start)] for j in items))
    named = [(j.hit.start, j.hit.end) for items in kept.values() for j in items]
    numbered = sum(
        line.number is not None and line.kind in {LineKind.NUMBER, LineKind.HEADING} for line in structure.lines
    )
    return MentionReading(
        tuple(readings),
        find_candidates(structure, prose, named),
        is_ranked_list=numbered >= 2 or any(r.list_rank for r in readings),
        readable_chars=prose.readable_chars,
        sentences=spans,
    )


def _has_list(text: str) -> bool:
    return "\n" in text and any(mark in text for mark in ("\n- ", "\n* ", "\n1", "\n2", "|", "#", "、", "①", "• "))


def _readable(matcher: Matcher, text: str, prose: Prose) -> list[Hit]:
    """Hits that stand in prose. A host counts only where the listed name is that host itself."""
    hits = []
    for hit in matcher.hits(Folded(text)):
        span = prose.unread_at(hit.start, hit.end)
        if span is None or (span.why is Unread.HOST and span.start == hit.start and span.end == hit.end):
            hits.append(hit)
    return hits


def _judge(matcher: Matcher, text: str, hit: Hit, hits: list[Hit]) -> _Judged:
    brand = hit.name.brand or ""
    context = matcher.context | matcher.brand_context.get(brand, frozenset())

    def others() -> tuple[Offsets, ...]:
        return tuple((h.start, h.end) for h in hits if h.name.brand != brand)

    verdict = judge(Place(text, hit, context, others))
    return _Judged(hit, verdict)


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


def _others(kept: Mapping[str, list[_Judged]], matcher: Matcher, entry: BrandEntry) -> list[Offsets]:
    """Places of the other brands, without the brand's own products and its parent."""
    family = {entry.id, entry.parent} | {b.id for b in matcher.dictionary.brands if b.parent == entry.id}
    own = [(j.hit.start, j.hit.end) for j in kept[entry.id]]
    return [
        (j.hit.start, j.hit.end)
        for brand, items in kept.items()
        if brand not in family
        for j in items
        if not any(a < j.hit.end and j.hit.start < b for a, b in own)
    ]


def _tracked_ranks(matcher: Matcher, kept: Mapping[str, list[_Judged]]) -> dict[str, int | None]:
    """Places by first mention among the tracked brands; products have none. Ties share the smaller number."""
    first = {b.id: kept[b.id][0].hit.start for b in matcher.dictionary.tracked if kept.get(b.id)}
    ordered = sorted(first.values())
    return {brand: ordered.index(first[brand]) + 1 if brand in first else None for brand in kept}


def _mentioned(
    entry: BrandEntry,
    items: list[_Judged],
    considered: list[_Judged],
    others: list[Offsets],
    reader: StanceReader,
    tracked: int | None,
) -> BrandReading:
    places = [(j.hit.start, j.hit.end) for j in items]
    stance, stance_confidence = reader.read(places, others)
    confidence = max(j.verdict.confidence for j in items)
    doubt = confidence < _REVIEW_BELOW
    return BrandReading(
        brand=entry.id,
        mentioned=True,
        count=len(items),
        occurrences=tuple(Occurrence(j.hit.start, j.hit.end, j.hit.name.text, j.verdict.confidence) for j in items),
        stance=stance,
        stance_confidence=stance_confidence,
        tracked_rank=tracked,
        list_rank=_list_rank(reader.structure, places),
        confidence=confidence,
        review=doubt,
        review_reason=items[0].verdict.reason if doubt else None,
        own_count=sum(j.hit.name.brand == entry.id for j in items),
    )


def _list_rank(structure: Structure, places: list[Offsets]) -> int | None:
    for place in places:
        if (rank := list_rank(structure, *place)) is not None:
            return rank
    for start, _ in places:
        if (rank := prose_rank(structure, start)) is not None:
            return rank
    return None


def _not_mentioned(entry: BrandEntry, considered: list[_Judged], absent: list[_Judged]) -> BrandReading:
    refused = [j.verdict for j in considered if not j.verdict.is_brand]
    weakest = min(refused, key=lambda v: v.confidence, default=None)
    confidence = 0.9 if absent else weakest.confidence if weakest else 1.0
    doubt = confidence < _REVIEW_BELOW
    return BrandReading(
        brand=entry.id,
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


def _unnamed(matcher: Matcher) -> tuple[BrandReading, ...]:
    return _blank(matcher)


@lru_cache(maxsize=64)
def _blank(matcher: Matcher) -> tuple[BrandReading, ...]:
    """The readings of an answer that names nobody: the same object for every such answer."""
    return tuple(_not_mentioned(entry, [], []) for entry in matcher.dictionary.brands)


def read_mention_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Read one row `{id, text, brand: {name, aliases, exclude?, category?}}` of a bulk reading.

    Returns `{id, mentioned, count, list_rank, stance, confidence, review}`. Raises `ValueError` naming the field where a
    row lacks its text or its brand's name.
    """
    text, brand = row.get("text"), row.get("brand")
    if not isinstance(text, str):
        raise ValueError(f"row {row.get('id')!r}: `text` must be a string")
    if not isinstance(brand, Mapping) or not str(brand.get("name") or "").strip():
        raise ValueError(f"row {row.get('id')!r}: `brand.name` must be a non-empty string")
    reading = read_mentions(_row_matcher(*_row_key(brand)), text, row.get("question")).brands[0]
    return {
        "id": row.get("id"),
        "mentioned": reading.mentioned,
        "count": reading.count,
        "list_rank": reading.list_rank,
        "stance": reading.stance.value if reading.stance else None,
        "confidence": round(reading.confidence, 3),
        "review": reading.review,
    }


def _row_key(brand: Mapping[str, Any]) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    def words(key: str) -> tuple[str, ...]:
        value = brand.get(key) or ()
        return (value,) if isinstance(value, str) else tuple(map(str, value))

    return str(brand["name"]), words("aliases"), words("exclude"), words("category")


@lru_cache(maxsize=512)
def _row_matcher(name: str, aliases: tuple[str, ...], exclude: tuple[str, ...], category: tuple[str, ...]) -> Matcher:
    identity = hashlib.sha256(name.encode()).hexdigest()[:12]
    entry = BrandEntry(identity, name, Role.OWN, aliases=aliases, exclude=exclude, context=category)
    return compile_matcher(Dictionary("rows", (entry,)))
