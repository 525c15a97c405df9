import dataclasses
import math

import pytest

from geo_assets.lake.contracts import DAILY_VISIBILITY
from geo_assets.metrics.daily import daily_key, daily_rows
from geo_assets.metrics.visibility import partition_metrics
from geo_assets.metrics.windows import window_dates
from geo_assets_tests.metrics.cases import TEA, Day, pick

DATE = "2026-11-29"
PLATFORMS = ["kimi", "qwen"]


def answers(named: int, total: int, **options):
    day = Day()
    for n in range(total):
        day.answer(f"q{n}", ["heytea", "nayuki"] if n < named else ["nayuki"], **options)
    return day.observed(scope_of=lambda _: "nonbrand")


def rows(days, **options):
    options = {"platforms": PLATFORMS, "simulated": True} | options
    return daily_rows(DATE, "tea", TEA, days, **options)


def rate(table, platform, window="date", metric="mention_rate", **keys):
    return pick(table, metric, platform=platform, window=window, **keys)


def test_all_platforms_is_the_weighted_mean_of_rates_and_never_pooled_answers():
    days = [("kimi", DATE, answers(10, 10)), ("qwen", DATE, answers(10, 40))]
    overall = rate(rows(days), "all")
    assert overall["value"] == pytest.approx((1.0 + 0.25) / 2)
    assert (overall["numerator"], overall["denominator"], overall["n_questions"]) == (None, None, 40)
    assert overall["low"] < overall["value"] < overall["high"]
    assert rate(rows(days, weights={"kimi": 3.0}), "all")["value"] == pytest.approx(0.75 * 1.0 + 0.25 * 0.25)


def test_a_platform_below_80_percent_makes_the_overall_number_null():
    thin = answers(3, 7) + [
        dataclasses.replace(o, sample_id=f"x{n}", outcome="failed") for n, o in enumerate(answers(0, 3))
    ]
    table = rows([("kimi", DATE, thin), ("qwen", DATE, answers(5, 10))])
    overall = rate(table, "all")
    assert (overall["value"], overall["null_reason"]) == (None, "incomplete: kimi")
    assert rate(table, "kimi")["value"] is not None


def test_a_platform_that_was_not_planned_is_named_with_its_reason():
    table = rows([("qwen", DATE, answers(5, 10))], reasons={"kimi": "no_key"})
    assert rate(table, "all")["null_reason"] == "incomplete: kimi"
    assert rate(table, "kimi")["null_reason"] == "no_key"


def test_windows_are_recomputed_from_the_answers_of_their_days():
    dates = window_dates(DATE, 7)
    days = [("qwen", d, answers(n, 10)) for n, d in enumerate(dates)]
    week = rate(rows(days, platforms=["qwen"]), "qwen", "7d")
    assert (week["numerator"], week["denominator"], week["n_questions"]) == (21, 70, 10)
    assert week["method"] == "wilson_t_design_effect"
    assert rate(rows(days, platforms=["qwen"]), "qwen")["numerator"] == 6


def test_a_window_with_missing_days_says_so():
    days = [("qwen", d, answers(5, 10)) for d in window_dates(DATE, 5)]
    table = rows(days, platforms=["qwen"])
    assert rate(table, "qwen", "7d")["method"].endswith("; 5 of 7 days")
    assert rate(table, "qwen", "28d")["method"].endswith("; 5 of 28 days")


def test_a_window_over_two_readings_is_null():
    old = answers(5, 10, reader="rules-0")
    table = rows([("qwen", "2026-11-28", old), ("qwen", DATE, answers(5, 10))], platforms=["qwen"])
    assert rate(table, "qwen", "7d")["null_reason"] == "mixed_readings"
    assert rate(table, "qwen")["value"] == 0.5


def test_the_days_own_rows_equal_those_of_the_partition():
    samples = answers(4, 9)
    partition = partition_metrics("tea", TEA, samples, simulated=True)
    daily = [
        r
        for r in rows([("qwen", DATE, samples)], platforms=["qwen"])
        if r["platform"] == "qwen" and r["window"] == "date"
    ]
    assert sorted(({k: v for k, v in r.items() if k != "platform"} for r in daily), key=str) == sorted(
        partition, key=str
    )


def test_rows_fit_the_contract():
    table = rows([("kimi", DATE, answers(2, 10)), ("qwen", DATE, answers(5, 10))])
    assert all(set(r) == set(DAILY_VISIBILITY.names) for r in table)
    assert all((r["value"] is None) == (r["null_reason"] is not None) for r in table)
    assert len({daily_key(r) for r in table}) == len(table)
    assert table == sorted(table, key=daily_key)


def test_platforms_that_agree_question_by_question_count_as_one_and_others_do_better():
    same = rate(rows([("kimi", DATE, answers(10, 20)), ("qwen", DATE, answers(10, 20))]), "all")
    mirrored = Day()
    for n in range(20):
        mirrored.answer(f"q{n}", ["heytea", "nayuki"] if n >= 10 else ["nayuki"])
    unlike = rate(rows([("kimi", DATE, answers(10, 20)), ("qwen", DATE, mirrored.observed())]), "all")
    alone = rate(rows([("kimi", DATE, answers(10, 20))], platforms=["kimi"]), "kimi")
    assert same["high"] - same["low"] == pytest.approx(alone["high"] - alone["low"], rel=0.03)
    assert unlike["high"] - unlike["low"] < 0.8 * (same["high"] - same["low"])


def test_share_of_voice_over_platforms_has_an_interval():
    overall = rate(rows([("kimi", DATE, answers(4, 10)), ("qwen", DATE, answers(6, 10))]), "all", metric="sov_answers")
    assert overall["value"] == pytest.approx((4 / 14 + 6 / 16) / 2)
    assert overall["method"] == "weighted_linearised_t"


def test_foreign_platforms_dates_profiles_and_weights_are_refused():
    day = answers(1, 2)
    with pytest.raises(ValueError, match="none of its platforms"):
        rows([("doubao", DATE, day)])
    with pytest.raises(ValueError, match="none of the 28 days"):
        rows([("qwen", "2026-11-30", day)])
    with pytest.raises(ValueError, match="never mix"):
        rows([("qwen", DATE, day)], simulated=False)
    with pytest.raises(ValueError, match="positive numbers"):
        rows([], weights={"qwen": math.inf})
