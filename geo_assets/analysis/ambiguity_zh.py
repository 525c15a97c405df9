"""Chinese names: letters across a word border, longer words by their endings, and names that are words.

Here: rules over neighbouring characters and words of the market; the words are in `lexicon/`. A name that is no word of
the language is the brand unless a border or an ending says otherwise.
"""

import re
from functools import lru_cache

from geo_assets.analysis.edges import is_cjk
from geo_assets.analysis.folding import fold
from geo_assets.analysis.lexicon import ChineseWord, chinese_words, sections
from geo_assets.analysis.place import CLEAR, Place, Verdict, from_score

_COMMON_TAGS = ("n", "v", "a", "d", "i", "l", "b", "z", "t", "s", "f", "m", "o")
_PROPER_TAGS = ("nr", "ns", "nt", "nz")
_FUNCTION = frozenset("的了着过地得和与跟及或是在有就都也还把被让给向从到对用买选去来")
_COUNTED = re.compile(
    r"[一二两三四五六七八九十几半数每\d]\s*(?:个|颗|只|斤|公斤|克|千克|把|勺|碗|杯|片|块|箱|袋|粒|头|群|匹|条|株|棵|筐|种(?=苹|小))$"
)
# How often a name of this kind is meant as the brand where nothing else speaks.
_PRIOR = {"food": -0.2, "animal": 0.5, "verb": -0.5, "people": -0.5, "good": -0.3, "thing": -0.3, "word": 0.3}
_PRIOR |= {"time": -0.2, "amount": -0.2, "phrase": 0.6, "luck": 0.6, "rate": 0.8, "geo": 0.6, "trait": 0.9}
_PRIOR |= {"town": 1.2}
_TOWN = ("town",)  # the sense of a place that no list has: beer, tyres and hotels bear the names of towns
_STOP = re.compile(r"[。！？!?\n；;]")
_CLAUSE = re.compile(r"[。！？!?\n；;，,]")


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    return sections("homonyms_zh.txt")


@lru_cache(maxsize=4096)
def senses(name: str) -> tuple[str, ...]:
    """What the name means as a word of the language; empty where it is none."""
    word = chinese_words().get(name)
    lists = _lists()
    found = tuple(s for s in _PRIOR if name in lists.get(s, ()))
    if found and (found != ("good",) or (word is not None and word.frequency >= 50)):
        return found
    if len(name) <= 3 and word is not None and word.frequency >= 100 and _is_common(word):
        return ("word",)
    if word is not None and word.tag == "ns" and len(name) >= 2:
        return _TOWN
    return ()


def _is_common(word: ChineseWord) -> bool:
    return word.tag.startswith(_COMMON_TAGS) and not word.tag.startswith(_PROPER_TAGS)


def judge(place: Place) -> Verdict:
    """Decide a Chinese name."""
    name = place.hit.name.folded
    before, after = _around(place)
    if _crosses(name, before, after) or _is_reading(name, before):
        return Verdict(is_brand=False, confidence=0.9, reason="across a word border")
    if (reason := _other_thing(before, after) or _in_title(place)) is not None:
        return Verdict(is_brand=False, confidence=0.8, reason=reason)
    meaning = senses(name)
    tail = _tail(after, meaning)
    if tail:
        return Verdict(is_brand=False, confidence=0.9, reason=f"longer word: {name}{tail}")
    if not meaning:
        return CLEAR
    return from_score(_score(place, name, meaning, before, after), "a word of the language")


def _around(place: Place) -> tuple[str, str]:
    """Eight characters before and after on the same line, simplified, without marks of emphasis."""
    text = place.text
    before = text[max(place.start - 12, 0) : place.start].rpartition("\n")[2].replace("*", "")
    after = text[place.end : place.end + 20].partition("\n")[0].replace("*", "")
    return before[-8:], after[:16]


