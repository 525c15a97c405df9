"""A brand's place in a list: the printed number, the place among bullets or rows, or an ordinal word in prose.

Here: whether the item is the brand's own (the name belongs to the item's head, not to a remark in it) and which place
that is. Not here: `tracked_rank`, which is the order of first mention (`mentions`).
"""

import re

from geo_assets.analysis.structure import SINGLE_SIGNS, Line, LineKind, Structure, chinese_number

_AWARD = re.compile(
    r"最|首选|之选|推荐|佳|适合|预算|入门|旗舰|性价比|高端|平价|冠军|亚军|季军|名|优选|人气|口碑|品牌|产品|型号|店"
    r"|\b(?:best|top|runner|budget|premium|pick(?!-)|choice|value|overall|for|winner|great|most|cheapest|brand|model)\b"
    r"|\b(?:product|also)\b",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"(?:适合|适用)(?:人群|谁|对象)?\s*\**$|(?:推荐)?理由|\b(?:best|good|great|ideal|perfect|recommended)\s+(?:for|if)\W*$",
    re.IGNORECASE,
)
_BILINGUAL = re.compile(r"^[\u4e00-\u9fff][\u4e00-\u9fffA-Za-z0-9 ：:·]{0,20}（$")
_BOLD_LABEL = re.compile(r"(?:[^*\n]+:\s?\*\*|[^*\n]+\*\*\s?:)\s*\*\*")  # **High-end:** **Name
_NAME_COLUMN = re.compile(
    r"品牌|产品|型号|名称|店|机型|车型|公司|平台|软件|工具|应用|推荐|商家|酒店|款|服务商|厂商|保险|银行|方案"
    r"|\b(?:brand|product|model|name|tool|app|service|company|store|shop|pick|option|provider|platform|software|hotel|"
    r"retailer|headphones?|phone|car|choice|item)s?\b",
    re.IGNORECASE,
)
_RANK_COLUMN = re.compile(
    r"排名|名次|次序|位次|序号|排序|顺序|^[\s*#]*(?:#|no\.?|rank|place|position|nr\.?|№|编号)[\s*]*$", re.IGNORECASE
)
_FEATURES = re.compile(
    r"(?:(?<![可供以])参考(?:资料|文献|来源)?|来源|引用|延伸阅读|资料|为什么|为何|优点|缺点|特点|亮点|功能|支持|兼容|配件"
    r"|特性|理由|原因|因素|步骤|要点|看.{0,2}点"
    r"|[一二两三四五六几\d]\s?点|注意|维度|标准|适合人群|方法|技巧)[^\n]{0,6}[:：]?\s*$"
    r"|\b(?:sources?|references|further reading|citations|features?|pros|cons|highlights?|works with|compatible with|"
    r"supports?|specs|steps?|tips|how to|criteria|factors?|"
    r"reasons?|why|what to (?:check|look)|includes?|integrations?)\b[^\n]{0,20}:?\s*$",
    re.IGNORECASE,
)
_HEAD_END = re.compile(r"[：:—–(（,，;；。!！?？|]|\s-\s|\s[-–—]|\*\*\s*$|\.(?=\s|$)")
_LEAD_WORDS = re.compile(
    r"(?:[\s*_\[\"“「【《~`#>（(]|[\u2190-\u2bff\ufe0f\u200d]|[\U0001f000-\U0001faff]|the\b|a\b|an\b|try\b|get\b|推荐|首选|品牌|选择)*",
    re.IGNORECASE,
)
_ORDINAL_WORD = re.compile(
    r"(?P<zh>第[一二三四五六七八九十\d]{1,2}(?:名|位|档|梯队|志愿|优先|选择|顺位|推荐|款|家|个)?|头一个|首先|首选|首推|其次|次选|再次|再者|最后"
    r"|接着|然后)|#\s?\d{1,2}(?!\d)|\b(?P<en>first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|fifth|then|next|finally"
    r"|last(?:ly)?|number\s+(?:one|two|three|four)|no\.\s?\d)\b",
    re.IGNORECASE,
)
_ORDINAL_HINTS = (
    "第", "首", "其次", "次选", "再", "最后", "接着", "然后", "#", "no.", "number", "头一",
    "first", "second", "third", "fourth", "fifth", "then", "next", "final", "last",
)  # fmt: skip  # one of these, in lower case, is in every ordinal word
_ORDINAL_VALUE = {
    "头一个": 1, "首先": 1, "首选": 1, "首推": 1, "其次": 2, "次选": 2, "再次": 3, "再者": 3,
    "first": 1, "firstly": 1, "second": 2, "secondly": 2, "third": 3, "thirdly": 3, "fourth": 4, "fifth": 5,
}  # fmt: skip
_FILLER = re.compile(
    r"(?:\s|\*|[,，:：—–-]|才?轮到|应?该?是|为|推荐|要?数|考虑|可?选|当属"
    r"|我选|会选|则?是|看好|属于|才是|就是|comes?|is|would be|goes to|place"
    r"|choice|pick|the|i['’]d\s+(?:put|pick|say|go with)|my|on (?:my|the) list|in line|of all|up|try|consider|by"
    r"|选择|名|位|顺位|[“\"「《])*",
    re.IGNORECASE,
)


