"""Whether the letters of a Chinese name belong to words around it (最美|的, 包邮|政策), to a number or a foreign name.

Here: word borders, by the bundled word list. Not here: what a name that stands as a word of its own means.
"""

import re

from geo_assets.analysis.beside_zh import lists
from geo_assets.analysis.lexicon import chinese_words
from geo_assets.analysis.segmentation import crossing_gain

_GAIN = 2.0  # nats: in the labelled sets names that are meant stay below 1.2, letters across a border begin at 2.2
_REACH = 5  # characters on each side
_AFTER_DEGREE = frozenset("最很更真太挺好极超蛮够越不")
_WEAK_ENDS = frozenset("都也就才可还又再便太很最更")
_POSITIONS = frozenset("中上下里内外前后间时")
_NUMERALS = frozenset("一二两三四五六七八九十几数0123456789")
# Characters that mostly write foreign names: what they surround is a part of one.
_FOREIGN = frozenset(
    "阿埃艾安奥巴贝比波布查达戴德蒂丁多厄恩尔法菲费弗佛福盖格戈古哈海亨赫霍基吉加杰卡凯坎康考柯科克孔库拉莱赖兰朗劳勒雷里利"
    "莉连列林隆卢鲁路伦罗洛马玛迈曼梅蒙米密莫默姆穆那纳娜奈内尼涅努诺欧帕潘佩皮蓬普奇乔琼让萨塞桑瑟沙莎史施舒斯丝苏索塔泰汤"
    "唐特提图托瓦万维威韦沃乌武伍西希夏肖谢辛休雪雅亚扬耶伊因尤泽扎詹朱兹佐"
)
_OF_DEGREES = re.compile("电(?![子商脑影])|高温|左右|以[上下内]")
_FOREIGN_ENDS = frozenset("克斯尔姆娜蒂弗茨逊")
_LAST_RUN, _FIRST_RUN = re.compile("[\u4e00-\u9fff]*$"), re.compile("[\u4e00-\u9fff]*")


def crosses(name: str, before: str, after: str) -> bool:
    """Whether the name's letters do not stand for themselves. `before`, `after`: what stands around on its line."""
    return (
        _across_words(name, before, after)
        or _is_adjective(name, before)
        or _is_reading(name, before, after)
        or _is_led_by_position(name, before)
        or _is_doubled(name, before, after)
        or _ends_in_adverb(name, before, after)
        or _is_of_foreign_name(name, before, after)
    )


def _across_words(name: str, before: str, after: str) -> bool:
    """巴西|贝类 holds 西贝, 包邮|政策 邮政, 如|家庭 如家."""
    if _FIRST_RUN.fullmatch(name) is None:
        return False
    left, right = _LAST_RUN.search(before), _FIRST_RUN.match(after)
    head = left[0][-_REACH:] if left else ""
    run = head + name + (right[0][:_REACH] if right else "")
    return crossing_gain(run, len(head), len(head) + len(name)) >= _GAIN


def _is_adjective(name: str, before: str) -> bool:
    """最 + 美 + 的, 完美 + 的: a name that ends in 的, after an adverb of degree or the first half of an adjective."""
    if len(name) != 2 or name[1] != "的" or not before:
        return False
    if before[-1] in _AFTER_DEGREE:
        return True
    word = chinese_words().get(before[-1] + name[0])
    if word is None or word.frequency < 20:
        return False
    return before[-1] in lists()["degree"] or word.tag.startswith(("a", "z"))


def _is_led_by_position(name: str, before: str) -> bool:
    """市场中|移动 holds 中移动: the character closes the phrase before, and a word of its own follows."""
    if len(name) < 3 or name[0] not in _POSITIONS or name in chinese_words():
        return False
    rest, noun = chinese_words().get(name[1:]), chinese_words().get(before[-2:])
    return rest is not None and rest.frequency >= 500 and noun is not None and noun.tag.startswith("n")


def _is_doubled(name: str, before: str, after: str) -> bool:
    """一点点, 人气旺旺: a character that is doubled, after a number or, at the end of a clause, after a noun."""
    if len(name) != 2 or name[0] != name[1]:
        return False
    if before[-1:] in set("一几两"):
        return True
    noun = chinese_words().get(before[-2:])
    return noun is not None and noun.tag == "n" and (not after or after[0] in "，。！；")


def _ends_in_adverb(name: str, before: str, after: str) -> bool:
    """对方|太 + 忙 holds 方太: the first half ends a common word, the second is an adverb, and a word follows."""
    if len(name) != 2 or name[1] not in _WEAK_ENDS or name in chinese_words():
        return False
    word = chinese_words().get(before[-1:] + name[0])
    return word is not None and word.frequency >= 500 and after[:1] not in {"", *"的，。！？、；：）和与或家旗"}


def _is_reading(name: str, before: str, after: str) -> bool:
    """三|万里路, 百度|电 and 那|三棵树 count something, 偏|爱家 is a verb and its object."""
    if name[0] in _NUMERALS and name[-1] in "号日月点" and before[-1:] in set("月十百第廿初年0123456789"):
        return True
    if name[0] in _NUMERALS and before[-1:] in {"那", "这"}:
        return True
    if name[0] in "百千万亿十" and (before[-1:] in _NUMERALS or (name[-1] == "度" and _OF_DEGREES.match(after))):
        return True
    return name[0] in "喜爱好" and before[-1:] in set("独偏最不都也只更") and len(name) == 2


def _is_of_foreign_name(name: str, before: str, after: str) -> bool:
    """克劳|迪奥 is a composer, 亨利·福特 a founder, 泰米尔纳|德邦 a state: foreign names go on around the name."""
    if before[-1:] == "·" and len(before) > 3 and _FOREIGN.issuperset(before[-4:-1]):
        return True  # 亚伯拉罕·林肯
    if after[:1] == "·" and len(after) > 3 and _FOREIGN.issuperset(after[1:4]):
        return True  # 山姆·布朗巴克
    if _FOREIGN.issuperset(name) and after[:1] in _FOREIGN_ENDS and not _begins_word(after):
        return True  # 索尼|克
    lead = before[-2:]
    if len(lead) < 2 or not _FOREIGN.issuperset(lead) or not _FOREIGN.issuperset(name[:1]):
        return False
    found = [chinese_words().get(before[-size:]) for size in (2, 3, 4)]
    ordinary = any(word is not None and not word.tag.startswith(("nr", "ns")) for word in found)
    return not ordinary and (_FOREIGN.issuperset(name) or name[-1] in "邦州省郡")


def _begins_word(text: str) -> bool:
    return any(text[:size] in chinese_words() for size in (2, 3, 4))
