"""Notices in place of an answer: error and login pages, search progress, collectors' reports, prompts, interface text.

What belongs here: recognising that (nearly) the whole text is such a thing, by what its sentences do. What does not:
texts told by their form (`validity_structure`), texts that decline an answer, break off, or answer something else. A
notice above, below or inside a full answer does not make it a notice.
"""

import re

from geo_assets.analysis.lists import pattern
from geo_assets.analysis.validity_text import ADVICE, CUES, SELF, Passage, Piece, names_notices, shows
from geo_assets.analysis.validity_topic import names_things, shares_word, takes_up
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Validity

_MAX_NOTICE_WORDS = 90.0
_KINDS: tuple[tuple[Validity, str, tuple[str, ...], str], ...] = (
    (Validity.ERROR_PAGE, "human_check", ("error",), "a check for humans"),
    (Validity.LOGIN_PAGE, "login", ("login_form", "greeting", "error"), "a request to log in"),
    (Validity.OFF_TOPIC, "report", ("error", "progress"), "a collector's own report"),
    (Validity.ERROR_PAGE, "error", ("apology", "offer"), "an error or busy notice"),
    (Validity.OFF_TOPIC, "progress", ("greeting", "quoted"), "search progress without an answer"),
    (Validity.OFF_TOPIC, "instruction", ("placeholder",), "the instructions of a prompt"),
    (Validity.OFF_TOPIC, "thoughts", ("progress",), "the model's own thoughts"),
    (Validity.OFF_TOPIC, "placeholder", (), "a placeholder"),
    (Validity.OFF_TOPIC, "interface", ("login_form", "greeting"), "interface text only"),
    (Validity.OFF_TOPIC, "greeting", ("offer", "disclaimer", "interface"), "a greeting only"),
)
"""Kinds of notice in order of precedence: verdict, the role that proves it, roles that may come along, reason."""


def read_notice(passage: Passage, question: str) -> ValidityReading | None:
    """The kind of notice that (nearly) the whole text is, None if enough of it is anything else."""
    parts = passage.pieces if passage.words <= 2 * _MAX_NOTICE_WORDS else []
    total = sum(p.words for p in parts)
    if not parts or total > _MAX_NOTICE_WORDS:
        return None
    if pattern(CUES, "placeholder_empty").search(" ".join(p.text for p in parts)):
        return ValidityReading(Validity.EMPTY, "a placeholder for no answer", 0.85)
    if "suggestions" in parts[0].roles and len(parts) > 1 and all(p.words <= 14 for p in parts):
        return ValidityReading(Validity.OFF_TOPIC, "questions to go on with, and no answer", 0.85)
    asked = names_notices(question)
    if pattern(CUES, "core_login").search(question):
        asked |= {"login"}
    explaining = [p for p in parts if _explains(p, asked)]
    best: tuple[float, ValidityReading] | None = None
    for kind, proof, company, reason in _KINDS:
        proving = [p for p in parts if p.is_any(proof) and p not in explaining and _proves(p, proof, question)]
        if not proving or (proof == "greeting" and any("decline" in p.roles for p in parts)):
            continue
        others = [p for p in parts if p in explaining or not p.is_any(proof, *company)]
        if proof in _WITH_REMEDY:
            others = [p for p in others if not shows(p.text, "remedy") or _has_substance(p, question)]
        rest = sum(p.words for p in others)
        limit = max(4.5 if proof == "login" else 2.5, 0.34 * total)
        if rest > limit and _is_loose(parts, proving, others, question):
            limit = 0.6 * total
        if rest > limit or (asked and not _is_form(parts)):
            continue
        doubt = rest / total
        if best is None or doubt < best[0]:
            best = doubt, ValidityReading(kind, reason, round(0.95 - 0.5 * doubt, 2), review=doubt > 0.25)
    return best[1] if best else _read_fault(parts, total, question, asked)


def _explains(piece: Piece, asked: frozenset[str]) -> bool:
    """An explanation of notices is none; unless they were asked about, short pieces hold such words by chance."""
    return "explains" in piece.roles and not _OWN.search(piece.text) and (bool(asked) or piece.words > 6)


