"""Readings in doubt: rows for people to decide, their decisions read back, and decisions applied to a reading.

What belongs here: pure functions on rows and readings. What does not: where decisions are kept (the caller stores
them), evidence (never changed), and rules of reading.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from geo_assets.analysis.folding import Folded
from geo_assets.analysis.matcher import compile_matcher
from geo_assets.analysis.safe import plain_cell, safe_cell, safe_json
from geo_assets.model.dictionary import Dictionary
from geo_assets.model.readings import BrandReading, Reading, Stance, ValidityReading
from geo_assets.model.review import CHOICES, ReviewDecision, ReviewField
from geo_assets.model.states import Validity

CONTEXT = 80
"""Characters of the answer shown on each side of the place in doubt."""

COLUMNS = (
    "sample_id",
    "evidence",
    "brand",
    "field",
    "guess",
    "confidence",
    "reason",
    "choices",
    "question",
    "context",
    "dictionary_hash",
    "reader",
    "decision",
    "who",
    "when",
    "why",
)
"""Columns of an export; a person fills in the last four."""


NO_DICTIONARY = "-"
"""Stands for the dictionary's hash where none had a part in the reading."""


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One thing in doubt, with the reader's guess and the text around it. `answer`: the whole text, not exported."""

    sample_id: str
    evidence: str
    brand: str
    field: ReviewField
    guess: str
    confidence: float
    reason: str
    question: str
    context: str
    dictionary_hash: str
    reader: str
    answer: str = ""

    def row(self) -> dict[str, str]:
        """The item as a row of an export, decision columns empty."""
        choices = " | ".join(CHOICES[self.field]) or "1, 2, … | none"
        given = {column: str(getattr(self, column, "")) for column in COLUMNS}
        return given | {"field": self.field.value, "choices": choices, "confidence": f"{self.confidence:.2f}"}


def review_items(
    answer: Mapping[str, Any], mentions: Iterable[Mapping[str, Any]], dictionary: Dictionary
) -> Iterator[ReviewItem]:
    """What is in doubt in one answer: its validity first, then brands in the order of their rows.

    `answer` is its row of `answers`, `mentions` its rows of `brand_mentions`, read with `dictionary`.
    """
    text = answer["text"] or ""

    def item(row: Mapping[str, Any], brand: str, field: ReviewField, **shown: Any) -> ReviewItem:
        return ReviewItem(
            sample_id=row["sample_id"],
            evidence=row["evidence_digest"] or "",
            brand=brand,
            field=field,
            question=answer["question_text"],
            dictionary_hash=row.get("dictionary_hash") or NO_DICTIONARY,
            reader=row["reader"],
            answer=text,
            **shown,
        )

    if answer["validity_review"]:
        ends = text if len(text) <= 4 * CONTEXT else f"{text[: 2 * CONTEXT]} … {text[-2 * CONTEXT :]}"
        yield item(
            answer,
            "",
            ReviewField.VALIDITY,
            guess=answer["validity"],
            confidence=answer["validity_confidence"],
            reason=answer["validity_reason"] or "",
            context=" ".join(ends.split()),
        )
    for row in mentions:
        if row["review"]:
            yield item(
                row,
                row["brand"],
                ReviewField.MENTIONED,
                guess="yes" if row["mentioned"] else "no",
                confidence=row["confidence"],
                reason=row["review_reason"] or "",
                context=_around(row, text, dictionary),
            )


def _around(row: Mapping[str, Any], text: str, dictionary: Dictionary) -> str:
    """The text around the place in doubt: the first that counts, else the first where the name stands at all."""
    if row["occurrences"]:
        first = row["occurrences"][0]
        return context_at(text, first["start"], first["end"])
    hits = compile_matcher(dictionary).hits(Folded(text))
    place = next(((h.start, h.end) for h in hits if h.name.brand == row["brand"]), (0, 0))
    return context_at(text, *place)


def context_at(text: str, start: int, end: int, width: int = CONTEXT) -> str:
    """The text around a half-open range in one line, with `…` where it goes on."""
    first, last = max(0, start - width), min(len(text), end + width)
    snippet = " ".join(text[first:last].split())
    return f"{'…' if first else ''}{snippet}{'…' if last < len(text) else ''}"


def export_csv(items: Iterable[ReviewItem]) -> Iterator[str]:
    """Lines of a CSV file (UTF-8, with header and line ends), safe to open in a spreadsheet."""
    yield _csv_line(COLUMNS)
    for item in items:
        row = item.row()
        yield _csv_line([safe_cell(row[column]) for column in COLUMNS])


def export_jsonl(items: Iterable[ReviewItem]) -> Iterator[str]:
    """Lines of a JSON Lines file with the same fields."""
    for item in items:
        yield safe_json(item.row()) + "\n"


Placed = tuple[str, ReviewDecision]
"""A decision and where it was read: `cases.csv, line 3`."""


