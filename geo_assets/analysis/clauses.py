"""Sentences and clauses of an answer, with the names in them replaced by signs: the text that stance rules read.

Here: cutting and masking. Ⓑ stands for the brand asked about, Ⓞ for another tracked brand; emphasis and citation marks
are left out. Not here: any wording of stance.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

BRAND, OTHER = "Ⓑ", "Ⓞ"

Offsets = tuple[int, int]

_END = re.compile(r"[。！？!?；;\n]+[”’」』\"')）\]*_]*|\.[\"”’)\]*_]*(?=\s|$|\[)")
_ABBREVIATION = re.compile(r"(?:\b(?:vs|e\.g|i\.e|[Nn]o|Mr|Mrs|Ms|Dr|St|approx|etc|cf)|(?:^|\n)[\s>#*]*\d{1,3})\.$")
_NOISE = re.compile(
    r"\[\^?\d{1,3}(?:[,，\-–]\s?\d{1,3})*\]|\[(?:ref|citation|source)[_:]?\s?\d*\]|【\d+[^】]{0,12}】|[*_~`#|]+|\^\d+\^",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[，：]|,(?=\s)|(?<=[\u4e00-\u9fff]),|\s[–—-]\s|[—–]{1,2}|:(?=\s)|\s(?=(?:but|while|whereas|though|although|yet|however)\s)"
)


class Sentences:
    """The sentences of one text, by offset."""

    __slots__ = ("_starts", "spans", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: list[Offsets] = []
        start = 0
        for match in _END.finditer(text):
            if match[0][0] == "." and _ABBREVIATION.search(
                text, max(start - 1, match.start() - 12, 0), match.start() + 1
            ):
                continue
            if text[start : match.end()].strip():
                self.spans.append((start, match.end()))
            start = match.end()
        if text[start:].strip() or not self.spans:
            self.spans.append((start, len(text)))
        self._starts = [a for a, _ in self.spans]

    def index_at(self, offset: int) -> int:
        """Index of the sentence that holds an offset."""
        return max(bisect_right(self._starts, offset) - 1, 0)


def masked(text: str, span: Offsets, brand: Sequence[Offsets], others: Sequence[Offsets]) -> str:
    """The text of a span with names replaced by their signs and without noise."""
    marks = sorted(
        [(a, b, BRAND) for a, b in brand if span[0] <= a < span[1]]
        + [(a, b, OTHER) for a, b in others if span[0] <= a < span[1]]
    )
    parts = []
    at = span[0]
    for a, b, sign in marks:
        if a < at:
            continue
        parts += [_NOISE.sub("", text[at:a]), sign]
        at = b
    parts.append(_NOISE.sub("", text[at : span[1]]))
    return "".join(parts).strip()


_JOIN = r"\s?(?:和|与|跟|同|或|还是|以及|、|vs\.?|对比|,?\s?\band\b|,?\s?\bor\b|\bversus\b|/)\s?(?:the\s|a\s)?"
_FIRST = re.compile(rf"{BRAND}(?:[^，。,.;；和与vV]{{0,8}}?){_JOIN}(?:{OTHER}|[A-Z\u4e00-\u9fff])", re.IGNORECASE)
_SECOND = re.compile(rf"(?:{OTHER}|[A-Za-z0-9\u4e00-\u9fff]){_JOIN}{BRAND}", re.IGNORECASE)
_FORMER = re.compile(
    r"前者|前一(?:个|款|家)|\bthe\s+(?:former|first(?:\s+one)?)\b(?!\s+(?:time|thing|step|year|day|few))", re.IGNORECASE
)
_LATTER = re.compile(
    r"后者|后一(?:个|款|家)|\bthe\s+(?:latter|second(?:\s+one)?)\b(?!\s+(?:time|thing|step|year|day))", re.IGNORECASE
)


def pair_role(sentence: str) -> int | None:
    """Whether the brand stands first (1) or second (2) in a pair (A 和 B, A vs. B) of a masked sentence, else None."""
    if _SECOND.search(sentence):
        return 2
    return 1 if _FIRST.search(sentence) else None


def resolve(sentence: str, role: int | None) -> str:
    """The sentence with 前者, 后者, the former and the latter replaced by the signs of the pair that they point to."""
    if role is None or not (_FORMER.search(sentence) or _LATTER.search(sentence)):
        return sentence
    first, second = (BRAND, OTHER) if role == 1 else (OTHER, BRAND)
    return _LATTER.sub(second, _FORMER.sub(first, sentence))


def clauses(sentence: str) -> list[str]:
    """The clauses of a masked sentence. A colon and a dash end one, and stay at its end."""
    found = []
    start = 0
    for match in _CLAUSE_END.finditer(sentence):
        end = match.end() if match[0].strip() in {"：", ":", "—", "–", "-", "——"} else match.start()
        if sentence[start:end].strip():
            found.append(sentence[start:end].strip())
        start = match.end()
    if sentence[start:].strip():
        found.append(sentence[start:].strip())
    return [part.rstrip('。！？!?.；;…~ ”"）)') or part for part in found]
