"""Reading one answer: validity, mentions and sources with one dictionary, as one record.

What belongs here: the order of the readers and what they tell each other, with the version of the whole. What does not:
any rule of its own about text, decisions of people (`review`), storage.
"""

from dataclasses import replace

from geo_assets.analysis.matcher import compile_matcher
from geo_assets.analysis.mentions import MentionReading, read_mentions
from geo_assets.analysis.sources import read_sources
from geo_assets.analysis.validity import read_validity
from geo_assets.analysis.validity_topic import is_by_subject
from geo_assets.analysis.version import READER
from geo_assets.model.answers import NormalAnswer
from geo_assets.model.dictionary import Dictionary
from geo_assets.model.readings import Reading, ValidityReading
from geo_assets.model.states import Outcome, Validity

__all__ = ["READER", "read_answer"]


def read_answer(answer: NormalAnswer, *, question: str, outcome: Outcome, dictionary: Dictionary) -> Reading:
    """Everything read from one answer. Pure: equal input gives an equal reading. Never raises on an answer's content.

    `outcome` is what the ledger knows of the sample before reading. Brands and sources are read whatever the validity
    is, so that a person may overrule it; only readings that are `ok` count anywhere.
    """
    validity = read_validity(
        answer.text, question, finish_reason=answer.finish_reason, refusal=answer.refusal, outcome=outcome
    )
    mentions = read_mentions(compile_matcher(dictionary), answer.text, question)
    named = {
        brand.brand: [(place.start, place.end) for place in brand.occurrences]
        for brand in mentions.brands
        if brand.count
    }
    return Reading(
        reader=READER,
        dictionary_hash=dictionary.hash,
        validity=_with_brands(validity, mentions),
        brands=mentions.brands,
        sources=read_sources(answer.citations, answer.text, dictionary, brand_sentences=named),
        candidates=mentions.candidates,
        is_ranked_list=mentions.is_ranked_list,
        readable_chars=mentions.readable_chars,
    )


def _with_brands(validity: ValidityReading, mentions: MentionReading) -> ValidityReading:
    """An answer that names a tracked brand is hardly about another subject than the monitor's question."""
    if is_by_subject(validity) and any(brand.mentioned for brand in mentions.brands):
        return replace(
            validity,
            validity=Validity.OK,
            reason=f"names a tracked brand, though: {validity.reason}",
            confidence=0.6,
            review=True,
        )
    return validity
