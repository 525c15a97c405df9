"""Texts that decline or cannot know, and answer nothing.

A decline alone does not make a refusal: what counts is what remains once apologies, disclaimers, morals, referrals and
offers are taken away. "I cannot decide for you, but …" with an answer behind it is an answer.
"""

import re

from geo_assets.analysis.validity_text import ADVICE, SELF, Passage, Piece, roles_of
from geo_assets.analysis.validity_topic import names_things
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Validity

_ASIDE = ("decline", "apology", "disclaimer", "moral", "referral", "offer", "greeting", "error", "interface")


def read_refusal(passage: Passage, question: str) -> ValidityReading | None:
    """`refused` if the text declines near its beginning and says little else.

    With a contrast after the decline ("but", "不过") what follows is taken for an answer more readily than without. A
    weak decline (a negation of any doing) is one only where nothing but asides stands beside it.
    """
    parts = passage.pieces
    strong = next((n for n, p in enumerate(parts[:5]) if "decline" in p.declines), None)
    weak = next((n for n, p in enumerate(parts[:3]) if "weak_decline" in p.declines), None)
    first = weak if strong is None else strong
    asked = _ABOUT_ASSISTANTS.search(question) or (passage.words > 15 and "decline" in roles_of(question))
    if first is None or (asked and not SELF.search(parts[first].text)):
        return None  # nothing is declined, or declining is what was asked about
    total = sum(p.words for p in parts)
    turns = any("contrast" in p.roles and "decline" not in p.roles for p in parts[first + 1 :])
    said = [p for n, p in enumerate(parts) if n != first and not _is_aside(p, question)]
    if turns:
        said += [
            p
            for p in parts[first + 1 :]
            if p not in said
            and not p.is_any("decline", "apology", "offer")
            and not (p.is_any("moral") and not p.is_any("contrast"))
        ]
    rest = sum(p.words for p in said)
    share = rest / total
    if sum(p.is_item for p in parts) >= 2 and rest > 4:
        return None
    if strong is None:
        beside = any(p.is_any("moral", "referral", "offer", "apology", "disclaimer") for p in parts)
        bare = first == 0 and not ADVICE.search(parts[0].text) and not names_things(parts[0].text)
        if said or turns or not (beside or bare) or total > 45:
            return None
        return ValidityReading(Validity.REFUSED, "declines and answers nothing", 0.75)
    advises = any(ADVICE.search(p.text) for p in said)
    last = max((n for n, p in enumerate(parts) if n == first or not _is_aside(p, question)), default=first)
    flat = first in {0, last} and not any(_WEIGHING.search(p.text) or names_things(p.text) for p in said)
    limit = 0.15 if advises else 0.25 if turns else 0.75 if flat else 0.45
    if share > limit:
        return None
    if "no_data" in parts[first].roles:
        return ValidityReading(Validity.REFUSED, "says that it knows nothing about it", 0.65, review=True)
    confidence = round(0.95 - 0.6 * share, 2)
    return ValidityReading(Validity.REFUSED, "declines and answers nothing", confidence, review=share > 0.75 * limit)


_ABOUT_ASSISTANTS = re.compile(
    r"\b(?:ai|chatgpt|gpt|llms?|assistants?|chatbots?|language models?|deepseek|kimi|gemini|copilot|claude)\b|"
    r"人工智能|智能助手|大模型|语言模型|豆包|文心|元宝|通义",
    re.IGNORECASE,
)
_WEIGHING = re.compile(
    r"\bdepend|\bfactors?\b|\bconsider\b|\bfirst\b|\bsteps?\b|\bhowever\b|\bfor (?:example|instance)\b|\d|"
    r"取决于|要看|看[你您]|因素|考虑|首先|其次|步骤|例如|比如",
    re.IGNORECASE,
)
"""An answer begun: what it depends on, steps, examples, figures."""


def _is_aside(piece: Piece, question: str) -> bool:
    """Nothing of an answer: unless it gives picks by name, however it is worded ("if you want one anyway, take …")."""
    if not piece.is_any(*_ASIDE):
        return False
    return piece.is_any("decline", "apology") or not (ADVICE.search(piece.text) and names_things(piece.text, question))
