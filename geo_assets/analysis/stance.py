"""What an answer does with a brand: recommended, listed, neutral, advised against, absent.

Here: how evidence is gathered and weighed. Every place of the brand gives at most one verdict of its own clause;
clauses and sentences that go on about it without naming another add theirs; a list gives `listed`, a heading its
tone. The last explicit verdict wins over earlier ones and over a list. The wordings are in `lexicon/stance_zh.txt`
and `lexicon/stance_en.txt`.

A verdict is about advice, not mood: a shortcoming or a fact alone is neutral. Sentiment is only read where it is
expressed as a verdict.
"""

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from geo_assets.analysis.clauses import (
    BRAND,
    OTHER,
    Mark,
    Offsets,
    Sentences,
    clauses,
    marks,
    masked,
    pair_role,
    points_back,
    resolve,
)
from geo_assets.analysis.rank import list_rank, prose_rank
from geo_assets.analysis.structure import Line, LineKind, Structure
from geo_assets.analysis.wording import PatternIndex, tables
from geo_assets.model.readings import Stance

_REACH_BEFORE, _REACH_AFTER = 80, 110  # characters; the widest gaps of the patterns
_WORTH_A_SCAN = 2  # so many searches cost as much as the scan that may spare them


# Tuples: their members are found by identity, those of a set by hashing an enumeration's name.
_ONE_LINE = (LineKind.TEXT, LineKind.ROW, LineKind.HEADER)
_NEW_ITEM = (LineKind.HEADING, LineKind.NUMBER, LineKind.ROW, LineKind.HEADER)


class Tone(IntEnum):
    """The verdict of one clause."""

    NEGATIVE = -1
    NEUTRAL = 0
    POSITIVE = 1
    ASIDE = 2


class Evidence(NamedTuple):
    """A verdict at an offset. `explicit`: in words; else from a list or heading. `reported`: somebody else's."""

    offset: int
    tone: Tone
    explicit: bool = True
    reported: bool = False


class _Ordered:
    """Tables of one language in order of priority, with the tone that each stands for."""

    def __init__(self, index: PatternIndex, entries: Iterable[tuple[int, Tone]]) -> None:
        self._index = index
        self._tones = dict(entries)  # by pattern; a pattern's number is its priority

    def first(self, clause: str, among: Sequence[int] | None = None) -> Tone | None:
        """The tone of the first pattern that matches.

        `among`: the patterns that are possible in a text that contains the clause; no others can match in the clause.
        """
        clause = _window(clause)
        numbers = [n for n in (self._index.possible(clause) if among is None else among) if n in self._tones]
        if among is not None and len(numbers) > _WORTH_A_SCAN:
            numbers = [n for n in self._index.possible(clause) if n in self._tones]
        for number in numbers:
            if self._index.patterns[number].search(clause):
                return self._tones[number]
        return None


class _Rules:
    """The wording of one language: ordered tables, and single patterns under the names of their tables.

    All tables share one index, so that a clause is scanned once whatever is asked about it.
    """

    def __init__(self, language: str) -> None:
        wording = tables(language)
        numbers: dict[str, range] = {}
        patterns: list[str] = []
        for name in dict.fromkeys([*(name for order in (_ORDER, _ZERO, _ABSENCE) for _, name in order), *wording]):
            numbers[name] = range(len(patterns), len(patterns) + len(wording.get(name, ())))
            patterns += wording.get(name, ())
        self._index = PatternIndex(patterns)
        self._single = {name: range_[0] for name, range_ in numbers.items() if len(range_) == 1}

        def ordered(order: Sequence[tuple[Tone, str]]) -> _Ordered:
            return _Ordered(self._index, ((number, tone) for tone, name in order for number in numbers[name]))

        self.order, self.zero, self.absence = ordered(_ORDER), ordered(_ZERO), ordered(_ABSENCE)
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
        return self._index.patterns[number].search(text)

    def with_brand(self, clause: str, among: Sequence[int]) -> str | None:
        """The clause with its first pronoun replaced by the brand, or None where it has none."""
        match = self.find("PRONOUN", clause, among)
        return clause[: match.start()] + BRAND + clause[match.end() :] if match else None


_ORDER = (
    (Tone.POSITIVE, "DOUBLE"),
    (Tone.NEUTRAL, "PRACTICE"),
    (Tone.POSITIVE, "STRONG_POSITIVE"),
    (Tone.ASIDE, "ASIDE"),
    (Tone.NEGATIVE, "NEGATIVE"),
    (Tone.POSITIVE, "POSITIVE"),
    (Tone.NEUTRAL, "BALANCE"),
)
_ZERO = ((Tone.POSITIVE, "DOUBLE"), (Tone.NEGATIVE, "ZERO_NEGATIVE"), (Tone.POSITIVE, "ZERO_POSITIVE"))
_ABSENCE = ((Tone.POSITIVE, "DOUBLE"), (Tone.NEGATIVE, "ABSENT"))


@lru_cache(maxsize=2)
def _rules(language: str) -> _Rules:
    return _Rules(language)


