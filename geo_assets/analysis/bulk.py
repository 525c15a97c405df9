"""Reading many texts from JSON Lines: `geo read KIND IN OUT` and anybody who wants to try the reader on own texts.

What belongs here: rows in, rows out, one at a time, so that memory does not grow. What does not: files (the command
opens them) and rules of reading: these are the functions that the assets use too.

Formats, one object a line, `id` given back unchanged:

- mentions: in `id, text, brand {name, aliases, exclude?, category?}`, optional `question`;
  out `id, mentioned, count, list_rank, stance, confidence, review`
- validity: in `id, text`, optional `question`, `finish_reason`; out `id, label, confidence, review, reason`
- urls: in `id, url`; out `id, normalised`
- domains: in `id, host`; out `id, registrable_domain` (empty where there is none)
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from geo_assets.analysis.safe import safe_json
from geo_assets.model.answers import FinishReason
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role
from geo_assets.model.states import Validity

Row = Mapping[str, Any]

LABELS: dict[Validity, str] = {v: v.value for v in Validity} | {Validity.OK: "valid", Validity.REFUSED: "refusal"}
"""Labels of the `validity` format: two kinds have other names there than in the tables."""


class BadRowError(ValueError):
    """A line that cannot be read. The message names file, line and field and says what is expected."""

    def __init__(self, source: str, line: int, field: str, problem: str) -> None:
        super().__init__(
            f"{source}, line {line}, field {field!r}: {problem}" if field else f"{source}, line {line}: {problem}"
        )
        self.source, self.line, self.field, self.problem = source, line, field, problem


class FieldError(ValueError):
    """A field of a row is missing or of the wrong type; the message names it."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"field {field!r}: {problem}")
        self.field, self.problem = field, problem


def read_lines(kind: str, lines: Iterable[str], *, source: str = "input") -> Iterator[str]:
    """Readings of the rows in `lines`, in order, as JSON lines without line ends; blank lines are skipped.

    `source` is the name to put into messages.

    Raises:
        ValueError: there is no such kind.
        BadRowError: a line is no JSON object, or a field is missing or of the wrong type; rows before it have come out.
    """
    if kind not in READERS:
        raise ValueError(f"unknown kind {kind!r}: expected one of {', '.join(READERS)}")
    return _read_lines(kind, lines, source)


def read_row(kind: str, row: Row) -> dict[str, Any]:
    """The reading of one row, with its id. Raises FieldError."""
    if "id" not in row:
        raise FieldError("id", "is missing; every row needs an id, which is given back")
    return {"id": row["id"], **READERS[kind](row)}


def _read_lines(kind: str, lines: Iterable[str], source: str) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        text = line.lstrip("\ufeff").strip() if number == 1 else line.strip()
        if not text:
            continue
        try:
            row = json.loads(text)
        except ValueError as error:
            raise BadRowError(source, number, "", f"not JSON ({error}); expected one object a line") from None
        if not isinstance(row, dict):
            raise BadRowError(source, number, "", f"expected an object, found {_type(row)}")
        try:
            answer = read_row(kind, row)
        except FieldError as fault:
            raise BadRowError(source, number, fault.field, fault.problem) from None
        yield safe_json(answer)


def _mentions(row: Row) -> dict[str, Any]:
    from geo_assets.analysis.matcher import compile_matcher
    from geo_assets.analysis.mentions import read_mentions

    text, question = _text(row, "text"), _text(row, "question", "")
    reading = read_mentions(compile_matcher(_dictionary(row)), text, question or None).brands[0]
    return {
        "mentioned": reading.mentioned,
        "count": reading.count,
        "list_rank": reading.list_rank,
        "stance": reading.stance.value if reading.stance else None,
        "confidence": round(reading.confidence, 4),
        "review": reading.review,
    }


def _dictionary(row: Row) -> Dictionary:
    brand = row.get("brand")
    if not isinstance(brand, dict):
        raise FieldError("brand", f"expected an object {{name, aliases}}, found {_type(brand)}")
    name = _text(brand, "name", where="brand.")
    if not name.strip():
        raise FieldError("brand.name", "is empty; give the brand's name")
    aliases, exclude = _texts(brand, "aliases"), _texts(brand, "exclude")
    category = brand.get("category")
    context = _texts(brand, "category") if isinstance(category, list) else ()
    if isinstance(category, str):
        context = (category,)
    entry = BrandEntry(id="brand", name=name, role=Role.OWN, aliases=aliases, exclude=exclude, context=context)
    return Dictionary(monitor="read", brands=(entry,), context=context)


def _validity(row: Row) -> dict[str, Any]:
    from geo_assets.analysis.validity import read_validity

    finish = _text(row, "finish_reason", FinishReason.UNKNOWN.value)
    if finish not in {reason.value for reason in FinishReason}:
        raise FieldError("finish_reason", f"{finish!r} is none of {', '.join(FinishReason)}")
    reading = read_validity(_text(row, "text"), _text(row, "question", ""), finish_reason=FinishReason(finish))
    return {
        "label": LABELS[reading.validity],
        "confidence": reading.confidence,
        "review": reading.review,
        "reason": reading.reason,
    }


def _urls(row: Row) -> dict[str, Any]:
    from geo_assets.analysis.urls import normalise_url

    return {"normalised": normalise_url(_text(row, "url"))}


def _domains(row: Row) -> dict[str, Any]:
    from geo_assets.analysis.urls import registrable_domain

    return {"registrable_domain": registrable_domain(_text(row, "host")) or ""}


READERS: dict[str, Callable[[Row], dict[str, Any]]] = {
    "mentions": _mentions,
    "validity": _validity,
    "urls": _urls,
    "domains": _domains,
}
"""Kind of reading → the function from a row to its reading (without the id)."""


def _text(row: Row, field: str, default: str | None = None, *, where: str = "") -> str:
    value = row.get(field, default)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        problem = "is missing; expected text" if field not in row else f"expected text, found {_type(value)}"
        raise FieldError(where + field, problem)
    return value


def _texts(brand: Row, field: str) -> tuple[str, ...]:
    value = brand.get(field) or []
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise FieldError(f"brand.{field}", f"expected a list of texts, found {_type(value)}")
    return tuple(v for v in value if v.strip())


def _type(value: Any) -> str:
    names = {bool: "true/false", dict: "an object", list: "a list", str: "text", int: "a number", float: "a number"}
    return names.get(type(value), "nothing")