def _crosses(name: str, before: str, after: str) -> bool:
    """Whether the name's letters belong to two words: 巴西|贝类 holds 西贝, 最美|的 holds 美的."""
    words = chinese_words()
    for cut in range(1, len(name)):
        head, rest = name[:cut], name[cut:]
        left = [
            w for k in (1, 2, 3) if len(before) >= k and (w := before[-k:] + head) in words and words[w].frequency >= 20
        ]
        if not left:
            continue
        if rest == "的":
            if before[-1] in _lists()["degree"] and any(words[w].frequency >= 20 for w in left):
                return True
            if any(words[w].tag.startswith(("a", "z")) for w in left) and before[-1] not in _FUNCTION:
                return True
            continue
        right = [
            w for k in (1, 2, 3) if len(after) >= k and (w := rest + after[:k]) in words and words[w].frequency >= 20
        ]
        if not right and any(words[w].tag == "ns" and words[w].frequency >= 500 for w in left):
            return True
        if right and not (before[-1] in _FUNCTION and len(before) == 1):
            strongest = max(words[w].frequency for w in left) * max(words[w].frequency for w in right)
            if strongest >= 20_000:
                return True
    if _is_adjective(name, before) or _is_simile(name, before, after):
        return True
    return len(name) == 2 and name[0] == name[1] and before[-1:] in set("一几两")


_PERSON_BEFORE = re.compile(
    r"(?:[法英美德俄日韩中意国]国?人|学者|作家|诗人|画家|教授|导演|演员|歌手|探险家|科学家|汉学家|哲学家|皇帝|将军|船长|主角|女主角|男主角|同学|邻居)$"
)
_PERSON_AFTER = re.compile(r"(?:先生|女士|教授|同学|老师|出生于|生于|逝世|曾写道)")
_WORK_AFTER = re.compile(
    r"》[^，。；！？\n]{0,12}(?:小说|电影|重映|上映|票房|影片|电视剧|诗|歌|剧|作品|专辑|名著|书|画)"
)
_AS_WORD = re.compile(r"[”」』’\"]\s?(?:这|那)?(?:[一两二三四几]个?字|个?词|一词|个?说法|的(?:意思|谐音|拼音|写法))")


def _other_thing(before: str, after: str) -> str | None:
    """What the words right around a name say it is: a person, the title of a work, a word that is spoken of."""
    if _PERSON_BEFORE.search(before) or _PERSON_AFTER.match(after):
        return "a person"
    if _NATURAL_KIND.match(after):
        return "a thing of nature"
    if before.endswith("《") and (
        _WORK_AFTER.match(after) or (after[:1] == "》" and re.search(r"(?:看|读|听|追|重温|电影院)<?.{0,3}《$", before))
    ):
        return "the title of a work"
    return "spoken of as a word" if before[-1:] in set('“「『‘"') and _AS_WORD.match(after) else None


_NATURAL_KIND = re.compile(
    r"(?:是|属于)(?:一[种只条颗座个])?[^，。；！？\n]{0,4}?(?:候鸟|留鸟|鸟类|昆虫|哺乳动物|植物(?![基蛋奶肉])|乔木|灌木|行星|恒星|节气|成语"
    r"|古城|县城|省会|地级市|直辖市|河流|山脉|湖泊|岛屿|词牌|鱼类|中药材|星座)"
)
_WORK_NEAR = re.compile(r"小说|电影|影片|改编|原著|短篇|长篇|电视剧|主演|导演|上映|票房|诗集|歌曲|专辑|话剧|名著")


def _in_title(place: Place) -> str | None:
    """Whether the name is but a part of the title of a novel or film."""
    text = place.text
    opens = text.rfind("《", max(place.start - 14, 0), place.start)
    closes = text.find("》", place.end, place.end + 14)
    if opens < 0 or closes < 0 or "》" in text[opens : place.start] or closes - opens - 1 == place.end - place.start:
        return None
    around = text[max(opens - 14, 0) : opens] + text[closes + 1 : closes + 20]
    return "the title of a work" if _WORK_NEAR.search(around) else None


_NUMERALS = frozenset("一二两三四五六七八九十几数0123456789")


def _is_reading(name: str, before: str) -> bool:
    """三|万里路 is a number, 偏|爱家 a verb and its object."""
    if name[0] in _NUMERALS and name[-1] in "号日月点" and before[-1:] in set("月十百第廿初年0123456789"):
        return True
    if name[0] in "百千万亿十" and before[-1:] in _NUMERALS:
        return True
    return name[0] in "喜爱好" and before[-1:] in set("独偏最不都也只更") and len(name) == 2