_CHINESE = re.compile("[\u4e00-\u9fff]")


def _language(text: str) -> _Rules:
    chinese = 0 if text.isascii() else len(list(islice(_CHINESE.finditer(text), 4)))
    return _rules("zh" if chinese >= 4 or chinese * 4 >= len(text.replace(" ", "")) else "en")


def _window(clause: str) -> str:
    """The part of a long clause that the patterns can reach from the brand's first and last place."""
    if len(clause) <= _REACH_BEFORE + _REACH_AFTER:
        return clause
    first, last = clause.find(BRAND), clause.rfind(BRAND)
    if first < 0:
        return clause[:_REACH_AFTER]
    return clause[max(first - _REACH_BEFORE, 0) : min(last, first + _REACH_AFTER) + _REACH_AFTER]


class StanceReader:
    """Reads stances in one answer; what several brands need of it is worked out once."""

    def __init__(self, structure: Structure, sentences: Sentences) -> None:
        self.structure = structure
        self.sentences = sentences
        self.text = structure.text
        self._ranks: dict[Offsets, int | None] = {}
        self._prose_ranks: dict[int, int | None] = {}
        self._warned: dict[tuple[int, ...], bool] = {}
        self._wordings: dict[str, tuple[_Rules, Sequence[int]]] = {}

    def list_rank(self, place: Offsets) -> int | None:
        """The place of the item that a name heads (`rank.list_rank`)."""
        if place not in self._ranks:
            self._ranks[place] = list_rank(self.structure, *place)
        return self._ranks[place]

    def prose_rank(self, start: int) -> int | None:
        """The place that an ordinal word gives to a name (`rank.prose_rank`)."""
        if start not in self._prose_ranks:
            self._prose_ranks[start] = prose_rank(self.structure, start)
        return self._prose_ranks[start]

    def _wording(self, sentence: str) -> tuple[_Rules, Sequence[int]]:
        """The rules for a masked sentence, and the patterns that are possible in it."""
        if sentence not in self._wordings:
            rules = _language(sentence)
            self._wordings[sentence] = rules, rules.possible(sentence)
        return self._wordings[sentence]

    def is_absence(self, place: Offsets) -> bool:
        """Whether the sentence around a place only says that nothing was found or said about the brand."""
        sentence = masked(self.text, self.sentences.at(place[0]), marks([place]))
        rules, among = self._wording(sentence)
        return rules.absence.first(sentence, among) is Tone.NEGATIVE and bool(rules.find("NEGATION", sentence, among))

    def read(self, brand: Sequence[Offsets], others: Sequence[Offsets]) -> tuple[Stance, float]:
        """The stance towards a brand named at the given places, and a confidence in 0..1."""
        evidence: list[Evidence] = []
        seen: set[Offsets] = set()
        names = marks(brand, others)
        for place in brand:
            span = self.sentences.at(place[0])
            if span not in seen:
                seen.add(span)
                evidence += self._sentence(span, names)
            evidence += self._layout(place)
        return _weigh(sorted(evidence, key=lambda e: e.offset))

    def _sentence(self, span: Offsets, names: Sequence[Mark]) -> list[Evidence]:
        unresolved = sentence = masked(self.text, span, names)
        if points_back(sentence):
            sentence = resolve(sentence, pair_role(sentence))
        rules, among = self._wording(sentence)
        found: list[Evidence] = []
        reported = bool(rules.find("REPORTED", sentence.split(BRAND)[0], among))
        own = None
        parts = clauses(sentence)
        last_brand = max((i for i, part in enumerate(parts) if BRAND in part), default=-1)
        for i, part in enumerate(parts):
            if BRAND in part:
                tone = self._own(rules, part, parts[i - 1] if i else "", among)
                own = tone if tone is not None else own
                if tone is not None:
                    found.append(Evidence(span[0] + i, tone, reported=reported))
            elif i > last_brand >= 0:
                if OTHER in part:
                    break
                tone = self._goes_on(rules, part, among)
                if tone is not None:
                    found.append(Evidence(span[0] + i, tone))
                    own = tone
        if own is None and (tone := rules.order.first(sentence, among)) is not None:
            found.append(Evidence(span[0], tone, reported=reported))
        found += self._next(span, unresolved, rules, names, found)
        return found

    def _own(self, rules: _Rules, part: str, before: str, among: Sequence[int]) -> Tone | None:
        """The verdict of a clause that names the brand; a label, a condition or an example's head before it helps."""
        tone = rules.order.first(part, among)
        if tone is not None or not before or BRAND in before or OTHER in before:
            return tone
        if before.endswith(("：", ":", "—", "–", "-")):
            if rules.find("HEADING_NEGATIVE", before, among):
                return Tone.NEGATIVE
            if rules.find("PICK_LABEL", before, among) and BRAND in part[:40]:
                return Tone.POSITIVE
            return rules.order.first(before + part)
        if rules.find("EXAMPLE", part, among) and rules.find("ADVICE", before, among):
            return rules.order.first(before + part)
        return None

    def _goes_on(self, rules: _Rules, clause: str, among: Sequence[int]) -> Tone | None:
        """The verdict of a clause that names nobody: by a pronoun for the brand, or by no subject at all."""
        tone = rules.zero.first(clause, among)
        if tone is None and len(clause) <= 90 and (spoken_of := rules.with_brand(clause, among)):
            tone = rules.order.first(spoken_of)
        return tone

    def _next(
        self,
        span: Offsets,
        named: str,
        rules: _Rules,
        names: Sequence[Mark],
        found: list[Evidence],
    ) -> list[Evidence]:
        """Verdicts of the sentences that go on, on the same line or under the same item, while nobody else is named.

        `named`: the masked sentence that names the brand, to which 前者 and the latter point back.
        """
        added: list[Evidence] = []
        end_of_item = self._item_end(span[0])
        for following in islice(self.sentences.after(span), 3):
            if following[0] >= end_of_item:
                break
            sentence = masked(self.text, following, names)
            if BRAND in sentence or OTHER in sentence:
                break
            if points_back(sentence) and (resolved := resolve(sentence, pair_role(named))) != sentence:
                among = rules.possible(resolved)
                tones = [self._own(rules, part, "", among) for part in clauses(resolved) if BRAND in part]
                added += [Evidence(following[0], tone) for tone in tones if tone is not None]
                continue
            among = rules.possible(sentence)
            if (match := rules.find("TAKES", sentence, among)) and _names_noun(self.text, span, match[1]):
                added.append(Evidence(following[0], Tone.POSITIVE))
                break
            if rules.find("REJECTION", sentence, among) and found and found[-1].tone is Tone.NEGATIVE:
                added.append(Evidence(following[0], Tone.POSITIVE))
                continue
            tone = None
            for part in clauses(sentence) if rules.may_go_on(among) else ():
                tone = self._goes_on(rules, part, among) or tone
            if tone is not None:
                added.append(Evidence(following[0], tone))
                break
        return added

    def _item_end(self, offset: int) -> int:
        """Where what is said about a brand ends: its line, or for a heading or item the next one."""
        structure = self.structure
        index = structure.index_at(offset)
        line = structure.lines[index]
        if line.kind in _ONE_LINE:
            short = line.end - line.start <= 40
            following = structure.lines[index + 1] if index + 1 < len(structure.lines) else None
            if short and following and following.kind is LineKind.TEXT:
                return following.end + 1
            return line.end + 1
        for later in structure.lines[index + 1 :]:
            if later.kind in _NEW_ITEM:
                return later.start
            if later.kind is LineKind.BULLET and line.kind is LineKind.BULLET and later.indent <= line.indent:
                return later.start
        return len(self.text)

    def _layout(self, place: Offsets) -> list[Evidence]:
        """What the list or the headings around a place say about it."""
        rank = self.list_rank(place) or self.prose_rank(place[0])
        if self._is_warned(self.structure.headings_above(self.structure.index_at(place[0]))):
            return [Evidence(place[0], Tone.NEGATIVE, explicit=rank is None)]
        return [] if rank is None else [Evidence(place[0], Tone.POSITIVE, explicit=False)]

    def _is_warned(self, headings: Sequence[Line]) -> bool:
        """Whether the first of the headings that says anything warns of what stands below it."""
        key = tuple([heading.start for heading in headings])
        if key not in self._warned:
            self._warned[key] = _warns([self.text[heading.content : heading.end] for heading in headings])
        return self._warned[key]


