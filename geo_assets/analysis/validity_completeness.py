"""Texts that stop in the middle: a sentence, list, table or code block breaks off, or an announced list is missing.

What belongs here: the end of the text against the form of what stands before it. Bare lists, one-word answers and
headings have no full stop and are complete.
"""

import re
from bisect import bisect_left
from functools import cache
from itertools import pairwise

from geo_assets.analysis.lexicon import english_words
from geo_assets.analysis.lists import sections
from geo_assets.analysis.validity_text import CUES, LIST_ITEM, is_cjk, roles_of, weight
from geo_assets.analysis.validity_vocabulary import is_vocabulary
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Validity

_BARE_MARKER = re.compile(r"^\s*(?:#{1,6}|[-*+•]|\d{1,3}[.)、])\s*$|\s[-–—]$")
_TORN_WORD = re.compile(r"\b(?!vitamin|plan|option|type|class|grade)[a-z]{2,} [b-hj-z]$")
_LAST_WORD = re.compile(r"[a-z,] ([a-z]{2,})$")
_TERMINAL = re.compile(r"(?:[.。!?…~;\"”'’」』)\]】》>}%|`]|\.{3}|[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f])$")
_URL_END = re.compile(
    r"(?:https?://|www\.)\S+$|\b[\w-]+\.(?:com|cn|org|net|io|co\.uk|gov|edu)(?:/\S*)?$", re.IGNORECASE
)
_HEADING = re.compile(r"^\s*#{1,6}\s+\S[^.。!?]*$")
_BOLD_LINE = re.compile(r"^\s*\*\*[^*.。!?]{1,40}\*\*:?\s*$")
_TRAILING = " \t*_~"
_GO_ON = re.compile(r"(?:continue|keep) (?:generating|writing)|继续(?:生成|输出|回答|写)", re.IGNORECASE)
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_DANGLING_ZH = re.compile(
    r"(?:和|与|及|或|或者|以及|因为|由于|但是?|而且|并且|如果|例如|比如|包括|建议|最好|最好选|推荐|可以|需要|能够|还能?|则是?|就是|是|在|把|被|对于?|"
    r"通过|为了?|比|从|向|让|使|给|等到|所以|因此|其中|尤其是?|特别是|不仅|既|又|更|最|很|非常|(?:先|再|后|主要|要)看|、看|也|都|才|将|如|若|并|"
    r"而|且|使|然后再?|简而|一款|一个|一种|所有权和|这|那|该|每|其|、|,|:|\(|"
    r"首先|其次|另外|此外|同时|然而|不过|虽然|尽管|即使|只要|除了|关于|根据|随着|相比|以及|属于|位于|采用|具有|拥有|具备|"
    r"之一是|分别是|主要是|不是|只有|至于|由|跟|或是|还是|还有|总之|综上|一方面|另一方面|是一[家个种款座部位名][^,。!?]{0,20}的|位于[^,。!?]{0,10}的)$"
)
_DANGLING_EN = re.compile(
    r"(?<![/.])\b(?:the|an?|of|and|or|to|with|for|that|which|who|whose|is|are|was|were|be|been|because|as|your|their|its|our|my|his|her|this|these|"
    r"those|by|from|into|at|but|than|very|more|most|so|if|when|while|where|can|could|will|would|should|may|might|must|has|have|had|"
    r"also|such|like|including|between|through|during|about|without|within|not|no|any|some|each|every|either|both|it|you|they|we|"
    r"although|unless|whereas|whether|until|versus|vs|via|per|i'm|it's|that's|there's|you'll|you're|we're|they're|"
    r"don't|doesn't|isn't|aren't|won't|toward|towards|among|regarding|according|depending|"
    r"includes?|lets|called|becomes?|requires?|delivers?|combines?|"
    r"often|usually|especially|provides?|offers?|makes?|ensures?|helps?|allows?|needs?)$",
    re.IGNORECASE,
)
_BARE_ATTRIBUTE = re.compile(
    r"[,、](?:参考|大概|到手)?(?:价格|售价|优点|缺点|特点|重量|容量|材质|口感|续航|价位|尺寸|功率|主打|搭配|采用|支持|适合)$"
)
_CONNECTING_MARK = re.compile(r"(?:[,、&/$]|\w-)$")
_GLUED = re.compile(r"[a-z)][.:!?][A-Z]")
"""Lines that a capture has run together."""
_BUTTONS = re.compile(r"[.!?](?:(?:[A-Z][a-z]+|\d+)(?: [a-z]+)?)+$")
"""Interface words run together behind the last sentence: `ShareExportNot helpful9 sites`."""
_ASKS_FOR_TEXT = re.compile(
    r"\b(?:draft|write|compose|e-?mail|letter|poem|song|lyrics|slogan|tagline|headline|title|caption|tweet|post|names?)\b|"
    r"写|起草|邮件|信|诗|歌词|标语|口号|标题|文案|对联|名字|取名|起名|祝福语|朋友圈",
    re.IGNORECASE,
)
_NUMERALS = dict(zip("一二两三四五六七八九十", (1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True)) | dict(
    zip(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], range(2, 11), strict=True)
)
_ANNOUNCES = re.compile(
    r"(?<![\d.])(\d{1,2}|[二两三四五六七八九十])\s*(?:大|个|款|种|家|点|条|部|本|台|项|类|步)|"
    r"\b(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s+(?:\w+\s+){0,2}?\w+s\b",
    re.IGNORECASE,
)
_NO_ITEMS = re.compile(
    r"people|players?|persons|kids|guests|minutes|hours|days|weeks|months|years|inches|dollars|percent|miles|points|times|stars|"
    r"[大个点部]?(?:人|天|年|月|分钟|小时|岁|元|块)",
    re.IGNORECASE,
)
_PLURAL_LEAD = re.compile(
    r"\bhere(?:'s| are)\b|\b(?:some|several|few|top|these|following)\b[^.!?]{0,60}\b\w+s\b|"
    r"\b(?:listed|given|shown|summari[sz]ed|collected) (?:below|here)\b|"
    r"\b(?:below|as follows|includ(?:e|ing)|such as|are)\W*$|"
    r"以下|下面|如下|几[个款种家点]|这些|多款",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\s*(?:#{1,6}\s*)?\**\s*(?:\(?(\d{1,3})[.)、:]|([①-⑳])|([一二三四五六七八九十]{1,3})[、.])")
_CLOSING = re.compile(
    r"^(?:have|enjoy|good luck|happy|remember|don't forget|prices|if you|let me|feel free|would you|do you|want|need|"
    r"hope|any |just |interested|祝|别忘|记得|"
    r"如果?您?|若|希望|需要|欢迎|还有|请|想|以上)",
    re.IGNORECASE,
)


def read_completeness(folded: str, question: str) -> ValidityReading | None:
    """`truncated` with the reason, None if the text seems to end where it was meant to."""
    lines, goes_on = _body(folded)
    if not lines:
        return None
    if sum(line.lstrip().startswith("```") for line in lines) % 2:
        return _truncated("a code block is not closed", 0.92)
    last = lines[-1]
    if len(lines) > 1 and _BARE_MARKER.search(last):
        return _truncated("ends with the mark of an item that does not follow", 0.88)
    if (table := _broken_row(lines)) is not None:
        return _truncated("a table breaks off in a row", 0.9) if table else None
    if _is_heading_without_text(lines):
        return _truncated("ends with a heading that nothing follows", 0.85)
    bare = last.rstrip(_TRAILING)
    if bare.endswith(":"):
        return _truncated("announces something that does not follow", 0.85, review=len(lines) > 3)
    if not _TERMINAL.search(bare[-3:]) and (_opens_emphasis(last) or _opens_bracket(bare)):
        return _truncated("breaks off inside emphasis or brackets", 0.88)
    if _TERMINAL.search(bare[-3:]) or _URL_END.search(bare[-500:]):
        return _missing_list(lines)
    if goes_on:
        return _truncated("stops above a button to go on", 0.9)
    return _read_open_end(lines, bare, question)


def _is_heading_without_text(lines: list[str]) -> bool:
    """The last line is a heading of a form that earlier lines have, with text below those."""
    if len(lines) < 3:
        return False
    for form in (_HEADING, _BOLD_LINE):
        if form.match(lines[-1]) and any(form.match(a) and not form.match(b) for a, b in pairwise(lines)):
            return True
    return False


def _truncated(reason: str, confidence: float, *, review: bool = False) -> ValidityReading:
    return ValidityReading(Validity.TRUNCATED, reason, confidence, review)


def _body(folded: str) -> tuple[list[str], bool]:
    """Lines with text, without rules and the interface text that captures leave at the end; whether that asks for more.

    Captures glue interface text to the last sentence or set it below.
    """
    lines = [line.rstrip() for line in folded.splitlines() if line.strip() and not _RULE.match(line)]
    goes_on = False
    while lines:
        last = lines[-1]
        if len(lines) > 1 and _is_tail(last.strip(" *#>")):
            goes_on = goes_on or bool(_GO_ON.search(last))
            lines.pop()
        elif chrome := _page_tail().search(last, max(0, len(last) - 300)):
            goes_on = goes_on or bool(_GO_ON.search(chrome[0]))
            lines[-1:] = [last[: chrome.start()].rstrip()] if chrome.start() else []
        else:
            break
    return lines, goes_on


@cache
def _page_tail() -> re.Pattern[str]:
    """Interface words glued to a sentence that has ended, or a button to go on."""
    words = "|".join(sections(CUES)["page_tail"])
    ended = r"(?<=[。.!?…)\]\"”*])"
    return re.compile(rf"{ended}\s*(?:(?:{words})[\s,.。|·!]*)+$|(?:{_GO_ON.pattern})\s*$", re.IGNORECASE)


def _is_tail(line: str) -> bool:
    if len(line) > 200 or weight(line) > 16:
        return False
    return not roles_of(line).isdisjoint({"interface", "login", "login_form", "error"}) or is_vocabulary(line, "login")


def _broken_row(lines: list[str]) -> bool | None:
    """None if the text does not end in a table, else whether its last row lacks cells."""
    rows = []
    for line in reversed(lines):
        if "|" not in line or not line.strip().startswith("|"):
            break
        rows.append(line.strip())
    if len(rows) < 2:
        return None
    head = rows[-1].count("|")
    return not rows[0].endswith("|") or rows[0].count("|") < head


def _opens_emphasis(line: str) -> bool:
    """A `**` near the end that nothing closes (one further up is a slip of the writer)."""
    return bool(line.count("**") % 2) and len(line) - line.rfind("**") < 80


def _opens_bracket(line: str) -> bool:
    pairs = (("(", ")"), ("【", "】"), ("《", "》"), ("「", "」"), ("“", "”"), ("[", "]"))
    if line.endswith(":)"):
        return False
    return any(line.rfind(a) > line.rfind(b) and line.count(a) > line.count(b) for a, b in pairs)


def _missing_list(lines: list[str]) -> ValidityReading | None:
    """An announced list ("here are some picks:") with nothing but a closing phrase behind it."""
    for number, line in enumerate(lines):
        if line.rstrip(_TRAILING).endswith(":") and _PLURAL_LEAD.search(line):
            rest = lines[number + 1 :]
            if rest and len(rest) <= 2 and all(_CLOSING.match(r.strip()) for r in rest):
                return _truncated("the announced list is missing", 0.7, review=True)
    return None


def _hangs(lines: list[str], bare: str, question: str, *, cjk: bool) -> ValidityReading | None:
    """The last word or mark needs something behind it. A slogan may end on any word."""
    if _ASKS_FOR_TEXT.search(question) and len(lines) == 1 and weight(bare) <= 8:
        return None
    if weight("\n".join(lines)) < 4:
        return None
    dangling = (_DANGLING_ZH if cjk else _DANGLING_EN).search(bare[-40:])
    if dangling and (len(lines) > 1 or weight(bare) >= 5):
        return _truncated("ends with a word that needs a continuation", 0.88)
    if _CONNECTING_MARK.search(bare):
        return _truncated("ends with a mark that needs a continuation", 0.85)
    if len(lines) > 1 and _BARE_ATTRIBUTE.search(bare):
        return _truncated("ends with an attribute without its value", 0.8)
    return None


def _read_open_end(lines: list[str], bare: str, question: str) -> ValidityReading | None:
    """The last line has no closing mark: is it an item or heading that needs none, or does it break off?"""
    if len(_GLUED.findall(bare)) >= 3 and _BUTTONS.search(bare):
        return None
    cjk = is_cjk(bare)
    if (hangs := _hangs(lines, bare, question, cjk=cjk)) is not None:
        return hangs
    if _ASKS_FOR_TEXT.search(question) and weight(re.split(r"[。!?]|\.\s+", bare)[-1]) <= 4:
        return None  # a line of a poem, a signature
    if (len(lines) > 1 or weight(bare) >= 8) and (_TORN_WORD.search(bare[-40:]) or _is_torn(bare)):
        return _truncated("stops in the middle of a word", 0.75)
    if _lacks_items(lines, question):
        return _truncated("fewer items than announced, and the last is open", 0.85)
    item = bool(LIST_ITEM.match(bare)) or bool(_NUMBERED.match(bare))
    body = LIST_ITEM.sub("", bare)
    if re.search(r"[。!?]\s*\S|[a-z)]\.\s+\S", body) and weight(re.split(r"[。!?]|\.\s+", body)[-1]) >= 0.5:
        return _truncated("stops in the middle of a sentence", 0.85)
    if item:
        siblings = [line for line in lines[:-1] if LIST_ITEM.match(line) and not line.lstrip().startswith(("#", "|"))]
        closed = sum(bool(_TERMINAL.search(s.rstrip(_TRAILING)[-3:])) for s in siblings)
        if siblings and closed > len(siblings) / 2 and weight(body) >= 1:
            return _truncated("the last item breaks off where the others end with a mark", 0.78)
        return None
    if "," in bare and weight(bare) >= (12 if cjk else 15):
        return _truncated("a long sentence has no end", 0.68, review=True)
    prose = [line for line in lines[:-1] if re.search(r"[。.!?]$", line.rstrip(_TRAILING)) and weight(line) >= 6]
    if prose and weight(bare) >= (6 if cjk else 7):
        return _truncated("the last sentence has no end, others do", 0.75)
    return None


def _is_torn(line: str) -> bool:
    """The last word is none, but the beginning of one (names, in capitals, are not judged)."""
    if (match := _LAST_WORD.search(line[-40:])) is None:
        return False
    word = match[1]
    words = _sorted_words()
    at = bisect_left(words, word)
    if any(_has(words, word.removesuffix(ending)) for ending in ("", "s", "es", "ed", "ing", "ly", "er")):
        return False
    return at < len(words) and words[at].startswith(word)


@cache
def _sorted_words() -> list[str]:
    return sorted(english_words())


def _has(words: list[str], word: str) -> bool:
    at = bisect_left(words, word)
    return at < len(words) and words[at] == word


def _lacks_items(lines: list[str], question: str) -> bool:
    numbered = [line for line in lines if _NUMBERED.match(line)]
    if not numbered:
        return False
    lead = lines[0] if not _NUMBERED.match(lines[0]) else ""
    wanted = max((_number(m) for source in (lead, question) for m in _ANNOUNCES.finditer(source)), default=0)
    if 1 < wanted <= 20:
        return len(numbered) < wanted
    return len(numbered) == 1 and len(lines) > 2 and bool(_PLURAL_LEAD.search(" ".join(lines[:3])))


def _number(match: re.Match[str]) -> int:
    if _NO_ITEMS.search(match[0]):
        return 0
    word = (match[1] or match[2]).lower()
    return int(word) if word.isdigit() else _NUMERALS.get(word, 0)
