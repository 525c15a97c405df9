"""Whom a clause is about: the brand asked about, or somebody whom nobody tracks.

Advice that names nobody belongs to the name before it. A monitor knows few of the names in an answer, so the others are
recognised by their form and place: heads of list items, names in a row with the brand (甲、乙、丙), capitalised names
in English, Latin names and models in Chinese. Here: those names, and the brand's models, by which a text goes on about
the brand without naming it. Not here: what is said about anybody (`stance`).
"""

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from geo_assets.analysis.candidates import is_name
from geo_assets.analysis.clauses import Offsets
from geo_assets.analysis.lexicon import english_words, sections
from geo_assets.analysis.structure import LineKind, Structure

_HEAD = re.compile(
    r"[\s*_\[“\"「《【`~✅❌👉⭐]*([^\n：:—–（(，,。；;|*\]！!?？·]{2,40}?)\s*(?:[：:—–（(，,。；;|*\]！!?？·]|\s-\s|$)",
    re.MULTILINE,
)
_MODEL = re.compile(r"(?:['’]s)?[ \u00a0]?((?:[A-Z0-9][\w+-]*)(?:[ \u00a0][A-Z0-9][\w+-]*){0,3})")
_ROW = re.compile(
    r"[、／/]\s?\**([\u4e00-\u9fffA-Za-z0-9 ]{2,10}?)\**"
    r"(?=[、／/和与及]|[两三四五六几]?[款家个种]|[等都均也是，。；（(\n])"
)
_ROW_BEFORE = re.compile(
    r"(?:^|[，。：:\n和与及])\**([\u4e00-\u9fffA-Za-z0-9 ]{2,8})\**[、／/]\s?(?:[^，。；\n]{1,24}[、／/])?\**$"
)
_OPENING = re.compile(
    r"[\W_]*(?P<lead>(?:(?i:and|but|so|while|whereas|meanwhile|still|then|also|as for|for|with|by contrast|in contrast|"
    r"on the other hand|however|yet|or|plus|unlike|compared (?:with|to))[,\s]+)+)?(?P<article>(?i:the|a|an)\s+)?"
    r"(?P<name>[A-Z0-9][\w&+.-]*(?:['’]s?)?(?:\s[A-Z0-9][\w&+-]*)*)"
)
_INNER = re.compile(r"(?<![.!?:“\"(]\s)(?<=\s)([A-Z][a-z]\w+(?:\s[A-Z0-9][\w&+-]*)*)")
_NAME_IN_QUESTION = re.compile(
    r"[\s*]*(?!.{0,6}(?:吗|呢|吧|么|啥|谁|哪|多少|怎|几|为何|是否))[\u4e00-\u9fffA-Za-z0-9 ]{2,8}[？?]$"
)
_LATIN_OPENING = re.compile(
    r"[\s*“「《（(]*(?:至于|而|但|不过|反观|相比之下|同价位的?|如果是|换成|像)?\s?"
    r"([A-Z][A-Za-z]{2,}[\w ]*|\d{3,}(?=\s?的)|[\u4e00-\u9fff]{2,4}\s?(?:[A-Z]+\d|\d+[A-Z]|\d{2,}(?=\s?的)))"
)
_UNKNOWN = re.compile(
    r"[\s*]*(?:(?:相比之下|相较之下|至于|反观|另外|此外|反之|同样)[，,]?)?"
    r"(?:([\u4e00-\u9fff]{2,4})的[那这][款台瓶家个套双张把支辆]|([\u4e00-\u9fff]{3,4})(?:的|偏|则|主打|更|虽然?|也|走)[\u4e00-\u9fff])"
)
_NO_NAME = frozenset(
    "想要求如若对于在给有没不喜爱用买会能看听吃喝玩去来到从把被让为以就还也都很更最这那哪其该各每某本您你我他她它同另第一二三两几"
)
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|this|that|these|those)\b|它|这[款家台个双辆张]|该", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|its|they|them|their|this one|that one)\b", re.IGNORECASE)
_HEADED = frozenset({LineKind.NUMBER, LineKind.BULLET, LineKind.ROW, LineKind.HEADING})
_HAN = re.compile("[\u4e00-\u9fff]")


