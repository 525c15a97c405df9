"""The shape of an answer: headings, list items, table rows, printed numbers, with offsets into the original.

Here: what kind of line a place stands in and which number is printed there, for Markdown and for the forms that Chinese
answers use beside it (一、 （二） ① 第三名 TOP1 1️⃣). Not here: whether an item is a brand's (`rank`).

Why a line scanner and not the Markdown parser: markdown-it-py needs some 300 µs for 1,500 characters, several times the
whole budget of a reading, and sees none of the Chinese forms. It is the oracle of the tests instead: on the lists and
tables that Markdown knows, both must agree.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class LineKind(StrEnum):
    """What a line is."""

    TEXT = "text"
    HEADING = "heading"
    NUMBER = "number"
    BULLET = "bullet"
    ROW = "row"
    HEADER = "header"
    BLANK = "blank"


@dataclass(slots=True)
class Line:
    """One line: half-open offsets of the whole and of its content after the marker.

    `number`: the printed number. `level`: heading level 1..6, 0 otherwise. `indent`: columns before the marker.
    `block`: lines of one list or table share it. `place`: 1-based place among the items of its block at its own level.
    `size`: number of such items. `cells`: offsets of a table row's cells.
    """

    start: int
    end: int
    kind: LineKind
    content: int
    number: int | None = None
    level: int = 0
    indent: int = 0
    block: int = -1
    place: int | None = None
    size: int = 0
    parent: int | None = None
    cells: tuple[tuple[int, int], ...] = ()


_CHINESE_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "首": 1}
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_DINGBATS = ("❶❷❸❹❺❻❼❽❾❿", "➀➁➂➃➄➅➆➇➈➉", "➊➋➌➍➎➏➐➑➒➓", "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽", "⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑")
_MEDALS = {"🥇": 1, "🥈": 2, "🥉": 3, "🔟": 10}
_SINGLE = {c: n for row in (_CIRCLED, *_DINGBATS) for n, c in enumerate(row, 1)} | _MEDALS

_HAN = "[一二三四五六七八九十两]{1,3}"
_MARK = r"[\s*_]*"
_NUMBERED = re.compile(
    rf"""{_MARK}(?:
      (?P<single>[{"".join(_SINGLE)}])
    | (?P<keycap>\d{{1,2}})\ufe0f?\u20e3
    | [（(](?P<paren>\d{{1,2}}|{_HAN})[)）][、.．]?
    | (?P<plain>\d{{1,3}})(?:\\?[.．](?!\d)|[)）、](?!\d)|[:：](?=\s|\D))
    | (?P<han>{_HAN})[、.．]
    | 第\s*(?P<di>\d{{1,3}}|{_HAN})\s*(?:名|位|款|个|家|台|选|推荐|顺位|品牌|件|种|部|站)?{_MARK}[:：、，,.\-—–]*
    | (?:top|no\.?|nº|rank|pick|choice|option|number|place)\s*[\#.]?\s*
      (?P<top>\d{{1,3}}|one|two|three|four|five)(?![\w%])
    | \#\s?(?P<hash>\d{{1,3}})(?![\w])
    | (?:推荐|选择|方案|品牌|选项|候选|备选|首推)\s*(?P<pick>\d{{1,2}}|{_HAN})(?=[\s*]*[:：、.．\-—])
    ){_MARK}[:：、.．)\-—–]*{_MARK}""",
    re.IGNORECASE | re.VERBOSE,
)
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})(?:[ \t]+|(?=[^#\s\d]))")
_BULLET = re.compile(
    r"[ \t\u3000>]*(?:[-*+–—](?=[\s\u3000])|[-–—](?=[*_\[“「《]|[\u4e00-\u9fff])"
    r"|[•·●○▪‣◦◆■✅❌✔✓✗❎🔸🔹👉➡▶★☆⭐]\ufe0f?)"
    r"[ \t\u3000]*"
)
_MAY_NUMBER = frozenset("零一二三四五六七八九十两第推选方品候备首TtNnRrPpCcOo")  # may open a printed number
_RULE = re.compile(r"[ \t]*(?:[-*_][ \t]*){3,}$")
_DELIMITER = re.compile(r"[ \t|:-]*-[ \t|:-]*$")
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def chinese_number(text: str) -> int | None:
    """一 to 九十九, or digits."""
    if text.isdigit():
        return int(text)
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    tens, mark, ones = text.partition("十")
    if not mark:
        return _CHINESE_DIGITS.get(text) if len(text) == 1 else None
    return (_CHINESE_DIGITS.get(tens, 1) if tens else 1) * 10 + (_CHINESE_DIGITS.get(ones, 0) if ones else 0)


def _printed_number(match: re.Match[str]) -> int | None:
    groups = {key: value for key, value in match.groupdict().items() if value}
    kind, value = next(iter(groups.items()))
    return _SINGLE[value] if kind == "single" else chinese_number(value)


class Structure:
    """The lines of one answer."""

    __slots__ = ("_starts", "lines", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = [_line(text, start, end) for start, end in _line_offsets(text)]
        self._starts = [line.start for line in self.lines]
        _tables(text, self.lines)
        _blocks(self.lines)

    def index_at(self, offset: int) -> int:
        """Index of the line that holds an offset."""
        low, high = 0, len(self._starts)
        while low < high:
            middle = (low + high) // 2
            if self._starts[middle] <= offset:
                low = middle + 1
            else:
                high = middle
        return max(low - 1, 0)

    def line_at(self, offset: int) -> Line:
        """The line that holds an offset."""
        return self.lines[self.index_at(offset)]

    def headings_above(self, index: int) -> list[Line]:
        """The headings that a line stands under, the nearest first.

        A short line of bold or with a colon at its end counts as the nearest heading of what follows it.
        """
        found: list[Line] = []
        level = 7
        for line in reversed(self.lines[:index]):
            if line.kind is LineKind.HEADING and line.level < level:
                found.append(line)
                level = line.level
            elif (
                not found
                and level == 7
                and line.kind in {LineKind.TEXT, LineKind.NUMBER}
                and _is_label(self.text, line)
            ):
                found.append(line)
                level = 7 if line.kind is LineKind.TEXT else 6
        return found


def _is_label(text: str, line: Line) -> bool:
    body = text[line.content : line.end].strip()
    return len(body) <= 60 and (
        (body.startswith("**") and body.rstrip(":： ").endswith("**"))
        or (body.endswith((":", "：")) and line.kind is LineKind.TEXT)
    )


def _line_offsets(text: str) -> list[tuple[int, int]]:
    offsets = []
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        if end < 0:
            end = len(text)
        offsets.append((start, end))
        start = end + 1
    return offsets


def _line(text: str, start: int, end: int) -> Line:
    body = text[start:end]
    stripped = body.strip()
    if not stripped:
        return Line(start, end, LineKind.BLANK, end)
    if stripped[0].isalpha() and stripped[0] not in _MAY_NUMBER and "|" not in stripped:
        return Line(start, end, LineKind.TEXT, start, indent=body.find(stripped[0]))
    indent = len(body) - len(body.lstrip(" \t\u3000>")) + body.count("\t") * 3
    if stripped.startswith("|") or (stripped.count("|") >= 2 and not stripped.startswith(("-", "*", "#"))):
        return Line(start, end, LineKind.ROW, start, indent=indent, cells=_cells(text, start, end))
    if _RULE.match(body):
        return Line(start, end, LineKind.BLANK, end)
    at = start
    level = 0
    if match := _HEADING.match(body):
        level = len(match[1])
        at += match.end()
    bullet = False
    if not level and (match := _BULLET.match(body)):
        bullet = True
        at += match.end()
    lead = _lead(text, at, end)
    number = None
    if match := _NUMBERED.match(text, lead, end):
        number = None if level and match["single"] in _MEDALS else _printed_number(match)
        if number is not None:
            at = match.end()
    kind = (
        LineKind.HEADING
        if level
        else LineKind.NUMBER
        if number is not None
        else LineKind.BULLET
        if bullet
        else LineKind.TEXT
    )
    return Line(start, end, kind, at, number=number, level=level, indent=indent)


_LEAD = re.compile(r"[\s>*_【\[]*")


def _lead(text: str, at: int, end: int) -> int:
    """Skip blanks, emphasis, block-quote marks and one emoji before a number."""
    match = _LEAD.match(text, at, end)
    at = match.end() if match else at
    if at < end and (text[at] > "\U0001f000" or "\u2600" <= text[at] <= "\u27bf") and text[at] not in _SINGLE:
        at += 1
        match = re.compile(r"[\ufe0f\u200d\s*_]*").match(text, at, end)
        at = match.end() if match else at
    return at


def _cells(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    cells = []
    first, last = start, end
    while first < last and text[first] in " \t|\u3000":
        first += 1
        if text[first - 1] == "|":
            break
    stop = end
    while stop > first and text[stop - 1] in " \t":
        stop -= 1
    if stop > first and text[stop - 1] == "|" and text[stop - 2 : stop - 1] != "\\":
        stop -= 1
    at = first
    for index in range(first, stop):
        if text[index] == "|" and text[index - 1] != "\\":
            cells.append((at, index))
            at = index + 1
    cells.append((at, stop))
    return tuple(cells)


def _tables(text: str, lines: list[Line]) -> None:
    """Tell a table's header and delimiter from its rows."""
    for index, line in enumerate(lines):
        if line.kind is LineKind.ROW and _DELIMITER.match(text[line.start : line.end]):
            line.kind = LineKind.BLANK
            line.block = -2
            if index and lines[index - 1].kind is LineKind.ROW:
                lines[index - 1].kind = LineKind.HEADER


