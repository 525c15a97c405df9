"""The most probable cut of a run of characters, and how much a name in it speaks against that cut."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geo_assets.analysis import segmentation
from geo_assets.analysis.lexicon import chinese_words
from geo_assets.analysis.segmentation import crossing_gain

RUNS = st.text(alphabet="天猫每日产奶量中通过上海信息大楼人寿命包邮政策的我用友善", min_size=1, max_size=9)


def gain(text, name):
    start = text.index(name)
    return crossing_gain(text, start, start + len(name))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("在上海信息大楼", "海信"),
        ("想打造完美团队", "美团"),
        ("平台上的包邮政策", "邮政"),
        ("可以用友善的方式", "用友"),
        ("让人寿命翻倍", "人寿"),
        ("亲如家人", "如家"),
        ("杏仁和芝麻", "仁和"),
        ("每天猫粮控制在", "天猫"),
    ],
)
def test_letters_of_two_words_gain_by_being_cut(text, name):
    assert gain(text, name) >= 2.0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("不如选小米的", "小米"),
        ("推荐海信电视", "海信"),
        ("上天猫找客服", "天猫"),
        ("微信步数显示", "微信"),
        ("买美的空调", "美的"),
    ],
)
def test_a_name_that_stands_for_itself_hardly_gains(text, name):
    assert gain(text, name) < 1.2


def test_a_longer_word_around_a_name_is_no_crossing():
    assert gain("微软公司崛起", "微软") == 0.0
    assert "苹果树" in chinese_words()
    assert gain("一棵苹果树", "苹果") == 0.0


@given(RUNS, st.data())
def test_the_gain_is_that_of_the_best_of_all_cuts(run, data):
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))

    def cost(words):
        costs = [segmentation._cost(word) for word in words]
        return math.inf if None in costs else sum(costs)

    def cuts(text):
        for chosen in itertools.chain.from_iterable(
            itertools.combinations(range(1, len(text)), count) for count in range(len(text))
        ):
            edges = [0, *chosen, len(text)]
            yield [text[a:b] for a, b in itertools.pairwise(edges)] if text else []

    got = crossing_gain(run, start, end)
    best = min(cost(words) for words in cuts(run))
    known = chinese_words().get(run[start:end])
    name = -math.log(max(known.frequency if known else 0, 100) / 60_000_000)
    around = sum(min((cost(words) for words in cuts(part)), default=0.0) for part in (run[:start], run[end:]) if part)
    assert got == 0.0 or math.isclose(got, around + name - best, abs_tol=1e-9)


@given(RUNS)
def test_a_run_that_is_the_name_never_crosses(run):
    assert crossing_gain(run, 0, len(run)) == 0.0