def list_rank(structure: Structure, start: int, end: int) -> int | None:
    """The place of the item that a name at the given offsets heads, or None where it heads no item."""
    text = structure.text
    index = structure.index_at(start)
    line = structure.lines[index]
    if line.kind is LineKind.ROW:
        return _row_rank(structure, index, start)
    if line.kind is LineKind.HEADER:
        return None
    if line.kind is not LineKind.TEXT and heads_item(text, line, start, end):
        if line.number is not None:
            return None if lists_features(structure, index, line) else line.number
        if (
            line.kind is LineKind.BULLET
            and line.size >= 2
            and line.parent is None
            and not lists_features(structure, index, line)
        ):
            return line.place
    return None


def heads_item(text: str, line: Line, start: int, end: int) -> bool:
    """Whether the name at `start` belongs to the name of the line's item."""
    at = line.content
    match = _LEAD_WORDS.match(text, at, start)
    at = match.end() if match else at
    before = text[at:start]
    if not before.strip(" *_[`"):
        return not _is_remark(text[end : line.end])
    if _BILINGUAL.search(before) and "）" in text[end : min(end + 40, line.end)]:
        return True  # 剑灵（Blade & Soul）
    label, colon, rest = before.replace("：", ":").rpartition(":")
    if colon:
        awarded = _AWARD.search(label) or _BOLD_LABEL.fullmatch(before)
        if not awarded or len(label) > 40 or _ATTRIBUTE.search(label) or _FEATURES.search(label.strip(" *")):
            return False
        before = rest
        if not before.strip(" *_[`"):
            return True
    if _HEAD_END.search(before):
        return False
    words = before.split()
    if before.isascii() or not re.search("[\u4e00-\u9fff]", before):
        rivals = re.split(r"\s(?:/|or|and)\s", f"{before.rstrip()} ")  # Tubi / Pluto TV / Crackle
        return all(len(rival.split()) <= 3 for rival in rivals) and all(
            word.strip("*_[&")[:1].isupper() or word.strip("*_[&")[:1].isdigit() or word in {"&", "/", "or", "and"}
            for word in words
        )
    return len(before.strip(" *_")) <= 4 and not re.search(
        "[在到把用去从先让给对和与或跟被打开看找问联系如比像有无是的了取每洗换装擦插按放拆拧再]", before
    )


def _is_remark(rest: str) -> bool:
    """Whether a line that begins with the name goes on as a remark about it, such as X 的模板多，但…."""
    if re.match(r"\s*(?:官网|客服|门店)", rest):
        return True
    return (
        bool(re.match(r"\s?的", rest))
        and bool(re.search(r"[，,。；;]", rest))
        and not re.match(r"[^，,。；;]{0,14}[：:—–(（*]", rest)
    )


def lists_features(structure: Structure, index: int, line: Line) -> bool:
    """Whether the lines just above announce features, reasons or steps rather than picks."""
    first = index
    while first > 0:
        above = structure.lines[first - 1]
        if not (above.kind is LineKind.BLANK or above.block == line.block or above.indent > line.indent):
            break
        if above.kind in {LineKind.HEADING, LineKind.HEADER}:
            break
        first -= 1
    if first == 0:
        return False
    above = structure.lines[first - 1]
    body = structure.text[above.start : above.end].replace("*", "").strip()
    return bool(_FEATURES.search(body)) and not re.search(r"推荐|排行|榜|recommend|picks|best", body, re.IGNORECASE)


