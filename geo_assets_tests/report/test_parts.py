# ruff: noqa: E501

import pytest

from geo_assets.metrics.catalogue import ABOUT_ANSWERS, catalogue
from geo_assets.metrics.daily import daily_rows
from geo_assets.metrics.names import NAMES, metric_name
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role
from geo_assets.model.states import Outcome
from geo_assets.report import charts, headline, sections, texts
from geo_assets.report.inputs import MonitorInput, ReportInput
from geo_assets.report.numbers import interval, percent
from geo_assets.report.page import render_report
from geo_assets.report.texts import Text, reason
from geo_assets_tests.metrics.cases import Day
from geo_assets_tests.report.sample import DATE, QWEN, sample


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "—"), (0.0, "0%"), (1.0, "100%"), (0.4, "40%"), (0.004, "0.4%"), (0.0004, "<0.1%"), (0.996, "99.6%"), (0.9999, ">99.9%"), (0.095, "9.5%"), (0.125, "12%")],
)  # fmt: skip
def test_percentages_never_round_to_none_or_all(value, shown):
    assert percent(value) == shown


def test_intervals_show_their_ends_or_nothing():
    assert interval({"low": 0.331, "high": 0.518}) == "33–52%"
    assert interval({"low": None, "high": None}) == ""
    assert interval({"low": 1.234, "high": 2.5}, unit="rank") == "1.23–2.50"


def test_words_are_escaped_and_filled_in_both_languages():
    text = Text("{brand} 很好", "{brand} is good").fill(brand="<b>")
    assert text.__html__() == '<span lang="zh">&lt;b&gt; 很好</span><span lang="en">&lt;b&gt; is good</span>'
    assert Text("{a} 在 {b}", "").fill(a="石头", b="58%").zh == "石头在 58%"


def test_every_outcome_and_metric_has_words_in_both_languages():
    assert {o.value for o in Outcome} == set(texts.OUTCOMES)
    every = catalogue((1, 3), frozenset({"cited", "retrieved"}), frozenset({"span", "block", "marker"})) + ABOUT_ANSWERS
    for metric in every:
        name = metric_name(metric.name)
        assert all(name)
        assert metric.empty in texts.REASONS or metric.empty.startswith("no_question_with_")
    assert all(all(t) for t in [*texts.WORDS.values(), *texts.REASONS.values(), *NAMES.values()])


def test_reasons_are_told_with_the_names_of_platforms():
    assert reason("incomplete: kimi, qwen", {"qwen": Text("通义千问", "Qwen")}) == (
        "kimi、通义千问 数据不完整",
        "kimi, Qwen incomplete",
    )
    assert reason("something new").en == "something new"
    assert reason("no_question_with_3_answers").zh == "没有问满 3 次的问题"


def test_excerpts_are_one_line_of_plain_text():
    assert sections.excerpt("## Top\n\n**喜茶**\u202e is \x1b[31mgood") == "Top 喜茶‹U+202E› is ␛[31mgood"
    assert sections.excerpt("x" * 500, 10) == "x" * 9 + "…"
    assert sections.excerpt(None) == ""


def test_questions_to_win_are_those_without_the_own_brand_and_with_a_competitor():
    monitor = sample(days=1).monitors[0]
    lost = sections.missing_questions(monitor)["rows"]
    named = {
        r["question_revision"] for t in monitor.mentions.values() for r in t
        if r["brand"] == "roborock" and r["mentioned"] and r["outcome"] == "counted"
    }  # fmt: skip
    texts_of = {r["question_text"]: r["question_revision"] for t in monitor.answers.values() for r in t}
    assert lost
    for row in lost:
        assert texts_of[row["question"]] not in named
        assert row["rivals"]


def test_ledger_parts_sum_to_the_plan():
    monitor = sample(days=1).monitors[0]
    for entry in sections.ledger(monitor):
        assert sum(p["number"] for p in entry["parts"]) == entry["planned"] == 60


def test_domains_count_answers_not_links_and_keep_bases_apart():
    monitor = sample(days=1).monitors[0]
    cited, retrieved = sections.domains(monitor, "cited"), sections.domains(monitor, "retrieved")
    assert [p.id for p in cited["of"]] == ["qwen", "doubao"]
    assert [p.id for p in retrieved["of"]] == ["kimi"]
    top = cited["rows"][0]
    assert top["answers"] == sum(top["per_platform"])
    assert top["answers"] >= cited["rows"][-1]["answers"]


def test_currencies_are_never_added_up():
    monitor = sample(days=1).monitors[1]
    assert [t["charged"] for t in sections.spending(monitor)["totals"]] == ["CNY 1.2184", "USD 1.2184"]


def test_colours_are_the_brands_own_whatever_else_is_tracked():
    assert charts.colours(["x", "own", "y"], "own")["own"] == charts.OWN
    assert len(set(charts.colours([str(i) for i in range(9)], "0").values())) == 9


def test_of_hundreds_of_brands_the_most_named_are_shown_and_the_own_one_whatever_its_place():
    brands = [BrandEntry(f"b{n:03d}", f"Brand {n:03d}", Role.COMPETITOR) for n in range(300)]
    dictionary = Dictionary("many", (BrandEntry("own", "Own", Role.OWN), *brands))
    day = Day(dictionary)
    for n in range(60):
        day.answer(f"q{n}", ["own"] * (n == 0) + [f"b{i:03d}" for i in range(30) if i * 2 <= n])
    days = [("qwen", DATE, day.observed(scope_of=lambda _: "nonbrand"))]
    rows = daily_rows(DATE, "many", dictionary, days, platforms=["qwen"], simulated=True)
    monitor = MonitorInput("many", dictionary, [QWEN], rows)
    numbers = headline.Numbers(rows)
    shown = headline.who(monitor, numbers)
    assert [row["name"] for row in shown] == [f"Brand {n:03d}" for n in range(24)] + ["Own"]
    assert len({row["colour"] for row in shown[:8]}) == 8
    assert {row["colour"] for row in shown[8:-1]} == {"transparent"}
    page = render_report(DATE, ReportInput("p", [monitor], simulated=True))
    assert "276 more brands, named less often" in page
    assert "另有 276 个被提到较少的品牌" in page
    assert "Brand 023" in page
    assert "Brand 024" not in page