def _is_simile(name: str, before: str, after: str) -> bool:
    """亲如|家人: a word of likeness and the beginning of a word, after a character that is no preposition or verb."""
    if name[0] not in "如似若像同" or len(name) != 2 or not before or before[-1] in "去住到在选订是、，和与的家":
        return False
    word = chinese_words().get(name[1] + after[:1])
    return word is not None and word.frequency >= 100 and is_cjk(before[-1])


def _is_adjective(name: str, before: str) -> bool:
    """最 + 美 + 的: a name that is an adjective and 的, after an adverb of degree."""
    return name.endswith("的") and len(name) == 2 and before[-1:] in set("最很更真太挺好极超蛮够越不")


@lru_cache(maxsize=16)
def _endings(title: str) -> tuple[str, ...]:
    """The endings of a list, the longest first."""
    return tuple(sorted(_lists()[title], key=lambda ending: (-len(ending), ending)))


def _tail(after: str, meaning: tuple[str, ...]) -> str | None:
    """An ending right after the name that makes another word of it: 汁 园 for food, 路 村 for any name."""
    words = chinese_words()
    classes = ["place tail"]
    if meaning:
        classes += ["food tail"] if "food" in meaning else []
        classes += ["animal tail"] if "animal" in meaning else []
        classes += ["thing tail"] if {"thing", "word"} & set(meaning) else []
        classes += ["abstract tail"] if meaning != _TOWN else []
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
                and meaning in {(), _TOWN}
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
    lists = _lists()
    text = place.text
    score = max(_PRIOR[sense] for sense in meaning)
    score += _tail_evidence(lists, after, name_ends_de=name.endswith("的"))
    score += _head_evidence(name, before, after, meaning)
    score += 2.5 if _stands_alone(place) else 0.0
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
    near = [w for w in lists["brand near"] if w in sentence]
    score += min(sum(1.2 if w in clause else 0.7 for w in near), 2.4)
    if not near and any(w in text[max(place.start - 150, 0) : place.end + 150] for w in lists["brand near"]):
        score += 0.5
    folded_sentence = fold(sentence)
    market = sum(1 for w in place.context if w in folded_sentence)
    score += min(market * 1.5, 3.0)
    if not market and any(w in fold(text) for w in place.context):
        score += 0.8
    if not market and any(
        w[-1] in sentence for w in place.context if len(w) > 1 and w[-1] not in name and w[-1] > "\u4e00"
    ):
        score += 0.6
    if _OF_A_POEM.search(sentence):
        score -= 1.5
    for sense in meaning:
        title = f"{sense} near"
        if title in lists:
            weight = {"food": 1.3, "animal": 1.3, "time": 1.3, "good": 0.8}.get(sense, 0.5)
            against = sum(
                weight if w in clause else weight * 0.6
                for w in lists[title]
                if w in sentence and (len(w) > 1 or w in clause)
            )
            score -= min(against, 4.0)
    return score + _company_near(place)


_OF_A_POEM = re.compile(r"古诗|诗句|诗词|词牌|朗诵|李白|杜甫|苏轼|这首《")


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


_RANGE_AFTER = re.compile(r"的?[^，。；！？、的\s]{1,6}(?:款|系列|版|型号|套装|金装|礼盒|限定)(?!权|图|本|面|主)")


def _tail_evidence(lists: dict[str, frozenset[str]], after: str, *, name_ends_de: bool) -> float:
    score = 0.0
    if (
        any(after.startswith(t) for t in lists["brand tail"])
        or re.match(r"\s?[A-Za-z0-9]", after)
        or re.match(r"[（(]\s*[A-Za-z]", after)
    ):
        score += 3.0
    elif re.match(r"的\s?[A-Za-z]", after):
        score += 2.5
    elif after.startswith("的") and any(after[1:].startswith(t) for t in lists["brand tail"] | lists["brand near"]):
        score += 2.0
    if _RANGE_AFTER.match(after):
        score += 1.5
    if re.match(r"[：:]", after):
        score += 0.7
    if after.startswith("的的") or (after.startswith("的") and name_ends_de):
        score += 2.5
    return score


_AFTER_VERBISH = re.compile(
    r"(?:到|起|一下|出|标准|管理|规格|口径|采购|安排|发放|着装|收|配|调|编|为(?!什)|成|了(?!解))"
)
_BEFORE_VERBISH = re.compile(
    r"(?:让人|使人|令人|不禁|容易|自由|产生|引发|会|要|需|需要|必须|应|应该|可以|能|进行|由|尽量|全国|保持|再|并|的)$"
)


