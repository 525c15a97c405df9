"""Tables of patterns that are searched often and match rarely: an index of the words that each pattern needs.

Here: reading the tables (`lexicon/stance_*.txt`), which literals a regular expression cannot match without and on which
side of the brand they must stand, and one automaton over the literals of all tables, so that one scan of a clause
leaves few patterns to try. An index never changes a result: a pattern without such literals is always tried. Not here:
what a match means (`stance`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

from ahocorasick_rs import BytesAhoCorasick

from geo_assets.analysis.lexicon import lines

try:
    from re import _constants as _op  # type: ignore[attr-defined]
    from re import _parser  # type: ignore[attr-defined]
except ImportError:  # pragma: no cover - a Python without these internals tries every pattern
    _parser = None

_BRAND, _LOWER_BRAND = "Ⓑ", "ⓑ".encode()
_SPELLINGS = 16  # of one run of characters; more are cut into several runs


class Side(IntEnum):
    """Where the literals of a need must stand."""

    ANYWHERE = 0
    BEFORE = 1  # before the last place of the brand
    AFTER = 2  # after its first place


class Need(NamedTuple):
    """Lower-case literals of which every match contains at least one, on the given side."""

    side: Side
    literals: frozenset[str]


class _Alternative(NamedTuple):
    """One way for a pattern to match: the sets of literals that it needs, as bits; all of them, and those of a side."""

    number: int
    needed: int
    before: int
    after: int


class PatternIndex:
    """Patterns by number, found by the rarest literals that they need. Case does not matter. Safe to share.

    A pattern is compiled when it is first tried: most texts need few of them.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._free: list[int] = []
        bits: dict[frozenset[str], int] = {}
        alternatives: dict[frozenset[str], list[_Alternative]] = defaultdict(list)  # by their rarest literals
        for number, pattern in enumerate(self.patterns):
            ways = needs(pattern)
            if not all(ways):
                self._free.append(number)
                continue
            for way in ways:
                masks = [0, 0, 0]
                for need in way:
                    masks[need.side] |= bits.setdefault(need.literals, 1 << len(bits))
                key = _rarest(way)
                alternatives[key].append(_Alternative(number, masks[0] | masks[1] | masks[2], masks[1], masks[2]))
        literals = sorted({literal for group in bits for literal in group})
        self._bits = [sum(bit for group, bit in bits.items() if literal in group) for literal in literals]
        self._keyed = [[a for group, found in alternatives.items() if x in group for a in found] for x in literals]
        self._automaton = BytesAhoCorasick([literal.encode() for literal in literals])
        self.possible = lru_cache(maxsize=256)(self._possible)

    def search(self, number: int, text: str) -> re.Match[str] | None:
        """A match of one pattern."""
        if number not in self._compiled:
            self._compiled[number] = re.compile(self.patterns[number], re.IGNORECASE)
        return self._compiled[number].search(text)

    def _possible(self, text: str) -> Sequence[int]:
        """Numbers of the patterns that may match somewhere in the text, in ascending order."""
        lowered = text.lower().encode("utf-8", "surrogatepass")
        hits = self._automaton.find_matches_as_indexes(lowered, overlapping=True)
        literals = {literal for literal, _, _ in hits}  # each once: the masks are long numbers
        met = self._union(literals)
        candidates = [a for literal in literals for a in self._keyed[literal] if a[1] & met == a[1]]
        if not candidates:
            return self._free
        first, last = lowered.find(_LOWER_BRAND), lowered.rfind(_LOWER_BRAND)
        before = after = 0
        if first >= 0:
            before = self._union({literal for literal, _, end in hits if end <= last})
            after = self._union({literal for literal, start, _ in hits if start > first})
        return sorted({*self._free, *(a.number for a in candidates if not (a.before & ~before or a.after & ~after))})

    def _union(self, literals: Iterable[int]) -> int:
        """The needs that some of the literals meet."""
        met = 0
        for literal in literals:
            met |= self._bits[literal]
        return met


def _rarity(literals: frozenset[str]) -> int:
    """How rarely a clause has one of the literals by chance: length of the shortest, a sign counting 2, Chinese 3."""
    return min(3 * len(x) if not x.isascii() else len(x) if x[:1].isalnum() else len(x) + 1 for x in literals)


