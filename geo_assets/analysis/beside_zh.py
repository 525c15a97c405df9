"""What stands right before and right after a Chinese name that is also a word, and what that says about its meaning.

Here: cues of a few characters, each with a weight: above 0 for the brand, below 0 for the word. Not here: the rest of
the sentence and the words of the market (`ambiguity_zh`).
"""

import re
from typing import NamedTuple

from geo_assets.analysis.edges import is_cjk
from geo_assets.analysis.lexicon import chinese_words, sections


class Cue(NamedTuple):
    """A pattern right before (it ends with `$`) or right after a name, its weight, and the senses that it speaks of.

    No senses: any. `unless`: the sense in which the cue says nothing.
    """

    pattern: re.Pattern[str]
    weight: float
    senses: frozenset[str] = frozenset()
    unless: str = ""


def _cue(pattern: str, weight: float, *senses: str, unless: str = "") -> Cue:
    return Cue(re.compile(pattern), weight, frozenset(senses), unless)


_CUES_BEFORE = (
    _cue(
        r"[一二两三四五六七八九十几半数每\d]\s*(?:个|颗|只|斤|公斤|克|千克|把|勺|碗|杯|片|块|箱|袋|粒|头|群|匹|条|株|棵|筐|种(?=苹|小))$",
        -3.0,
    ),
    _cue(r"(?:勾起|引起|激发|激起|引发|满足|充满|出于|保持|唤起|怀着)[^，。；！？]{0,6}$", -3.0),
    _cue(r"(?:高铁|火车|飞机|动车|大巴|自驾|开车|航班|缆车|轮渡)[^，。；！？]{0,3}(?:去|到|回|直达)$", -2.5),
    _cue(r"(?:职场|行业|理财|驾驶|职业|资深|一名|一位|[这那]位|著名|退休|驻外|前任)$", -2.5),
    _cue(
        r"(?<![现正存实所])在$|(?<![过失])去$|(?<![买喝找看收想用提说遇拿抢轮])到$|从$|(?<![买退])回$",
        -1.2,
        "town",
    ),
    _cue(r"(?:普通|广大|社会|面向|适合|的|被|受|向|跟|和你|我|你|他|她|当|做)$", -1.5, "people"),
    _cue(r"(?:骑|喂|养|捕|牵|看到|遇见|真的)$", -2.0, "animal"),
    _cue(r"(?:就|直接|果断|要么|宁可)(?:上|买|选|入|用|定|冲)$", 1.0),
    _cue(r"(?:认准|锁定|首选|优选|看好|力推|力荐|种草|安利|购买|采购|选用)$", 1.5),
    _cue(r"(?:我|就|还是|更|必|都)(?:站|押|投|挺|认|pick)$", 2.0),
    _cue(r"(?:入手|换|选|买|推荐|品牌|国产|国货|旗下|如|例如|比如|像|去|上|找)$", 0.6),
)
_CUES_AFTER = (
    _cue(r"(?:之)?[中里下][，。；、]", -1.5, "thing", "word", "verb", "good"),
    _cue(r"(?:两人|俩|二人|三人|几个|们(?!的)|姐妹|之间|情深|关系|合伙|分家|吵架)", -2.5, "people"),
    _cue(r"[”」』’\"]?\s?(?:指的?是|是指|的?意思是|意为|原意|本意)", -1.2),
    # Said of goods on a shelf: 雪花最便宜. Of a fruit it would be no sign of a brand.
    _cue(r"(?:也|都|就|还是|算)?(?:最|更|挺|比较|很|相对|不)?(?:便宜|划算|实惠|贵(?![州阳宾]))", 1.2, unless="food"),
    _cue(r"(?:也|都|就|还是|算)?(?:最|更|挺|比较|很)(?:省事|省心|靠谱|稳妥|方便)", 1.2),
    _cue(r"(?:合资|合作|控股|收购|联名|代工|成立)", 2.0),
    _cue(r"(?:签(?!到|名|字|证)|续签|解约)", 1.2),
    _cue(r"的?[^，。；！？、的\s]{1,6}(?:款|系列|版|型号|套装|金装|礼盒|限定)(?!权|图|本|面|主)", 1.5),
    _cue(r"[：:]", 0.7),
    _cue(r"上(?:买|订|点|看|搜|找|卖|下单|挂|约|查|领|抢)", 1.5, "trade"),
)
_DISPROOF = -3.0  # weight of what the two tables below hold

