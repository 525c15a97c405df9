"""Chinese names that are words: longer words by their endings, other things of that name, words of the market.

Here: what the sentence says; the words are in `lexicon/`. Word borders are in `borders_zh`, what a name means as a word
in `senses_zh`, and what stands right beside it is weighed in `beside_zh`. A name that is no word of the language is the
brand unless a border or an ending says otherwise.
"""

import re
from functools import lru_cache

from geo_assets.analysis.beside_zh import beside, lists
from geo_assets.analysis.borders_zh import crosses
from geo_assets.analysis.lexicon import chinese_words
from geo_assets.analysis.place import CLEAR, Place, Verdict, from_score
from geo_assets.analysis.senses_zh import TOWN, prior, senses

_STOP = re.compile(r"[。！？!?\n；;]")
_CLAUSE = re.compile(r"[。！？!?\n；;，,]")


def judge(place: Place) -> Verdict:
    """Decide a Chinese name."""
    name = place.hit.name.folded
    before, after = _around(place)
    if crosses(name, before, after):
        return Verdict(is_brand=False, confidence=0.9, reason="across a word border")
    meaning = senses(name)
    is_word = bool(meaning or place.hit.name.rest)
    if (reason := _other_thing(before, after, is_word=is_word) or _in_title(place) or _of_nature(place)) is not None:
        return Verdict(is_brand=False, confidence=0.8, reason=reason)
    if meaning and (tail := _business(place, after)):
        return Verdict(is_brand=False, confidence=0.8, reason=f"another business: {name}{tail}")
    tail = _tail(after, meaning)
    if tail:
        return Verdict(is_brand=False, confidence=0.9, reason=f"longer word: {name}{tail}")
    if not meaning:
        return CLEAR
    return from_score(_score(place, name, meaning, before, after), "a word of the language")


def _business(place: Place, after: str) -> str | None:
    """What makes a business of another market out of the name: 太平洋|咖啡 where insurance is the market."""
    if not place.context:
        return None
    endings = _endings("business tail")
    tail = next((ending for ending in endings if after.startswith(ending)), None)
    return tail if tail is not None and not place.market_in(tail) else None


def _around(place: Place) -> tuple[str, str]:
    """Eight characters before and after on the same line, simplified, without marks of emphasis."""
    text = place.text
    before = text[max(place.start - 12, 0) : place.start].rpartition("\n")[2].replace("*", "")
    after = text[place.end : place.end + 20].partition("\n")[0].replace("*", "")
    return before[-8:], after[:16]


_PERSON_BEFORE = re.compile(
    r"(?:[法英美德俄日韩中意国]国?人|学者|作家|诗人|画家|教授|导演|演员|歌手|人士|总统|州长|市长|议员|主席|部长|大使|运动员|明星|选手|冠军|探险家|科学家|汉学家|哲学家|皇帝|将军|船长|主角|女主角|男主角|同学|邻居)$"
)
_PERSON_AFTER = re.compile(r"(?:先生|女士|教授|同学|老师|出生于|生于|逝世|曾写道)")
_WORK_AFTER = re.compile(
    r"》[^，。；！？\n]{0,12}(?:小说|电影|重映|上映|票房|影片|电视剧|诗|歌|剧|作品|专辑|名著|书|画)"
)
_AS_WORD = re.compile(r"[”」』’\"]\s?(?:这|那)?(?:[一两二三四几]个?字|个?词|一词|个?说法|的(?:意思|谐音|拼音|写法))")


def _other_thing(before: str, after: str, *, is_word: bool) -> str | None:
    """What the words right around a name say it is: a person, the title of a work, a word that is spoken of."""
    if _PERSON_BEFORE.search(before) or _PERSON_AFTER.match(after):
        return "a person"
    if _NATURAL_KIND.match(after):
        return "a thing of nature"
    if (
        is_word
        and before.endswith("《")
        and (  # a name that is no word is the work itself
            _WORK_AFTER.match(after)
            or (after[:1] == "》" and re.search(r"(?:看|读|听|追|重温|电影院)<?.{0,3}《$", before))
        )
    ):
        return "the title of a work"
    return "spoken of as a word" if before[-1:] in set('“「『‘"') and _AS_WORD.match(after) else None


_NATURAL_KIND = re.compile(
    r"(?:是|属于)(?:一[种只条颗座个])?[^，。；！？\n]{0,4}?(?:候鸟|留鸟|鸟类|昆虫|(?:哺乳|杂食|食肉|食草|肉食|草食|水生|冷血|野生)动物|植物(?![基蛋奶肉])|乔木|灌木|行星|恒星|节气|成语"
    r"|古城|县城|省会|地级市|直辖市|河流|山脉|湖泊|岛屿|词牌|鱼类|中药材|星座)"
)
_WORK_NEAR = re.compile(
    r"小说|电影|影片|改编|原著|短篇|长篇|电视剧|主演|导演|上映|票房|诗集|歌曲|专辑|话剧|名著"
    r"|真人秀|综艺|动画片|番剧"
)


