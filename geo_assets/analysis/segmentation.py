"""Cutting a run of Chinese characters into its most probable words.

Here: a unigram model over the bundled word list and the search for its best path (Viterbi), as Chinese segmenters do it
in their precise mode. Not here: names and brands (`borders_zh`).
"""

import math

from geo_assets.analysis.lexicon import chinese_words

_LONGEST = 4
_CORPUS = 60_000_000  # words behind the frequencies of the list
_UNLISTED = 100  # frequency of a name that is no word
# Of a character that stands alone: the list has none.
_CHARACTER, _FUNCTION_CHARACTER, _PARTICLE = 600, 20_000, 300_000
_PARTICLES = frozenset("的了是在和不")
_FUNCTION = frozenset(
    "的了是在和有不就都也还把被让给向从到对用与及或而以为上下中里这那我你他她它们个要会能可很更最大小多人去来说"
    "如使令没无只再又才时所其该此各几两一自已将则但若"
)


def _cost(word: str) -> float | None:
    """Minus the logarithm of a word's probability; None where it is no word."""
    if len(word) == 1:
        frequent = _PARTICLE if word in _PARTICLES else _FUNCTION_CHARACTER if word in _FUNCTION else _CHARACTER
        return math.log(_CORPUS / frequent)
    known = chinese_words().get(word)
    return math.log(_CORPUS / known.frequency) if known else None


def _best_cut(run: str) -> tuple[list[float], list[int]]:
    """For every prefix of a run the cost of its best cut, and where the last word of that cut begins."""
    costs, begins = [0.0], [0]
    for end in range(1, len(run) + 1):
        best, begin = math.inf, end - 1
        for start in range(max(end - _LONGEST, 0), end):
            cost = _cost(run[start:end])
            if cost is not None and costs[start] + cost < best:
                best, begin = costs[start] + cost, start
        costs.append(best)
        begins.append(begin)
    return costs, begins


def _straddles(run: str, edge: int) -> bool:
    """Whether a word of the list stands across an offset of a run."""
    words = chinese_words()
    return any(
        run[start:end] in words
        for start in range(max(edge - _LONGEST + 1, 0), edge)
        for end in range(edge + 1, min(start + _LONGEST, len(run)) + 1)
    )


def crossing_gain(run: str, start: int, end: int) -> float:
    """How much more probable a run is if the letters of a name in it belong to the words around, in nats.

    The name is `run[start:end]`. 0 where the best cut has no border inside the name, or leaves its edges alone: a word
    that only contains the name is a longer word, not a crossing.
    """
    if not (_straddles(run, start) or _straddles(run, end)):
        return 0.0
    costs, begins = _best_cut(run)
    borders = {len(run)}
    at = len(run)
    while at > 0:
        at = begins[at]
        borders.add(at)
    if borders.issuperset((start, end)) or borders.isdisjoint(range(start + 1, end)):
        return 0.0
    name = chinese_words().get(run[start:end])
    whole = math.log(_CORPUS / max(name.frequency if name else 0, _UNLISTED))
    return costs[start] + whole + _best_cut(run[end:])[0][-1] - costs[-1]