def _blocks(lines: list[Line]) -> None:
    """Give the items of one list or table a block, their place in it, and their parent item.

    A list goes on over blank and indented lines; it ends at a heading, at a line of text at its own indent after a
    blank line, and where the kind of item changes at the same level.
    """
    block = 0
    open_items: list[tuple[int, LineKind, int, int]] = []  # indent, kind, block, line index
    counts: dict[int, int] = {}
    blank = False
    for index, line in enumerate(lines):
        if line.kind is LineKind.BLANK:
            blank = blank or line.block != -2
            continue
        if line.kind in {LineKind.HEADING, LineKind.HEADER}:
            open_items.clear()
            block += 1
            line.block = block
            if line.kind is LineKind.HEADER:
                open_items.append((line.indent, LineKind.ROW, block, index))
        elif line.kind is LineKind.TEXT:
            while open_items and line.indent <= open_items[-1][0] and (blank or open_items[-1][1] is LineKind.ROW):
                open_items.pop()
        else:
            while open_items and (
                line.indent < open_items[-1][0]
                or (
                    line.indent == open_items[-1][0]
                    and line.kind is not open_items[-1][1]
                    and not _nests(open_items[-1][1], line.kind)
                )
            ):
                open_items.pop()
            top = open_items[-1] if open_items else None
            if top is None or (line.indent > top[0] + 1 and line.kind is not LineKind.ROW) or line.kind is not top[1]:
                block += 1
                line.parent = top[3] if top else None
                open_items.append((line.indent, line.kind, block, index))
            else:
                line.parent = lines[top[3]].parent if lines[top[3]].kind is not LineKind.HEADER else None
            line.block = open_items[-1][2]
            counts[line.block] = counts.get(line.block, 0) + 1
            line.place = counts[line.block]
        blank = False
    for line in lines:
        line.size = counts.get(line.block, 0)


def _nests(outer: LineKind, inner: LineKind) -> bool:
    """A bullet below a number at the same indent is its sub-item."""
    return outer is LineKind.NUMBER and inner is LineKind.BULLET
