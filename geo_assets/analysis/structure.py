"""The shape of an answer: headings, list items, table rows, printed numbers, with offsets into the original.

Here: what kind of line a place stands in and which number is printed there, for Markdown and for the forms that Chinese
answers use beside it (一、 （二） ① 第三名 TOP1 1️⃣). Not here: whether an item is a brand's (`rank`).

Why a line scanner and not the Markdown parser: markdown-it-py needs some 300 µs for 1,500 characters, several times the
whole budget of a reading, and sees none of the Chinese forms. It is the oracle of the tests instead: on the lists and
tables that Markdown knows, both must agree.
"""

import re
from bisect import bisect_left, bisect_right
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

    def column_at(self, offset: int) -> int | None:
        """Index of the cell that holds an offset."""
        return next((i for i, (a, b) in enumerate(self.cells) if a <= offset < b), None)


_CHINESE_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "首": 1}
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_DINGBATS = ("❶❷❸❹❺❻❼❽❾❿", "➀➁➂➃➄➅➆➇➈➉", "➊➋➌➍➎➏➐➑➒➓", "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽", "⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑")
_MEDALS = {"🥇": 1, "🥈": 2, "🥉": 3, "🔟": 10}
SINGLE_SIGNS = {c: n for row in (_CIRCLED, *_DINGBATS) for n, c in enumerate(row, 1)} | _MEDALS

