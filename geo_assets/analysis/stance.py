"""What an answer does with a brand: recommended, listed, neutral, advised against, absent.

Here: how evidence is gathered and weighed. Every place of the brand gives at most one verdict of its own clause;
clauses and sentences that go on about it without naming another add theirs; a list gives `listed`, a heading its
tone. The last explicit verdict wins over earlier ones and over a list. What one clause says is told by `verdicts`,
whom it is about by `topics`.

A verdict is about advice, not mood: a shortcoming or a fact alone is neutral. Sentiment is only read where it is
expressed as a verdict.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
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
    out_of_row,
    pair_role,
    points_back,
    resolve,
)
from geo_assets.analysis.columns import cells_about, column_title
from geo_assets.analysis.entries import heads_entry, is_anothers, is_component, serves_use
from geo_assets.analysis.rank import list_rank, prose_rank
from geo_assets.analysis.structure import Line, LineKind, Structure
from geo_assets.analysis.topics import Topics, heads
from geo_assets.analysis.verdicts import Rules, Tone, rules_of
from geo_assets.model.readings import Stance

# Tuples: their members are found by identity, those of a set by hashing an enumeration's name.
_ONE_LINE = (LineKind.TEXT, LineKind.ROW, LineKind.HEADER)
_NEW_ITEM = (LineKind.HEADING, LineKind.NUMBER, LineKind.ROW, LineKind.HEADER)
_LABEL = re.compile(r"[ \t>]*(?:[-*+•]\s+)?\*\*([^*\n]{3,60}[:：]\*\*|[^*\n]{3,60}\*\*\s*[:：])")  # opens a line
_NO_PICKS_HINTS = (  # one of these is in every match of the table NO_PICKS
    "不含", "不构成", "不作", "不代表", "并非", "不是", "不做", "仅", "只反映", "只列", "只整理", "只汇总", "不分先后",
    "anking", "ecommendation", "ndorsement", "anked", "particular order", "only",
)  # fmt: skip
_ROW_REACH = 300  # characters of names between the announcement of picks and the brand
_SOURCE_LINE = re.compile(r"[ \t>]*\[[^\]\n]{1,12}\]:\s*<?https?://")  # [1]: https://example.com "Title"
_POSTED = re.compile(r"(?:\br/\w+\s*[-–—|]\s*)$")  # r/travel - Reddit
_SOURCE = re.compile(r"[(（](?:\[[^\]\n]*\](?:\[\d+\]|\([^)\n]*\))[,，、]?\s*)*\[[^\]\n]*$")


class Evidence(NamedTuple):
    """A verdict at an offset. `explicit`: in words; else from a list or heading. `reported`: somebody else's."""

    offset: int
    tone: Tone
    explicit: bool = True
    reported: bool = False


