"""Latin names that are words, phrases or plurals: case, the words around, the place in the sentence.

Here: rules over neighbouring words; the words are in `lexicon/`. A name that is no word of the language is the brand in
any case, unless the words around make another name of it (`another_en`) or it is too short to be one (`short_en`).
"""

import re
from functools import lru_cache

from geo_assets.analysis.another_en import another_name, place_name
from geo_assets.analysis.edges import Edge, is_cjk
from geo_assets.analysis.folding import fold
from geo_assets.analysis.latin import (
    AFTER_NUMBER,
    SENTENCE_END,
    capital_before,
    is_phrase_of_words,
    lists,
    market_near,
)
from geo_assets.analysis.lexicon import common_english_words, english_words, sections
from geo_assets.analysis.place import CLEAR, Place, Verdict, from_score
from geo_assets.analysis.short_en import (
    is_another_abbreviation,
    is_measure,
    is_number,
    judge_short,
    judge_short_form,
)

_WORD_AFTER = re.compile(r"[\s*_~\"”’)\]]*([^\W_][\w]*(?:['’-][\w]+)*)?", re.UNICODE)
_CAPITALISED = re.compile(r"[A-Za-z]+(?:['’]s\b)?")
_NUMBERED = re.compile(r"\b(?:two|three|four|five|six|several|many|both|\d+)\s+$", re.IGNORECASE)
_COMPOUND = re.compile(r"[-\u2010\u2011]([A-Za-z]+|\d)")  # On-ear, Omega-3
_BRAND_COMPOUNDS = frozenset(
    [
        "based", "like", "style", "brand", "branded", "owned", "made", "powered", "compatible", "certified",
        "exclusive", "only", "approved", "inspired", "sponsored", "backed", "specific", "related", "ready",
        "enabled", "native", "to", "and", "or", "built", "run", "operated", "licensed", "first", "centric",
    ]
)  # fmt: skip
_CAPITAL_AFTER = re.compile(r"\s([A-Z][a-z]+)\b")
_AGAINST_A_WORD = re.compile(r"\s+(?:vs\.?|versus)\s+[a-z]")
_TITLE_LEADS = frozenset(
    [
        "best", "top", "new", "why", "how", "what", "choose", "choosing", "about", "meet", "inside", "using", "buying",
        "review", "budget", "premium", "cheap", "official", "great", "good", "better", "alternatives", "runner",
        "winner", "pick", "overall", "also", "meanwhile", "today", "recommended", "consider", "considering", "overview",
    ]
)  # fmt: skip
_TITLE_SMALL = frozenset("a an the and or of for in on to with vs by at from is your".split())  # noqa: SIM905


def judge(place: Place) -> Verdict:
    """Decide a name with Latin letters."""
    other = another_name(place)
    if other:
        return other
    folded = place.hit.name.folded
    if folded.isdigit() and is_number(place):
        return Verdict(is_brand=False, confidence=0.85, reason="a number")
    if place.hit.name.is_alias and place.surface in lists()["abbreviations"]:
        return from_score(market_near(place) - 1.0, "a common abbreviation")
    if is_another_abbreviation(place):
        return Verdict(is_brand=False, confidence=0.7, reason="an abbreviation in another case")
    words = english_words()
    is_word = folded in words or is_phrase_of_words(place)
    if place.hit.edge is Edge.PLURAL:
        return _plural(place, is_word=is_word)
    lower = is_word and place.surface.islower()  # no place is written so
    if folded in lists()["place"] and not lower and (verdict := place_name(place)):
        return verdict
    if not is_word and len(folded) > 2:
        if is_measure(place):
            return Verdict(is_brand=False, confidence=0.75, reason="an ordinary word in lower case")
        return judge_short_form(place) if place.hit.name.rest else CLEAR
    if not is_word:
        return judge_short(place)
    return _word(place)


def _plural(place: Place, *, is_word: bool) -> Verdict:
    """Mazdas, but not Lens for Len: what stands before a plural is a number or a word for many."""
    before = place.text[max(place.start - 40, 0) : place.start].rpartition("\n")[2]
    after = place.text[place.end : place.end + 30]
    with_s = place.hit.name.folded + "s"
    counted = re.search(
        r"\b(?:two|three|four|five|six|several|many|most|some|few|all|both|these|those|the|used|new|old|older|newer|other|"
        r"different|\d+|of|our|their|my|cheap|certified|refurbished)\s+(?:\w+\s+)?[*_]*$",
        before,
        re.IGNORECASE,
    )
    plural_verb = re.match(r"(?:s|es)\s+(?:are|were|have|do|don't|come|cost|last|sell|hold|run|tend)\b", after)
    known = with_s in english_words()
    capital = place.surface[:1].isupper()
    if known and capital and _NUMBERED.search(before) and not is_word:
        return Verdict(is_brand=True, confidence=0.8, reason="several of them")
    if known and not (counted and capital and plural_verb):
        return Verdict(is_brand=False, confidence=0.85, reason=f"the word {with_s}")
    if is_word and not place.surface[:1].isupper():
        return Verdict(is_brand=False, confidence=0.9, reason="a word in the plural")
    if counted or plural_verb:
        return Verdict(is_brand=True, confidence=0.9, reason="plural")
    return Verdict(is_brand=True, confidence=0.7, reason="plural")