_NATURE_NEAR = re.compile(r"毒性|有毒|被咬|毒蛇|蛇类|栖息|产卵|物种|学名|花期|候鸟|迁徙|幼鸟|鳞片")


def _of_nature(place: Place) -> str | None:
    """Whether the sentence is about an animal or plant of that name, and nothing in it about the market."""
    start, end = max(place.start - 30, 0), place.end + 30
    window = place.text[start:end]
    return "a thing of nature" if _NATURE_NEAR.search(window) and not place.market_in(window) else None


def _in_title(place: Place) -> str | None:
    """Whether the name is but a part of the title of a novel or film."""
    text = place.text
    for opening, closing in ("《》", "“”", "‘’", "''"):
        opens = text.rfind(opening, max(place.start - 14, 0), place.start)
        closes = text.find(closing, place.end, place.end + 14)
        inside = opens >= 0 and closes >= 0 and closing not in text[opens + 1 : place.start]
        if not inside or closes - opens - 1 == place.end - place.start:
            continue
        around = text[max(opens - 14, 0) : opens] + text[closes + 1 : closes + 20]
        if _WORK_NEAR.search(around):
            return "the title of a work"
    return None


@lru_cache(maxsize=16)
def _endings(title: str) -> tuple[str, ...]:
    """The endings of a list, the longest first."""
    return tuple(sorted(lists()[title], key=lambda ending: (-len(ending), ending)))


def _tail(after: str, meaning: tuple[str, ...]) -> str | None:
    """An ending right after the name that makes another word of it: 汁 园 for food, 路 村 for any name."""
    words = chinese_words()
    classes = ["place tail"]
    if meaning:
        classes += ["food tail"] if "food" in meaning else []
        classes += ["animal tail"] if "animal" in meaning else []
        classes += ["thing tail"] if {"thing", "word"} & set(meaning) else []
        classes += ["abstract tail"] if meaning != TOWN else []
    for title in classes:
        endings = _endings(title)
        if not after.startswith(endings):
            continue
        for ending in endings:
            if not after.startswith(ending):
                continue
            # 苹果|味道 and 小米|面板: the ending begins a word of its own.
            following = [after[: len(ending) + k] for k in (1, 2)]
            if len(ending) == 1 and any(f in words and words[f].frequency >= 30 for f in following if len(f) > 1):
                continue
            if (
                title == "place tail"
                and ending not in "路街巷村镇"
                and len(ending) == 1
                and meaning in {(), TOWN}
                and not _ends_place(after)
            ):
                continue
            return ending
    return None


def _ends_place(after: str) -> bool:
    """Whether a place ending closes a place name: a number, a preposition of place or a stop follows."""
    return re.match(r".(?:$|[\s，。、；：！？,.;:!?（(）)\d东西南北中上下口附旁边和与到至站的])", after) is not None


def _score(place: Place, name: str, meaning: tuple[str, ...], before: str, after: str) -> float:
    """Evidence for the brand minus evidence for the word."""
    text = place.text
    score = prior(name, meaning, has_market=bool(place.context))
    score -= 0.5 if place.hit.name.rest and len(name) > 1 else 0.0  # the whole name is there for who means the brand
    score += beside(name, before, after, meaning)
    score += _heads(place)
    clause_start = max(
        (m.end() for m in _CLAUSE.finditer(text, max(place.start - 60, 0), place.start)),
        default=max(place.start - 60, 0),
    )
    clause_end = min(
        (m.start() for m in [_CLAUSE.search(text, place.end)] if m), default=min(place.end + 60, len(text))
    )
    start = max(
        (m.end() for m in _STOP.finditer(text, max(place.start - 150, 0), place.start)),
        default=max(place.start - 150, 0),
    )
    end = min((m.start() for m in [_STOP.search(text, place.end)] if m), default=min(place.end + 150, len(text)))
    clause = text[clause_start : place.start] + "\n" + text[place.end : clause_end]
    sentence = text[start : place.start] + "\n" + text[place.end : end]
    near = [w for w in lists()["brand near"] if w in sentence] if "trade" not in meaning else []
    score += min(sum(1.2 if w in clause else 0.7 for w in near), 2.4)
    if (
        not near
        and "trade" not in meaning
        and any(w in text[max(place.start - 150, 0) : place.end + 150] for w in lists()["brand near"])
    ):
        score += 0.5
    market = place.market_in(sentence)
    score += min(market * 1.5, 3.0)
    if not market and place.market_in(text):
        score += 0.8
    if not market and any(
        w[-1] in sentence for w in place.context if len(w) > 1 and w[-1] not in name and w[-1] > "\u4e00"
    ):
        score += 0.6
    if _A_MODEL.search(clause):
        score += 0.8
    if _OF_A_POEM.search(sentence):
        score -= 1.5
    for sense in meaning:
        title = f"{sense} near"
        if title in lists():
            weight = {"food": 1.3, "animal": 1.3, "time": 1.3, "good": 0.8}.get(sense, 0.5)
            against = sum(
                weight if w in clause else weight * 0.6
                for w in lists()[title]
                if w in sentence and (len(w) > 1 or w in clause)
            )
            score -= min(against, 4.0)
    return score + _company_near(place)


