"""YAML files as plain values that remember their lines.

Every scalar stays the string that it is (`NO`, `on`, `0123`, `12:30`, `1_000` are brand names like any other); the
models turn strings into numbers and switches where a field wants one. Only below `options:`, which has no model, plain
scalars are read by the YAML 1.2 core schema. Belongs here: reading one file. Does not: what its values mean.

PyYAML's C parser reads a monitor of 10,000 questions in half a second, a pure Python parser in eight; we use its node
tree only, none of its YAML 1.1 types.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import yaml  # type: ignore[import-untyped,unused-ignore]

from geo_assets.configuration.problems import Finding, Path, Problem, field_name, file_problem

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = frozenset({"", "~", "null"})
_TYPED = "options"
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML file: its value and the place (line, column from 1) of every key and list item."""

    file: str
    value: dict[str, Any]
    marks: Mapping[Path, tuple[int, int]]

    def problem(self, finding: Finding) -> Problem:
        """A finding with the place that it is about, or the nearest place above one that is not in the file."""
        path = finding.path
        while path and path not in self.marks:
            path = path[:-1]
        line, column = self.marks.get(path, (1, 1))
        return Problem(
            self.file, line, column, field_name(finding.path), finding.message, finding.remedy, finding.severity
        )

    def outline(self) -> "Document":
        """The places of its top keys only: what is needed of many files at once, for a fraction of the memory."""
        return Document(self.file, {}, {path: mark for path, mark in self.marks.items() if len(path) <= 1})


def core_scalar(text: str) -> Any:
    """A plain scalar by the core schema of YAML 1.2 (section 10.3.2), without octal, hexadecimal, inf and nan."""
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


class _Reader:
    """Turns a node tree into values and marks, collecting problems on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.marks: dict[Path, tuple[int, int]] = {}
        self.problems: list[Problem] = []
        self._seen: set[int] = set()

    def refuse(self, path: Path, node: yaml.Node, message: str, remedy: str) -> None:
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        self.problems.append(Problem(self.file, line, column, field_name(path), message, remedy))

    def value(self, node: yaml.Node, path: Path, typed: bool) -> Any:
        self.marks.setdefault(path, (node.start_mark.line + 1, node.start_mark.column + 1))
        if id(node) in self._seen:  # An alias gives the anchor's own node: cycles and bombs end here, too.
            self.refuse(path, node, "YAML anchors and aliases (`&`, `*`) are not supported", "Write the value out")
            return None
        self._seen.add(id(node))
        if not node.tag.startswith("tag:yaml.org,2002:"):
            self.refuse(path, node, f"the tag `{node.tag}` is not supported", "Drop the tag, or put it in quotes")
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, path, typed)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, index), typed) for index, item in enumerate(node.value)]
        plain = not node.style
        if plain and node.value in _NULLS:
            return None
        return core_scalar(node.value) if plain and typed else str(node.value)

    def mapping(self, node: yaml.MappingNode, path: Path, typed: bool) -> dict[str, Any]:
        result: dict[str, Any] = {}
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.refuse(path, key_node, "a key must be a word", "Write `key: value`; quote keys with brackets")
                continue
            key = str(key_node.value)
            place = (*path, key)
            if key in first:
                self.refuse(place, key_node, f"the key stands twice, first in line {first[key]}", "Keep one of the two")
                continue
            first[key] = key_node.start_mark.line + 1
            self.marks[place] = (first[key], key_node.start_mark.column + 1)
            value = self.value(value_node, place, typed or key == _TYPED)
            if value is not None or typed:  # A key without a value is a key that is not given.
                result[key] = value
        return result


def read_document(path: FilePath, file: str) -> tuple[Document | None, list[Problem]]:
    """One YAML file, or None with the problems that keep it from being read; `file` is its name in messages."""
    try:
        node = _compose(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        return None, [file_problem(file, "the file does not exist", "Create it; docs/configuration.md shows one")]
    except OSError as error:
        return None, [file_problem(file, f"the file cannot be read ({error.strerror})", "Check its permissions")]
    except UnicodeDecodeError:
        return None, [file_problem(file, "the file is not UTF-8", "Save it as UTF-8 (not GBK or UTF-16)")]
    except yaml.YAMLError as error:
        return None, [_syntax_problem(file, error)]
    reader = _Reader(file)
    if isinstance(node, yaml.MappingNode):
        value = reader.value(node, (), typed=False)
        if not reader.problems:
            return Document(file, value, reader.marks), []
    else:
        reader.problems.append(file_problem(file, "the file must hold `key: value` pairs", "See docs/configuration.md"))
    return None, reader.problems


def _compose(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_Loader)
    except RecursionError as error:
        msg = "it is nested too deeply"
        raise yaml.YAMLError(msg) from error


def _syntax_problem(file: str, error: yaml.YAMLError) -> Problem:
    if isinstance(error, yaml.MarkedYAMLError) and (mark := error.problem_mark or error.context_mark):
        remedy = "Indent with blanks; quote texts with `: ` or ` #` in them or a special character in front"
        line, column = mark.line + 1, mark.column + 1
        return Problem(file, line, column, "", f"not valid YAML: {error.problem or error.context}", remedy)
    return file_problem(file, f"not valid YAML: {str(error).splitlines()[0]}", "Remove what no editor would write")
