"""What an answer does with a brand: recommended, listed, neutral, advised against, absent.

Here: how evidence is gathered and weighed. Every place of the brand gives at most one verdict of its own clause;
clauses and sentences that go on about it without naming another add theirs; a list gives `listed`, a heading its
tone. The last explicit verdict wins over earlier ones and over a list. The wordings are in `lexicon/stance_zh.txt`
and `lexicon/stance_en.txt`.

A verdict is about advice, not mood: a shortcoming or a fact alone is neutral. Sentiment is only read where it is
expressed as a verdict.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from geo_assets.analysis.clauses import BRAND, OTHER, Offsets, Sentences, clauses, masked, pair_role, resolve
from geo_assets.analysis.rank import list_rank, prose_rank
from geo_assets.analysis.structure import LineKind, Structure
from geo_assets.analysis.wording import PatternTable, tables
from geo_assets.model.readings import Stance

_REACH_BEFORE, _REACH_AFTER = 80, 110  # characters; the widest gaps of the patterns


class Tone(IntEnum):
    """The verdict of one clause."""

    NEGATIVE = -1
    NEUTRAL = 0
    POSITIVE = 1
    ASIDE = 2


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verdict at an offset. `explicit`: in words; else from a list or heading. `reported`: somebody else's."""

    offset: int
    tone: Tone
    explicit: bool = True
    reported: bool = False


class _Ordered:
    """Tables of one language in order of priority, with the tone that each stands for."""

    def __init__(self, language: str, order: Sequence[tuple[Tone, str]]) -> None:
        entries = [(tone, pattern) for tone, name in order for pattern in tables(language).get(name, ())]
        self._tones = [tone for tone, _ in entries]
        self._table = PatternTable(pattern for _, pattern in entries)

    def first(self, clause: str) -> Tone | None:
        """The tone of the first pattern that matches."""
        clause = _window(clause)
        for number in sorted(self._table.possible(clause)):
            if self._table.patterns[number].search(clause):
                return self._tones[number]
        return None


class _Rules:
    """The wording of one language: ordered tables, and single patterns under the names of their tables."""

    def __init__(self, language: str) -> None:
        self.order = _Ordered(language, _ORDER)
        self.zero = _Ordered(language, _ZERO)
        self.absence = _Ordered(language, _ABSENCE)
        single = {name: found[0] for name, found in tables(language).items() if len(found) == 1}
        self._single = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in single.items()}

    def find(self, name: str, text: str) -> re.Match[str] | None:
        """A match of a table with a single pattern; None also where the language has no such table."""
        pattern = self._single.get(name)
        return pattern.search(text) if pattern else None

    def with_brand(self, clause: str) -> str | None:
        """The clause with its first pronoun replaced by the brand, or None where it has none."""
        match = self.find("PRONOUN", clause)
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
    chinese = 0 if text.isascii() else len(_CHINESE.findall(text))
    return _rules("zh" if chinese * 4 >= len(text.replace(" ", "")) or chinese >= 4 else "en")


def _window(clause: str) -> str:
    """The part of a long clause that the patterns can reach from the brand's first and last place."""
    if len(clause) <= _REACH_BEFORE + _REACH_AFTER:
        return clause
    first, last = clause.find(BRAND), clause.rfind(BRAND)
    if first < 0:
        return clause[:_REACH_AFTER]
    return clause[max(first - _REACH_BEFORE, 0) : min(last, first + _REACH_AFTER) + _REACH_AFTER]