# What stands right before and right after a word of one kind, where it is no name.
_BEFORE = {
    "geo": re.compile(r"(?:跨|横跨|横渡|飞越|跨越|环|南|北|沿着?|游|登|爬|去过?|横穿|位于|流经|漂过)$"),
    "trait": re.compile(r"(?:很|特别|最|比较|更|他|她|丈夫|老公|男人|又|都|挺|不|太)$"),
    "amount": re.compile(
        r"(?:分钟|小时|[元块天年岁米斤度点个人月周里号万千百%]|公里|公斤|了|再|加|降|减|少|多|差|有|只|那么|就|这么|还|早|慢|轻|高|低|晚|好|快|慢|大|小|每天|吃|放|来|给|出|透|倒|挪|改|不|是)$"
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
_AFTER = {
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


def lists() -> dict[str, frozenset[str]]:
    """The words of `homonyms_zh.txt` by the title of their list."""
    return sections("homonyms_zh.txt")


def beside(name: str, before: str, after: str, meaning: tuple[str, ...]) -> float:
    """The sum of the evidence in the characters right before and after a name with the given senses."""
    score = _product_after(after, name_ends_de=name.endswith("的"))
    for cues, text, found in ((_CUES_BEFORE, before, re.Pattern.search), (_CUES_AFTER, after, re.Pattern.match)):
        for cue in cues:
            speaks = (not cue.senses or not cue.senses.isdisjoint(meaning)) and cue.unless not in meaning
            if speaks and found(cue.pattern, text):
                score += cue.weight
    for sense in meaning:
        if sense in _BEFORE and (_BEFORE[sense].search(before) or _AFTER[sense].match(after)):
            score += _DISPROOF
    if re.search(r"对[^，。；！？的]{1,8}$", before) and (not after or after[0] in "，。；！？"):
        score -= 1.5  # 对昆虫好奇
    if "verb" in meaning or "word" in meaning:
        score += _verb_evidence(name, before, after, meaning)
    if (
        before[-1:] == "的"
        and (not after or after[0] in "，。；！？")
        and {"verb", "word", "good", "thing"} & set(meaning)
    ):
        score -= 1.5  # 冬至那天的思念，
    if after.startswith(tuple(lists()["abstract after"])):
        score -= 1.5  # 现代生活
    if (
        (word := chinese_words().get(name))
        and word.tag.startswith("a")
        and after[:1] == "的"
        and is_cjk(before[-1:] or " ")
    ):
        score -= 1.5  # 可靠的指南
    if word and word.tag == "d" and after[:1] in set("也就会要不能都得是而"):
        score -= 2.0  # 自然也就
    return score + _after_degree(name, before, after, meaning)


def _after_degree(name: str, before: str, after: str, meaning: tuple[str, ...]) -> float:
    """最得力的帮手, 很美好: an adverb of degree makes an adjective of what follows it."""
    if before[-1:] not in lists()["degree"]:
        return 0.0
    word = chinese_words().get(name)
    said_of = word is not None and word.tag.startswith(("a", "z")) and (not after or after[0] in "，。；！？")
    return (_DISPROOF if said_of or after[:1] in {"的", "地"} else 0.0) - (2.5 if "good" in meaning else 0.0)


def _product_after(after: str, *, name_ends_de: bool) -> float:
    """What a company's or a product's name is followed by."""
    tails, near = lists()["brand tail"], lists()["brand near"]
    score = 0.0
    if (
        any(after.startswith(t) for t in tails)
        or re.match(r"\s?[A-Za-z0-9]", after)
        or re.match(r"[（(]\s*[A-Z]", after)
    ):
        score += 3.0
    elif re.match(r"的\s?[A-Za-z]", after):
        score += 2.5
    elif after.startswith("的") and any(after[1:].startswith(t) for t in tails | near):
        score += 2.0
    if after.startswith("的的") or (after.startswith("的") and name_ends_de):
        score += 2.5
    return score


_AFTER_VERBISH = re.compile(
    r"(?:到|起|一下|出|标准|管理|规格|口径|采购|安排|发放|着装|收|配|调|编|为(?!什)|成|了(?!解))"
)
_BEFORE_VERBISH = re.compile(
    r"(?:让人|使人|令人|不禁|容易|自由|产生|引发|会|要|需|需要|必须|应|应该|可以|能|进行|由|尽量|全国|保持|再|并|的)$"
)


def _is_verb(name: str) -> bool:
    word = chinese_words().get(name)
    return word is not None and word.tag.startswith("v")


def _verb_evidence(name: str, before: str, after: str, meaning: tuple[str, ...]) -> float:
    """What speaks against a name that is also a verb, or a word that another word follows."""
    score = 0.0
    word = chinese_words().get(after[:2])
    if word is not None and word.tag.startswith(("v", "a")) and after[:2] not in lists()["brand tail"]:
        score -= 1.2
    if "word" in meaning and re.match(r"[被着过]", after):
        score -= 1.5
    if (
        "word" in meaning
        and not _is_verb(name)
        and word is not None
        and word.tag == "n"
        and after[:2] not in lists()["brand tail"] | lists()["brand near"]
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
            and after[:2] not in lists()["brand tail"] | lists()["brand near"]
        ):
            score -= 1.0
    return score
