"""What a second reading changed: mentions gained, lost and changed, with the text around them.

What belongs here: comparing rows of `brand_mentions` of one partition, old against new. What does not: reading tables,
showing the difference, deciding which reading is right.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from geo_assets.analysis.review import context_at

Row = Mapping[str, Any]

COMPARED = ("count", "own_count", "tracked_rank", "list_rank", "stance", "review")
"""Columns whose change is reported for a brand that both readings name. Confidences may drift unreported."""


class Change(StrEnum):
    """What happened to a brand in an answer. `added` and `removed`: the answer or brand stands in one reading only."""

    GAINED = "gained"
    LOST = "lost"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class MentionChange:
    """One difference. `fields` maps a column to (old, new). `context` is the answer's text around the first place."""

    sample_id: str
    brand: str
    change: Change
    fields: Mapping[str, tuple[Any, Any]]
    context: str


def diff_readings(
    old_rows: Iterable[Row], new_rows: Iterable[Row], text_of: Callable[[str], str | None]
) -> Iterator[MentionChange]:
    """Differences by sample and brand, in the order of (sample_id, brand).

    Rows are those of the table `brand_mentions` as mappings. `text_of` gives the text of a sample's answer, None where
    there is none any more; it is asked only for rows that differ. Rows that stand in one reading only are reported as
    gained or lost if they name the brand, else as added or removed.

    Raises:
        ValueError: one reading has two rows for one sample and brand.
    """
    old, new = _by_key(old_rows, "old"), _by_key(new_rows, "new")
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        change = _change(before, after)
        fields = {
            name: (_value(before, name), _value(after, name))
            for name in ("mentioned", *COMPARED)
            if _value(before, name) != _value(after, name)
        }
        if change is None and not fields:
            continue
        context = _context(after, before, text_of(key[0]))
        yield MentionChange(key[0], key[1], change or Change.CHANGED, fields, context)


def _by_key(rows: Iterable[Row], which: str) -> dict[tuple[str, str], Row]:
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        key = (row["sample_id"], row["brand"])
        if key in found:
            raise ValueError(f"the {which} reading has two rows for sample {key[0]} and brand {key[1]}")
        found[key] = row
    return found


def _change(before: Row | None, after: Row | None) -> Change | None:
    was, is_now = bool(before and before["mentioned"]), bool(after and after["mentioned"])
    if was != is_now:
        return Change.GAINED if is_now else Change.LOST
    if before is None:
        return Change.ADDED
    if after is None:
        return Change.REMOVED
    return None


def _value(row: Row | None, name: str) -> Any:
    return None if row is None else row.get(name)


def _context(after: Row | None, before: Row | None, text: str | None) -> str:
    """Text around the first place in the newer reading that has one; the stored snippet where the text is gone."""
    for row in (after, before):
        places = row.get("occurrences") if row else None
        if places and text is not None:
            return context_at(text, places[0]["start"], places[0]["end"])
        if places and row and row.get("context"):
            return str(row["context"])
    return ""
