"""Which parts of an answer are prose that a reader reads as the answer's own words.

Here: spans that do not count, with offsets into the original: addresses and hosts, link targets, HTML tags, code, and
the user's question or text where the answer repeats it. Link labels, titles of cited pages and block quotes in the
answer's own voice are prose. Not here: names or brands.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import NamedTuple

from geo_assets.analysis.folding import Folded, fold


class Unread(StrEnum):
    """Why a span is not the answer's own prose."""

    CODE = "code"
    MARKUP = "markup"
    ADDRESS = "address"
    HOST = "host"
    ECHO = "echo"


class Span(NamedTuple):
    """Half-open code-point offsets into the original."""

    start: int
    end: int
    why: Unread


_FENCE = re.compile(
    r"^[ \t>]*(?P<f>```+|~~~+)[^\n]*(?:\n.*?(?:^[ \t>]*(?P=f)[`~]*[ \t]*$|\Z)|\Z)", re.MULTILINE | re.DOTALL
)
_INLINE_CODE = re.compile(r"(?<!`)(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)")
_CODE_LIKE = re.compile(r"[(){}=;<>$/\\_]|\w\.\w|(?:^|\s)--?\w|^\s*(?:import|from|pip|npm|git|cd|sudo|brew|curl)\s")
_TAG = re.compile(
    r"<!--.*?-->|(?<!<)<(?:/?[a-zA-Z][\w-]*(?:\s+[\w:@.-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>]+))?)*\s*/?|!doctype[^<>]*)>(?!>)",
    re.DOTALL | re.IGNORECASE,
)
_TARGET = re.compile(r"\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?")
_URL = re.compile(
    r"[hfmwHFMW](?i:(?<=h)ttps?://|(?<=f)(?:tp|ile)://|(?<=m)ailto:|(?<=w)ww\."  # opens with a set to skip to
    r")(?i:(?:[^\s<>\"'`“”‘’，。；：！？、（）【】《》「」『』|\\\u3400-\u9fff()\[\]]|\([^\s()]*\)"
    r"|(?<=/)[\u3400-\u9fff]{1,8}(?=[\s/?#，。；）)]|$)|(?<=[=%])[\u3400-\u9fff]+|(?<=wiki/)[\u3400-\u9fff]+|(?<=item/)[\u3400-\u9fff]+)+)"
)
_SCHEMES = ("https", "http", "ftp", "file")
_URL_OPENINGS = ("www.", "WWW.", "Www.", "mailto:", "MAILTO:", "Mailto:")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_TLD = (
    "com|cn|net|org|io|ai|co|app|dev|edu|gov|info|biz|shop|store|site|online|tech|xyz|top|vip|club|blog|cloud|me|tv|cc|"
    "us|uk|de|fr|jp|kr|hk|tw|sg|au|ca|in|eu|it|es|nl|ch|se|no|ru|br|example|test"
)
_HOST = re.compile(
    rf"(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:{_TLD})(?![\w-])(?:[/:?#][^\s<>\"，。；！？、（）【】()\[\]\u3400-\u9fff]*(?:(?<=/)[\u3400-\u9fff]{{1,8}}(?=[\s/?#，。；）)]|$))?)?",
    re.IGNORECASE | re.ASCII,
)
_HOST_HINT = re.compile(rf"\.(?:{_TLD})(?![\w-])", re.IGNORECASE | re.ASCII)

_HOST_LABEL = re.compile(r"\[([\w-]+(?:\.[\w-]+)+)\]\(\s*<?https?://([\w.-]+)")
_HOST_CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"

