"""The tables of the configuration reference, from the models.

A field's description is the string below it in the model's source: it is read here, where no start-up pays for it.
Belongs here: descriptions and tables. Does not: the prose of the page, which is in docs/configuration.md.
"""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from geo_assets.model import configuration as models

_MARKER = re.compile(r"(<!-- fields of (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def descriptions() -> dict[str, dict[str, str]]:
    """Class → field → the string below the field."""
    return {
        node.name: dict(_described(node))
        for node in ast.parse(inspect.getsource(models)).body
        if isinstance(node, ast.ClassDef)
    }


def _described(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(node.body, node.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, text


def table(model: type[BaseModel]) -> str:
    """The reference table of a model: key, type, default, meaning."""
    schema = model.model_json_schema()
    known = descriptions()[model.__name__]
    rows = ["| key | type | default | meaning |", "|---|---|---|---|"]
    for field, described in schema["properties"].items():
        default = "required" if field in schema.get("required", ()) else _default(described)
        rows.append(f"| `{field}` | {_type_words(described, schema)} | {default} | {known[field]} |")
    return "\n".join(rows) + "\n"


def _default(described: dict[str, Any]) -> str:
    value = described.get("default")
    if isinstance(value, dict) and value:
        return "its defaults"
    if value in (None, "", [], {}):
        return "none"
    return f"`{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}`"


def _type_words(described: dict[str, Any], schema: dict[str, Any]) -> str:
    """The type of a field in a few words."""
    if "$ref" in described:
        name = described["$ref"].rsplit("/", 1)[-1]
        target = schema["$defs"][name]
        return _choices(target["enum"]) if "enum" in target else f"[{name}](#{name.lower()})"
    if "anyOf" in described:
        kinds = [part for part in described["anyOf"] if part.get("type") != "null"]
        return " or ".join(_type_words(part, schema) for part in kinds)
    if "enum" in described:
        return _choices(described["enum"])
    kind = described.get("type")
    if kind == "array":
        return f"list of {_type_words(described['items'], schema)}"
    if kind == "object":
        pairs = described.get("patternProperties", {}).items()
        return "; ".join(f"{_PATTERN_WORDS[key]}: {_type_words(value, schema)}" for key, value in pairs) or "key: value"
    return _scalar_words(described)


def _scalar_words(described: dict[str, Any]) -> str:
    words = {"string": "text", "integer": "whole number", "boolean": "true, false"}.get(
        described.get("type", ""), "number"
    )
    words = _PATTERN_WORDS.get(described.get("pattern", ""), words)
    low = described.get("minimum", described.get("exclusiveMinimum"))
    high = described.get("maximum")
    if high is not None:
        return f"{words}, {'over ' if 'exclusiveMinimum' in described else ''}{low:g} to {high:g}"
    if low is not None:
        return f"{words}, {'over' if 'exclusiveMinimum' in described else 'from'} {low:g}"
    return words


_PATTERN_WORDS = {
    r"^[a-z0-9][a-z0-9-]{0,47}$": "id",
    r"^[A-Z]{3}$": "currency",
    r"^([01]\d|2[0-3]):[0-5]\d$": "`HH:MM`",
    r"^\d{4}-\d{2}-\d{2}$": "date",
    r"^\d{1,12}(\.\d{1,6})?$": "amount",
    r"^[A-Z][A-Z0-9_]*$": "variable name",
}


def _choices(values: list[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def render_reference(text: str) -> str:
    """The reference with its tables brought up to date."""
    return _MARKER.sub(lambda match: match[1] + table(getattr(models, match[2])) + match[3], text)
