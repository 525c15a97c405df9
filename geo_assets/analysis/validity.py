"""What kind of text an answer is: ok, empty, refused, truncated, error page, login page, off topic.

What belongs here: the order of evidence. The platform's own word (outcome, refusal, finish reason) comes first, the
text second. The readers of single kinds stand in the `validity_*` modules beside this one.
"""

import re

from geo_assets.analysis.validity_completeness import read_completeness
from geo_assets.analysis.validity_notices import read_notice
from geo_assets.analysis.validity_refusal import read_refusal
from geo_assets.analysis.validity_structure import read_structure
from geo_assets.analysis.validity_text import Passage, is_blank, plain
from geo_assets.analysis.validity_topic import read_topic
from geo_assets.analysis.validity_vocabulary import read_vocabulary
from geo_assets.model.answers import FinishReason
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Outcome, Validity

_MAX_WORDS_WITHOUT_ANSWER = 220.0
"""Notices and refusals are short: a longer text is an answer, whatever stands in it."""

_BY_OUTCOME = {
    Outcome.ERROR_PAGE: Validity.ERROR_PAGE,
    Outcome.LOGIN_PAGE: Validity.LOGIN_PAGE,
    Outcome.EMPTY: Validity.EMPTY,
    Outcome.FILTERED: Validity.REFUSED,
    Outcome.REFUSED: Validity.REFUSED,
    Outcome.TRUNCATED: Validity.TRUNCATED,
    Outcome.OFF_TOPIC: Validity.OFF_TOPIC,
}


def read_validity(
    text: str,
    question: str,
    *,
    finish_reason: FinishReason = FinishReason.UNKNOWN,
    refusal: str | None = None,
    outcome: Outcome = Outcome.COUNTED,
) -> ValidityReading:
    """The kind of `text` as an answer to `question` (which may be empty: then nothing is off topic by its subject).

    `outcome`, `refusal` and `finish_reason` are what the connector and the ledger know; where they decide, the text is
    not looked at. Never raises. `confidence` is 0..1; below 0.7 the reading asks for review.
    """
    stated = _read_state(text, finish_reason, refusal, outcome)
    if stated is not None:
        return stated
    passage = Passage(plain(text))
    asked = plain(question)
    if _looks_empty(text, passage.folded):
        return ValidityReading(Validity.EMPTY, "no visible text", 1.0)
    reading = (
        read_structure(passage, asked)
        or (_read_short(passage, asked) if passage.words <= _MAX_WORDS_WITHOUT_ANSWER else None)
        or read_completeness(passage.folded, asked)
        or read_topic(passage, asked)
    )
    if reading is None:
        return ValidityReading(Validity.OK, "an answer", 0.95 if finish_reason is FinishReason.STOP else 0.9)
    if reading.validity is Validity.TRUNCATED and finish_reason is FinishReason.STOP:
        return _doubt_cut(reading)
    return reading


def _read_short(passage: Passage, question: str) -> ValidityReading | None:
    return read_notice(passage, question) or read_refusal(passage, question) or read_vocabulary(passage, question)


def _read_state(
    text: str, finish_reason: FinishReason, refusal: str | None, outcome: Outcome
) -> ValidityReading | None:
    """What is known without reading the text. A blank text is empty, whatever ended it, unless it was refused."""
    if outcome in {Outcome.REFUSED, Outcome.FILTERED}:
        return ValidityReading(Validity.REFUSED, f"the platform's state: {outcome.value}", 0.99)
    if finish_reason is FinishReason.CONTENT_FILTER:
        return ValidityReading(Validity.REFUSED, "stopped by the platform's content filter", 0.99)
    if finish_reason is FinishReason.REFUSAL or (refusal and not is_blank(refusal)):
        return ValidityReading(Validity.REFUSED, "the platform marks it as a refusal", 0.99)
    if is_blank(text):
        return ValidityReading(Validity.EMPTY, "no visible text", 1.0)
    if outcome in _BY_OUTCOME:
        return ValidityReading(_BY_OUTCOME[outcome], f"the platform's state: {outcome.value}", 0.97)
    if finish_reason is FinishReason.LENGTH:
        return ValidityReading(Validity.TRUNCATED, "the length limit ended it", 0.99)
    return None


def _looks_empty(text: str, folded: str) -> bool:
    """Markup that shows nothing: empty paragraphs, line breaks, entities for blanks, an empty code fence."""
    if len(text) > 400:
        return False
    shown = re.sub(
        r"</?(?:p|br|div|span|html|body|b|i|strong|em)\s*/?>|&(?:nbsp|#160|#8203|zwnj|ensp|emsp);?|```\w*", "", folded
    )
    return is_blank(shown)


def _doubt_cut(reading: ValidityReading) -> ValidityReading:
    """The platform says that the text is complete: a cut seen only in the text is then a matter for review."""
    if reading.confidence >= 0.85:
        return ValidityReading(reading.validity, reading.reason, 0.65, review=True)
    return ValidityReading(
        Validity.OK, f"complete by its finish reason, though it seems cut: {reading.reason}", 0.6, review=True
    )