def import_csv(lines: Iterable[str], *, source: str, who: str = "", when: str = "") -> Iterator[Placed]:
    """Decisions of an exported CSV file; rows without a decision are skipped. `lines` keep their line ends.

    `who` and `when` fill in where a row leaves them empty.

    Raises:
        ValueError: a column is missing or a decision is not valid; the message names file, line and field.
    """
    reader = csv.DictReader(lines, strict=True)
    missing = [c for c in COLUMNS if c not in (reader.fieldnames or [])]
    missing = [c for c in missing if c not in {"guess", "confidence", "reason", "choices", "question", "context"}]
    if missing:
        raise ValueError(f"{source}, line 1: no column {missing[0]!r}; export again and fill in the last four columns")
    try:
        for row in reader:
            values = {k: plain_cell(v or "") for k, v in row.items() if isinstance(k, str)}
            yield from _decision(values, source, reader.line_num, who, when)
    except csv.Error as error:
        raise ValueError(f"{source}, line {reader.line_num}: not CSV ({error})") from None


def import_jsonl(lines: Iterable[str], *, source: str, who: str = "", when: str = "") -> Iterator[Placed]:
    """Decisions of an exported JSON Lines file; like `import_csv`."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{source}, line {number}: not JSON ({error})") from None
        if not isinstance(row, dict):
            raise ValueError(f"{source}, line {number}: expected an object")
        yield from _decision({k: "" if v is None else str(v) for k, v in row.items()}, source, number, who, when)


def apply_decisions(reading: Reading, decisions: Iterable[ReviewDecision]) -> Reading:
    """The reading with what people decided about its evidence; the caller passes the decisions of that evidence.

    Of several decisions on one thing the latest holds. What was decided is no longer in doubt (confidence 1). Brands
    that the dictionary no longer has are passed over. Places among tracked brands are counted anew.
    """
    latest: dict[tuple[str, ReviewField], ReviewDecision] = {}
    for decision in sorted(decisions, key=lambda d: (d.moment, d.who, d.decision)):
        latest[decision.brand, decision.field] = decision
    validity = reading.validity
    if verdict := latest.get(("", ReviewField.VALIDITY)):
        validity = ValidityReading(Validity(verdict.decision), _reason(verdict), 1.0)
    brands = [_decided(brand, latest) for brand in reading.brands]
    return replace(reading, validity=validity, brands=tuple(_ranked_anew(brands)))


def _decided(brand: BrandReading, latest: Mapping[tuple[str, ReviewField], ReviewDecision]) -> BrandReading:
    if mentioned := latest.get((brand.brand, ReviewField.MENTIONED)):
        brand = _with_mention(brand, mentioned)
    stance = latest.get((brand.brand, ReviewField.STANCE))
    if stance and (brand.mentioned or stance.decision == Stance.ABSENT):
        brand = replace(brand, stance=Stance(stance.decision), stance_confidence=1.0)
    rank = latest.get((brand.brand, ReviewField.LIST_RANK))
    if rank and brand.mentioned:
        brand = replace(brand, list_rank=None if rank.decision == "none" else int(rank.decision))
    return brand


def _with_mention(brand: BrandReading, decision: ReviewDecision) -> BrandReading:
    settled = replace(brand, confidence=1.0, review=False, review_reason=_reason(decision))
    if decision.decision == "yes":
        if brand.mentioned:
            return settled
        # Where it stands is not known: it counts once, has no place, and its stance is no more than neutral.
        return replace(
            settled,
            mentioned=True,
            count=1,
            own_count=1,
            stance=Stance.NEUTRAL,
            stance_confidence=None,
            tracked_rank=None,
        )
    return replace(
        settled,
        mentioned=False,
        count=0,
        own_count=0,
        occurrences=(),
        stance=Stance.ABSENT if brand.stance is Stance.ABSENT else None,
        stance_confidence=None,
        tracked_rank=None,
        list_rank=None,
    )


def _ranked_anew(brands: Sequence[BrandReading]) -> Iterator[BrandReading]:
    """`tracked_rank` without gaps: 1 plus the number of brands before it; ties share."""
    ranks = [b.tracked_rank for b in brands if b.tracked_rank is not None]
    for brand in brands:
        rank = brand.tracked_rank
        yield brand if rank is None else replace(brand, tracked_rank=1 + sum(other < rank for other in ranks))


def _reason(decision: ReviewDecision) -> str:
    return f"decided by {decision.who}: {decision.why}"


def _decision(row: Mapping[str, Any], source: str, line: int, who: str, when: str) -> Iterator[Placed]:
    if not row.get("decision", "").strip():
        return
    where = f"{source}, line {line}"
    text = {k: str(v).strip() for k, v in row.items()}
    try:
        field = text.get("field", "")
        if field not in set(ReviewField):
            raise ValueError(f"field: {field!r} is none of {', '.join(ReviewField)}")
        decision = ReviewDecision(
            sample_id=text.get("sample_id", ""),
            evidence=text.get("evidence", ""),
            brand=text.get("brand", ""),
            field=ReviewField(field),
            decision=text["decision"].lower(),
            who=text.get("who") or who,
            when=text.get("when") or when,
            why=text.get("why", ""),
            dictionary_hash=text.get("dictionary_hash", ""),
            reader=text.get("reader", ""),
        )
    except ValueError as error:
        raise ValueError(f"{where}, {error}") from None
    yield where, decision


class _Line:
    """A file-like object that keeps the last line written, as the csv module needs one."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text = text
        return len(text)


def _csv_line(cells: Iterable[str]) -> str:
    line = _Line()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.text