class StanceReader:
    """Reads stances in one answer. `names` are the places of all tracked brands."""

    def __init__(self, structure: Structure, sentences: Sentences) -> None:
        self.structure = structure
        self.sentences = sentences
        self.text = structure.text

    def is_absence(self, place: Offsets) -> bool:
        """Whether the sentence around a place only says that nothing was found or said about the brand."""
        span = self.sentences.spans[self.sentences.index_at(place[0])]
        sentence = masked(self.text, span, [place], [])
        rules = _language(sentence)
        if not rules.find("NEGATION", sentence):
            return False
        return rules.absence.first(sentence) is Tone.NEGATIVE

    def read(self, brand: Sequence[Offsets], others: Sequence[Offsets]) -> tuple[Stance, float]:
        """The stance towards a brand named at the given places, and a confidence in 0..1."""
        evidence: list[Evidence] = []
        seen: set[int] = set()
        for place in brand:
            index = self.sentences.index_at(place[0])
            if index not in seen:
                seen.add(index)
                evidence += self._sentence(index, brand, others)
            evidence += self._layout(place)
        return _weigh(sorted(evidence, key=lambda e: e.offset))

    def _sentence(self, index: int, brand: Sequence[Offsets], others: Sequence[Offsets]) -> list[Evidence]:
        span = self.sentences.spans[index]
        sentence = masked(self.text, span, brand, others)
        role = pair_role(sentence)
        sentence = resolve(sentence, role)
        rules = _language(sentence)
        found: list[Evidence] = []
        reported = bool(rules.find("REPORTED", sentence.split(BRAND)[0]))
        own = None
        parts = clauses(sentence)
        last_brand = max((i for i, part in enumerate(parts) if BRAND in part), default=-1)
        for i, part in enumerate(parts):
            if BRAND in part:
                tone = self._own(rules, part, parts[i - 1] if i else "")
                own = tone if tone is not None else own
                if tone is not None:
                    found.append(Evidence(span[0] + i, tone, reported=reported))
            elif i > last_brand >= 0:
                if OTHER in part:
                    break
                tone = self._goes_on(rules, part)
                if tone is not None:
                    found.append(Evidence(span[0] + i, tone))
                    own = tone
        if own is None and (tone := rules.order.first(sentence)) is not None:
            found.append(Evidence(span[0], tone, reported=reported))
        found += self._next(index, rules, brand, others, found, role)
        return found

    def _own(self, rules: _Rules, part: str, before: str) -> Tone | None:
        """The verdict of a clause that names the brand; a label, a condition or an example's head before it helps."""
        tone = rules.order.first(part)
        if tone is not None or not before or BRAND in before or OTHER in before:
            return tone
        if before.endswith(("：", ":", "—", "–", "-")):
            if rules.find("HEADING_NEGATIVE", before):
                return Tone.NEGATIVE
            if rules.find("PICK_LABEL", before) and BRAND in part[:40]:
                return Tone.POSITIVE
            return rules.order.first(before + part)
        if rules.find("EXAMPLE", part) and rules.find("ADVICE", before):
            return rules.order.first(before + part)
        return None

    def _goes_on(self, rules: _Rules, clause: str) -> Tone | None:
        """The verdict of a clause that names nobody: by a pronoun for the brand, or by no subject at all."""
        tone = rules.zero.first(clause)
        if tone is None and len(clause) <= 90 and (spoken_of := rules.with_brand(clause)):
            tone = rules.order.first(spoken_of)
        return tone

    def _next(
        self,
        index: int,
        rules: _Rules,
        brand: Sequence[Offsets],
        others: Sequence[Offsets],
        found: list[Evidence],
        role: int | None,
    ) -> list[Evidence]:
        """Verdicts of the sentences that go on, on the same line or under the same item, while nobody else is named."""
        added: list[Evidence] = []
        end_of_item = self._item_end(self.sentences.spans[index][0])
        for span in self.sentences.spans[index + 1 : index + 4]:
            if span[0] >= end_of_item:
                break
            sentence = masked(self.text, span, brand, others)
            if BRAND in sentence or OTHER in sentence:
                break
            resolved = resolve(sentence, role)
            if resolved != sentence:
                tones = [self._own(rules, part, "") for part in clauses(resolved) if BRAND in part]
                added += [Evidence(span[0], tone) for tone in tones if tone is not None]
                continue
            if (match := rules.find("TAKES", sentence)) and _names_noun(
                self.text, self.sentences.spans[index], match[1]
            ):
                added.append(Evidence(span[0], Tone.POSITIVE))
                break
            if rules.find("REJECTION", sentence) and found and found[-1].tone is Tone.NEGATIVE:
                added.append(Evidence(span[0], Tone.POSITIVE))
                continue
            tone = None
            for part in clauses(sentence):
                tone = self._goes_on(rules, part) or tone
            if tone is not None:
                added.append(Evidence(span[0], tone))
                break
        return added

    def _item_end(self, offset: int) -> int:
        """Where what is said about a brand ends: its line, or for a heading or item the next one."""
        structure = self.structure
        index = structure.index_at(offset)
        line = structure.lines[index]
        if line.kind in {LineKind.TEXT, LineKind.ROW, LineKind.HEADER}:
            short = line.end - line.start <= 40
            following = structure.lines[index + 1] if index + 1 < len(structure.lines) else None
            if short and following and following.kind is LineKind.TEXT:
                return following.end + 1
            return line.end + 1
        for later in structure.lines[index + 1 :]:
            if later.kind in {LineKind.HEADING, LineKind.NUMBER, LineKind.ROW, LineKind.HEADER}:
                return later.start
            if later.kind is LineKind.BULLET and line.kind is LineKind.BULLET and later.indent <= line.indent:
                return later.start
        return len(self.text)

    def _layout(self, place: Offsets) -> list[Evidence]:
        """What the list or the headings around a place say about it."""
        structure = self.structure
        index = structure.index_at(place[0])
        line = structure.lines[index]
        headings = structure.headings_above(index)
        titles = [self.text[h.content : h.end] for h in headings]
        rank = list_rank(structure, *place) or prose_rank(structure, place[0])
        if line.kind is LineKind.TEXT and rank is None and not titles:
            return []
        for title in titles:
            rules = _language(title)
            if rules.find("HEADING_NEGATIVE", title):
                return [Evidence(place[0], Tone.NEGATIVE, explicit=rank is None)]
            if rules.find("HEADING_POSITIVE", title):
                break
        if rank is not None:
            return [Evidence(place[0], Tone.POSITIVE, explicit=False)]
        return []


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