def _telling(literals: frozenset[str]) -> tuple[int, int]:
    return _rarity(literals), -len(literals)


@lru_cache(maxsize=4)
def tables(language: str) -> dict[str, tuple[str, ...]]:
    """The patterns of each table of a language (`zh`, `en`), macros filled in."""
    macros: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    title = ""
    for entry in (*_entries(f"stance_{language}.txt"), *_entries(f"frames_{language}.txt")):
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


def needs(pattern: str) -> list[list[Need]]:
    """The needs of each alternative of a pattern; an alternative without any is an empty list."""
    if _parser is None:
        return [[]]
    items = list(_parser.parse(pattern, re.IGNORECASE))
    while len(items) == 1 and items[0][0] is _op.SUBPATTERN:
        items = list(items[0][1][3])
    alternatives = items[0][1][1] if len(items) == 1 and items[0][0] is _op.BRANCH else [items]
    return [_sided(_sequence(list(alternative))) for alternative in alternatives]


def _rarest(way: list[Need]) -> frozenset[str]:
    return max(way, key=lambda need: _telling(need.literals)).literals


@lru_cache(maxsize=64)
def hints(pattern: str) -> tuple[str, ...]:
    """Lower-case literals of which every match of a pattern contains one; empty where there are none."""
    ways = needs(pattern)
    if not all(ways):
        return ()
    return tuple(sorted({literal for way in ways for literal in _rarest(way)}))


def _sided(sequence: list[frozenset[str] | None]) -> list[Need]:
    """The needs of a sequence in which None stands for the brand, without those that nearly every clause meets."""
    brands = [place for place, literals in enumerate(sequence) if literals is None]
    found = []
    for place, literals in enumerate(sequence):
        if literals is not None:
            side = Side.ANYWHERE if not brands else Side.BEFORE if place < brands[-1] else Side.AFTER
            found.append(Need(side, literals))
    return [need for need in found if _rarity(need.literals) > 2] or [n for n in found if _rarity(n.literals) > 1]


def _sequence(items: list[Any]) -> list[frozenset[str] | None]:
    """In order: the literal sets that the items of a sequence need, and None for each place of the brand."""
    found: list[frozenset[str] | None] = []
    runs = [""]  # the spellings of the literals in a row so far: `n['’]t` has two
    for operator, argument in [*items, (None, None)]:
        chars = _characters(operator, argument)
        if chars and len(chars) * len(runs) <= _SPELLINGS:
            runs = [run + char for run in runs for char in sorted(chars)]
            continue
        if runs != [""]:
            found.append(frozenset(runs))
        runs = [""]
        if chars:
            found.append(chars)
        elif operator is _op.LITERAL:
            found.append(None)
        elif operator is not None:
            found += _of_item(operator, argument)
    return found


def _characters(operator: Any, argument: Any) -> frozenset[str]:
    """The characters that an item stands for, in lower case; empty for the brand and for what is no character."""
    if operator is _op.LITERAL:
        return frozenset() if chr(argument) == _BRAND else frozenset(chr(argument).lower())
    if operator is _op.IN and all(kind is _op.LITERAL for kind, _ in argument):
        chars = frozenset(chr(code).lower() for _, code in argument)
        return frozenset() if _BRAND.lower() in chars or len(chars) > 40 else chars
    return frozenset()


def _of_item(operator: Any, argument: Any) -> list[frozenset[str] | None]:
    if operator is _op.SUBPATTERN:
        return _sequence(list(argument[3]))
    if operator in {_op.MAX_REPEAT, _op.MIN_REPEAT} and argument[0] >= 1:
        return _sequence(list(argument[2]))
    if operator is _op.BRANCH:
        branches = [_most_telling(_sequence(list(branch))) for branch in argument[1]]
        return [] if None in branches else [frozenset().union(*filter(None, branches))]
    return []


def _most_telling(sequence: list[frozenset[str] | None]) -> frozenset[str] | None:
    options = [literals for literals in sequence if literals is not None]
    return max(options, key=_telling, default=None)
