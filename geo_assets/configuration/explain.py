"""Validation errors of the models in plain words, with a remedy.

Belongs here: from pydantic's error types to findings. Does not: rules over several fields, which are in `checks`.
"""

from collections.abc import Mapping
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from geo_assets.configuration.problems import Finding, Path, did_you_mean

M = TypeVar("M", bound=BaseModel)

_PATTERNS = {
    r"^[a-z0-9][a-z0-9-]{0,47}$": (
        "an id is 1 to 48 lower-case letters a-z, digits and hyphens",
        "Write it like `ergo-chairs-cn`; names in any script belong into `name`",
    ),
    r"^[A-Z]{3}$": ("a currency is an ISO 4217 code of three capitals", "Write `CNY`, `USD`, ..."),
    r"^([01]\d|2[0-3]):[0-5]\d$": ("a time of day is `HH:MM`, from 00:00 to 23:59", "Write it like `02:00`"),
    r"^\d{4}-\d{2}-\d{2}$": ("a date is `YYYY-MM-DD`", "Write it like `2026-11-01`"),
    r"^\d{1,12}(\.\d{1,6})?$": (
        "an amount is a decimal number with at most 6 decimals, not negative",
        "Write it like `0.25`, without a currency sign",
    ),
    r"^[A-Z][A-Z0-9_]*$": (
        "this is no name of an environment variable",
        "Name the variable that holds the key, like `TENCENT_TOKENHUB_API_KEY`; a key itself never stands in a file",
    ),
}
_NUMBERS = frozenset({"int_parsing", "int_type", "float_parsing", "float_type", "int_from_float"})
_BOUNDS = {
    "greater_than": "gt",
    "greater_than_equal": "ge",
    "less_than": "lt",
    "less_than_equal": "le",
}
_BOUND_WORDS = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}


def validate(model: type[M], value: Any, base: Path = ()) -> tuple[M | None, list[Finding]]:
    """`value` as `model`, or None with one finding for each thing that is wrong; `base` is where the value stands."""
    try:
        return model.model_validate(value), []
    except ValidationError as error:
        findings = [_explain(model, d, base) for d in error.errors(include_url=False) if not _follows(d)]
        return None, list(dict.fromkeys(findings))


def _follows(details: ErrorDetails) -> bool:
    """Whether an error only says that a list is too short because its items had errors."""
    return details["type"] == "too_short" and bool(details["input"])


def _explain(model: type[BaseModel], details: ErrorDetails, base: Path) -> Finding:
    loc = tuple(part for part in details["loc"] if part != "[key]")
    message, remedy = _words(model, loc, details)
    return Finding((*base, *loc), message, remedy)


def _words(model: type[BaseModel], loc: Path, details: ErrorDetails) -> tuple[str, str]:
    kind, value = details["type"], details["input"]
    if kind == "extra_forbidden":
        known = fields_at(model, loc[:-1])
        return "unknown key", did_you_mean(str(loc[-1]), known) if known else "Remove it"
    if kind in {"model_type", "model_attributes_type", "dict_type"}:
        keys = fields_at(model, loc)
        return "`key: value` pairs are needed", f"Known keys: {', '.join(keys)}" if keys else "Write `key: value`"
    if kind == "missing":
        return "is missing", f"Add `{loc[-1]}:` here"
    if kind in {"tuple_type", "list_type"}:
        return "a list is needed", f"Write `{loc[-1]}: [one, two]`, or one item a line, each after `- `"
    return _value_words(kind, value, details.get("ctx", {}), details["msg"])


def _value_words(kind: str, value: Any, context: Mapping[str, Any], fallback: str) -> tuple[str, str]:
    words = (fallback, "See docs/configuration.md")
    if kind == "string_pattern_mismatch":
        words = _PATTERNS.get(context["pattern"], words)
    elif kind in {"literal_error", "enum"}:
        known = [word.strip("' ") for word in str(context["expected"]).replace(" or ", ", ").split(",")]
        words = f"`{value}` is not one of the values known here", did_you_mean(str(value), known)
    elif kind == "string_type":
        words = _text_wanted(value)
    elif kind in _NUMBERS:
        words = f"`{value}` is not a {'whole ' if 'int' in kind else ''}number", "Write digits only"
    elif kind == "bool_parsing":
        words = f"`{value}` is neither true nor false", "Write `true` or `false`"
    elif kind in _BOUNDS:
        limit = _BOUNDS[kind]
        words = f"`{value}` is out of range", f"It must be {_BOUND_WORDS[limit]} {context[limit]}"
    elif kind in {"string_too_short", "too_short"}:
        words = "is empty", "Write at least one, or remove the key where it may be left out"
    elif kind == "value_error":
        words = f"`{value}` is no date: {context.get('error')}", "Write a real date like `2026-11-01`"
    return words


def _text_wanted(value: Any) -> tuple[str, str]:
    if value is None:
        return "is empty", "Remove it, or put it in quotes if it is a name such as `null` or `~`"
    shown = "a list" if isinstance(value, list) else "`key: value` pairs" if isinstance(value, dict) else "a number"
    return f"text is needed, not {shown}", "Write one text; put it in quotes if it has `: `, `{` or `[` in it"


def fields_at(model: type[BaseModel], loc: Path) -> list[str]:
    """The keys known at a place of a model; empty where there is no model at that place."""
    current: type[BaseModel] | None = model
    for part in loc:
        if isinstance(part, int):
            continue
        field = current.model_fields.get(part) if current else None
        current = _model_in(field.annotation) if field else None
    return sorted(current.model_fields) if current else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)