_A_MODEL = re.compile(r"(?<![A-Za-z])(?:i[A-Z][a-z]+|[A-Z][A-Za-z]+[ -]?\d)")  # iPhone, Mate 60
_OF_A_POEM = re.compile(r"古诗|诗句|诗词|词牌|朗诵|李白|杜甫|苏轼|这首《")


_ITEM = re.compile(r"^[\s>*_-]*(?:[-•·]|\d{1,2}[.、)）])?\s*")
_HEAD_AFTER = re.compile(r"\*\*\s*[（(：:]")


def _heads(place: Place) -> float:
    """Evidence in a name's place at the head of an item, a cell or a line."""
    if _stands_alone(place):
        return -1.0 if _among_words(place) else 2.5
    return 1.5 if _HEAD_AFTER.match(place.text, place.end) and _opens_bold(place) else 0.0


def _opens_bold(place: Place) -> bool:
    """Whether the name stands at the beginning of a line or item, in bold."""
    start = place.text.rfind("\n", 0, place.start) + 1
    return re.fullmatch(r"[#>\s]*(?:[-•·]|\d{1,2}[.、])?\s*\*\*", place.text[start : place.start]) is not None


def _stands_alone(place: Place) -> bool:
    """Whether the name is all of a table's cell, or of a line with a number or mark: the head of a list item."""
    text = place.text
    if text[: place.start].rstrip(" *_")[-1:] == "|" and text[place.end :].lstrip(" *_")[:1] == "|":
        return True  # a cell of a table
    start, end = text.rfind("\n", 0, place.start) + 1, text.find("\n", place.end)
    lead, rest = text[start : place.start].strip(), text[place.end : end if end >= 0 else len(text)].strip(" *_")
    return not rest and bool(
        re.fullmatch(r"[#>*\s]*(?:[-•·]|[\d一二三四五六七八九十]{1,3}[、.．)）]|[①-⑩]|第.{1,3}名?[:：]?)[\s*_]*", lead)
    )


def _among_words(place: Place) -> bool:
    """Whether the items around a name that is all of its own are ordinary words: a list of animals, or of food."""
    words = chinese_words()
    before = place.text[max(place.start - 60, 0) : place.start].split("\n")[-4:-1]
    after = place.text[place.end : place.end + 60].split("\n")[1:4]
    items = [_ITEM.sub("", line).strip(" *_|") for line in before + after]
    found = [words.get(item) for item in items if 1 < len(item) <= 4]
    ordinary = [word for word in found if word is not None and word.tag.startswith("n") and len(word.tag) == 1]
    return len(ordinary) >= 2 and len(ordinary) == len(found)


def _company_near(place: Place) -> float:
    """Other names beside this one in an enumeration: Latin names, or words that the language does not have."""
    text = place.text
    score = 0.0
    right = re.match(
        r"[*]*\s?(?:、|和|与|或|还是|跟|以及|vs\.?|VS)\s?[*]*([A-Za-z][\w]+|[\u4e00-\u9fff]{2,4})",
        text[place.end : place.end + 16],
    )
    left = re.search(
        r"([A-Za-z][\w]+|[\u4e00-\u9fff]{2,4}?)[*]*\s?(?:、|和|与|或|还是|跟|以及|vs\.?|VS)\s?[*]*$",
        text[max(place.start - 14, 0) : place.start],
    )
    for match in (right, left):
        if match:
            score += _neighbour(match[1], from_left=match is right)
    if re.match(r"[*\s]*(?:vs\.?|VS|对比)", text[place.end : place.end + 6]) or re.search(
        r"(?:vs\.?|VS|对比)[*\s]*$", text[max(place.start - 6, 0) : place.start]
    ):
        score += 1.0
    return score


def _neighbour(name: str, *, from_left: bool) -> float:
    if name[0].isascii():
        return 1.5 if name[0].isupper() or not name.islower() else 0.5
    words = chinese_words()
    sizes = (4, 3, 2)
    for size in sizes:
        part = name[:size] if from_left else name[-size:]
        if len(part) == size and (word := words.get(part)):
            if part in lists()["food"] or part in lists()["animal"]:
                return -1.0
            return 1.0 if word.tag.startswith(("nz", "nt")) else 0.7 if word.tag.startswith(("nr", "ns")) else 0.0
    return 1.0