def _word(place: Place) -> Verdict:
    """A name that is a word of the language."""
    text = place.text
    surface = place.surface.strip("*_")
    if _spoken_of_as_word(place, surface):
        return Verdict(is_brand=False, confidence=0.7, reason="spoken of as a word")
    listed = place.hit.name.text
    before, after = text[max(place.start - 80, 0) : place.start], text[place.end : place.end + 60]
    if (joined := _COMPOUND.match(after)) and _makes_compound(joined[1]):
        return Verdict(is_brand=False, confidence=0.85, reason=f"a compound: {surface}-{joined[1]}")
    if (
        surface.isupper()
        and not listed.isupper()
        and (surface in lists()["abbreviations"] or AFTER_NUMBER.search(before))
    ):
        return Verdict(is_brand=False, confidence=0.85, reason="an abbreviation")
    inner_capital = listed[1:] != listed[1:].lower() and surface == listed
    if inner_capital and " " not in listed:
        return Verdict(is_brand=True, confidence=0.93, reason="written as the name")
    if _in_chinese(before, after):
        return Verdict(is_brand=True, confidence=0.88, reason="Latin word in Chinese text")
    if surface.islower():
        return _lower_case(place, listed, before, after)
    capital = capital_before(before)
    stressed = surface.isupper() and len(surface) >= 5 and not listed.isupper() and not capital
    if stressed or _all_capitals(text, place):
        return from_score(market_near(place) + 0.6, "a word in capitals")
    return _capitalised(place, surface, capital, before, after)


def _capitalised(place: Place, surface: str, capital: str, before: str, after: str) -> Verdict:
    """A word with a capital: in a sentence, at its start, after another capital, in a title."""
    starts = bool(SENTENCE_END.search(before)) or not before.strip(" *_\"“'(#>-")
    if is_phrase_of_words(place) and all(w[0].isupper() for w in _CAPITALISED.findall(surface)):
        return Verdict(is_brand=True, confidence=0.93, reason="a phrase written as the name")
    if starts:
        return from_score(_start_score(place, after), "a word at the start of a sentence")
    if capital:
        return _after_capital(place, capital, before)
    if _is_everyday(place) and (joined := _CAPITAL_AFTER.match(after)) and joined[1].lower() in english_words():
        return from_score(market_near(place) - 0.6, f"part of a title: {surface} {joined[1]}")
    if _title_case(place.text, place):
        return from_score(market_near(place) + _start_score(place, after) * 0.5, "a word in a title")
    return Verdict(is_brand=True, confidence=0.92, reason="capital in the middle of a sentence")


def _is_everyday(place: Place) -> bool:
    """Whether the name is among the most frequent words, and its market is not known."""
    return not place.context and place.hit.name.folded in common_english_words()


def _makes_compound(second: str) -> bool:
    """Self-hosting, also in a title, and Omega-3; not Target-owned."""
    return second.lower() not in _BRAND_COMPOUNDS and (not second[0].isupper() or second.lower() in english_words())


def _spoken_of_as_word(place: Place, surface: str) -> bool:
    """Whether the name stands in quotation marks, next to speech about words, and again as a word in lower case."""
    text = place.text
    quoted = text[place.start - 1 : place.start] in tuple("\"“'‘") and text[place.end : place.end + 1] in tuple(
        "\"”'’,."
    )
    if not quoted or not re.search(rf"\b{re.escape(surface.lower())}s?\b", text):
        return False
    near = text[max(place.start - 60, 0) : place.start] + " " + text[place.end : place.end + 60]
    return re.search(r"\b(?:said|says|word|term|phrase|times|means?|used|verb|noun|wrote)\b", near) is not None


def _in_chinese(before: str, after: str) -> bool:
    left, right = before.rstrip(" *_")[-1:], after.lstrip(" *_")[:1]
    return (
        bool((left and is_cjk(left)) or (right and is_cjk(right)))
        and not (left.isascii() and left.isalpha())
        and not (right.isascii() and right.isalpha())
    )


