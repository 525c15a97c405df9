"""Scopes: which questions and which answers a number is about. Headline = questions that name no tracked brand.

A question that names a brand gets that brand named back, so such questions are numbers of their own, never summed into
the headline. The same holds for answers that did not search although they were asked to.
"""

from collections.abc import Collection

from geo_assets.model.answers import SearchState
from geo_assets.model.dictionary import Dictionary, Role
from geo_assets.model.states import Outcome

NONBRAND, NAMES_OWN, NAMES_COMPETITOR, NAMES_BOTH = "nonbrand", "names_own", "names_competitor", "names_both"
SEARCHED, UNSEARCHED, UNKNOWN, NOT_APPLICABLE = "searched", "unsearched", "unknown", "n/a"
ALL = "all"


def question_scope(question_text: str, mentioned_brand_ids: Collection[str], dictionary: Dictionary) -> str:
    """The scope of a question from the brands that its text names, relative to no brand in particular.

    Args:
        question_text: the question; used in the error message only.
        mentioned_brand_ids: ids of brands and products that the reader finds in it.
        dictionary: the dictionary that it was read with. A product counts with the role of its brand.

    Raises:
        ValueError: an id that the dictionary does not have.
    """
    roles = {b.id: b.role for b in dictionary.brands}
    if unknown := sorted(set(mentioned_brand_ids) - roles.keys()):
        raise ValueError(
            f"question {question_text!r} names {unknown}, which this dictionary does not have: read it again"
        )
    found = {roles[brand] for brand in mentioned_brand_ids}
    if not found:
        return NONBRAND
    if len(found) == 2:
        return NAMES_BOTH
    return NAMES_OWN if Role.OWN in found else NAMES_COMPETITOR


def asked_search_scope(search_asked: bool) -> str:
    """The search scope that a sample was asked in: what headlines show, and where samples without an answer stand."""
    return SEARCHED if search_asked else NOT_APPLICABLE


def search_scope(search_asked: bool, search_state: str | None, outcome: str) -> str:
    """The search scope of a sample.

    A usable answer stands where its search state puts it; every other sample where it was asked, so that refusals
    stay in the denominators of the questions they belong to.
    """
    if outcome not in {Outcome.COUNTED, Outcome.UNSEARCHED} or not search_asked:
        return asked_search_scope(search_asked)
    if search_state == SearchState.USED:
        return SEARCHED
    return UNSEARCHED if search_state == SearchState.NOT_USED else UNKNOWN
