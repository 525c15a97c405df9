"""Latin names: case, the words around, and names that are words, people or places.

Here: rules over neighbouring words; the words are in `lexicon/`. A name that is no word of the language is the brand in
any case, unless the words around make another name of it (a person, a bank, a river).
"""

import re
from functools import lru_cache

from geo_assets.analysis.edges import Edge, is_cjk
from geo_assets.analysis.folding import fold
from geo_assets.analysis.lexicon import english_words, sections
from geo_assets.analysis.place import CLEAR, Place, Verdict, from_score

_WORD_AFTER = re.compile(r"[\s*_~\"”’)\]]*([^\W_][\w]*(?:['’-][\w]+)*)?", re.UNICODE)
_WORD_BEFORE = re.compile(r"([^\W_][\w'’.&-]*)([*_]*\s[\s*_~\"“(\[]*)$")
_SENTENCE_END = re.compile(
    r"(?:^|[.!?…:：。！？;；\n]|(?:^|\n)[\s>]*(?:[-*+•·]|\d{1,3}[.)]|#{1,6}))[\s*_\"“”'‘(\[~>#]*$"
)


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    return sections("homonyms_en.txt")


def judge(place: Place) -> Verdict:
    """Decide a name with Latin letters."""
    other = _other_name(place)
    if other:
        return other
    folded = place.hit.name.folded
    if folded.isdigit() and _counts(place):
        return Verdict(is_brand=False, confidence=0.85, reason="a number")
    if place.hit.name.is_alias and place.surface in _COMMON_SHORT:
        return from_score(_market(place) - 1.0, "a common abbreviation")
    if _is_another_abbreviation(place):
        return Verdict(is_brand=False, confidence=0.7, reason="an abbreviation in another case")
    words = english_words()
    is_word = folded in words or _phrase_of_words(place)
    if place.hit.edge is Edge.PLURAL:
        return _plural(place, is_word=is_word)
    lower = is_word and place.surface.islower()  # no place is written so
    if folded in _lists()["place"] and not lower and (verdict := _place_name(place)):
        return verdict
    if not is_word and len(folded) > 2:
        if _is_measure(place):
            return Verdict(is_brand=False, confidence=0.75, reason="an ordinary word in lower case")
        return _short_form(place) if place.hit.name.rest else CLEAR
    if not is_word:
        return _short(place)
    return _word(place)


_COUNTER = re.compile(
    r"(?:\b(?:a|an|each|every|per|one|two|three|extra|half|another|many|few)|\d)\s(?:\w+\s)?$", re.IGNORECASE
)


def _is_measure(place: Place) -> bool:
    """A name with a capital that stands in lower case after a number or article is a noun (`each extra gigabyte`)."""
    listed, surface = place.hit.name.text, place.surface
    if not (surface.isascii() and surface.islower() and listed[:1].isupper()):
        return False
    text = place.text
    return _COUNTER.search(text, max(place.start - 20, 0), place.start) is not None and any(c.isupper() for c in text)


_UNIT = re.compile(
    r"\s?(?:[号元块分米人名次年天页路个台克斤度岁升]|公里|毫升|千瓦|小时|分钟|%|％|(?:ml|km|kg|mm|cm|g|w|mah|gb|mb|hp|usd|people|"
    r"days?|hours?|minutes?|pages?|miles?|dollars?|calories|watts?|employees|users|points)\b)",
    re.IGNORECASE,
)


def _counts(place: Place) -> bool:
    """Whether a name of digits is a number here: a unit follows, or a sign of money, order or address stands before."""
    before = place.text[max(place.start - 8, 0) : place.start]
    return bool(
        _UNIT.match(place.text, place.end)
        or re.search(
            r"(?:门牌号|号码|编号|房间|第|约|近|超过|共|[#$¥￥€£№]|\bno\.?|\broom|\bpage|\babout|\bonly)\s?$",
            before,
            re.IGNORECASE,
        )
    )


_CAPITALISED = re.compile(r"[A-Za-z]+(?:['’]s\b)?")


def _phrase_of_words(place: Place) -> bool:
    return _is_phrase(place.hit.name.text)


@lru_cache(maxsize=65536)
def _is_phrase(name: str) -> bool:
    parts = re.findall(r"[a-z]+", name.lower())
    return len(parts) > 1 and all(part in english_words() or len(part) == 1 for part in parts)