def _proves(piece: Piece, role: str, question: str) -> bool:
    """What speaks against a piece that shows the role of a notice."""
    if role == "progress" and "decline" in piece.roles:
        return False
    if role == "interface" and _is_fault(piece):
        return False
    if role == "error" and "decline" in piece.roles and (_OBJECTING.search(piece.text) or _LACKING.search(piece.text)):
        return False
    return role not in _SAYING_NOTHING or piece.words <= 5 or not _answers(piece, question)


_WITH_REMEDY = {"error", "login"}
_SAYING_NOTHING = {"error", "login", "human_check"}
"""Notices that say nothing of the question, as search progress and reports may."""


def _answers(piece: Piece, question: str) -> bool:
    """A sentence about what was asked about."""
    return shares_word(piece.text, question) or (bool(ADVICE.search(piece.text)) and takes_up(piece.text, question))


def _is_loose(parts: list[Piece], proving: list[Piece], others: list[Piece], question: str) -> bool:
    """More may stand beside the proof where it is no answer: without substance, or as half of the lines of a form."""
    if len(proving) > 1 and not any(_has_substance(p, question) for p in others):
        return True
    is_half = len(others) <= len(parts) / 2 and len(parts) >= 3
    return is_half and _is_form(parts) and not any(takes_up(p.text, question) for p in parts)


_MAX_FAULT_WORDS = 70.0


def _read_fault(parts: list[Piece], total: float, question: str, asked: frozenset[str]) -> ValidityReading | None:
    """A machine that speaks of itself and of a trouble in one sentence, and of nothing that was asked about.

    Not where somebody speaks (`I cannot …`) or the content is objected to: then it declines.
    """
    if asked or total > _MAX_FAULT_WORDS or not (_is_fault(parts[0]) or _goes_with_fault(parts[0])):
        return None
    faults = [p for p in parts if _is_fault(p)]
    rest = sum(p.words for p in parts if p not in faults and not _goes_with_fault(p))
    if not faults or rest > 0.34 * total:
        return None
    if any(_has_substance(p, question) for p in parts):
        return None
    return ValidityReading(Validity.ERROR_PAGE, "a machine reports a fault", round(0.85 - 0.5 * rest / total, 2))


def _is_fault(piece: Piece) -> bool:
    text = piece.text
    return shows(text, "trouble") and shows(text, "system") and not SELF.search(text) and not _OBJECTING.search(text)


def _goes_with_fault(piece: Piece) -> bool:
    return piece.is_any("error", "apology", "offer", "interface") or shows(piece.text, "remedy")


_OBJECTING = re.compile(
    r"敏感|违规|违法|违反|不当|不良|政治|不合规|\b(?:polic(?:y|ies)|guidelines?|prohibited|harmful|inappropriate|copyright|sensitive|"
    r"safety|violat\w+|unsafe|moderation)\b",
    re.IGNORECASE,
)
"""Words by which a platform objects to the content of a question or an answer."""
_LACKING = re.compile(
    r"我[^。!?]{0,16}(?:联网|实时)|\bi\b[^.!?]{0,30}\b(?:real-?time|live|browse|internet)\b", re.IGNORECASE
)
"""An assistant that says what it has not: it declines, no server fails."""
_OWN = re.compile(
    r"\b(?:i'm|i am|we|we're|our|your (?:request|session|account|connection|message)|this request)\b|我们|本站|您的",
    re.IGNORECASE,
)
"""A platform speaks of itself and the asker, not of such notices in general."""
_TECHNICAL = re.compile(
    r"\b(?:[A-Z]{2,}\d*s?|Keys?|Tokens?|Ray ID|Java[Ss]cript|Cookies|"
    r"[A-Z][a-z]+(?:[A-Z][a-z]+)*(?:Error|Exception|Id|Key))\b"
)
"""Capitals that name no product."""


def _has_substance(piece: Piece, question: str) -> bool:
    """Anything that an answer could consist of: picks, names, words or the subject of the question."""
    if takes_up(piece.text, question) or (ADVICE.search(piece.text) and not shows(piece.text, "remedy")):
        return True
    return names_things(_TECHNICAL.sub(" ", piece.text))


def _is_form(parts: list[Piece]) -> bool:
    """Short lines without sentences, as forms and status pages have them."""
    return all(p.words <= 8 and not re.search(r"[。.;]$", p.text) for p in parts)
