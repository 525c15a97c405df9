"""JSON Schemas of the configuration files for editors, from the models; and the command that keeps files current.

`python -m geo_assets.configuration.schema --write` brings schemas and reference up to date; without `--write` it says
which files are not. Belongs here: schemas. Does not: the tables of the reference, which are in `reference`.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from geo_assets.configuration.reference import descriptions, render_reference
from geo_assets.model import configuration as models

SCHEMA_FOLDER = "schema"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """File name → schema, for the three kinds of files."""
    platform = _schema(models.Platform)
    definitions = platform.pop("$defs")
    definitions["Platform"] = {key: value for key, value in platform.items() if key != "$schema"}
    platforms = {
        "$schema": _DIALECT,
        "title": "Platforms",
        "type": "object",
        "properties": {
            "platforms": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Platform"}},
        },
        "required": ["platforms"],
        "additionalProperties": False,
        "$defs": definitions,
    }
    return {
        "project.schema.json": _schema(models.Project),
        "platforms.schema.json": platforms,
        "monitor.schema.json": _schema(models.Monitor),
    }


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema()
    known = descriptions()
    for name, definition in [(model.__name__, schema), *schema.get("$defs", {}).items()]:
        for field, described in definition.get("properties", {}).items():
            described.pop("title", None)
            described["description"] = known[name][field]
    _widen(schema)
    return {"$schema": _DIALECT, **schema}


def _widen(schema: Any) -> None:
    """Every scalar is read as the text that it is: where text is wanted, an unquoted number or `true` will do."""
    if isinstance(schema, dict):
        if schema.get("type") == "string" and "enum" not in schema and "const" not in schema:
            schema["type"] = ["string", "number", "boolean"]
        for value in schema.values():
            _widen(value)
    elif isinstance(schema, list):
        for value in schema:
            _widen(value)


def render_schema(schema: dict[str, Any]) -> str:
    """A schema as the text of its file."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def current_files(data: Path, reference: Path) -> dict[Path, str]:
    """Path → what the file should hold."""
    files = {data / SCHEMA_FOLDER / name: render_schema(schema) for name, schema in schemas().items()}
    if reference.exists():
        files[reference] = render_reference(reference.read_text(encoding="utf-8"))
    return files


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or say which are not current; 1 if any is not."""
    parser = argparse.ArgumentParser(prog="python -m geo_assets.configuration.schema", description=main.__doc__)
    parser.add_argument("--write", action="store_true", help="write the files")
    parser.add_argument("--data", type=Path, default=Path("data"), help="data folder (default: data)")
    parser.add_argument("--reference", type=Path, default=Path("docs/configuration.md"), help="the reference page")
    options = parser.parse_args(arguments)
    stale = 0
    for path, text in current_files(options.data, options.reference).items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if options.write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        stale += 1
        sys.stdout.write(f"{'written' if options.write else 'not current'}: {path}\n")
    return int(bool(stale) and not options.write)


if __name__ == "__main__":
    sys.exit(main())
