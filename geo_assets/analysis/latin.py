"""What all rules over Latin names look at: the words around a name, its market near by, the bundled lists.

Not here: any decision (`ambiguity_en`, `another_en`, `short_en`).
"""

import re
from functools import lru_cache

from geo_assets.analysis.lexicon import english_words, sections
from geo_assets.analysis.place import Place

WORD_BEFORE = re.compile(r"([^\W_][\w'’.&-]*)([*_]*\s[\s*_~\"“(\[]*)$")
SENTENCE_END = re.compile(
    r"(?:^|[.!?…:：。！？;；\n|]|(?:^|\n)[\s>]*(?:[-*+•·]|\d{1,3}[.)]|#{1,6}))[\s*_\"“”'‘(\[~>#]*$"
)
AFTER_NUMBER = re.compile(r"\d\s?$")


@lru_cache(maxsize=1)
def lists() -> dict[str, frozenset[str]]:
    """The words of `homonyms_en.txt` by the title of their list."""
    return sections("homonyms_en.txt")


@lru_cache(maxsize=65536)
def _is_phrase(name: str) -> bool:
    parts = re.findall(r"[a-z]+", name.lower())
    return len(parts) > 1 and all(part in english_words() or len(part) == 1 for part in parts)


def is_phrase_of_words(place: Place) -> bool:
    """Whether the listed name is made of words of the language."""
    return _is_phrase(place.hit.name.text)


def capital_before(before: str) -> str:
    """The word with a capital right before a name, without what a capture has glued to it; empty if there is none."""
    match = WORD_BEFORE.search(before)
    if match is None or match[2].strip(" *_\u00a0"):
        return ""
    word: str = match[1]
    glued = word.rpartition(".")[2]
    word = glued if glued[:1].isupper() else word
    return word if any(char.isupper() for char in word) else ""


def window_of(place: Place) -> str:
    """The text within 200 characters of the name."""
    return place.text[max(place.start - 200, 0) : place.end + 200]


def market_near(place: Place) -> float:
    """Words of the market near the place (the monitor's, else words of shops)."""
    window = window_of(place)
    score = min(float(place.market_in(window)), 2.0)
    words = {w.lower() for w in re.findall(r"[A-Za-z]+", window)}
    score += min(len(words & lists()["commerce near"]) * 0.3, 0.9)
    return score