def _warns(titles: Iterable[str]) -> bool:
    for title in titles:
        rules = _language(title)
        if rules.find("HEADING_NEGATIVE", title):
            return True
        if rules.find("HEADING_POSITIVE", title):
            return False
    return False


def _names_noun(text: str, span: Offsets, noun: str) -> bool:
    """Whether a sentence has named the thing that a later one takes (`the estate`)."""
    return re.search(rf"\b{re.escape(noun)}\b", text[span[0] : span[1]], re.IGNORECASE) is not None


def _weigh(evidence: list[Evidence]) -> tuple[Stance, float]:
    explicit = [e for e in evidence if e.explicit and not e.reported] or [e for e in evidence if e.explicit]
    verdicts = [e for e in explicit if e.tone in {Tone.POSITIVE, Tone.NEGATIVE}]
    listed = any(not e.explicit and e.tone is Tone.POSITIVE for e in evidence)
    barred = any(not e.explicit and e.tone is Tone.NEGATIVE for e in evidence)
    if verdicts:
        mixed = len({e.tone for e in verdicts}) > 1
        last = verdicts[-1].tone
        stance = Stance.RECOMMENDED if last is Tone.POSITIVE else Stance.ADVISED_AGAINST
        return stance, 0.65 if mixed else 0.9
    if barred:
        return Stance.ADVISED_AGAINST, 0.75
    if listed:
        return Stance.LISTED, 0.85
    return Stance.NEUTRAL, 0.85 if any(e.tone is Tone.NEUTRAL for e in evidence) else 0.7