# The user is named as the source of what stands in the quotation marks that follow, or a label says so.
_USER_SAID = re.compile(
    r"(?:您|你|用户|题主|楼主|提问者|题目|原题|问题|提问|原文|原句|这句话|这段话|句子)[^。！？!?\n“”「」『』\"]{0,14}$"
    r"|(?:把|将)\s*$"
    r"|\b(?:you|your|user|user['’]s|the\s+(?:question|sentence|phrase|message|prompt|original|query|text|draft))\b"
    r"[^.!?\n\"“”]{0,40}$"
    r"|\b(?:question|query|prompt|original(?:\s+(?:text|sentence))?)\s*[:：]\s*$",
    re.IGNORECASE,
)
_BY_USER = re.compile(r"您|你|用户|题主|楼主|提问者|(?i:you|user|the user)")
_NAME_ONLY = re.compile(r"\W[\w ·&.'-]{2,10}\W")
_USER_ASKS = re.compile(
    r"[\s,，]*(?:you|the user)(?:['’]\w+)?\s+(?:\w+\s+)?(?:wonder|ask|said|say|wrote|want|typed|mention)"
    r"|[\s，,]*(?:您|你|用户)(?:问|想问|说|写)",
    re.IGNORECASE,
)
_USER_VERB = re.compile(
    r"问|说|写|提|原话|原文|原句|句|输入|描述|留言|给出|发来|粘贴|翻译|表述|想知道|想了解|想问|关心|纠结|好奇|关于|题|以下|收到|这段|消息|(?<![这那一两几])把|将"
    r"|\b(?:ask|wrote|write|said|say|mention|question|query|prompt|message|typed|sentence|phrase|draft|original|text|"
    r"request|review|line|title|subject|paste|quot|describ|want(?:ed)? to know|wonder|curious)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"“([^“”\n]{2,400})”|「([^「」\n]{2,400})」|『([^『』\n]{2,400})』|\"([^\"\n]{2,400})\"|‘([^‘’\n]{4,400})’"
)
_QUESTION_LINE = re.compile(
    r"^[ \t>#]*(?:\*\*|__)?[【\[（(]?(?:用户)?(?:您的|你的|原始)?"
    r"(?:问题|提问|问|用户提问|题目|原题|原文|用户|原句)\s?\d{0,2}"
    r"[】\]）)]?(?:\*\*|__)?\s*[】：:](?:\*\*|__)?[^\n]*"
    r"|^[ \t>#]*(?:\*\*|__)?(?:(?:your|the|user|user['’]s|original)\s+)?(?:question|query|prompt|q|user|"
    r"you asked|original(?:\s+text)?|you said|you wrote)(?:\*\*|__)?\s*[:：](?:\*\*|__)?[^\n]*"
    r"|^[ \t]*【(?:提问|问题|用户提问|问|用户|原文|题目|原题)】[^\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL_OPENING = re.compile(r"\n[ \t>#*_【\[（(]*[问题提用原您你QqPpUuOoYyTt]")
_OPENS_WITH_QUESTION = re.compile(r"[\s*]*[“「『\"]([^“”「」『』\"\n]{4,200}[?？])[”」』\"][\s*]*(?:[—–-]|[:：]|\n|$)")
_BLOCK_QUOTE = re.compile(r"(?:^[ \t]*>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_USERS_VOICE = re.compile(
    r"[?？]\s*$|^\s*(?:re\s*[:：]\s*)?(?:is|are|should|which|what|how|can|could|does|do|did|where|who|would|will|has|have|why)\b"
    r"|^\s*re\s*[:：]|\b(?:help|thanks|please|any\s+(?:ideas|advice|tips)|i['’]?m|im|my|i\s+(?:want|need|have|am|bought|was))\b"
    r"|(?:求推荐|求助|怎么办|谢谢|请问|我想|我要"
    r"|我家|我的|我在|帮我|想问|吗|呢|怎么|为什么|为啥|哪个好|如何|是不是|给我)"
    r"|^\s*(?:请|帮|介绍|推荐[一几两三]|列举|列出|说说|讲讲|谈谈|解释|对比|比较一下|写一|翻译)|吧\s*$"
    r"|^\s*(?:list|recommend|tell me|give me|compare|explain|write|suggest|describe|find me|name|translate)\b",
    re.IGNORECASE,
)
_ANSWERS_VOICE = re.compile(
    r"仅供参考|请以|为准|提示|注意|说明|建议|数据|来源|小贴士|结论"
    r"|\b(?:note|tip|source|disclaimer|summary|bottom line|AI)\b",
    re.IGNORECASE,
)


class Prose:
    """The readable parts of one answer, worked out when first asked for. `folded`: its folded form, if at hand."""

    def __init__(self, text: str, question: str | None = None, folded: Folded | None = None) -> None:
        self.text = text
        self._question = question
        self._folded = folded

    @cached_property
    def unread(self) -> tuple[Span, ...]:
        """The spans that do not count, in order, not overlapping."""
        found = [*_markup(self.text), *_addresses(self.text), *_echoes(self.text)]
        if self._question:
            found += _verbatim(self._folded or Folded(self.text), self._question)
        return _merge(found)

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.unread]

    @property
    def readable_chars(self) -> int:
        """Code points of the text outside the unread spans."""
        return len(self.text) - sum(span.end - span.start for span in self.unread)

    def unread_at(self, start: int, end: int) -> Span | None:
        """The unread span that overlaps a place, if any."""
        index = bisect_right(self._starts, start)
        for span in self.unread[max(index - 1, 0) : index + 1]:
            if span.start < end and start < span.end:
                return span
        return None


def _markup(text: str) -> list[Span]:
    found: list[Span] = []
    if "```" in text or "~~~" in text:
        found += [Span(m.start(), m.end(), Unread.CODE) for m in _FENCE.finditer(text)]
    if "`" in text:
        found += [
            Span(m.start(2), m.end(2), Unread.CODE) for m in _INLINE_CODE.finditer(text) if _CODE_LIKE.search(m[2])
        ]
    if "<" in text:
        found += [Span(m.start(), m.end(), Unread.MARKUP) for m in _TAG.finditer(text)]
    return found


def _addresses(text: str) -> list[Span]:
    found: list[Span] = []
    if "](" in text:
        found += [Span(m.start(1), m.end(1), Unread.ADDRESS) for m in _TARGET.finditer(text) if m[1]]
    found += _urls(text)
    if "@" in text:
        found += [Span(m.start(), m.end(), Unread.ADDRESS) for m in _MAIL.finditer(text)]
    for match in _labels_of_hosts(text) if "](" in text else ():
        found.append(Span(match.start(1), match.end(1), Unread.ADDRESS))
    for match in _hosts(text):
        labelled = text[match.start() - 1 : match.start()] == "[" and text[match.end() : match.end() + 2] == "]("
        plain = "/" not in match[0] and not labelled
        found.append(Span(match.start(), match.end(), Unread.HOST if plain else Unread.ADDRESS))
    return found


def _labels_of_hosts(text: str) -> Iterator[re.Match[str]]:
    """Link labels that are the host of their own target, whatever it ends in: [lidl.ie](https://www.lidl.ie/)."""
    for match in _HOST_LABEL.finditer(text):
        host = match[2].lower()
        if host == match[1].lower() or host.endswith("." + match[1].lower()):
            yield match


def _urls(text: str) -> Iterator[Span]:
    """Addresses with a scheme or www: found from what they open with, which spares a search at every word."""
    done = 0
    for start in sorted(_url_openings(text)):
        if start >= done and (match := _URL.match(text, start)):
            done = match.end()
            yield Span(start, done, Unread.ADDRESS)


def _url_openings(text: str) -> Iterator[int]:
    at = text.find("://")
    while at >= 0:
        scheme = next((s for s in _SCHEMES if text[max(at - len(s), 0) : at].lower() == s), None)
        if scheme:
            yield at - len(scheme)
        at = text.find("://", at + 3)
    for opening in _URL_OPENINGS:
        at = text.find(opening)
        while at >= 0:
            yield at
            at = text.find(opening, at + 1)


def _hosts(text: str) -> Iterator[re.Match[str]]:
    """Bare hosts: found from their ending backwards, which spares a search at every word."""
    done = 0
    for hint in _HOST_HINT.finditer(text) if "." in text else ():
        start = done + len(text[done : hint.start()].rstrip(_HOST_CHARS)) if hint.start() > done else hint.start()
        if match := _HOST.match(text, start):
            done = match.end()
            yield match


def _echoes(text: str) -> list[Span]:
    found = list(_question_lines(text))
    for match in _QUOTED.finditer(text) if any([mark in text for mark in '“「『"‘']) else ():  # noqa: C419
        line = max(text.rfind("\n", 0, match.start()), text.rfind("。", 0, match.start()), match.start() - 60) + 1
        lead = text[line : match.start()].replace("*", "")
        if not lead.strip(" >-"):  # the quotation opens its line: what introduces it stands on the line before
            lead = text[: match.start()].rstrip(" >-*\n").rpartition("\n")[2][-60:].rstrip("：: ")
        said = _USER_SAID.search(lead)
        if said and _NAME_ONLY.fullmatch(match[0]) and not _BY_USER.match(said[0]):
            continue  # a word of the question by which the answer speaks of the thing itself
        if (said and _USER_VERB.search(said[0])) or _USER_ASKS.match(text, match.end()):
            found.append(Span(match.start() + 1, match.end() - 1, Unread.ECHO))
    if opening := _OPENS_WITH_QUESTION.match(text):
        found.append(Span(opening.start(1), opening.end(1), Unread.ECHO))
    if ">" in text:
        found += [
            Span(m.start(), m.end(), Unread.ECHO) for m in _BLOCK_QUOTE.finditer(text) if _is_users_quote(text, m)
        ]
    return found


def _question_lines(text: str) -> Iterator[Span]:
    """Lines that repeat the question after a label. Few lines open with a letter of such a label."""
    starts = [0, *(opening.start() + 1 for opening in _LABEL_OPENING.finditer(text))]
    for start in starts:
        if match := _QUESTION_LINE.match(text, start):
            yield Span(start, match.end(), Unread.ECHO)


def _is_users_quote(text: str, match: re.Match[str]) -> bool:
    """A block quote repeats the user where it stands before the answer proper and speaks in the user's voice."""
    body = match[0].replace(">", " ").strip(' \n\t"“”「」*')
    opening = not text[: match.start()].strip() or text[: match.start()].rstrip().endswith((":", "："))
    return (
        opening
        and bool(text[match.end() :].strip())
        and bool(_USERS_VOICE.search(body))
        and not _ANSWERS_VOICE.search(body)
    )


@lru_cache(maxsize=256)
def _asked(question: str) -> str:
    return fold(question).rstrip("?？.。!！")


def _verbatim(folded: Folded, question: str) -> list[Span]:
    """Places where the question asked stands again word for word, after folding.

    A short question must be in quotes or on a line of its own.
    """
    wanted = _asked(question)
    if len(wanted) < 4:
        return []
    text = folded.original
    found = []
    at = folded.text.find(wanted)
    while at >= 0:
        start, end = folded.start(at), folded.end(at + len(wanted))
        before, after = text[:start].rstrip(" *#>"), text[end:].lstrip(" *?？.。!！")
        alone = (not before or before[-1] in '\n“「『"‘:：') and (not after or after[0] in '\n”」』"’')
        if alone or len(wanted) >= 12:
            found.append(Span(start, end, Unread.ECHO))
        at = folded.text.find(wanted, at + len(wanted))
    return found


def _merge(found: list[Span]) -> tuple[Span, ...]:
    """In order and disjoint; where two overlap the first (longest) keeps its reason, but an address beats a host."""
    merged: list[Span] = []
    for span in sorted(found, key=lambda s: (s.start, -s.end, s.why is Unread.HOST)):
        last = merged[-1] if merged else None
        if last is None or span.start >= last.end:
            merged.append(span)
        elif span.end > last.end:
            why = last.why if last.why is not Unread.HOST else span.why
            merged[-1] = Span(last.start, span.end, why)
    return tuple(merged)
