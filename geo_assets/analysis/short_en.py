"""Latin names of few letters: numbers, units, letters of a model, abbreviations, and short forms of a longer name.

Not here: names that are words (`ambiguity_en`).
"""

import re

from geo_assets.analysis.latin import AFTER_NUMBER, capital_before, lists
from geo_assets.analysis.place import CLEAR, Place, Verdict

_COUNTER = re.compile(
    r"(?:\b(?:a|an|each|every|per|one|two|three|extra|half|another|many|few)|\d)\s(?:\w+\s)?$", re.IGNORECASE
)
_UNIT = re.compile(
    r"\s?(?:[号元块分米人名次年天页路个台克斤度岁升]|公里|毫升|千瓦|小时|分钟|%|％|(?:ml|km|kg|mm|cm|g|w|mah|gb|mb|hp|usd|people|"
    r"days?|hours?|minutes?|pages?|miles?|dollars?|calories|watts?|employees|users|points)\b)",
    re.IGNORECASE,
)
_UNITS = frozenset("hp gb mb tb mp kg lb oz db hz kw mm cm ft v w a g".split())  # noqa: SIM905
_OF_A_MODEL = re.compile(r"\s\d")


def is_measure(place: Place) -> bool:
    """A name with a capital that stands in lower case after a number or article is a noun (`each extra gigabyte`)."""
    listed, surface = place.hit.name.text, place.surface
    if not (surface.isascii() and surface.islower() and listed[:1].isupper()):
        return False
    text = place.text
    return _COUNTER.search(text, max(place.start - 20, 0), place.start) is not None and any(c.isupper() for c in text)


def is_number(place: Place) -> bool:
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


def is_another_abbreviation(place: Place) -> bool:
    """HCl is not HCL: an abbreviation in capitals that stands in mixed case, neither all small nor with one capital."""
    listed, surface = place.hit.name.text, place.surface
    mixed = surface.isalpha() and not (surface.isupper() or surface.islower() or surface.istitle())
    return mixed and listed.isupper() and listed.isascii() and surface.isascii() and len(listed) <= 4


def judge_short_form(place: Place) -> Verdict:
    """A part of the brand's main name (Moto): the second word of a name that begins with somebody else's is no part."""
    before = place.text[max(place.start - 40, 0) : place.start].rpartition("\n")[2]
    if (word := capital_before(before)) and word.lower() not in lists()["openers"]:
        return Verdict(is_brand=False, confidence=0.75, reason=f"part of another name: {word} {place.surface}")
    return CLEAR


def judge_short(place: Place) -> Verdict:
    """Names of one or two letters (LI, 3M, HP) must be written as listed, and be no unit, model or abbreviation."""
    name, surface = place.hit.name, place.surface.strip("*_")
    before = place.text[max(place.start - 40, 0) : place.start].rpartition("\n")[2]
    if name.folded in _UNITS and AFTER_NUMBER.search(before):
        return Verdict(is_brand=False, confidence=0.85, reason="a unit")
    if len(surface) == 1 and (_OF_A_MODEL.match(place.text, place.end) or capital_before(before)):
        return Verdict(is_brand=False, confidence=0.8, reason="a letter of a model")
    if place.is_bare_short_form:
        return Verdict(is_brand=False, confidence=0.6, reason="a short form without the rest of the name")
    same = place.surface.strip("*_") == place.hit.name.text or place.surface.isupper() or not place.surface.isascii()
    return CLEAR if same else Verdict(is_brand=False, confidence=0.7, reason="short name in another case")
