"""Names that nobody tracks but that head items of a list: what a monitor may want to add.

Here: telling a name from a phrase (`Ping Identity` from `Multi-Layer Enforcement`). Not here: whose names they are.
"""

import re
import unicodedata
from collections.abc import Sequence

from geo_assets.analysis.clauses import Offsets
from geo_assets.analysis.folding import simplify
from geo_assets.analysis.lexicon import chinese_words, english_words
from geo_assets.analysis.prose import Prose
from geo_assets.analysis.rank import list_rank
from geo_assets.analysis.structure import Line, LineKind, Structure
from geo_assets.model.readings import Candidate

_LEAD = re.compile(r"(?:[\s*_\[“\"「《`~]|[\u2190-\u2bff\ufe0f\u200d]|[\U0001f000-\U0001faff])*")
_HEAD = re.compile(r"[^\n：:—–（(，,。；;|*\]！!?？]{1,40}?(?=\s*(?:[：:—–（(，,。；;|*\]！!?？]|\s-\s|$|\n))")
_CAPITAL = "A-Z0-9À-ÖØ-ÞĀ-Ž"
_LATIN_NAME = re.compile(rf"[{_CAPITAL}][\w.&+'’-]*(?:\s(?:[{_CAPITAL}&][\w.&+'’-]*|of|and|de|la|the|for))*$")
_SUBJECT = re.compile(
    rf"[{_CAPITAL}][\w.&+'’-]*(?:\s[{_CAPITAL}&][\w.&+'’-]*){{0,3}}(?=\s(?:is|was|has|does|makes|costs|offers|gives|"
    r"comes|stands|remains|works|suits|provides|includes|sells|wins|leads|focuses|specialises|specializes)\s)"
)
_OPENER = re.compile(
    r"(?:an?|the|this|that|these|those|if|for|in|on|at|with|when|wh(?:at|ich|o|y)|how|our|your|my)\s", re.IGNORECASE
)
_CHINESE_NAME = re.compile(r"[\u4e00-\u9fff]{2,6}(?:\s?[A-Za-z0-9][\w .+-]*)?$")


def find_candidates(structure: Structure, prose: Prose, named: Sequence[Offsets]) -> tuple[Candidate, ...]:
    """Untracked names that head items of lists with at least two items, numbered headings or table rows."""
    found: list[Candidate] = []
    seen: set[str] = set()
    for line in structure.lines:
        if not _is_item(line):
            continue
        start, end = line.cells[0] if line.cells else (line.content, line.end)
        head = _head(structure.text, start, end)
        if head is None or any(a < head[1] and head[0] < b for a, b in named) or prose.unread_at(*head):
            continue
        at = _name_in(structure.text, *head)
        if at is None or (name := structure.text[at[0] : at[1]]).lower() in seen:
            continue
        seen.add(name.lower())
        found.append(Candidate(name, *at, list_rank(structure, *at)))
    return tuple(found)


def _name_in(text: str, start: int, end: int) -> Offsets | None:
    """The name that a head is, or else the one that is the subject of the sentence it opens."""
    if is_name(simplify(unicodedata.normalize("NFKC", text[start:end]))):
        return start, end
    subject = _SUBJECT.match(text, start)
    if subject is None:
        return None
    # Within a sentence only names have a capital at a second word.
    reads_as_name = " " in subject[0] and not _OPENER.match(subject[0])
    return subject.span() if reads_as_name or is_name(subject[0]) else None


def _is_item(line: Line) -> bool:
    if line.kind is LineKind.HEADING:
        return line.number is not None
    return line.kind is LineKind.NUMBER or (
        line.kind in {LineKind.BULLET, LineKind.ROW} and line.size >= 2 and line.parent is None
    )


def _head(text: str, start: int, end: int) -> Offsets | None:
    lead = _LEAD.match(text, start, end)
    start = lead.end() if lead else start
    match = _HEAD.match(text, start, end)
    if match is None:
        return None
    head = match[0].rstrip(" *_")
    return (start, start + len(head)) if head else None


def is_name(head: str) -> bool:
    """A head (width and script folded) reads as a name where at least one of its words is none of the language."""
    if _CHINESE_NAME.match(head):
        chinese = re.match(r"[\u4e00-\u9fff]+", head)
        return chinese is not None and not _is_phrase(chinese[0])
    if not _LATIN_NAME.match(head) or head.isdigit():
        return False
    words = [w for w in re.findall(r"[^\W\d_][^\W\d_'’]*[^\W\d_]", head) if w[0].isupper()]
    return any(w.lower().rstrip("s") not in english_words() and w.lower() not in english_words() for w in words) or (
        len(words) == 2 and words[1] in _COMPANY_WORDS
    )


_COMPANY_WORDS = frozenset(
    [
        "Identity",
        "Labs",
        "Inc",
        "Corp",
        "Software",
        "Technologies",
        "Systems",
        "Group",
        "Security",
        "Air",
        "Airlines",
        "Bank",
        "Motors",
        "Foods",
        "Coffee",
        "Hotels",
        "Pharma",
    ]
)


def _is_phrase(text: str) -> bool:
    """Whether a run of Chinese characters is made of words of the language throughout."""
    words = chinese_words()
    reach = [True] + [False] * len(text)
    for end in range(1, len(text) + 1):
        for size in (2, 3, 4):
            if (
                end >= size
                and reach[end - size]
                and (word := words.get(text[end - size : end]))
                and not word.tag.startswith(("nr", "nz", "nt"))
            ):
                reach[end] = True
    return reach[len(text)]
