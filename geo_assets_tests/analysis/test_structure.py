"""Lines, lists and tables: the Chinese forms, and agreement with a Markdown parser on those that Markdown knows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from geo_assets.analysis.structure import LineKind, Structure, chinese_number


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("1. 甲", 1),
        ("2) B", 2),
        ("3、丙", 3),
        ("四、丁", 4),
        ("（五）戊", 5),
        ("⑥ 己", 6),
        ("7️⃣ G", 7),
        ("**TOP8：辛**", 8),
        ("No. 9 – I", 9),
        ("第 10 名：癸", 10),
        ("### 11. K", 11),
        ("推荐二：乙", 2),
        ("🥈 B", 2),
        ("#4 D", 4),
        ("Option 3: C", 3),
    ],
)
def test_printed_numbers_are_read_in_all_their_forms(line, number):
    assert Structure(line).lines[0].number == number


@pytest.mark.parametrize("line", ["1.5 公斤", "2026 年", "100% 棉", "一台机器", "a) no", "12:30 出发", "### 🥇 **A**"])
def test_other_figures_are_no_item_numbers(line):
    assert Structure(line).lines[0].number is None


@pytest.mark.parametrize(
    ("text", "value"), [("七", 7), ("十", 10), ("十二", 12), ("三十", 30), ("四十五", 45), ("9", 9)]
)
def test_chinese_numbers(text, value):
    assert chinese_number(text) == value


def test_sub_bullets_have_a_parent_and_take_no_place():
    lines = Structure("- a\n  - x\n  - y\n- b").lines
    assert [(line.place, line.parent is None) for line in lines] == [(1, True), (1, False), (2, False), (2, True)]


ITEM = st.sampled_from(["alpha", "beta", "gamma"])


@given(st.lists(st.tuples(st.integers(0, 1), ITEM), min_size=1, max_size=8), st.booleans(), st.integers(1, 30))
@settings(max_examples=100)
def test_numbers_and_places_agree_with_a_markdown_parser(items, ordered, first):
    depths = [0] + [min(depth, 1) for depth, _ in items[1:]]
    lines, number = [], first
    for depth, (_, word) in zip(depths, items, strict=True):
        if depth:
            lines.append(f"    - {word}")
        else:
            lines.append(f"{number}. {word}" if ordered else f"- {word}")
            number += ordered
    text = "\n".join(lines)
    tokens = [t for t in MarkdownIt("commonmark").parse(text) if t.type == "list_item_open"]
    ours = Structure(text).lines
    top = [t for t in tokens if t.level == 1]
    assert [t.map[0] for t in top] == [i for i, line in enumerate(ours) if line.parent is None]
    if ordered:
        assert [int(t.info) for t in top] == [line.number for line in ours if line.parent is None]
    else:
        assert [line.place for line in ours if line.parent is None] == list(range(1, len(top) + 1))


def test_table_rows_agree_with_a_markdown_parser():
    text = "intro\n\n| a | b |\n|---|:-:|\n| 1 | x \\| y |\n| 2 | z |\n\nafter"
    rows = [t for t in MarkdownIt("commonmark").enable("table").parse(text) if t.type == "tr_open"]
    ours = [i for i, line in enumerate(Structure(text).lines) if line.kind in {LineKind.ROW, LineKind.HEADER}]
    assert [t.map[0] for t in rows] == ours
    assert [len(line.cells) for line in Structure(text).lines if line.kind is LineKind.ROW] == [2, 2]
