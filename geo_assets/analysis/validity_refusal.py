"""Texts that decline or cannot know, and answer nothing.

A decline alone does not make a refusal: what counts is what remains once apologies, disclaimers, morals, referrals and
offers are taken away. "I cannot decide for you, but …" with an answer behind it is an answer.
"""

from geo_assets.analysis.validity_text import Piece
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Validity

_ASIDE = ("decline", "apology", "disclaimer", "moral", "referral", "offer", "greeting", "error", "interface")


def read_refusal(parts: list[Piece]) -> ValidityReading | None:
    """`refused` if the text declines near its beginning and says little else.

    With a contrast after the decline ("but", "不过") what follows is taken for an answer more readily than without.
    """
    first = next((n for n, p in enumerate(parts[:5]) if "decline" in p.roles), None)
    if first is None:
        return None
    total = sum(p.words for p in parts)
    turns = any("contrast" in p.roles and "decline" not in p.roles for p in parts[first + 1 :])
    said = [p for p in parts if not p.is_any(*_ASIDE)]
    if turns:
        said += [
            p for p in parts[first + 1 :] if not p.is_any("decline", "apology", "offer", "moral") and p not in said
        ]
    rest = sum(p.words for p in said)
    items = sum(p.is_item for p in parts)
    if items >= 2 and rest > 4:
        return None
    share = rest / total
    limit = 0.25 if turns else 0.45
    if share > limit:
        return None
    no_data = not any(p.is_any("moral", "apology", "offer", "disclaimer", "referral") for p in parts)
    confidence = round(0.95 - 0.6 * share - (0.05 if no_data else 0.0), 2)
    return ValidityReading(Validity.REFUSED, "declines and answers nothing", confidence, review=share > 0.75 * limit)
