"""What a Chinese name means as a word of the language, and how often it is then meant as a brand.

Here: the senses of one name, by the bundled lists and word list. Not here: anything about a place in a text.
"""

import math
from functools import lru_cache

from geo_assets.analysis.beside_zh import lists
from geo_assets.analysis.lexicon import ChineseWord, chinese_words

# How often a name of this kind is meant as the brand where nothing else speaks.
_PRIOR = {"food": -0.2, "animal": 0.5, "verb": -0.5, "people": -0.5, "good": -0.3, "thing": -0.3, "word": 0.3}
_PRIOR |= {"time": -0.2, "amount": -0.2, "phrase": 0.6, "luck": 0.6, "rate": 0.8, "geo": 0.6, "trait": 0.9}
_PRIOR |= {"town": 1.2, "trade": -0.6, "character": -0.6, "person": 0.1}
# Without words of its market a common word is hardly ever the brand unless something else says so.
_COMMON_FROM, _COMMON_LEAST, _COMMON_WEIGHT, _COMMON_MOST = 150, 0.6, 0.8, 1.4
_KNOWN_ANIMAL, _ANIMAL_LEAST = 60, 0.9
_COMMON_TAGS = ("n", "v", "a", "d", "i", "l", "b", "z", "t", "s", "f", "m", "o", "r", "c", "p", "q", "u")
_PROPER_TAGS = ("nr", "ns", "nt", "nz")

TOWN = ("town",)
"""The sense of a place that no list has: beer, tyres and hotels bear the names of towns."""


def is_everyday(name: str) -> bool:
    """Whether its prior is lower where no words of the market are known."""
    meaning = senses(name)
    return bool(meaning) and prior(name, meaning, has_market=False) < prior(name, meaning, has_market=True)


def prior(name: str, meaning: tuple[str, ...], *, has_market: bool) -> float:
    """Evidence for the brand before anything is looked at. `has_market`: words of the market are known."""
    score = max(_PRIOR[sense] for sense in meaning)
    word = chinese_words().get(name)
    if has_market or word is None or meaning == TOWN:
        return score
    doubt = _ANIMAL_LEAST if "animal" in meaning and word.frequency >= _KNOWN_ANIMAL else 0.0
    if word.frequency > _COMMON_FROM:
        common = _COMMON_LEAST + _COMMON_WEIGHT * math.log10(word.frequency / _COMMON_FROM)
        doubt = max(doubt, min(common, _COMMON_MOST))
    return score - doubt


@lru_cache(maxsize=4096)
def senses(name: str) -> tuple[str, ...]:
    """What the name means as a word of the language; empty where it is none."""
    if len(name) == 1:
        return ("character",)
    word = chinese_words().get(name)
    found = tuple(s for s in _PRIOR if name in lists().get(s, ()))
    if not found and name[0] in "小大老" and name[1:] in lists()["animal"]:
        return ("animal",)
    if found and (found != ("good",) or (word is not None and word.frequency >= 50)):
        return found
    if len(name) <= 3 and word is not None and word.frequency >= 100 and _is_common(word):
        return ("word",)
    if word is not None and word.tag == "ns" and len(name) >= 2:
        return TOWN
    return ()


def _is_common(word: ChineseWord) -> bool:
    return word.tag.startswith(_COMMON_TAGS) and not word.tag.startswith(_PROPER_TAGS)