_HAN = "[一二三四五六七八九十两]{1,3}"
_MARK = r"[\s*_]*"
_NUMBERED = re.compile(
    rf"""{_MARK}(?:
      (?P<single>[{"".join(SINGLE_SIGNS)}])
    | (?P<keycap>\d{{1,2}})\ufe0f?\u20e3
    | [（(](?P<paren>\d{{1,2}}|{_HAN})[)）][、.．]?
    | (?P<plain>\d{{1,3}})(?:\\?[.．](?!\d)|[)）、](?!\d)|[:：](?=\s|\D))
    | (?P<han>{_HAN})[、.．]
    | 第\s*(?P<di>\d{{1,3}}|{_HAN})\s*(?:名|位|款|个|家|台|选|推荐|顺位|品牌|件|种|部|站)?{_MARK}[】\]]?[:：、，,.\-—–]*
    | (?:top|no\.?|nº|rank|pick|choice|option|number|place)\s*[\#.]?\s*
      (?P<top>\d{{1,3}}|one|two|three|four|five)(?![\w%])
    | \#\s?(?P<hash>\d{{1,3}})(?![\w])
    | (?:推荐|选择|方案|品牌|选项|候选|备选|首推)\s*(?P<pick>\d{{1,2}}|{_HAN})(?=[\s*]*[:：、.．\-—])
    ){_MARK}[:：、.．)\-—–]*{_MARK}""",
    re.IGNORECASE | re.VERBOSE,
)
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})(?:[ \t]+|(?=[^#\s\d]))")
_SIGNS = "•·●○▪‣◦◆■✅❌✔✓✗❎🔸🔹👉➡▶★☆⭐"
_BULLET = re.compile(
    r"[ \t\u3000>]*(?:[-*+–—](?=[\s\u3000])|[-–—](?=[*_\[“「《]|[\u4e00-\u9fff])"
    rf"|[{_SIGNS}]\ufe0f?)"
    r"[ \t\u3000]*"
)
_OPENS_BULLET = frozenset(">-*+–—" + _SIGNS)
_NUMBER_WORD = re.compile(r"(?:top|no|nº|rank|pick|choice|option|number|place)[^a-z]", re.IGNORECASE)
_OPENS_NUMBER = frozenset(SINGLE_SIGNS) | frozenset("（(#零一二三四五六七八九十两第推选方品候备首")
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
    return SINGLE_SIGNS[value] if kind == "single" else chinese_number(value)


class Structure:
    """The lines of one answer."""

    __slots__ = ("_above", "_starts", "_titles", "lines", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: list[Line] = []
        self._titles: list[int] | None = None
        self._above: dict[int, list[Line]] = {}
        start = 0
        for body in text.split("\n"):
            self.lines.append(_line(body, start))
            start += len(body) + 1
        self._starts = [line.start for line in self.lines]
        if any(line.kind is LineKind.ROW for line in self.lines):
            _tables(text, self.lines)
        _blocks(self.lines)

    def index_at(self, offset: int) -> int:
        """Index of the line that holds an offset."""
        return max(bisect_right(self._starts, offset) - 1, 0)

    def line_at(self, offset: int) -> Line:
        """The line that holds an offset."""
        return self.lines[self.index_at(offset)]

    def block_of(self, line: Line) -> list[Line]:
        """The lines of the list or table that a line belongs to."""
        return [other for other in self.lines if other.block == line.block]

    def headings_above(self, index: int) -> list[Line]:
        """The headings that a line stands under, the nearest first.

        A short line of bold or with a colon at its end counts as the nearest heading of what follows it.
        """
        if self._titles is None:
            self._titles = [i for i, line in enumerate(self.lines) if _is_title(self.text, line)]
        count = bisect_left(self._titles, index)
        if count not in self._above:
            self._above[count] = _headings([self.lines[i] for i in self._titles[:count]])
        return self._above[count]


def _headings(titles: list[Line]) -> list[Line]:
    """Of the titles above a line those that it stands under, the nearest first."""
    found: list[Line] = []
    level = 7
    for line in reversed(titles):
        if line.kind is not LineKind.HEADING:
            if not found:
                found.append(line)
                level = 7 if line.kind is LineKind.TEXT else 6
        elif line.level < level:
            found.append(line)
            level = line.level
    return found


def _is_title(text: str, line: Line) -> bool:
    """Whether a line is a heading, or reads as one."""
    if line.kind is LineKind.TEXT or line.kind is LineKind.NUMBER:
        return _is_label(text, line)
    return line.kind is LineKind.HEADING


def _is_label(text: str, line: Line) -> bool:
    body = text[line.content : line.end].strip()
    return len(body) <= 60 and (
        (body.startswith("**") and body.rstrip(":： ").endswith("**"))
        or (body.endswith((":", "：")) and line.kind is LineKind.TEXT)
    )


def _line(body: str, start: int) -> Line:
    end = start + len(body)
    stripped = body and body.strip()
    if not stripped:
        return Line(start, end, LineKind.BLANK, end)
    first = stripped[0]
    indent = 0
    if first != body[0] or first == ">":
        margin = body[: len(body) - len(body.lstrip(" \t\u3000>"))]
        indent = len(margin) + margin.count("\t") * 3
    opens_word = first.isalpha() and first not in _OPENS_NUMBER
    if opens_word and "|" not in stripped and not _NUMBER_WORD.match(stripped):
        return Line(start, end, LineKind.TEXT, start, indent=indent)
    if first == "|" or (stripped.count("|") >= 2 and first not in "-*#"):
        return Line(start, end, LineKind.ROW, start, indent=indent, cells=_cells(body, start))
    if first in "-*_" and _RULE.match(body):
        return Line(start, end, LineKind.BLANK, end)
    at = 0
    level = 0
    if first == "#" and (match := _HEADING.match(body)):
        level = len(match[1])
        at = match.end()
    bullet = False
    if not level and first in _OPENS_BULLET and (match := _BULLET.match(body)):
        bullet = True
        at = match.end()
    number = None
    if match := _number(body, _lead(body, at)):
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
    return Line(start, end, kind, start + at, number=number, level=level, indent=indent)


def _number(body: str, at: int) -> re.Match[str] | None:
    """The printed number at an offset of a line."""
    opening = body[at : at + 1]
    if opening in _OPENS_NUMBER or opening.isdecimal() or (opening.isalpha() and _NUMBER_WORD.match(body, at)):
        return _NUMBERED.match(body, at)
    return None


_LEAD = re.compile(r"[\s>*_【\[]*")


_AFTER_EMOJI = re.compile(r"[\ufe0f\u200d\s*_]*")


def _lead(body: str, at: int) -> int:
    """Skip blanks, emphasis, block-quote marks and one emoji before a number."""
    match = _LEAD.match(body, at)
    at = match.end() if match else at
    if (
        at < len(body)
        and (body[at] > "\U0001f000" or "\u2600" <= body[at] <= "\u27bf")
        and body[at] not in SINGLE_SIGNS
    ):
        match = _AFTER_EMOJI.match(body, at + 1)
        at = match.end() if match else at + 1
    return at


def _cells(body: str, start: int) -> tuple[tuple[int, int], ...]:
    cells = []
    first, stop = 0, len(body)
    while first < stop and body[first] in " \t|\u3000":
        first += 1
        if body[first - 1] == "|":
            break
    while stop > first and body[stop - 1] in " \t":
        stop -= 1
    if stop > first and body[stop - 1] == "|" and body[stop - 2 : stop - 1] != "\\":
        stop -= 1
    at = first
    index = body.find("|", first, stop)
    while index >= 0:
        if index == 0 or body[index - 1] != "\\":
            cells.append((start + at, start + index))
            at = index + 1
        index = body.find("|", index + 1, stop)
    cells.append((start + at, start + stop))
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
        if line.kind is LineKind.HEADING or line.kind is LineKind.HEADER:
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
