"""Where a name begins and ends in running text: boundaries, seams of glued captures, plurals, gaps inside a name.

Here: decisions on single characters around and inside a match. Latin letters, digits and other spaced scripts need a
boundary; Chinese, Japanese and Korean neighbours are one. Emphasis marks and invisible characters are looked through.
"""

import re
import unicodedata
from enum import IntEnum

from geo_assets.analysis.folding import APOSTROPHES, BLANKS, HYPHENS, MARKS, SEPARATORS, TRANSPARENT, Folded, fold
from geo_assets.analysis.lexicon import english_words


class Edge(IntEnum):
    """How firmly a match is set off from its neighbours; larger is weaker."""

    CLEAN = 0
    MODEL = 1  # a number follows directly: Vela16
    PLURAL = 2
    SEAM = 3  # glued words whose capitals show the border
    INSIDE = 4  # part of another word: no match


def is_cjk(char: str) -> bool:
    """Han, kana, hangul and CJK punctuation: scripts written without blanks, whose neighbours are no word border."""
    return (
        "\u2e80" <= char <= "\u9fff"
        or "\uac00" <= char <= "\ud7a3"
        or "\uf900" <= char <= "\ufaff"
        or char > "\U0001ffff"
    )


def is_word(char: str) -> bool:
    """A letter or digit of a script that sets words apart with blanks (full-width forms included)."""
    return char.isalnum() and not is_cjk(char)


def visible_before(text: str, index: int) -> int:
    """Offset of the nearest character before `index` that a reader sees, or -1."""
    index -= 1
    while index >= 0 and text[index] in TRANSPARENT:
        index -= 1
    return index


def visible_after(text: str, index: int) -> int:
    """Offset of the first character from `index` on that a reader sees, or the length of the text."""
    while index < len(text) and text[index] in TRANSPARENT:
        index += 1
    return index


# Neighbours that set any name off: blanks and marks that are no part of a name and that no reader looks through.
_FIRM = BLANKS | frozenset('!"$%&(),/:;<=>?[]^{|}。，、：；！？（）《》「」“”')


def left_edge(text: str, start: int) -> Edge:
    """How the match that begins at `start` is set off on its left."""
    if start == 0 or text[start - 1] in _FIRM or "\u3400" <= text[start - 1] <= "\u9fff":
        return Edge.CLEAN
    first = text[start]
    at = visible_before(text, start)
    if not is_word(first):
        return Edge.INSIDE if first in ".#@+" and at >= 0 and is_word(text[at]) else Edge.CLEAN
    if at > 0 and text[at] in APOSTROPHES and text[at - 1] == "O":  # O'Dell is a name of its own
        return Edge.INSIDE
    if at < 0 or not is_word(text[at]):
        return Edge.CLEAN
    if first.isupper() and "**" in text[at + 1 : start]:
        return Edge.CLEAN
    if first.isupper() and (text[at].islower() or text[at].isdigit()):
        return Edge.SEAM
    return Edge.INSIDE


def right_edge(text: str, end: int, form: str) -> Edge:
    """How the match that ends at `end` is set off on its right; `form` is its folded spelling."""
    if end == len(text) or text[end] in _FIRM or "\u3400" <= text[end] <= "\u9fff":
        return Edge.CLEAN
    last = text[end - 1]
    at = visible_after(text, end)
    if at >= len(text):
        return Edge.CLEAN
    after = text[at]
    if not is_word(last):
        return Edge.CLEAN if last not in "+#" or after not in "+#" else Edge.INSIDE
    if not is_word(after):
        return Edge.INSIDE if after in "+#" and len(form) < 3 else Edge.CLEAN
    if after.isupper() and "**" in text[end:at]:
        return Edge.CLEAN
    if after.isdigit():
        if _AS_TO.match(text, at):
            return Edge.INSIDE
        return Edge.MODEL if last.isalpha() and len(form) >= 3 else Edge.INSIDE
    if after.isupper() and (last.islower() or last.isdigit()):
        return Edge.SEAM
    if last.isalpha() and at == end and _PLURAL.match(text, end) and (len(form) >= 3 or text[end - 1].isupper()):
        return Edge.PLURAL
    return Edge.INSIDE


