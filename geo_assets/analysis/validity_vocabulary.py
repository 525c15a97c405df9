"""Short notices told by their vocabulary, for wordings that no cue foresees.

Busy pages, login forms, progress lines and collectors' reports say the same few words in endless combinations. A short
text nearly all of whose content is such words, and which takes up nothing of the question, is a notice of that kind.
"""

import re
from functools import cache

from geo_assets.analysis.lists import sections
from geo_assets.analysis.validity_text import Piece
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Validity

_KINDS = {
    "login": (Validity.LOGIN_PAGE, "the words of a login form"),
    "error": (Validity.ERROR_PAGE, "the words of an error or busy notice"),
    "progress": (Validity.OFF_TOPIC, "the words of search progress"),
    "report": (Validity.OFF_TOPIC, "the words of a collector's report"),
}
_MUST = {
    "login": re.compile(r"登[录入陆出]|注册|密码|账号|\b(?:log|sign)(?:ged|ning|ging)?[ -]?(?:in|on|up|out)\b|\blogin\b|account|password|continue with", re.I),
    "error": re.compile(
        r"错|误|异常|失败|超时|繁?忙|限|频繁|过多|太多|重试|再试|刷新|恢复|断开|不可用|无法|休息|累|验证|真人|点击|滑块|过期|过低|拒绝|禁止|排队|等待|维护|"
        r"\b(?:error|fail\w*|time(?:d)? ?out|timeout|busy|down|unavailable|overload\w*|trouble|problem|issue|wrong|try|retry|again|refresh|reload|limit\w*|quota|reached|blocked|"
        r"denied|forbidden|verify\w*|captcha|human|robot|secure|security|connection|dropped|lost|queue|capacity|not found|too (?:many|quickly|fast)|slow down|isn't|couldn't|can't|unable|maintenance|come back|wait|oops)\b",
        re.I,
    ),
    "progress": re.compile(r"搜索|检索|查找|阅读|浏览|整理|思考|分析|生成|ing\b|\b(?:searched|read|found|browsed|visited|thought)\b", re.I),
    "report": re.compile(r"采集|抓取|爬取|截图|导出|写入|保存|任务|耗时|提及|\b(?:task|job|run|batch|screenshot|saved|extracted|scraped|collected|exported|captured|score|rate|mentions?)\b", re.I),
}  # fmt: skip
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[a-z][a-z0-9'’/-]*", re.IGNORECASE)
_MAX_WORDS = 32.0
_SHARE = 0.72


def read_vocabulary(folded: str, question: str, parts: list[Piece]) -> ValidityReading | None:
    """The kind of notice whose words make up at least 72 % of the text's content, None if none does."""
    words = sum(p.words for p in parts)
    if not parts or words > _MAX_WORDS:
        return None
    best: tuple[float, str] | None = None
    for kind in _KINDS:
        if not _MUST[kind].search(folded) or _MUST[kind].search(question):
            continue
        share = coverage(folded, kind)
        if share >= _SHARE and (best is None or share > best[0] + 0.05):
            best = share, kind
    if best is None:
        return None
    verdict, reason = _KINDS[best[1]]
    return ValidityReading(verdict, reason, round(0.4 + 0.45 * best[0], 2), review=best[0] < 0.85)


def coverage(folded: str, kind: str) -> float:
    """Share of a text's content (function words and numbers left out) that consists of the words of a kind, 0..1."""
    chinese, latin = _vocabulary(kind)
    plain_chinese, plain_latin = _vocabulary("function")
    rest = chinese.sub(lambda m: "·" * len(m[0]), folded)
    hits = rest.count("·") / 2
    misses = len(_CHINESE.findall(plain_chinese.sub(" ", rest))) / 2
    for word in _LATIN.findall(folded):
        lowered = word.lower().replace("’", "'")
        if lowered in latin:
            hits += 1
        elif lowered not in plain_latin:
            misses += 1
    return hits / (hits + misses) if hits else 0.0


@cache
def _vocabulary(kind: str) -> tuple[re.Pattern[str], frozenset[str]]:
    words = [w.strip() for line in sections("notice_words")[kind] for w in line.split(",") if w.strip()]
    chinese = sorted((w for w in words if _CHINESE.search(w)), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, chinese))), frozenset(w for w in words if not _CHINESE.search(w))
