"""Finding names: boundaries, gaps, glued text, the longest name, exclude phrases."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geo_assets.analysis.folding import Folded, fold
from geo_assets.analysis.matcher import compile_matcher
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role


def brand(name, *aliases, exclude=(), parent=None):
    return BrandEntry(name, name, Role.COMPETITOR, aliases=aliases, exclude=exclude, parent=parent)


def found(text, *brands, known=()):
    matcher = compile_matcher(Dictionary("test", tuple(brands), known=tuple(known)))
    return [(text[hit.start : hit.end], hit.name.brand) for hit in matcher.hits(Folded(text))]


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("Crate", "stack the crates, use a microcrated pallet", 1),  # the plural; never inside another word
        ("OL", "cool old polo", 0),
        ("OL", "OL ships tomorrow", 1),
        ("Zed", "zedoary root", 0),
        ("prime", "price", 0),
        ("Fennel", "Fennel's plan, **Fennel**, _Fennel_, FENNEL, Ｆｅｎｎｅｌ", 5),
        ("Fennel", "Fennel-based and non-Fennel", 2),
        ("Loop", "我用Loop记账，Loop的界面简单", 2),
        ("Le Pont-Neuf", "lepontneuf, Le Pont Neuf, Le\u00a0Pont-Neuf", 3),
        ("Rivera", "river area", 0),
        ("Penta", "open table", 0),
        ("云雀", "雲雀、云 雀、云雀", 3),
        ("5-Star", "the 5‑Star on the corner, ５－Ｓｔａｒ", 2),
        ("Q++", "Q++ and Q+++", 1),
        ("B&C", "B&C, Ｂ＆Ｃ", 2),
        (".ORM", "use .ORM here, not A.ORM", 1),
        ("Vela", "Vela16 and vela 16", 2),
        ("Vela 16", "Vela16, Vela 160", 1),
        ("Northwind Foods LLC", "Northwind Foods and northwindfoods", 2),
        ("Rob Inc", "robbed", 0),
        ("Salt & Stone", "Salt and Stone", 1),
        ("蓝湖集团2030", "预计2030年投产", 0),
    ],
)
def test_a_name_is_found_as_a_name_and_not_inside_others(name, text, count):
    assert len(found(text, brand(name))) == count


def test_glued_captures_are_told_from_names_in_camel_case():
    text = "Sold at:\u00a0OrvisRadleyMax MaraBrooks'sTarn"
    assert [name for name, _ in found(text, brand("Radley"), brand("Max Mara"), brand("Tarn"))] == [
        "Radley",
        "Max Mara",
        "Tarn",
    ]
    assert not found("SafeVault", brand("Vault"))
    assert found("durable shell.Tarn Carry", brand("Tarn"))


def test_the_longest_name_wins_and_counts_once():
    text = "Acorn Cloud beats Acorn"
    assert found(text, brand("Acorn", "Acorn Cloud")) == [("Acorn Cloud", "Acorn"), ("Acorn", "Acorn")]


def test_a_longer_match_that_fails_its_boundary_does_not_hide_the_shorter_one():
    assert found("mi 145", brand("mi"), brand("mi 14")) == [("mi", "mi")]


def test_exclude_phrases_take_away_only_their_own_brand():
    brands = (brand("Oak", exclude=("Oak Barrel",)), brand("Oak Barrel"))
    assert found("Oak Barrel, then Oak", *brands) == [("Oak Barrel", "Oak Barrel"), ("Oak", "Oak")]


def test_known_longer_names_take_away_every_brand():
    assert found("蓝湖大学在蓝湖旁边", brand("蓝湖"), known=("蓝湖大学",)) == [("蓝湖", "蓝湖")]


def test_no_word_segmentation_stands_between_two_names():
    assert [name for name, _ in found("海悦和丽的哪个好", brand("海悦"), brand("丽的"))] == ["海悦", "丽的"]


NAMES = st.sampled_from(["Acorn", "Le Pont", "云雀", "蓝湖", "Q++", "5-Star", "Vela 16", "Fennel"])
PIECES = st.sampled_from([" ", "，", "和", "the ", "**", "\n", "'s", "abc", "。", "-", "的", "X", "9", "\u200b"])
TEXTS = st.lists(st.one_of(NAMES, PIECES), max_size=14).map("".join)
BRANDS = tuple(brand(name) for name in ("Acorn", "Le Pont", "云雀", "蓝湖", "Q++", "5-Star", "Vela 16", "Fennel"))


@given(TEXTS)
@settings(max_examples=150)
def test_offsets_slice_the_original_to_the_name(text):
    matcher = compile_matcher(Dictionary("test", BRANDS))
    for hit in matcher.hits(Folded(text)):
        assert fold(text[hit.start : hit.end]) == hit.name.folded


@given(TEXTS, st.permutations(BRANDS))
@settings(max_examples=80)
def test_the_order_of_the_dictionary_is_irrelevant(text, order):
    assert found(text, *order) == found(text, *BRANDS)


@given(TEXTS)
@settings(max_examples=80)
def test_an_unrelated_name_changes_nothing(text):
    assert found(text, *BRANDS, brand("Quixotry")) == found(text, *BRANDS)


@given(TEXTS)
@settings(max_examples=80)
def test_width_and_script_change_no_count(text):
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in text)
    traditional = text.replace("云", "雲").replace("蓝", "藍")
    assert len(found(wide, *BRANDS)) == len(found(text, *BRANDS)) == len(found(traditional, *BRANDS))
