"""Whether a sentence only says that nothing was found or is known about a brand: such a name is no mention.

Here: that one question, asked of every place before it counts. Not here: what an answer says of a brand that it does
mention (`stance`).
"""

from itertools import islice

from geo_assets.analysis.clauses import Offsets, Sentences, marks, masked
from geo_assets.analysis.verdicts import Tone, rules_of


def is_absence(text: str, sentences: Sentences, place: Offsets) -> bool:
    """Whether the sentence around a place only says that nothing was found or said about the brand.

    "I searched for …" is one too, where one of the next two sentences says that nothing came up.
    """
    span = sentences.at(place[0])
    sentence = masked(text, span, marks([place]))
    rules = rules_of(sentence)
    # Few sentences hold a negation or a search: these two patterns are tried before all others are looked up.
    if rules.search("NEGATION", sentence) and rules.absence.first(sentence) is Tone.NEGATIVE:
        return True
    if not rules.search("SEARCHED", sentence):
        return False
    return any(rules.find("NOTHING", masked(text, following, [])) for following in islice(sentences.after(span), 2))
