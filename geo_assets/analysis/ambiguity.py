"""Whether a name that stands in the text is meant as the brand: the verdict, its confidence and its reason.

Here: the common frame and the choice of language. Evidence for Latin names is weighed in `ambiguity_en`, for Chinese
names in `ambiguity_zh`. Not here: spelling (`matcher`), prose (`prose`).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from geo_assets.analysis.edges import Edge, is_cjk

if TYPE_CHECKING:
    from geo_assets.analysis.matcher import Hit


@dataclass(frozen=True, slots=True)
class Verdict:
    """`is_brand` is the best guess, `confidence` in 0.5..1 how sure, `reason` a short word for people."""

    is_brand: bool
    confidence: float
    reason: str


CLEAR = Verdict(is_brand=True, confidence=0.97, reason="name")


@dataclass(frozen=True, slots=True)
class Place:
    """A hit in its text, with the folded words of its market.

    Other tracked names are left out on purpose: adding one to a dictionary must not change what is read of another.
    """

    text: str
    hit: "Hit"
    context: frozenset[str]

    @property
    def start(self) -> int:
        """Offset of the name."""
        return self.hit.start

    @property
    def end(self) -> int:
        """Offset after the name."""
        return self.hit.end

    @property
    def surface(self) -> str:
        """The name as it stands in the text."""
        return self.text[self.hit.start : self.hit.end]


def judge(place: Place) -> Verdict:
    """Decide one place. Pure: the same text and words give the same verdict."""
    from geo_assets.analysis import ambiguity_en, ambiguity_zh

    if place.hit.edge is Edge.SEAM:
        return Verdict(is_brand=True, confidence=0.8, reason="glued to its neighbours")
    if is_cjk(place.surface[0]) and is_cjk(place.surface[-1]):
        return ambiguity_zh.judge(place)
    return ambiguity_en.judge(place)


def from_score(score: float, reason: str) -> Verdict:
    """A verdict from summed evidence: its sign decides, its size is the confidence (0.5 at 0, 0.95 from 3 on)."""
    return Verdict(score > 0, min(0.5 + abs(score) * 0.15, 0.95), reason)