# What stands right before and right after a word of one kind, where it is no name.
_BEFORE_WORD = {
    "geo": re.compile(r"(?:跨|横跨|横渡|飞越|跨越|环|南|北|沿着?|游|登|爬|去过?|横穿|位于|流经|漂过)$"),
    "trait": re.compile(r"(?:很|特别|最|比较|更|他|她|丈夫|老公|男人|又|都|挺|不|太)$"),
    "amount": re.compile(
        r"(?:了|再|加|降|减|少|多|差|有|只|那么|就|这么|还|早|慢|轻|高|低|晚|好|快|慢|大|小|每天|吃|放|来|给|出|透|倒|挪|改|不|是)$"
    ),
    "phrase": re.compile(
        r"(?:想好|想|要|该|能|问|知道|决定|商量|打算|计划|下次|今天|周末|到底|究竟|您|你|我们?|大家|准备|说|定|管|随便|不论|无论|都|会|没|不|还|先)$"
    ),
    "luck": re.compile(r"(?:图个?|讨个?|求个?|取个?|不|很|挺|大|更|最|显|寓意|听着|觉得|为了|为|个|点|较|越)$"),
    "rate": re.compile(r"(?:设计|平均|最高|额定|单井|人均|全厂|单|的|约)$"),
    "town": re.compile(
        r"(?:飞往|前往|来自|定居|位于|地处|途经|路过|坐落[于在]?|出生[于在]|搬到|移居|离开|抵达|到达|环|逛)$"
    ),
    "time": re.compile(r"(?:今年|明年|去年|每年|过了|过完|到了|临近|正值|正逢|一过|入了|等到|时值|适逢)$"),
}
_AFTER_WORD = {
    "geo": re.compile(
        r"(?:松茸|牦牛|特产|的?(?:长途|航班|航线|上空|彼岸|沿岸|两岸|海域|流域|地区|海底|板块|战争|战役|风光|日出|风景|脚下|顶上|山顶|之巅|边上|里|上|中|东岸|西岸|对岸|水位))"
    ),
    "trait": re.compile(r"(?:的(?:人|男|女|好|先生|爸|妈|丈夫|老公|性格)|型|暖男|又|，又|好男人)"),
    "amount": re.compile(r"(?:盐|糖|油|醋|水|地|就|都|也|不|没|小|的(?:甜|苦|酸|咸|辣|好|心|改|进|时间|钱|光))"),
    "phrase": re.compile(r"(?:玩|吃(?!货)|看看|了(?!解)|呢|啊|吗|？|\?|、玩|好玩|都行|比较|住|逛|过|旅|找|走|才|会)"),
    "luck": re.compile(r"的?(?:数字|号码|尾号|车牌|日子|话|寓意|兆头|名字|意思|颜色|图案|数|事|彩头|如意|祥和)"),
    "rate": re.compile(r"(?:奶|量|约|超|近|达|\d|[一二三四五六七八九十百千万几数]|油|水|煤|蛋|气|钢|能|出|\s\d)"),
    "town": re.compile(
        r"(?:市(?![场面占值])|省(?![心钱事力])|区(?!别)|县|旅游|旅行|之旅|游玩|自由行|机场|火车站|高铁|地铁|当地|本地"
        r"|人(?![气工性群士均手])|大学|港|老城|古城|方向|产业|行业|房价|爱乐"
        r"|的(?:音乐|海(?!鲜)|夜景|天气|[春夏秋冬]天|老城|景点|美食|街|建筑|风景|博物馆|气候|小吃|房价|机场|地铁|人(?![气群])"
        r"|一[面侧边]|房间|卧室|阳台|方向|窗))"
    ),
    "time": re.compile(
        r"(?:前后|时节|节气|当天|前夕|过后|之后|以后|期间|将至|来临|到来|那天|这天|节|时|后|前|季|里|(?:一)?过|假期)"
    ),
}


