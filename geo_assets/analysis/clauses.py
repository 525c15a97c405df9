"""Sentences and clauses of an answer, with the names in them replaced by signs: the text that stance rules read.

Here: cutting and masking. Ⓑ stands for the brand asked about, Ⓞ for another tracked brand; emphasis and citation marks
are left out. Not here: any wording of stance.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

BRAND, OTHER = "Ⓑ", "Ⓞ"

Offsets = tuple[int, int]

# Each expression opens with a set of characters, which the search can skip to, and then tells the cases apart.
_ENDERS = "。！？!?；;\n"
_END = re.compile(rf"[{_ENDERS}.](?:(?<=\.)[\"”’)\]*_]*(?=\s|$|\[)|(?<!\.)[{_ENDERS}]*[”’」』\"')）\]*_]*)")
_ABBREVIATION = re.compile(r"(?:\b(?:vs|e\.g|i\.e|[Nn]o|Mr|Mrs|Ms|Dr|St|approx|etc|cf)|(?:^|\n)[\s>#*]*\d{1,3})\.$")
_NOISE = re.compile(
    r"[\[【*_~`#^.](?:(?<=\[)(?:\^?\d{1,3}(?:[,，\-–]\s?\d{1,3})*|(?:ref|citation|source)[_:]?\s?\d*)\]"
    r"|(?<=【)\d+[^】]{0,12}】|(?<=[*_~`#])[*_~`#]*|(?<=\^)\d+\^|(?<=\bNo\.)(?=\s?\d))",
    re.IGNORECASE,
)
_MARK_END = re.compile(r"[，：|,:—–](?:(?<=[，：|])|(?<=[,:])(?=\s)|(?<=[—–])[—–]?|(?<=[\u4e00-\u9fff],))")
_CLAUSE_END = re.compile(
    r"[，：|]|:(?=\s)|,(?:(?=\s)|(?<=[\u4e00-\u9fff],))"
    r"|\s(?:[–—-]\s|(?=(?:but|while|whereas|though|although|yet|however)\s))|[—–]{1,2}"
)
_AFTER_BLANK = ("but", "while", "whereas", "though", "yet", "however", "-", "–", "—")  # without them blanks end nothing


class Sentences:
    """The sentences of one text, cut where they are asked for: most of an answer is not about the names in it."""

    __slots__ = ("_at", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._at: dict[int, Offsets] = {}

    def at(self, offset: int) -> Offsets:
        """The sentence that holds an offset: the last one that does not begin after it, else the first."""
        if offset not in self._at:
            self._at[offset] = self._around(offset)
        return self._at[offset]

    def after(self, sentence: Offsets) -> Iterator[Offsets]:
        """The sentences that follow one."""
        return self._cut(sentence[1])

    def _around(self, offset: int) -> Offsets:
        # A line break ends a sentence whatever stands around it, so that cutting may begin at any of them.
        start = self.text.rfind("\n", 0, offset) + 1
        while start > 0 and self.text[start - 1] in _ENDERS:
            start -= 1
        found = None
        for sentence in self._cut(start):
            if found is not None and sentence[0] > offset:
                break
            found = sentence
            if sentence[1] > offset:
                break
        if found is None or (found[0] > offset and start > 0):
            return self._around(start - 1) if start > 0 else (0, len(self.text))
        return found

    def _cut(self, start: int) -> Iterator[Offsets]:
        """The sentences from an offset on at which one ends or the text begins."""
        text = self.text
        for match in _END.finditer(text, start):
            end = match.end()
            if (
                text[match.start()] == "."
                and (short := _ABBREVIATION.search(text, max(start - 1, match.start() - 12, 0), match.start() + 1))
                and (short[0].lower() != "no." or text[end : end + 2].strip()[:1].isdigit())
            ):
                continue
            if text[start:end].strip():
                yield start, end
            start = end
        if text[start:].strip():
            yield start, len(text)


Mark = tuple[int, int, str]
"""A name at half-open offsets, and the sign that stands for it."""


def marks(brand: Sequence[Offsets], others: Sequence[Offsets] = ()) -> list[Mark]:
    """The marks of an answer in order, as `masked` wants them."""
    return sorted([(a, b, BRAND) for a, b in brand] + [(a, b, OTHER) for a, b in others])


def masked(text: str, span: Offsets, names: Sequence[Mark]) -> str:
    """The text of a span with names replaced by their signs and without noise."""
    at, end = span
    parts = []
    for a, b, sign in names[bisect_left(names, (at,)) : bisect_left(names, (end,))]:
        if a < at:
            continue
        parts += [_NOISE.sub("", text[at:a]), sign]
        at = b
    parts.append(_NOISE.sub("", text[at:end]))
    return "".join(parts).strip(" \t\r\n\u3000|")


_JOIN = r"\s?(?:和|与|跟|同|或|还是|以及|、|vs\.?|对比|,?\s?\band\b|,?\s?\bor\b|\bversus\b|/)\s?(?:the\s|a\s)?"
_FIRST = re.compile(rf"{BRAND}(?:[^，。,.;；和与vV]{{0,8}}?){_JOIN}(?:{OTHER}|[A-Z\u4e00-\u9fff])", re.IGNORECASE)
_SECOND = re.compile(rf"(?:{OTHER}|[A-Za-z0-9\u4e00-\u9fff]){_JOIN}{BRAND}", re.IGNORECASE)
_COMPARED = re.compile(rf"({BRAND})[^，。；]{{0,14}}比[^，。；]{{1,10}}|比\s?{BRAND}")
_FORMER = re.compile(
    r"前者|前一(?:个|款|家)|前面(?:那|这)(?:个|款|家)|\bthe\s+(?:former|first(?:\s+one)?)\b(?!\s+(?:time|thing|step|year|day|few))",
    re.IGNORECASE,
)
_LATTER = re.compile(
    r"后者|后一(?:个|款|家)|后面(?:那|这)(?:个|款|家)|\bthe\s+(?:latter|second(?:\s+one)?)\b(?!\s+(?:time|thing|step|year|day))",
    re.IGNORECASE,
)
_POINTERS = ("前者", "前一", "前面", "后者", "后一", "后面", "former", "first", "latter", "second")  # lower case


def points_back(sentence: str) -> bool:
    """Whether a sentence may hold 前者, 后者, the former or the latter: a cheap test before the costly ones."""
    lowered = sentence.lower()
    return any([pointer in lowered for pointer in _POINTERS])  # noqa: C419 a generator costs more than the tests


def pair_role(sentence: str) -> int | None:
    """Whether the brand stands first (1) or second (2) in a pair (A 和 B, A vs. B) of a masked sentence, else None."""
    if _SECOND.search(sentence):
        return 2
    if "比" in sentence and (match := _COMPARED.search(sentence)):
        return 1 if match[1] else 2
    return 1 if _FIRST.search(sentence) else None


def resolve(sentence: str, role: int | None) -> str:
    """The sentence with 前者, 后者, the former and the latter replaced by the signs of the pair that they point to."""
    if role is None or not (_FORMER.search(sentence) or _LATTER.search(sentence)):
        return sentence
    first, second = (BRAND, OTHER) if role == 1 else (OTHER, BRAND)
    return _LATTER.sub(second, _FORMER.sub(first, sentence))


_MODEL = r"(?:['’]s)?(?:\s?[A-Z0-9][\w+-]*){1,3}|['’]s|的\s?[A-Za-z0-9][\w+ -]{0,15}|的[\u4e00-\u9fff]{2,6}"
_COMMA, _AND = r"(?:、|,\s)", r"(?:、|\s?(?:和|与|及|以及|或)\s?|,?\s(?:and|or|&)\s(?:the\s)?)"
_BEFORE_IN_ROW = re.compile(
    rf"{OTHER}(?:{_MODEL})?(?:{_COMMA}{OTHER}(?:{_MODEL})?)*(?:{_AND}|、)(?={BRAND})"
    rf"|(?:{OTHER}(?:{_MODEL})?{_COMMA})+(?={BRAND}(?:{_MODEL})?{_AND})"
)
_AFTER_IN_ROW = re.compile(rf"({BRAND}(?:{_MODEL})?)(?:{_COMMA}{OTHER}(?:{_MODEL})?(?={_COMMA}|{_AND}))*{_AND}{OTHER}")


def out_of_row(sentence: str) -> str:
    """The sentence without the names in a row with the brand: what is said of 甲、乙和丙 is said of each."""
    if OTHER not in sentence:
        return sentence
    return _AFTER_IN_ROW.sub(r"\1", _BEFORE_IN_ROW.sub("", sentence))


def clauses(sentence: str) -> list[str]:
    """The clauses of a masked sentence, or cells of a table row. A colon and a dash stay at the end of one."""
    found = []
    start = 0
    ends = _CLAUSE_END if any([mark in sentence for mark in _AFTER_BLANK]) else _MARK_END  # noqa: C419
    for match in ends.finditer(sentence):
        end = match.end() if match[0].strip() in {"：", ":", "—", "–", "-", "——"} else match.start()
        if sentence[start:end].strip():
            found.append(sentence[start:end].strip())
        start = match.end()
    if sentence[start:].strip():
        found.append(sentence[start:].strip())
    return [part.rstrip('。！？!?.；;…~ ”"）)') or part for part in found]