def _row_rank(structure: Structure, index: int, start: int) -> int | None:
    text = structure.text
    line = structure.lines[index]
    rows = structure.block_of(line)
    header = rows[0] if rows[0].kind is LineKind.HEADER else None
    titles = [text[a:b].strip(" *") for a, b in header.cells] if header else []
    column = line.column_at(start)
    if column is None:
        return None
    ranks = next((i for i, title in enumerate(titles) if _RANK_COLUMN.search(title)), None)
    if ranks is None and titles and column > 0 and _only_numbers(text, rows[1:], 0):
        ranks = 0
    named = column < len(titles) and bool(_NAME_COLUMN.search(titles[column]))
    own = column == 0 or (ranks == 0 and column == 1) or (named and column <= 2)
    if not own or not _heads_cell(text, line.cells[column], start):
        return None
    if ranks is not None and ranks != column and ranks < len(line.cells):
        a, b = line.cells[ranks]
        printed = re.search(r"\d+|[一二三四五六七八九十]+", text[a:b])
        sign = next((SINGLE_SIGNS[char] for char in text[a:b] if char in SINGLE_SIGNS), None)
        return sign or (chinese_number(printed[0]) if printed else None)
    if line.size < 2:
        return None
    return line.place


def _only_numbers(text: str, rows: list[Line], column: int) -> bool:
    cells = [text[a:b].strip(" *") for row in rows if len(row.cells) > column for a, b in [row.cells[column]]]
    return bool(cells) and all(
        cell in SINGLE_SIGNS or re.fullmatch(r"(?:第|no\.?|top|#)?\s*\d{1,2}\s*(?:名|位)?", cell, re.IGNORECASE)
        for cell in cells
    )


def _heads_cell(text: str, cell: tuple[int, int], start: int) -> bool:
    before = text[cell[0] : start].strip(" *_[`")
    return not before or (len(before.split()) <= 3 and not _HEAD_END.search(before) and len(before) <= 24)


def prose_rank(structure: Structure, start: int, end: int) -> int | None:
    """The place given by an ordinal word beside a name, where at least two such words run through the line."""
    text = structure.text
    line = structure.line_at(start)
    if line.kind is LineKind.ROW:
        return None
    if (placed := _placed_after(text, line, end)) is not None:
        return placed
    lead = text[max(line.start, start - 40) : start].lower()
    if not any([hint in lead for hint in _ORDINAL_HINTS]):  # noqa: C419 a generator costs more than the tests
        return None
    if not _ORDINAL_WORD.search(text, max(line.start, start - 40), start):
        return None
    marks = list(_ORDINAL_WORD.finditer(text, line.start, line.end))
    if len(marks) < 2 or not any(_value(m[0]) == 1 for m in marks):
        return None
    count = 0
    for mark in marks:
        value = _value(mark[0])
        count = value if value is not None else count + 1
        if (
            mark["en"]
            and text[mark.end() : mark.end() + 1] == ","
            and not _OPENS.search(text, line.start, mark.start())
        ):
            continue  # `balances first, X …`: the word closes what stands before it
        if mark.end() <= start and (m := _FILLER.match(text, mark.end(), start)) and m.end() == start:
            return count
    return None


_OPENS = re.compile(r"(?:^|[.,;:!?—–\n-]|\b(?:and|then|but))[\s*_]*$", re.IGNORECASE)
_PLACED_AFTER = re.compile(
    r"(?:['’]s)?\s*(?:\b(?:takes?|gets?|comes?(?: in)?|is|in|at|would be|places?|lands?|finishes?"
    r"|holds?)\s+)?(?:the\s+)?"
    r"(first|second|third|fourth|fifth)(?:\s+(?:place|spot))?\s*(?:[,.;:]|and\b|$)",
    re.IGNORECASE,
)


def _placed_after(text: str, line: Line, end: int) -> int | None:
    """The place that stands behind a name: A first, B second and C third; at least two such in the line."""
    mark = _PLACED_AFTER.match(text, end, line.end)
    if mark is None:
        return None
    places = {_value(match[1]) for match in _PLACED_AFTER.finditer(text, line.start, line.end)}
    return _value(mark[1]) if {1, 2} <= places else None


def _value(word: str) -> int | None:
    word = word.lower()
    if word in _ORDINAL_VALUE:
        return _ORDINAL_VALUE[word]
    if match := re.search(r"(?:第|#\s?|no\.\s?)([一二三四五六七八九十]{1,2}|\d{1,2})", word):
        return chinese_number(match[1])
    return {"one": 1, "two": 2, "three": 3, "four": 4}.get(word.split()[-1])