class Topics:
    """The names of others in one answer, seen from one brand.

    `brand`: the places of the brand's own names. `heads`: gives what heads the items of the answer, when asked.
    """

    def __init__(self, structure: Structure, brand: Sequence[Offsets], heads: Callable[[], frozenset[str]]) -> None:
        self._structure = structure
        self._heads = heads
        self._brand = brand
        self._away: dict[str, bool] = {}
        self._models = _models(structure.text, brand)
        self._own = {word for model in self._models for word in model.split()}

    def further_places(self) -> list[Offsets]:
        """Places where a model of the brand stands again without the brand's name."""
        if not self._models:
            return []
        taken = [(a, b + 1 + max(map(len, self._models))) for a, b in self._brand]
        return [
            match.span()
            for model in self._models
            for match in re.finditer(rf"(?<!\w){re.escape(model)}(?!\w)", self._structure.text)
            if not any(a <= match.start() < b for a, b in taken)
        ]

    @cached_property
    def _rows(self) -> set[str]:
        return _in_a_row(self._structure.text, self._brand)

    @cached_property
    def _rivals(self) -> tuple[str, ...]:
        """What may name others by its place: in a row with the brand, or as the head of an item."""
        own = [self._structure.text[a:b] for a, b in self._brand] + list(self._models)
        return tuple(
            name for name in sorted(self._rows | self._heads()) if not any(name in mine or mine in name for mine in own)
        )

    def is_on(self, clause: str, since: Sequence[str]) -> bool:
        """Whether a clause that names nobody is about the brand. `since`: what has followed the brand's own clause."""
        return not self.names_other(clause) and not any(self.turns_away(passed) for passed in since)

    def turns_away(self, clause: str) -> bool:
        """Whether a clause or sentence without the brand's name is about somebody else, and what follows it too."""
        if clause not in self._away:
            self._away[clause] = self._turns_away(clause)
        return self._away[clause]

    def _turns_away(self, clause: str) -> bool:
        if any(rival in clause and (rival in self._rows or is_name(rival)) for rival in self._rivals):
            return not _PRONOUN.match(clause.lstrip(" *，,"))
        if _HAN.search(clause):
            if _NAME_IN_QUESTION.match(clause):
                return True
            match = _LATIN_OPENING.match(clause)
            return match is not None and match[1].split()[0] not in _words("everyone's") | self._own
        match = _OPENING.match(clause)
        return match is not None and self._is_name(
            match["name"], inside=match["article"] is not None or match["lead"] is not None
        )

    def opens_with_unknown(self, sentence: str) -> bool:
        """Whether a Chinese sentence begins with a name that is no word: 某某的那款….

        Within a sentence such a beginning is more often a part of the brand's product (滤芯的价格).
        """
        match = _UNKNOWN.match(sentence)
        if match is None:
            return False
        name: str = match[1] or match[2]
        return name[0] not in _NO_NAME and name not in self._own and is_name(name)

    def names_other(self, clause: str) -> bool:
        """Whether an English clause names somebody else before any pronoun: its verdict is not the brand's."""
        named = next((m for m in _INNER.finditer(clause) if self._is_name(m[1], inside=True)), None)
        return named is not None and not _IT.search(clause, 0, named.start())

    def _is_name(self, name: str, *, inside: bool) -> bool:
        words = [re.sub(r"['’].*", "", word).rstrip(".") for word in name.split()]
        first = words[0]
        if not first[:1].isupper() or first in self._own or first in _words("everyone's") or len(first) < 3:
            return False
        if inside or len(words) > 1:
            return not self._own.intersection(words) and not all(word.lower() in _words("plain") for word in words)
        return first.lower() not in _words("plain") and not _is_word(first.lower())


def _words(kind: str) -> frozenset[str]:
    return sections("topics.txt")[kind]


def _is_word(word: str) -> bool:
    words = english_words()
    return word in words or word.rstrip("s") in words


def _models(text: str, brand: Sequence[Offsets]) -> frozenset[str]:
    """What stands as a model right after the brand."""
    matches = [_MODEL.match(text, end) for _, end in brand]
    return frozenset(match[1] for match in matches if match and _is_model(match[1], text))


def _is_model(model: str, text: str) -> bool:
    """Two parts, or one that is no plain word, or a word that the text writes with a capital throughout."""
    if len(model) < 3 or model.isdigit():
        return False
    if " " in model or any(char.isdigit() for char in model) or not _is_word(model.lower()):
        return True
    return len(model) >= 4 and model not in _words("generic") and re.search(rf"\b{model.lower()}", text) is None


def heads(structure: Structure) -> frozenset[str]:
    """What heads the items, rows and numbered headings of an answer; not all of it is a name."""
    found = set()
    for line in structure.lines:
        if line.kind in _HEADED and (line.kind is not LineKind.HEADING or line.number is not None):
            start, end = line.cells[0] if line.cells else (line.content, line.end)
            if match := _HEAD.match(structure.text, start, end):
                found.add(match[1].strip(" *_"))
    return frozenset(name for name in found if len(name) >= 2 and not name.isdigit())


def _in_a_row(text: str, brand: Sequence[Offsets]) -> set[str]:
    """The other names of 甲、乙、丙 around the brand."""
    found = set()
    for start, end in brand:
        at = end
        while match := _ROW.match(text, at):
            found.add(match[1].strip())
            at = match.end()
        if match := _ROW_BEFORE.search(text, max(start - 40, 0), start):
            found.add(match[1].strip())
    return {name for name in found if len(name) >= 2 and not name.isdigit()}
