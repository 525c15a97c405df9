"""Cutting an answer into sentences and clauses, and masking the names in them."""

import json
from itertools import islice
from pathlib import Path

import pytest

from geo_assets.analysis.clauses import BRAND, OTHER, Sentences, clauses, marks, masked, pair_role, points_back, resolve

DATA = Path(__file__).parent / "data"


def around(text: str, word: str) -> str:
    start, end = Sentences(text).at(text.index(word))
    return text[start:end]


@pytest.mark.parametrize(
    ("text", "word", "sentence"),
    [
        ("One. Two is here! Three?", "Two", " Two is here!"),
        ("第一句。第二句在这里！第三句", "第二", "第二句在这里！"),
        ("最后一句没有句号。尾句", "尾", "尾句"),
        ("Dr. Ames vs. Orvis e.g. today. Next", "Orvis", "Dr. Ames vs. Orvis e.g. today."),
        ("Costs 3.5 million in all. Next", "million", "Costs 3.5 million in all."),
        ("1. First item\n2. Second item\n", "Second", "2. Second item\n"),
        ("Title\n\n\n**Bold** goes on. End", "goes", "Bold** goes on."),
        ("He said “stop.” Then left", "left", " Then left"),
        ("甲说：“好。”乙走了。", "乙", "乙走了。"),
    ],
)
def test_the_sentence_around_a_word(text, word, sentence):
    assert around(text, word) == sentence


def test_sentences_follow_each_other_over_lines():
    text = "One. Two!\n- Three\n\n四。五"
    sentences = Sentences(text)
    first = sentences.at(0)
    assert [text[a:b] for a, b in (first, *sentences.after(first))] == ["One.", " Two!\n", "- Three\n\n", "四。", "五"]


def test_cutting_from_any_place_gives_the_sentences_of_the_whole():
    for line in (DATA / "mentions.jsonl").read_text(encoding="utf-8").splitlines():
        text = json.loads(line)["text"] + "\n\n**Note**: one more. And v. 2.0, etc. as before;\n(done.)"
        whole = [Sentences(text).at(0)]
        whole += Sentences(text).after(whole[0])
        for place, (start, end) in enumerate(whole):
            fresh = Sentences(text)
            inside = next(i for i in range(start, end) if not text[i].isspace())
            assert fresh.at(inside) == (start, end)
            assert list(islice(fresh.after((start, end)), 2)) == whole[place + 1 : place + 3]


def test_names_become_signs_and_noise_goes():
    text = "**Orvis** beats Radley[1] by far 【3†source】^2^."
    assert masked(text, (0, len(text)), marks([(2, 7)], [(16, 22)])) == f"{BRAND} beats {OTHER} by far ."


def test_only_names_of_the_span_are_masked():
    text = "Orvis is fine. Orvis is Radley."
    names = marks([(0, 5), (15, 20)], [(24, 30)])
    assert masked(text, (0, 14), names) == f"{BRAND} is fine."
    assert masked(text, (14, 31), names) == f"{BRAND} is {OTHER}."


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Ⓑ is fine, but pricey: skip it", ["Ⓑ is fine", "but pricey:", "skip it"]),
        ("Ⓑ is fine while Ⓞ is not.", ["Ⓑ is fine", "while Ⓞ is not"]),
        ("Ⓑ – the best one — really", ["Ⓑ –", "the best one —", "really"]),
        ("Ⓑ costs 1,200 at 10:30", ["Ⓑ costs 1,200 at 10:30"]),
        ("Ⓑ不错，但是贵：不买,算了。", ["Ⓑ不错", "但是贵：", "不买", "算了"]),
        ("well-made goods", ["well-made goods"]),
    ],
)
def test_clauses(sentence, parts):
    assert clauses(sentence) == parts


def test_former_and_latter_point_to_the_pair():
    named = "Ⓑ 和 Ⓞ 都可以"
    assert pair_role(named) == 1
    assert points_back("更推荐后者")
    assert points_back("I prefer The Latter")
    assert not points_back("都不错")
    assert resolve("更推荐后者", pair_role(named)) == "更推荐Ⓞ"
    assert resolve("I prefer the former", 1) == "I prefer Ⓑ"
