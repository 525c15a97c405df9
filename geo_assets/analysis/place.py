"""A name at its place in a text, and the verdict on whether it is meant as the brand.

Here: what the rules of both languages look at and what they answer. Not here: any rule (`ambiguity_en`,
`ambiguity_zh`).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from geo_assets.analysis.folding import fold

if TYPE_CHECKING:
    from geo_assets.analysis.matcher import Hit


@dataclass(frozen=True, slots=True)
class Verdict:
    """`is_brand` is the best guess, `confidence` in 0.5..1 how sure, `reason` a short word for people."""

    is_brand: bool
    confidence: float
    reason: str


CLEAR = Verdict(is_brand=True, confidence=0.97, reason="name")


class Place(NamedTuple):
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

    @property
    def is_bare_short_form(self) -> bool:
        """Whether the name is a part of the main name, and neither its rest nor the market stands in the text."""
        rest = self.hit.name.rest
        if not rest:
            return False
        folded = fold(self.text)
        return rest not in folded and not any(word in folded for word in self.context)

    def market_in(self, text: str) -> int:
        """How many words of the market stand in a text."""
        folded = fold(text) if self.context else ""
        return sum(word in folded for word in self.context)


def from_score(score: float, reason: str) -> Verdict:
    """A verdict from summed evidence: its sign decides, its size is the confidence (0.5 at 0, 0.95 from 3 on)."""
    return Verdict(score > 0, min(0.5 + abs(score) * 0.15, 0.95), reason)
