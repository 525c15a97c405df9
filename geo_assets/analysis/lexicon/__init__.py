"""The bundled word lists: plain text, generic, documented in README.txt. Here: loading them. Not here: any rule."""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


def lines(name: str) -> list[str]:
    """The lines of a bundled list, without comments and empty lines."""
    text = files(__name__).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@dataclass(frozen=True, slots=True)
class ChineseWord:
    """A word of the Chinese list: corpus frequency and part of speech (ICTCLAS tags: n, v, a, ns place, nr person)."""

    frequency: int
    tag: str


@lru_cache(maxsize=1)
def chinese_words() -> dict[str, ChineseWord]:
    """Simplified Chinese words of two to four characters."""
    kinds: dict[str, ChineseWord] = {}  # most words share their frequency and tag with others: one object for each pair
    words = {}
    for line in lines("zh_words.txt"):
        word, _, kind = line.partition(" ")
        if kind not in kinds:
            frequency, tag = kind.split(" ")
            kinds[kind] = ChineseWord(int(frequency), tag)
        words[word] = kinds[kind]
    return words


@lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """Lower-case English words, inflected forms included, without names."""
    return frozenset(lines("en_words.txt"))


@lru_cache(maxsize=1)
def common_english_words() -> frozenset[str]:
    """The most frequent of them, some thousand."""
    return frozenset(lines("en_common.txt"))


@lru_cache(maxsize=8)
def sections(name: str) -> dict[str, frozenset[str]]:
    """A list in sections: a line `[title]` opens one; entries are separated by blanks."""
    found: dict[str, set[str]] = {}
    current: set[str] = set()
    for line in lines(name):
        if line.startswith("[") and line.endswith("]"):
            current = found.setdefault(line[1:-1], set())
        else:
            current.update(line.split())
    return {title: frozenset(entries) for title, entries in found.items()}
