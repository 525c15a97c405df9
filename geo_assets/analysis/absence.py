"""Whether a sentence only says that nothing was found or is known about a brand: such a name is no mention.

Here: that one question, asked of every place before it counts. Not here: what an answer says of a brand that it does
mention (`stance`).
"""

from itertools import islice

from geo_assets.analysis.clauses import BRAND, Offsets, Sentences, masked
from geo_assets.analysis.verdicts import Tone, rules_of


class Absences:
    """The places of one answer that only say that there is nothing about a brand."""

    def __init__(self, text: str, sentences: Sentences) -> None:
        self._text = text
        self._sentences = sentences
        self._known: dict[Offsets, bool] = {}

    def __contains__(self, place: Offsets) -> bool:
        """Whether the sentence around a place only says that nothing was found or said about the brand.

        "I searched for …" is one too, where one of the next two sentences says that nothing came up.
        """
        if place not in self._known:
            self._known[place] = self._is_absence(place)
        return self._known[place]

    def _is_absence(self, place: Offsets) -> bool:
        span = self._sentences.at(place[0])
        sentence = masked(self._text, span, [(*place, BRAND)])
        rules = rules_of(sentence)
        # Few sentences hold a negation or a search: these two patterns are tried before all others are looked up.
        if rules.search("NEGATION", sentence) and rules.absence.first(sentence) is Tone.NEGATIVE:
            return True
        if not rules.search("SEARCHED", sentence):
            return False
        following = islice(self._sentences.after(span), 2)
        return any(rules.find("NOTHING", masked(self._text, later, [])) for later in following)
