"""Another name around a Latin name: a person, a bank, a river, a place.

Here: what the neighbouring words make of a name. Not here: whether a name that is a word is meant (`ambiguity_en`).
"""

import re
from functools import lru_cache

from geo_assets.analysis.folding import fold
from geo_assets.analysis.latin import SENTENCE_END, WORD_BEFORE, lists, window_of
from geo_assets.analysis.lexicon import english_words
from geo_assets.analysis.place import Place, Verdict, from_score

_FOLLOWING = re.compile(r"(?:['’]s)?[\s*_]+([A-Z][\w]+)")
_FOLLOWING_WORD = re.compile(r"(?:['’]s)?[\s*_]+(?:[A-Z]\w+\s+)?([A-Z][\w]+)")
_JOINED = re.compile(r"[–-]([A-Z][a-z]+)\b")
_SURNAME = re.compile(  # what persons have and do, or what is named after them, follows
    r"\s([A-Z][a-z]{3,})(?:['’]s\b|\s(?:was|said|says|played|won|wrote|told|starred|died|became|served|sang|directed|founded)\b"
    r"|\s(?:[A-Z][a-z]+\s)?(?:Center|Centre|Park|School|Library|Foundation|Museum|Hospital|Airport|University|Award)\b)"
)
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
_TECHNICAL = tuple("系统 电源 技术 协议 语言 标准 算法 接口 设备 装置 模式 格式 网络 模型 函数".split())  # noqa: SIM905
_AMPERSAND = re.compile(r"\b([A-Z][a-z]+)\s&\s$")
_DEGREES = re.compile(r"(?:\bdegrees?|°)\s$")
_OF_CODE = re.compile(r"<[A-Z]\w*>")
_PLANETS = frozenset("Sun Moon Earth Mercury Venus Mars Jupiter Saturn Uranus Neptune Pluto Titan Luna".split())  # noqa: SIM905
_OF_SPACE = re.compile(
    r"\b(?:missions?|orbits?|orbiter|rovers?|spacecraft|planets?|astronauts?|NASA"
    r"|lander|solar system|telescopes?|revolves?|rotation|galaxy)\b"
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
_ITEM_LEAD, _ENDS_ITEM = re.compile(r"(?:^|\n)\s*(?:[-*+•]|\d{1,2}[.)])\s+[*_]*$"), re.compile(r"[*_\s]*(?:\n|$)")
_LAND_AFTER = re.compile(
    r"[\s*_]+(?:rain\s?forest|jungle|basin|river|region|valley|coast|coastline|desert|province|peninsula|delta|trail|wildlife"
    r"|countryside|skyline|old town)\b"
)


def another_name(place: Place) -> Verdict | None:
    """Another, longer name around this one: a person, a bank, a river, an effect."""
    words_of = lists()
    text, (start, end, name, _), _ = place
    after = text[end : end + 40].partition("\n")[0]
    before = text[max(start - 40, 0) : start].rpartition("\n")[2]
    following = (_FOLLOWING_WORD if name.is_word else _FOLLOWING).match(after)
    noun = following[1] if following else ""
    if (
        noun
        and noun in words_of["other noun"]
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
    if _OF_CODE.match(after):
        return Verdict(is_brand=False, confidence=0.85, reason="a type of a programming language")
    titled = _FOLLOWING.match(after) if place.surface in words_of["titles of people"] else None
    if titled and titled[1].lower() not in english_words():
        return Verdict(is_brand=False, confidence=0.8, reason=f"a person: {place.surface} {titled[1]}")
    if _DEGREES.search(before):
        return Verdict(is_brand=False, confidence=0.85, reason="a unit")
    if 2 <= end - start <= 5 and place.surface.isupper() and _stands_for_something_else(text, place.surface):
        return Verdict(is_brand=False, confidence=0.8, reason="an abbreviation that is spelled out as something else")
    if _joined_by_ampersand(place, before):
        return Verdict(is_brand=False, confidence=0.8, reason=f"part of another name: … & {place.surface}")
    if place.surface in _PLANETS and _OF_SPACE.search(window := window_of(place)) and not place.market_in(window):
        return Verdict(is_brand=False, confidence=0.85, reason="a planet")
    if _IS_NATURE.match(after):
        return Verdict(is_brand=False, confidence=0.85, reason="a thing of nature")
    if place.surface in _CALENDAR and _IN_TIME.search(before):
        return Verdict(is_brand=False, confidence=0.85, reason="a time")
    return _person(place, before, after)


@lru_cache(maxsize=16)
def _stands_for_something_else(text: str, surface: str) -> bool:
    """Whether the text spells an abbreviation out as a thing: UPS（不间断电源系统）, read-only memory (ROM)."""
    if "(" not in text and "（" not in text:
        return False
    letters = re.escape(surface)
    spelled = [match[1] for match in re.finditer(rf"(?<![A-Za-z]){letters}\s?[（(]([^（()）]{{3,40}})[)）]", text)]
    for match in re.finditer(rf"[（(]{letters}[)）]", text):
        before = text[max(match.start() - 60, 0) : match.start()].rstrip()
        spelled.append(" ".join(before.split()[-len(surface) :]) if before.isascii() else before)
    return any(_spells_out(expansion, surface) for expansion in spelled)


def _spells_out(expansion: str, surface: str) -> bool:
    """Words of the language, in lower case, for the capitals; in Chinese a technical term."""
    if not expansion.isascii():
        return expansion.endswith(_TECHNICAL)
    initials = "".join(word[0] for word in re.split(r"[\s-]+", expansion) if word)
    return expansion.islower() and initials == surface.lower()


def _joined_by_ampersand(place: Place, before: str) -> bool:
    """Silk & Snow: a word with a capital and & before a name that is a word too, and has no & itself."""
    match = _AMPERSAND.search(before)
    if match is None or not place.hit.name.is_word or "&" in place.hit.name.text:
        return False
    return match[1].lower() in english_words() and fold(match[1]) not in place.context


def _person(place: Place, before: str, after: str) -> Verdict | None:
    """A person's name, or one of a place on the way: by whom and what stands beside it."""
    words_of = lists()
    name = place.hit.name
    if _follows_kin(before) and not re.match(r"['’]s\b", after):
        return Verdict(is_brand=False, confidence=0.8, reason="a person")
    if not place.surface[0].isupper() or " " in name.text:
        return None
    if place.surface in words_of["first names"] and _WORKS.match(after):
        return Verdict(is_brand=False, confidence=0.8, reason="a person, by what is hers or his")
    if before.endswith(("to ", "To ")) and _WAY_TO.search(before) and not place.market_in(window_of(place)):
        return Verdict(is_brand=False, confidence=0.75, reason="a place on the way")
    surname = _SURNAME.match(after)
    if surname and place.surface in words_of["first names"] and surname[1].lower() not in english_words():
        return Verdict(is_brand=False, confidence=0.8, reason=f"a person: {place.surface} {surname[1]}")
    preceding = _PRECEDING.search(before)
    if preceding is None:
        return None
    word = preceding[1]
    family = place.surface in words_of["first names"] and word.lower() not in english_words()
    if family and not place.market_in(window_of(place)):
        return Verdict(is_brand=False, confidence=0.75, reason=f"another name: {word} {place.surface}")
    first = word in words_of["first names"]
    if word in words_of["titles"] or (first and not (name.is_word and _opens_sentence(before, word))):
        return Verdict(is_brand=False, confidence=0.85, reason=f"a person: {word} {place.surface}")
    return None


def _follows_kin(before: str) -> bool:
    """Whether a text ends with `my neighbour ` or the like."""
    if not before or not before[-1].isspace():
        return False
    words = before.rsplit(maxsplit=1)
    return bool(words) and words[-1].lower() in _KIN and _WHOSE.search(before[: before.rindex(words[-1])]) is not None


def _opens_sentence(before: str, word: str) -> bool:
    return word.lower() in english_words() and bool(SENTENCE_END.search(before[: before.rfind(word)]))


def place_name(place: Place) -> Verdict | None:
    """A name that is also a place: in, to or across it, with words of travel near, is the place."""
    words_of = lists()
    before = place.text[max(place.start - 60, 0) : place.start]
    if _ITEM_LEAD.search(before) and _ENDS_ITEM.match(place.text, place.end):
        return None  # all of a list item
    if re.search(
        r"\b(?:British|New|South|North|West|East|Lake|Mount|Fort|Port|San|Santa|Cape|River|Lower|Upper)\s+[*_]*$",
        before,
    ):
        return Verdict(is_brand=False, confidence=0.85, reason="a place")
    window = place.text[max(place.start - 160, 0) : place.end + 160]
    words = {w.lower() for w in re.findall(r"[A-Za-z]+", window)}
    score = 1.0
    if re.search(
        r"\b(?:in|across|through|around|visit|visiting|near|throughout|southern|northern|eastern|western|central|into)\s+(?:the\s+)?[*_]*$",
        before,
        re.IGNORECASE,
    ):
        score -= 1.2
    elif re.search(r"(?<!belongs )(?<!belong )\b(?:to|from|of)\s+(?:the\s+)?[*_]*$", before, re.IGNORECASE):
        score -= 0.6
    score -= min(len(words & words_of["place near"]) * 0.9, 2.7)
    if _LAND_AFTER.match(place.text, place.end):
        score -= 1.5
    if (named := WORD_BEFORE.search(before)) and named[1][:1].isupper() and named[1].lower() not in english_words():
        score -= 1.0  # the Mekong Delta
    score += min(len(words & words_of["commerce near"]) * 0.6, 1.2)
    folded = fold(window)
    score += min(sum(1.2 for w in place.context if w in folded), 2.4)
    if score >= 1.0:
        return None
    return from_score(score, "a place has the same name")