def _is_another_abbreviation(place: Place) -> bool:
    """HCl is not HCL: an abbreviation in capitals whose letters differ in case, neither all small nor a capital first."""
    listed, surface = place.hit.name.text, place.surface
    mixed = surface.isalpha() and not (surface.isupper() or surface.islower() or surface.istitle())
    return mixed and listed.isupper() and listed.isascii() and surface.isascii() and len(listed) <= 4


def _short_form(place: Place) -> Verdict:
    """A part of the brand's main name (Moto): the second word of a name that begins with somebody else's is no part."""
    before = place.text[max(place.start - 40, 0) : place.start].rpartition("\n")[2]
    if (word := _capital_before(before)) and word.lower() not in _lists()["openers"]:
        return Verdict(is_brand=False, confidence=0.75, reason=f"part of another name: {word} {place.surface}")
    return CLEAR


_UNITS = frozenset(["hp", "gb", "mb", "tb", "mp", "kg", "lb", "oz", "db", "hz", "kw", "mm", "cm", "ft", "v", "w", "a", "g"])
_AFTER_NUMBER = re.compile(r"\d\s?$")
_OF_A_MODEL = re.compile(r"\s\d")
# Abbreviations that everybody uses for a thing: as a brand's alias they need a word of its market beside them.
_COMMON_SHORT = frozenset(
    [
        "AI", "IT", "PC", "TV", "HR", "PR", "VR", "AR", "CD", "ID", "UI", "UX", "OS", "AC", "US", "UK", "EU",
        "RAM", "ROM", "CPU", "GPU", "LED", "SIM", "PIN", "APP", "USB", "NFC", "GPS", "PDF", "PPT", "CEO", "VIP", "DIY",
    ]
)  # fmt: skip


def _short(place: Place) -> Verdict:
    """Names of one or two letters (LI, 3M, HP) must be written as listed, and be no unit, model or abbreviation."""
    name, surface = place.hit.name, place.surface.strip("*_")
    before = place.text[max(place.start - 40, 0) : place.start].rpartition("\n")[2]
    if name.folded in _UNITS and _AFTER_NUMBER.search(before):
        return Verdict(is_brand=False, confidence=0.85, reason="a unit")
    if len(surface) == 1 and (_OF_A_MODEL.match(place.text, place.end) or _capital_before(before)):
        return Verdict(is_brand=False, confidence=0.8, reason="a letter of a model")
    if place.is_bare_short_form:
        return Verdict(is_brand=False, confidence=0.6, reason="a short form without the rest of the name")
    same = place.surface.strip("*_") == place.hit.name.text or place.surface.isupper() or not place.surface.isascii()
    return CLEAR if same else Verdict(is_brand=False, confidence=0.7, reason="short name in another case")


def _other_name(place: Place) -> Verdict | None:
    """Another, longer name around this one: a person, a bank, a river, an effect."""
    lists = _lists()
    text, (start, end, name, _), _ = place
    after = text[end : end + 40].partition("\n")[0]
    before = text[max(start - 40, 0) : start].rpartition("\n")[2]
    following = (_FOLLOWING_WORD if name.is_word else _FOLLOWING).match(after)
    noun = following[1] if following else ""
    if (
        noun
        and noun in lists["other noun"]
        and fold(noun) not in place.context
        and not place.hit.name.text.endswith(noun)
    ):
        return Verdict(is_brand=False, confidence=0.85, reason=f"another name: {place.surface} {noun}")
    joined = _JOINED.match(after)
    if joined and joined[1].lower() not in english_words():
        science = re.match(
            r"[–-]\w+\s+(?:\w+\s+)?(?:condens|statist|equation|effect|theor|transform|law|model|distribut|field|relation|coefficient)",
            after,
        )
        if science or after[0] == "–":
            return Verdict(is_brand=False, confidence=0.8, reason=f"another name: {place.surface}{after[0]}{joined[1]}")
    if _IS_NATURE.match(after):
        return Verdict(is_brand=False, confidence=0.85, reason="a thing of nature")
    if place.surface in _CALENDAR and _IN_TIME.search(before):
        return Verdict(is_brand=False, confidence=0.85, reason="a time")
    if _follows_kin(before) and not re.match(r"['’]s\b", after):
        return Verdict(is_brand=False, confidence=0.8, reason="a person")
    if not text[start].isupper() or " " in name.text:
        return None
    if place.surface in lists["first names"] and _WORKS.match(after):
        return Verdict(is_brand=False, confidence=0.8, reason="a person, by what is hers or his")
    if before.endswith(("to ", "To ")) and _WAY_TO.search(before) and not place.market_in(_window(place)):
        return Verdict(is_brand=False, confidence=0.75, reason="a place on the way")
    if preceding := _PRECEDING.search(before):
        word = preceding[1]
        family = place.surface in lists["first names"] and word.lower() not in english_words()
        if family and not place.market_in(_window(place)):
            return Verdict(is_brand=False, confidence=0.75, reason=f"another name: {word} {place.surface}")
        if word in lists["titles"] or (word in lists["first names"] and not _sentence_start_word(before, word)):
            return Verdict(is_brand=False, confidence=0.85, reason=f"a person: {word} {place.surface}")
        if word in lists["first names"] and not place.hit.name.is_word:
            return Verdict(is_brand=False, confidence=0.8, reason=f"a person: {word} {place.surface}")
    return None


