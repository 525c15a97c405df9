"""Short notices told by their vocabulary, for wordings that no cue foresees.

Busy pages, login forms, progress lines and collectors' reports say the same few words in endless combinations. A short
text nearly all of whose content is such words, and which takes up nothing of the question, is a notice of that kind.
"""

import re
from functools import cache

from geo_assets.analysis.lists import pattern, sections
from geo_assets.analysis.validity_text import CUES, Passage
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Validity

_KINDS = {
    "login": (Validity.LOGIN_PAGE, "the words of a login form"),
    "error": (Validity.ERROR_PAGE, "the words of an error or busy notice"),
    "progress": (Validity.OFF_TOPIC, "the words of search progress"),
    "report": (Validity.OFF_TOPIC, "the words of a collector's report"),
    "interface": (Validity.OFF_TOPIC, "the words of a page's interface"),
}
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[a-z][a-z0-9'’/-]*", re.IGNORECASE)
_MAX_WORDS = 32.0
_SHARE = 0.72


def read_vocabulary(passage: Passage, question: str) -> ValidityReading | None:
    """The kind of notice whose words make up at least 72 % of the text's content, None if none does."""
    folded = passage.folded
    if not passage.pieces or passage.words > _MAX_WORDS:
        return None
    best: tuple[float, str] | None = None
    for kind in _KINDS:
        core = pattern(CUES, f"core_{kind}")
        if not core.search(folded) or core.search(question):
            continue
        share = coverage(folded, kind)
        if share >= _SHARE and (best is None or share > best[0] + 0.05):
            best = share, kind
    if best is None:
        return None
    verdict, reason = _KINDS[best[1]]
    return ValidityReading(verdict, reason, round(0.4 + 0.45 * best[0], 2), review=best[0] < 0.85)


def is_vocabulary(folded: str, kind: str) -> bool:
    """True if a line consists of the words of a kind of notice."""
    return bool(pattern(CUES, f"core_{kind}").search(folded)) and coverage(folded, kind) >= _SHARE


def coverage(folded: str, kind: str) -> float:
    """Share of a text's content (function words and numbers left out) that consists of the words of a kind, 0..1."""
    chinese, latin = _vocabulary(kind)
    plain_chinese, plain_latin = _vocabulary("function")
    rest = chinese.sub(lambda m: "·" * len(m[0]), folded)
    hits = rest.count("·") / 2
    misses = len(_CHINESE.findall(plain_chinese.sub(" ", rest))) / 2
    for word in _LATIN.findall(folded):
        lowered = word.lower().replace("’", "'")
        if lowered in latin:
            hits += 1
        elif lowered not in plain_latin:
            misses += 1
    return hits / (hits + misses) if hits else 0.0


@cache
def _vocabulary(kind: str) -> tuple[re.Pattern[str], frozenset[str]]:
    words = [w.strip() for line in sections("notice_words")[kind] for w in line.split(",") if w.strip()]
    chinese = sorted((w for w in words if _CHINESE.search(w)), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, chinese))), frozenset(w for w in words if not _CHINESE.search(w))