class StanceReader:
    """Reads stances in one answer; what several brands need of it is worked out once."""

    def __init__(self, structure: Structure, sentences: Sentences) -> None:
        self.structure = structure
        self.sentences = sentences
        self.text = structure.text
        self._ranks: dict[Offsets, int | None] = {}
        self._prose_ranks: dict[Offsets, int | None] = {}
        self._warned: dict[tuple[int, ...], bool] = {}
        self._wordings: dict[str, tuple[Rules, Sequence[int]]] = {}

    def list_rank(self, place: Offsets) -> int | None:
        """The place of the item that a name heads (`rank.list_rank`)."""
        if place not in self._ranks:
            self._ranks[place] = list_rank(self.structure, *place)
        return self._ranks[place]

    def prose_rank(self, place: Offsets) -> int | None:
        """The place that an ordinal word gives to a name (`rank.prose_rank`)."""
        if place not in self._prose_ranks:
            self._prose_ranks[place] = prose_rank(self.structure, *place)
        return self._prose_ranks[place]

    def _wording(self, sentence: str) -> tuple[Rules, Sequence[int]]:
        """The rules for a masked sentence, and the patterns that are possible in it."""
        if sentence not in self._wordings:
            rules = rules_of(sentence)
            self._wordings[sentence] = rules, rules.possible(sentence)
        return self._wordings[sentence]

    def read(self, brand: Sequence[Offsets], others: Sequence[Offsets]) -> tuple[Stance, float]:
        """The stance towards a brand named at the given places, and a confidence in 0..1."""
        evidence: list[Evidence] = []
        seen: set[Offsets] = set()
        topics = Topics(self.structure, brand, lambda: self._heads)
        brand = [*brand, *topics.further_places()]
        names = marks(brand, others)
        for place in brand:
            if self._is_source(place):
                continue
            span = self.sentences.at(place[0])
            if span not in seen:
                seen.add(span)
                evidence += self._sentence(span, names, topics)
            evidence += self._layout(place)
        return _weigh(sorted(evidence, key=lambda e: e.offset))

    def _sentence(self, span: Offsets, names: Sequence[Mark], topics: Topics) -> list[Evidence]:
        unresolved = sentence = masked(self.text, span, names)
        if points_back(sentence):
            sentence = resolve(sentence, pair_role(sentence))
        sentence = out_of_row(sentence)
        rules, among = self._wording(sentence)
        if any([mark in sentence for mark in "?？"]) and rules.find("QUESTION", sentence, among):  # noqa: C419
            return self._next(span, unresolved, names, topics, [], [])
        if is_component(sentence):
            return []
        if (even := rules.find("EVEN", sentence, among)) and BRAND not in sentence[even.end() :]:
            return [Evidence(span[0], Tone.NEUTRAL)]
        found: list[Evidence] = []
        reported = bool(rules.find("REPORTED", sentence.split(BRAND)[0], among))
        own = None
        since: list[str] = []  # clauses since the brand's last one
        parts = clauses(sentence)
        last_brand = max((i for i, part in enumerate(parts) if BRAND in part), default=-1)
        for i, part in enumerate(parts):
            if BRAND in part:
                before = parts[i - 1] if i else self._question_before(span)
                tone = self._own(rules, part, before, among, parts[:i])
                own = tone if tone is not None else own
                if tone is not None:
                    found.append(Evidence(span[0] + i, tone, reported=reported))
            elif i > last_brand >= 0:
                since.append(part)
                if OTHER in part:
                    break
                tone = None if own is Tone.NOTE else self._goes_on(rules, part, among)
                if tone is not None and topics.is_on(part, since):
                    found.append(Evidence(span[0] + i, tone))
                    own = tone
        if own is None:
            found += _of_whole_sentence(rules, sentence, span[0], among, reported=reported)
        if own is not Tone.NOTE and not is_anothers(sentence):
            found += self._next(span, unresolved, names, topics, found, since)
        return found

    def _question_before(self, span: Offsets, names: Sequence[Mark] = ()) -> str:
        """The sentence before, where it is a question that this one answers."""
        end = span[0]
        while end > 0 and self.text[end - 1] in " *_\n":
            end -= 1
        if end == 0 or self.text[end - 1] not in "?？":
            return ""
        return masked(self.text, self.sentences.at(end - 1), names)

    def _own(self, rules: Rules, part: str, before: str, among: Sequence[int], lead: Sequence[str] = ()) -> Tone | None:
        """The verdict of a clause that names the brand; a label, a condition or an example's head before it helps.

        `before`: the clause before it; `lead`: all clauses of the sentence before it, for a label may hold commas.
        """
        tone = rules.order.first(part, among)
        if tone is not None or not before or BRAND in before or OTHER in before:
            return tone
        if before.endswith(("?", "？")):
            return rules.order.first(before + " " + part)
        if before.endswith(("：", ":", "—", "–", "-")):
            if rules.find("HEADING_NEGATIVE", before, among):
                return Tone.NEGATIVE
            if rules.find("PICK_LABEL", ", ".join(lead) or before, among) and BRAND in part[:40]:
                return Tone.POSITIVE
            if serves_use(before, part):
                return Tone.POSITIVE
            return rules.order.first(before + part)
        if rules.find("EXAMPLE", part, among) and rules.find("ADVICE", before, among):
            told = rules.order.first(before + " " + part)
            return Tone.POSITIVE if told is None and not rules.search("NEGATION", before) else told
        return None

    def _goes_on(self, rules: Rules, clause: str, among: Sequence[int]) -> Tone | None:
        """The verdict of a clause that names nobody: by a pronoun for the brand, or by no subject at all."""
        tone = rules.zero.first(clause, among)
        if tone is None and len(clause) <= 90 and (spoken_of := rules.with_brand(clause, among)):
            tone = rules.order.first(spoken_of)
        return tone

    def _next(
        self,
        span: Offsets,
        named: str,
        names: Sequence[Mark],
        topics: Topics,
        found: list[Evidence],
        since: list[str],
    ) -> list[Evidence]:
        """Verdicts of the sentences that go on, on the same line or under the same item, while nobody else is named.

        `named`: the masked sentence that names the brand, to which 前者 and the latter point back. `since`: the clauses
        that have followed the brand's own.
        """
        added: list[Evidence] = []
        end_of_item = self._item_end(span[0])
        for following in islice(self.sentences.after(span), 3):
            if following[0] >= end_of_item:
                break
            sentence = masked(self.text, following, names)
            if BRAND in sentence or OTHER in sentence:
                break
            rules, among = self._wording(sentence)
            if points_back(sentence) and (resolved := resolve(sentence, pair_role(named))) != sentence:
                among = rules.possible(resolved)
                tones = [self._own(rules, part, "", among) for part in clauses(resolved) if BRAND in part]
                tones += [Tone.POSITIVE] if rules.find("PAIRED", resolved, among) else []
                added += [Evidence(following[0], tone) for tone in tones if tone is not None]
                continue
            if (match := rules.find("TAKES", sentence, among)) and _names_noun(self.text, span, match[1]):
                added.append(Evidence(following[0], Tone.POSITIVE))
                break
            if rules.find("REJECTION", sentence, among) and found and found[-1].tone is Tone.NEGATIVE:
                added.append(Evidence(following[0], Tone.POSITIVE))
                continue
            tone = None
            since.append(sentence)
            if topics.opens_with_unknown(sentence):
                break
            parts = clauses(sentence) if rules.may_go_on(among) else []
            for part in parts:
                since.append(part)
                if (said := self._goes_on(rules, part, among)) is not None and topics.is_on(part, since):
                    tone = said
            if tone is None and (said := self._whole(rules, sentence, following, names, parts, among)) is not None:
                tone = said if topics.is_on(sentence, since) else None
            if tone is None and rules.find("ALL", sentence, among):
                tone = next(filter(None, (self._goes_on(rules, part, among) for part in parts)), None)
            if tone is not None:
                added.append(Evidence(following[0], tone))
                break
        return added

    def _whole(
        self,
        rules: Rules,
        sentence: str,
        span: Offsets,
        names: Sequence[Mark],
        parts: Sequence[str],
        among: Sequence[int],
    ) -> Tone | None:
        """The verdict of a sentence that no clause of it gives: also a yes or no to the question before it."""
        question = self._question_before(span, names)
        if question and (tone := rules.zero.first("? " + sentence)) is not None:
            asks = question.rstrip("?？ ") == BRAND or rules.find("ASKS_WORTH", question)
            return tone if asks else None
        return rules.zero.first(sentence, among) if len(parts) > 1 else None

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
            if later.kind is LineKind.TEXT and later.indent <= line.indent and self._leaves_list(line, later):
                return later.start
            if later.kind in _NEW_ITEM:
                return later.start
            if later.kind is LineKind.BULLET and line.kind is LineKind.BULLET and later.indent <= line.indent:
                return later.start
        return len(self.text)

    def _leaves_list(self, item: Line, later: Line) -> bool:
        """Whether a paragraph follows a list whose items have none: it is about the list, not about its last item."""
        lines = self.structure.lines
        block = [index for index, line in enumerate(lines) if line.block == item.block]
        if item.kind is LineKind.HEADING or len(block) < 2 or lines[block[-1]].start > later.start:
            return False
        inside = {line.kind for line in lines[block[0] : block[-1]]}
        return LineKind.TEXT not in inside

    def _layout(self, place: Offsets) -> list[Evidence]:
        """What the list or the headings around a place say about it."""
        rank = self.list_rank(place) or self.prose_rank(place)
        index = self.structure.index_at(place[0])
        label = _LABEL.match(self.text, self.structure.lines[index].start, place[0])
        if (label and _warns([label[1]])) or self._is_warned(self.structure.headings_above(index)):
            return [Evidence(place[0], Tone.NEGATIVE, explicit=rank is None)]
        if self.structure.lines[index].cells and (told := self._table(place, index)):
            return told
        if self._without_picks or (rank is None and not heads_entry(self.structure, *place)):
            return []
        return [Evidence(place[0], Tone.POSITIVE, explicit=False)]

    def _table(self, place: Offsets, index: int) -> list[Evidence]:
        """What the head of the brand's column says, and the cells about it that a title announces as verdicts."""
        title = column_title(self.structure, index, place[0])
        if title and rules_of(title).find("HEADING_NEGATIVE", title):
            return [Evidence(place[0], Tone.NEGATIVE)]
        if title and rules_of(title).find("PICK_COLUMN", title):
            return [Evidence(place[0], Tone.POSITIVE, explicit=False)]
        found = []
        for cell in cells_about(self.structure, index, place[0]):
            if rules_of(cell.title).find("VERDICT_COLUMN", cell.title):
                tone = rules_of(cell.text).zero.first(cell.text) or rules_of(cell.title).zero.first(f"? {cell.text}")
                found += [] if tone is None else [Evidence(cell.offset, tone)]
        return found

    @cached_property
    def _heads(self) -> frozenset[str]:
        return heads(self.structure)

    @cached_property
    def _without_picks(self) -> bool:
        """Whether the answer says that its list is no recommendation."""
        if not any([hint in self.text for hint in _NO_PICKS_HINTS]):  # noqa: C419 a generator costs more than the tests
            return False
        return rules_of(self.text).find("NO_PICKS", self.text) is not None

    def _is_source(self, place: Offsets) -> bool:
        """Whether a name is but the label of a source in brackets ([Name][1], [Name](address)) or in its title."""
        if _SOURCE_LINE.match(self.text, self.structure.line_at(place[0]).start):
            return True
        if self.text.startswith("·http", place[1]) or _POSTED.search(self.text, max(place[0] - 40, 0), place[0]):
            return True
        if self.text[place[1] : place[1] + 1] != "]" and "]" not in self.text[place[1] : place[1] + 40]:
            return False
        before = self.text[max(place[0] - 80, 0) : place[0]]
        return bool(_SOURCE.search(before)) and self.text[place[1] : place[1] + 42].partition("]")[2][:1] in ("[", "(")

    def _is_warned(self, headings: Sequence[Line]) -> bool:
        """Whether the first of the headings that says anything warns of what stands below it."""
        key = tuple([heading.start for heading in headings])
        if key not in self._warned:
            self._warned[key] = _warns([self.text[heading.content : heading.end] for heading in headings])
        return self._warned[key]


def _of_whole_sentence(
    rules: Rules, sentence: str, offset: int, among: Sequence[int], *, reported: bool
) -> list[Evidence]:
    """Verdicts that no clause by itself gives: over several clauses, an announcement of picks, a pick for each case."""
    found = []
    if (tone := rules.order.first(sentence, among)) is not None:
        found.append(Evidence(offset, tone, reported=reported))
    if rules.find("PICKS", sentence.split(BRAND, maxsplit=1)[0][-_ROW_REACH:], among):
        found.append(Evidence(offset, Tone.POSITIVE, explicit=False))
    if rules.find("PAIRED", sentence, among):
        found.append(Evidence(offset, Tone.POSITIVE))
    return found


def _warns(titles: Iterable[str]) -> bool:
    for title in titles:
        rules = rules_of(title)
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
    return Stance.NEUTRAL, 0.85 if any(e.tone in {Tone.NEUTRAL, Tone.NOTE} for e in evidence) else 0.7