_FOLLOWING = re.compile(r"(?:['’]s)?[\s*_]+([A-Z][\w]+)")
_FOLLOWING_WORD = re.compile(r"(?:['’]s)?[\s*_]+(?:[A-Z]\w+\s+)?([A-Z][\w]+)")
_JOINED = re.compile(r"[–-]([A-Z][a-z]+)\b")
_PRECEDING = re.compile(r"([A-Z][\w]*)\.?[\s*_]+$")
_KIN = frozenset(
    [
        "neighbour", "neighbor", "friend", "sister", "brother", "wife", "husband", "daughter", "son", "colleague",
        "cousin", "aunt", "uncle", "boss", "coworker", "co-worker", "roommate", "flatmate", "teacher", "niece",
        "nephew",
        "mom", "mum", "dad", "mother", "father", "grandma", "grandpa", "classmate", "partner",
    ]
)  # fmt: skip
_IS_NATURE = re.compile(
    r"\s(?:is|was)\s(?:a|an|the|one of the)\s(?:[\w-]+\s){0,3}?(?:planet|bird|river|fish|tree|animal|insect|mammal|god"
    r"|goddess|constellation|mountain|island)s?\b"
)
_CALENDAR = frozenset(
    [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
)  # fmt: skip
_IN_TIME = re.compile(
    r"\b(?:in|by|before|after|until|till|since|during|from|through|late|early|mid|every|next|last|this|of|on|and|to)[\s-]+$",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"(?:\s[A-Z]\w+)?['’]s\s+(?:\w+\s+){0,2}(?:albums?|songs?|novels?|poems?|films?|movies?|memoirs?|lyrics|paintings?|cookbooks?"
    r"|biography|debut|concerts?|tour)\b"
)
_WAY_TO = re.compile(
    r"\b(?:train|trains|flight|flights|ferry|bus|buses|tram|drive|metro|subway|boat|minibus)\b[^.!?\n]{0,28}?\bto\s+$",
    re.IGNORECASE,
)
_WHOSE = re.compile(r"\b(?:my|our|your|his|her|their)\s+(?:\w+\s+)?$", re.IGNORECASE)


def _follows_kin(before: str) -> bool:
    """Whether a text ends with `my neighbour ` or the like."""
    if not before or not before[-1].isspace():
        return False
    words = before.rsplit(maxsplit=1)
    return bool(words) and words[-1].lower() in _KIN and _WHOSE.search(before[: before.rindex(words[-1])]) is not None


def _sentence_start_word(before: str, word: str) -> bool:
    return word.lower() in english_words() and bool(_SENTENCE_END.search(before[: before.rfind(word)]))


_NUMBERED = re.compile(r"\b(?:two|three|four|five|six|several|many|both|\d+)\s+$", re.IGNORECASE)


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


_LAND_AFTER = re.compile(
    r"[\s*_]+(?:rain\s?forest|jungle|basin|river|region|valley|coast|coastline|desert|province|peninsula|delta|trail|wildlife"
    r"|countryside|skyline|old town)\b"
)


def _place_name(place: Place) -> Verdict | None:
    """A name that is also a place: in, to or across it, with words of travel near, is the place."""
    lists = _lists()
    before = place.text[max(place.start - 60, 0) : place.start]
    if re.search(
        r"\b(?:British|New|South|North|West|East|Lake|Mount|Fort|Port|San|Santa|Cape|River|Lower|Upper)\s+[*_]*$",
        before,
    ):
        return Verdict(is_brand=False, confidence=0.85, reason="a place")
    window = place.text[max(place.start - 160, 0) : place.end + 160]
    words = {w.lower() for w in re.findall(r"[A-Za-z]+", window)}
    score = 1.0
    if re.search(
        r"\b(?:in|to|across|through|around|visit|visiting|of|near|throughout|southern|northern|eastern|western|central|into|from)\s+(?:the\s+)?[*_]*$",
        before,
        re.IGNORECASE,
    ):
        score -= 1.2
    score -= min(len(words & lists["place near"]) * 0.9, 2.7)
    if _LAND_AFTER.match(place.text, place.end):
        score -= 1.5
    if (named := _WORD_BEFORE.search(before)) and named[1][:1].isupper() and named[1].lower() not in english_words():
        score -= 1.0  # the Mekong Delta
    score += min(len(words & lists["commerce near"]) * 0.6, 1.2)
    folded = fold(window)
    score += min(sum(1.2 for w in place.context if w in folded), 2.4)
    if score >= 1.0:
        return None
    return from_score(score, "a place has the same name")


def _word(place: Place) -> Verdict:
    """A name that is a word of the language."""
    text = place.text
    surface = place.surface.strip("*_")
    if _spoken_of_as_word(place, surface):
        return Verdict(is_brand=False, confidence=0.7, reason="spoken of as a word")
    listed = place.hit.name.text
    before, after = text[max(place.start - 80, 0) : place.start], text[place.end : place.end + 60]
    if (joined := _COMPOUND.match(after)) and joined[1] not in _BRAND_COMPOUNDS:
        return Verdict(is_brand=False, confidence=0.85, reason=f"a compound: {surface}-{joined[1]}")
    if surface.isupper() and not listed.isupper() and (surface in _ACRONYMS or _AFTER_NUMBER.search(before)):
        return Verdict(is_brand=False, confidence=0.85, reason="an abbreviation")
    inner_capital = listed[1:] != listed[1:].lower() and surface == listed
    if inner_capital and " " not in listed:
        return Verdict(is_brand=True, confidence=0.93, reason="written as the name")
    if _in_chinese(before, after):
        return Verdict(is_brand=True, confidence=0.88, reason="Latin word in Chinese text")
    if surface.islower():
        return _lower_case(place, listed, before, after)
    if _all_capitals(text, place):
        return from_score(_market(place) + 0.6, "a word in capitals")
    capital = _capital_before(before)
    starts = bool(_SENTENCE_END.search(before)) or not before.strip(" *_\"“'(#>-")
    if _phrase_of_words(place) and all(w[0].isupper() for w in _CAPITALISED.findall(surface)):
        return Verdict(is_brand=True, confidence=0.93, reason="a phrase written as the name")
    if starts:
        return from_score(_start_score(place, after), "a word at the start of a sentence")
    if capital:
        return _after_capital(place, capital, before)
    if _title_case(text, place):
        return from_score(_market(place) + _start_score(place, after) * 0.5, "a word in a title")
    return Verdict(is_brand=True, confidence=0.92, reason="capital in the middle of a sentence")


_COMPOUND = re.compile(r"[-\u2010\u2011]([a-z]+)")  # On-ear, Ring-shaped
_BRAND_COMPOUNDS = frozenset(
    [
        "based", "like", "style", "brand", "branded", "owned", "made", "powered", "compatible", "certified",
        "exclusive", "only", "approved", "inspired", "sponsored", "backed", "specific", "related", "ready",
        "enabled", "native", "to", "and", "or", "built", "run", "operated", "licensed", "first", "centric",
    ]
)  # fmt: skip
_ACRONYMS = frozenset(
    ["RAM", "ROM", "PIN", "LED", "SIM", "AIDS", "WHO", "SMART", "FAST", "STEM", "SAFE", "POS", "HIP", "PEP", "DASH"]
)


def _capital_before(before: str) -> str:
    """The word with a capital right before a name, without what a capture has glued to it; empty if there is none."""
    match = _WORD_BEFORE.search(before)
    if match is None or match[2].strip(" *_\u00a0"):
        return ""
    word: str = match[1]
    glued = word.rpartition(".")[2]
    word = glued if glued[:1].isupper() else word
    return word if any(char.isupper() for char in word) else ""


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
        if not re.search("[A-Z]", window) and _market(place) > 0:
            return Verdict(is_brand=True, confidence=0.6, reason="a text without capitals")
        return Verdict(is_brand=False, confidence=0.93, reason="an ordinary word in lower case")
    score = 0.3 + _market(place)
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


def _window(place: Place) -> str:
    return place.text[max(place.start - 200, 0) : place.end + 200]


def _market(place: Place) -> float:
    """Words of the market near the place (the monitor's, else words of shops)."""
    window = _window(place)
    score = min(float(place.market_in(window)), 2.0)
    words = {w.lower() for w in re.findall(r"[A-Za-z]+", window)}
    score += min(len(words & _lists()["commerce near"]) * 0.3, 0.9)
    return score


def _start_score(place: Place, after: str) -> float:
    lists = _lists()
    score = 0.2 + min(_market(place), 1.5) - (1.8 if place.is_bare_short_form else 0.0)
    if re.match(r"[*_]*['’]s\b", after):
        return score + 2.0
    if re.match(r"[\s*_]*(?:[:：（(—–,/&\]]|\s-\s|\n|$|[.!?])", after):
        return score + 1.5
    match = _WORD_AFTER.match(after)
    word = match[1].removesuffix("n't").removesuffix("n’t") if match and match[1] else ""
    if not word:
        return score
    if word[0].isupper() or word[0].isdigit():
        return score + 1.5
    if word in lists["verb follows"]:
        return score - 2.2
    if word in lists["name follows"]:
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


_TITLE_LEADS = frozenset(
    [
        "best", "top", "new", "why", "how", "what", "choose", "choosing", "about", "meet", "inside", "using", "buying",
        "review", "budget", "premium", "cheap", "official", "great", "good", "better", "alternatives", "runner",
        "winner", "pick", "overall", "also", "meanwhile", "today", "recommended", "consider", "considering", "overview",
    ]
)  # fmt: skip
_TITLE_SMALL = frozenset("a an the and or of for in on to with vs by at from is your".split())  # noqa: SIM905


@lru_cache(maxsize=1)
def _days() -> frozenset[str]:
    return sections("topics.txt")["everyone's"]


def _after_capital(place: Place, word: str, before: str) -> Verdict:
    """A word after another capitalised word: the middle of a longer name (Royal Mint), or of a title."""
    start = before.rfind(word)
    at_start = bool(_SENTENCE_END.search(before[:start])) or not before[:start].strip(" *_\"“'(#>-")
    if (
        at_start
        and word.lower() in _lists()["openers"]
        and place.surface not in _days()
        and not _title_case(place.text, place)
    ):
        return Verdict(is_brand=True, confidence=0.85, reason="capital after a word that opens the sentence")
    if word.lower() in english_words() and (at_start or _title_case(place.text, place)):
        begins = word.lower() not in _lists()["openers"] and word.lower() not in _TITLE_LEADS
        return from_score(
            _market(place) * (0.5 if begins else 1.0)
            + _start_score(place, place.text[place.end : place.end + 60]) * (0.0 if begins else 0.5)
            - (0.4 if begins else 0.0),
            "a word in a title",
        )
    if fold(word) in place.context:
        return Verdict(is_brand=True, confidence=0.75, reason="after a word of its market")
    return from_score(-1.6 + _market(place) * 0.5, f"part of a longer name: {word} {place.surface}")


def _title_case(text: str, place: Place) -> bool:
    """Whether the line is a title in which every word has a capital."""
    line_start = text.rfind("\n", 0, place.start) + 1
    line_end = text.find("\n", place.end)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    words = [w for w in re.findall(r"[A-Za-z][\w'’-]*", line) if w.lower() not in _TITLE_SMALL]
    return 3 <= len(words) <= 14 and sum(w[0].isupper() for w in words) >= 0.85 * len(words)
