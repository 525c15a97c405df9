"""Whether a name that stands in the text is meant as the brand.

Here: the choice of language. Evidence for Latin names is weighed in `ambiguity_en`, for Chinese names in
`ambiguity_zh`. Not here: spelling (`matcher`), prose (`prose`).
"""

from geo_assets.analysis import ambiguity_en, ambiguity_zh
from geo_assets.analysis.edges import Edge, is_cjk
from geo_assets.analysis.folding import fold
from geo_assets.analysis.lexicon import common_english_words
from geo_assets.analysis.place import Place, Verdict
from geo_assets.analysis.senses_zh import is_everyday

_GLUED = Verdict(is_brand=True, confidence=0.8, reason="glued to its neighbours")


def is_everyday_word(name: str) -> bool:
    """Whether a name is so usual a word that without words of its market it needs other evidence to count."""
    folded = fold(name)
    if folded and all(map(is_cjk, folded)):
        return is_everyday(folded)
    return folded in common_english_words()


def judge(place: Place) -> Verdict:
    """Decide one place. Pure: the same text and words give the same verdict."""
    if place.hit.edge is Edge.SEAM:
        return _GLUED
    if is_cjk(place.text[place.start]) and is_cjk(place.text[place.end - 1]):
        return ambiguity_zh.judge(place)
    return ambiguity_en.judge(place)
