"""The verdict that the wording of one clause gives: the tables of a language, searched in order of priority.

Tables of wordings (`lexicon/stance_*.txt`) come first. Where none matches, frames (`lexicon/frames_*.txt`) put a
verdict together: who advises, a verb or a judgement of an open class, the brand, and what turns it round: a named
group that takes part in a match flips the table's tone (not recommend, hard to avoid). Here: one clause. Not here:
which clauses are about the brand and which of several verdicts holds (`stance`).
"""

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import islice

from geo_assets.analysis.clauses import BRAND
from geo_assets.analysis.wording import PatternIndex, hints, tables

_REACH_BEFORE, _REACH_AFTER = 80, 110  # characters; the widest gaps of the patterns
_WORTH_A_SCAN = 4  # so many searches cost as much as the scan that may spare them


class Tone(IntEnum):
    """The verdict of one clause."""

    NEGATIVE = -1
    NEUTRAL = 0
    POSITIVE = 1
    ASIDE = 2
    NOTE = 3  # what the reader has or does already: what follows is no advice either


class Ordered:
    """Tables of one language in order of priority, with the tone that each stands for."""

    def __init__(self, index: PatternIndex, entries: Iterable[tuple[int, Tone]]) -> None:
        self._index = index
        self._tones = dict(entries)  # by pattern; a pattern's number is its priority

    def first(self, clause: str, among: Sequence[int] | None = None) -> Tone | None:
        """The tone of the first pattern that matches.

        `among`: the patterns that are possible in a text that contains the clause; no others can match in the clause.
        """
        clause = window(clause)
        numbers = [n for n in (self._index.possible(clause) if among is None else among) if n in self._tones]
        if among is not None and len(numbers) > _WORTH_A_SCAN:
            numbers = [n for n in self._index.possible(clause) if n in self._tones]
        for number in numbers:
            if match := self._index.search(number, clause):
                return _turned(self._tones[number], match)
        return None


def _turned(tone: Tone, match: re.Match[str]) -> Tone:
    """The tone of a match, turned round once for each group that took part: all groups of the tables are flips."""
    if match.lastindex is not None and sum(group is not None for group in match.groups()) % 2:
        return Tone(-tone)
    return tone


class Rules:
    """The wording of one language: ordered tables, and single patterns under the names of their tables.

    All tables but that of absence share one index, so that a clause is scanned once whatever is asked about it.
    """

    def __init__(self, language: str) -> None:
        wording = tables(language)
        numbers: dict[str, range] = {}
        patterns: list[str] = []
        others = [name for name in wording if name != "ABSENT"]
        for name in dict.fromkeys([*(name for order in (_ORDER, _ZERO) for _, name in order), *others]):
            numbers[name] = range(len(patterns), len(patterns) + len(wording.get(name, ())))
            patterns += wording.get(name, ())
        self._index = PatternIndex(patterns)
        self._single = {name: range_[0] for name, range_ in numbers.items() if len(range_) == 1}

        def ordered(order: Sequence[tuple[Tone, str]]) -> Ordered:
            return Ordered(self._index, ((number, tone) for tone, name in order for number in numbers[name]))

        self.order, self.zero = ordered(_ORDER), ordered(_ZERO)
        # Absence is asked of every name before its stance is: an index of its own finds fewer literals.
        silence = [(tone, pattern) for tone, name in _ABSENCE for pattern in wording.get(name, ())]
        self.absence = Ordered(PatternIndex(p for _, p in silence), enumerate(tone for tone, _ in silence))
        self._going_on = frozenset(n for name in ("PRONOUN", *(name for _, name in _ZERO)) for n in numbers[name])

    def possible(self, text: str) -> Sequence[int]:
        """Numbers of the patterns that may match in the text or in a part of it: what `among` wants."""
        return self._index.possible(text)

    def may_go_on(self, among: Sequence[int]) -> bool:
        """Whether a clause that names nobody can give a verdict at all, with the patterns that are possible."""
        return not self._going_on.isdisjoint(among)

    def find(self, name: str, text: str, among: Sequence[int] | None = None) -> re.Match[str] | None:
        """A match of a table with a single pattern; None also where the language has no such table."""
        number = self._single.get(name)
        if number is None or number not in (self._index.possible(text) if among is None else among):
            return None
        return self._index.search(number, text)

    def search(self, name: str, text: str) -> re.Match[str] | None:
        """The same without the index: cheaper for a pattern that is short and the only one asked for."""
        number = self._single.get(name)
        if number is None:
            return None
        lowered = text.lower()
        if (needed := hints(self._index.patterns[number])) and not any([hint in lowered for hint in needed]):  # noqa: C419
            return None
        return self._index.search(number, text)

    def with_brand(self, clause: str, among: Sequence[int]) -> str | None:
        """The clause with its first pronoun replaced by the brand, or None where it has none."""
        match = self.find("PRONOUN", clause, among)
        if match and _INDEFINITE.search(clause, 0, match.start()):  # any bike without sitting on it
            return None
        return clause[: match.start()] + BRAND + _spelled_out(clause[match.end() :]) if match else None


_ORDER = (
    (Tone.POSITIVE, "DOUBLE"),
    (Tone.NOTE, "PRACTICE"),
    (Tone.NEUTRAL, "FACT"),
    (Tone.POSITIVE, "STRONG_POSITIVE"),
    (Tone.ASIDE, "ASIDE"),
    (Tone.NEGATIVE, "NEGATIVE"),
    (Tone.POSITIVE, "POSITIVE"),
    (Tone.NEUTRAL, "BALANCE"),
    (Tone.POSITIVE, "FRAME"),
)
_ZERO = (
    (Tone.POSITIVE, "DOUBLE"),
    (Tone.NEGATIVE, "ZERO_NEGATIVE"),
    (Tone.POSITIVE, "ZERO_POSITIVE"),
    (Tone.POSITIVE, "ZERO_FRAME"),
)
_ABSENCE = ((Tone.POSITIVE, "DOUBLE"), (Tone.NEGATIVE, "ABSENT"))


@lru_cache(maxsize=2)
def _rules(language: str) -> Rules:
    return Rules(language)


_SHORT_FORM = re.compile(r"['’](s|re|d|ll|ve)\b")
_LONG_FORM = {"s": " is", "re": " are", "d": " would", "ll": " will", "ve": " have"}


def _spelled_out(rest: str) -> str:
    """What follows a pronoun, its short verb written out: after the sign of a brand it would look like a possessive."""
    match = _SHORT_FORM.match(rest)
    return _LONG_FORM[match[1]] + rest[match.end() :] if match else rest


_INDEFINITE = re.compile(r"\b(?:any|another|every|each)\s+[\w-]+", re.IGNORECASE)
_CHINESE = re.compile("[\u4e00-\u9fff]")


def rules_of(text: str) -> Rules:
    """The rules of the language that a text is written in."""
    chinese = 0 if text.isascii() else len(list(islice(_CHINESE.finditer(text), 4)))
    return _rules("zh" if chinese >= 4 or chinese * 4 >= len(text.replace(" ", "")) else "en")


def window(clause: str) -> str:
    """The part of a long clause that the patterns can reach from the brand's first and last place."""
    if len(clause) <= _REACH_BEFORE + _REACH_AFTER:
        return clause
    first, last = clause.find(BRAND), clause.rfind(BRAND)
    if first < 0:
        return clause[:_REACH_AFTER]
    return clause[max(first - _REACH_BEFORE, 0) : min(last, first + _REACH_AFTER) + _REACH_AFTER]