_AS_TO = re.compile(r"[24][A-Z][a-z]")  # Word2Vec
_PLURAL = re.compile(r"(?:s|es)(?![^\W_])", re.IGNORECASE)
_PIECE = re.compile(r"[A-Z][a-z]+(?:['\u2019]s)?|[A-Z]{2,}(?![a-z])|[a-z]+|\d+")


def seam_holds(text: str, start: int, end: int, *, common: bool) -> bool:
    """Whether a capital inside a run of letters is the border of two glued words, not of one name in camel case.

    `SafeVault` does not name Vault; `OrvisRadleyMax MaraTarn` names all four. Two further pieces decide for any name,
    one only for a name that is long enough and no word of its own (the maker in `NovaBuds` is not Buds).
    """
    begin, stop = start, end
    while begin > 0 and (is_word(text[begin - 1]) or text[begin - 1] in APOSTROPHES):
        begin -= 1
    while stop < len(text) and (is_word(text[stop]) or text[stop] in APOSTROPHES):
        stop += 1
    left = _PIECE.findall(unicodedata.normalize("NFKC", text[begin:start]))
    right = _PIECE.findall(unicodedata.normalize("NFKC", text[end:stop]))
    words = [piece for piece in left + right if len(piece) >= 3]
    if len(words) >= 2:
        return True
    if not words:
        return end - start >= 4 and not common and (text[start - 1 : start].isdigit() or text[end - 1].isdigit())
    piece = words[0]
    if left and piece.islower():
        return len(piece) >= 4 and piece in english_words()
    if piece.endswith(("'s", "\u2019s")):
        return True
    return end - start >= 5 and not common


def junctions(name: str) -> tuple[frozenset[int], frozenset[int]]:
    """Folded offsets inside a name at which a gap may stand: where it is spelled with one, and where it loosely may.

    Loose: between lower and upper case (BlueSky, Blue Sky), letters and digits, Latin and Chinese, two Chinese
    characters, and before a final s (Brooks, Brook's).
    """
    gaps, loose = set(), set()
    index = 0
    before = ""
    pending = False
    for char in name:
        if char in SEPARATORS:
            pending = pending or (char not in TRANSPARENT and index > 0)
            continue
        size = len(fold(char))
        if not size:
            continue
        if pending:
            gaps.add(index)
        elif before and (
            (before.islower() and char.isupper())
            or before.isdigit() != char.isdigit()
            or is_cjk(before)
            or is_cjk(char)
        ):
            loose.add(index)
        index += size
        before = char
        pending = False
    if index >= 4 and name[-1:] in "sS":
        loose.add(index - 1)
    return frozenset(gaps), frozenset(loose)


_OPEN_GAP = re.compile(
    r"[^\S\n]*(?:\n[^\S\n]*|[-\u2010\u2011\u2012\u2013\u00b7'\u2018\u2019\u02bc`\u00b4\u2032\u30fb\uff0d\uff07][^\S\n]*)?"
)


def gaps_fit(folded: Folded, first: int, last: int, gaps: frozenset[int], loose: frozenset[int]) -> bool:
    """Whether what stands between the characters of a match is what the spelling of the name lets stand there."""
    text = folded.original
    starts = folded.starts(first, last)
    before = starts[0]
    for index, at in enumerate(starts):
        if at > before + 1:
            gap = "".join(
                c for c in text[before + 1 : at] if c in SEPARATORS and c not in TRANSPARENT and c not in MARKS
            )
            if gap and not _gap_fits(gap, text[before], text[at], index in gaps, index in loose):
                return False
        before = at
    return True


def _gap_fits(gap: str, before: str, after: str, spelled: bool, loose: bool) -> bool:
    if spelled:
        return len(gap) <= 3 and _OPEN_GAP.fullmatch(gap) is not None
    if not loose or len(gap) != 1 or gap == "\n":
        return False
    if is_cjk(before) and is_cjk(after):
        return gap in BLANKS
    if before.isalpha() and after.isalpha() and not is_cjk(before) and not is_cjk(after):
        return gap in APOSTROPHES if after in "sS" else after.isupper()
    return gap in BLANKS or gap in HYPHENS