_ON_THE_WAY = re.compile(r"(?:高铁|火车|飞机|动车|大巴|自驾|开车|航班|缆车|轮渡)[^，。；！？]{0,3}(?:去|到|回|直达)$")
_ONE_OF_A_TRADE = re.compile(r"(?:职业|资深|一名|一位|[这那]位|著名|退休|驻外|前任)$")
_MOVED_BY = re.compile(r"(?:勾起|引起|激发|激起|引发|满足|充满|出于|保持|唤起|怀着)[^，。；！？]{0,6}$")  # curiosity, longing
_AT_TOWN = re.compile(r"(?<![现正存实所])[在]$|(?<![过失])去$|(?<![买喝找看收想用提说遇拿抢轮])到$|从$|(?<![买退])回$")
# Said of goods on a shelf: 雪花最便宜. Of a fruit it would be no sign of a brand.
_PRICED = re.compile(r"(?:也|都|就|还是|算)?(?:最|更|挺|比较|很|相对|不)?(?:便宜|划算|实惠|贵(?![州阳宾]))")


def _is_verb(name: str) -> bool:
    word = chinese_words().get(name)
    return word is not None and word.tag.startswith("v")


def _verb_evidence(name: str, before: str, after: str, meaning: tuple[str, ...]) -> float:
    """What speaks against a name that is also a verb, or a word that another word follows."""
    score = 0.0
    word = chinese_words().get(after[:2])
    if word is not None and word.tag.startswith(("v", "a")) and after[:2] not in _lists()["brand tail"]:
        score -= 1.2
    if "word" in meaning and re.match(r"[被着过]", after):
        score -= 1.5
    if (
        "word" in meaning
        and not _is_verb(name)
        and word is not None
        and word.tag == "n"
        and after[:2] not in _lists()["brand tail"] | _lists()["brand near"]
    ):
        score -= 0.8
    if "verb" in meaning:
        if _AFTER_VERBISH.match(after):
            score -= 2.0
        elif re.match(r"[，。；！？、\s]|$", after) and not re.search(
            r"(?:买|用|选|换|入手|推荐|是|和|与|或|、|说|比|如|像|[：:，。]|^)$", before
        ):
            score -= 0.8
        if _BEFORE_VERBISH.search(before):
            score -= 1.5
        if re.match(r"(?:就(?:够|好|行|可以|成)|值得|更|最)", after):
            score += 1.2
        if (
            _is_verb(name)
            and word is not None
            and word.tag.startswith("n")
            and after[:2] not in _lists()["brand tail"] | _lists()["brand near"]
        ):
            score -= 1.0
    return score


def _head_evidence(name: str, before: str, after: str, meaning: tuple[str, ...]) -> float:
    score = 0.0
    if _COUNTED.search(before):
        score -= 3.0
    if re.match(r"[”」』’\"]?\s?(?:指的?是|是指|的?意思是|意为|原意|本意)", after):
        score -= 1.2
    if "verb" in meaning or "word" in meaning:
        score += _verb_evidence(name, before, after, meaning)
    if (before[-1:] in _lists()["degree"] and after[:1] in {"的", "地"}) or _MOVED_BY.search(before):
        score -= 3.0
    if _ON_THE_WAY.search(before) or _ONE_OF_A_TRADE.search(before):
        score -= 2.5
    for sense in meaning:
        if sense in _BEFORE_WORD and (_BEFORE_WORD[sense].search(before) or _AFTER_WORD[sense].match(after)):
            score -= 3.0
    if meaning == _TOWN and _AT_TOWN.search(before):
        score -= 1.2
    if "food" not in meaning and _PRICED.match(after):
        score += 1.2
    if "people" in meaning and re.search(
        r"(?:普通|广大|社会|面向|适合|的|被|受|向|跟|和你|我|你|他|她|当|做)$", before
    ):
        score -= 1.5
    if "animal" in meaning and re.search(r"(?:骑|喂|养|捕|牵|看到|遇见|真的)$", before):
        score -= 2.0
    if re.match(r"(?:合资|合作|控股|收购|联名|代工|成立)", after):
        score += 2.0
    if "good" in meaning and before[-1:] in _lists()["degree"]:
        score -= 2.5
    if re.search(r"(?:就|直接|果断|要么|宁可)(?:上|买|选|入|用|定|冲)$", before):
        score += 1.0
    if re.search(r"(?:入手|换|选|买|推荐|品牌|国产|国货|旗下|如|例如|比如|像|去|上|找)$", before):
        score += 0.6
    return score


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
            if part in _lists()["food"] or part in _lists()["animal"]:
                return -1.0
            return 1.0 if word.tag.startswith(("nz", "nr", "nt", "ns")) else 0.0
    return 1.0
