"""Sentences and clauses of an answer, with the names in them replaced by signs: the text that stance rules read.

Here: cutting and masking. Ⓑ stands for the brand asked about, Ⓞ for another tracked brand; emphasis and citation marks
are left out. Not here: any wording of stance.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

from geo_assets.analysis.folding import simplify

BRAND, OTHER = "Ⓑ", "Ⓞ"

Offsets = tuple[int, int]

_END = re.compile(
    r"[。！？!?；;\n]+[”’」』\"')）\]*_]*"
    r"|(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\bNo)(?<!\bno)(?<!\bMr)(?<!\bDr)(?<!\bSt)(?<!\bapprox)(?<!\d)\.[\"”’)\]*_]*(?=\s|$|\[)"
    r"|(?<=\d)\.[\"”’)\]*_]*(?=\s+[A-Z*\[]|\s*$|\s*\n)"
)
_LIST_NUMBER = re.compile(r"(?:^|\n)[\s>#*]*\d{1,3}\.$")
_NOISE = re.compile(
    r"\[\^?\d{1,3}(?:[,，\-–]\s?\d{1,3})*\]|\[(?:ref|citation|source)[_:]?\s?\d*\]|【\d+[^】]{0,12}】|[*_~`#|]+|\^\d+\^",
    re.I,
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
            if match[0].startswith(".") and _LIST_NUMBER.search(text, max(start - 1, 0), match.start() + 1):
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
    return simplify("".join(parts).strip())


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
    return [part.rstrip("。！？!?.；;…~ ”\"）)") or part for part in found]