def _lower_case(place: Place, listed: str, before: str, after: str) -> Verdict:
    if "-" in place.surface and "-" not in listed and "_" not in listed:
        return Verdict(is_brand=True, confidence=0.75, reason="joined by a hyphen as no phrase of words is")
    if not listed.islower():
        window = place.text[max(place.start - 300, 0) : place.end + 300]
        if not re.search("[A-Z]", window) and place.market_in(window):
            return Verdict(is_brand=True, confidence=0.6, reason="a text without capitals")
        return Verdict(is_brand=False, confidence=0.93, reason="an ordinary word in lower case")
    score = 0.3 + market_near(place)
    if re.match(r"[*_`]*(?:/|\s*[（(:—–]|['’]s\b)", after) or re.search(r"[/`*]$", before):
        score += 1.2
    if re.search(r"\b(?:to|the|a|an|will|can|you|they|we|don't|not|would|should|this|your)\s+$", before, re.IGNORECASE):
        score -= 1.5
    return from_score(score, "a name that is listed in lower case")


def _all_capitals(text: str, place: Place) -> bool:
    if not place.surface.isupper():
        return False
    line_start = text.rfind("\n", 0, place.start) + 1
    line_end = text.find("\n", place.end)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    letters = [c for c in line if c.isalpha()]
    return len(letters) > len(place.surface) + 8 and sum(c.isupper() for c in letters) > 0.8 * len(letters)


def _start_score(place: Place, after: str) -> float:
    words_of = lists()
    score = 0.2 + min(market_near(place), 1.5) - (0.8 if place.is_bare_short_form else 0.0)
    if place.context and not place.market_in(place.text):
        score -= 0.7
    if _is_everyday(place):
        score -= 1.4
    if place.hit.name.folded in words_of["adverbs"] and after[:1] == ",":
        return score - 1.0  # Today, most of them
    if re.match(r"[*_]*['’]s\b", after):
        return score + 2.0
    if re.match(r"[\s*_]*(?:[:：（(—–,/&\]|]|\s-\s|\n|$|[.!?])", after):
        return score + 1.5
    match = _WORD_AFTER.match(after)
    word = match[1].removesuffix("n't").removesuffix("n’t") if match and match[1] else ""
    if not word:
        return score
    if word[0].isdigit() or any(char.isupper() for char in word):
        return score + 1.5
    if word in {"vs", "versus"} and _AGAINST_A_WORD.match(after):
        return score - 1.0  # Budget vs. convenience
    if word in words_of["verb follows"]:
        return score - 2.2
    if word in words_of["name follows"]:
        return score + 1.8
    if any(fold(word).startswith(w) for w in place.context):
        return score + 1.5
    if word.endswith("ed") or _is_verb_with_object(after):
        return score + 0.8
    return score - 1.0


def _is_verb_with_object(after: str) -> bool:
    """`imports your`: a verb in the third person, told from a plural noun by what follows."""
    return (
        re.match(
            r"[\s*_]*[a-z]{2,}(?<![su])s\s+(?:your|the|a|an|its|this|that|every|all|each|up|out|on|in|over|with|you|more|fewer|no|only|two|\d)\b",
            after,
        )
        is not None
    )


@lru_cache(maxsize=1)
def _days() -> frozenset[str]:
    return sections("topics.txt")["everyone's"]


def _after_capital(place: Place, word: str, before: str) -> Verdict:
    """A word after another capitalised word: the middle of a longer name (Royal Mint), or of a title."""
    start = before.rfind(word)
    at_start = bool(SENTENCE_END.search(before[:start])) or not before[:start].strip(" *_\"“'(#>-")
    if (
        at_start
        and word.lower() in lists()["openers"]
        and place.surface not in _days()
        and not _title_case(place.text, place)
    ):
        return Verdict(is_brand=True, confidence=0.85, reason="capital after a word that opens the sentence")
    if word.lower() in english_words() and (at_start or _title_case(place.text, place)):
        begins = word.lower() not in lists()["openers"] and word.lower() not in _TITLE_LEADS
        return from_score(
            market_near(place) * (0.5 if begins else 1.0)
            + _start_score(place, place.text[place.end : place.end + 60]) * (0.0 if begins else 0.5)
            - (0.4 if begins else 0.0),
            "a word in a title",
        )
    if fold(word) in place.context:
        return Verdict(is_brand=True, confidence=0.75, reason="after a word of its market")
    return from_score(-1.6 + market_near(place) * 0.5, f"part of a longer name: {word} {place.surface}")


def _title_case(text: str, place: Place) -> bool:
    """Whether the line, or the part of it in bold, is a title in which every word has a capital."""
    start = max(text.rfind(mark, 0, place.start) + len(mark) for mark in ("\n", "**", "|"))
    ends = [end for mark in ("\n", "**", "|") if (end := text.find(mark, place.end)) >= 0]
    line = text[max(start, 0) : min(ends, default=len(text))]
    words = [w for w in re.findall(r"[A-Za-z][\w'’-]*", line) if w.lower() not in _TITLE_SMALL]
    return 3 <= len(words) <= 14 and sum(w[0].isupper() for w in words) >= 0.85 * len(words)
