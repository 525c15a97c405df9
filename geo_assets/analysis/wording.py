"""Tables of patterns that are searched often and match rarely: an index of the words that each pattern needs.

Here: reading the tables (`lexicon/stance_*.txt`), which literals a regular expression cannot match without, and an
automaton over all of them, so that one scan of a clause leaves few patterns to try. An index never changes a result:
a pattern without such literals is always tried. Not here: what a match means (`stance`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ahocorasick_rs import AhoCorasick

from geo_assets.analysis.lexicon import lines

try:
    from re import _constants as _op  # type: ignore[attr-defined]
    from re import _parser  # type: ignore[attr-defined]
except ImportError:  # pragma: no cover - a Python without these internals tries every pattern
    _parser = None

_ALWAYS_THERE = frozenset("Ⓑ")


class PatternTable:
    """Compiled patterns by number, with the index of the literals that they need. Case does not matter."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = [re.compile(pattern, re.IGNORECASE) for pattern in patterns]
        self._free: set[int] = set()
        users: dict[str, set[int]] = defaultdict(set)
        for number, pattern in enumerate(self.patterns):
            literals = needed_literals(pattern.pattern)
            if literals is None:
                self._free.add(number)
            for literal in literals or ():
                users[literal].add(number)
        self._users = list(users.values())
        self._index = AhoCorasick(list(users)) if users else None

    def possible(self, text: str) -> set[int]:
        """Numbers of the patterns that may match somewhere in the text."""
        found = set(self._free)
        if self._index is not None:
            for number, _, _ in self._index.find_matches_as_indexes(text.lower(), overlapping=True):
                found |= self._users[number]
        return found


@lru_cache(maxsize=4)
def tables(language: str) -> dict[str, tuple[str, ...]]:
    """The patterns of each table of a language (`zh`, `en`), macros filled in."""
    macros: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    title = ""
    for entry in _entries(f"stance_{language}.txt"):
        if entry.startswith("[") and entry.endswith("]") and entry[1:-1].replace("_", "").isalpha():
            title = entry[1:-1]
        elif title == "macros":
            name, _, value = entry.partition(" = ")
            macros[name] = _filled(value, macros)
        else:
            found.setdefault(title, []).append(_filled(entry, macros))
    return {name: tuple(patterns) for name, patterns in found.items()}


def _entries(name: str) -> list[str]:
    """Entries of a table file: an indented line goes on with the one above."""
    entries: list[str] = []
    for line in lines(name):
        if line.startswith("  "):
            entries[-1] += line[2:]
        else:
            entries.append(line)
    return entries


def _filled(pattern: str, macros: dict[str, str]) -> str:
    return re.sub(r"<([A-Z_]+)>", lambda match: macros[match[1]], pattern)


def needed_literals(pattern: str) -> frozenset[str] | None:
    """Lower-case literals of which every match of the pattern contains at least one; None where none can be named."""
    if _parser is None:
        return None
    return _of_sequence(list(_parser.parse(pattern, re.IGNORECASE)))


def _of_sequence(items: list[Any]) -> frozenset[str] | None:
    """The most telling of the literal sets that the items of a sequence need."""
    options: list[frozenset[str]] = []
    run = ""
    for operator, argument in [*items, (None, None)]:
        char = chr(argument) if operator is _op.LITERAL else ""
        if char and char not in _ALWAYS_THERE:
            run += char.lower()
            continue
        if run:
            options.append(frozenset({run}))
            run = ""
        literals = None if char or operator is None else _of_item(operator, argument)
        if literals is not None:
            options.append(literals)
    return max(options, key=lambda o: (min(map(len, o)), -len(o)), default=None)


def _of_item(operator: Any, argument: Any) -> frozenset[str] | None:
    if operator is _op.SUBPATTERN:
        return _of_sequence(list(argument[3]))
    if operator in {_op.MAX_REPEAT, _op.MIN_REPEAT} and argument[0] >= 1:
        return _of_sequence(list(argument[2]))
    if operator is _op.BRANCH:
        branches = [_of_sequence(list(branch)) for branch in argument[1]]
        return None if any(branch is None for branch in branches) else frozenset().union(*filter(None, branches))
    if operator is _op.IN and all(kind is _op.LITERAL for kind, _ in argument):
        chars = frozenset(chr(code).lower() for _, code in argument)
        return None if chars & _ALWAYS_THERE or len(chars) > 40 else chars
    return None
