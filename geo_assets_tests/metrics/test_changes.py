import random

import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from geo_assets.metrics.changes import DayValue, Verdict, VerdictKind, control, judge, series_identity, welch
from geo_assets.metrics.windows import window_dates

DATE = "2026-11-29"
NEEDED = window_dates(DATE, 36)


def series(rate_of, *, seed=3, questions=30, **override):
    source = random.Random(seed)
    days = {}
    for date in NEEDED:
        pairs = {f"q{n}": (float(source.random() < rate_of(date)), 1.0) for n in range(questions)}
        days[date] = DayValue(pairs, "series", "reading", 1.0)
    return days | override


def test_welch_equals_scipy():
    base, recent = [0.2, 0.25, 0.3, 0.22, 0.31], [0.4, 0.35, 0.5]
    ours, theirs = welch(base, recent), stats.ttest_ind(recent, base, equal_var=False)
    assert (ours.p_value, ours.df) == (pytest.approx(theirs.pvalue), pytest.approx(theirs.df))


def test_a_large_lasting_change_has_moved_and_prints_what_the_design_can_see():
    verdict = judge(series(lambda d: 0.7 if d > "2026-11-21" else 0.3), DATE)
    assert verdict.kind is VerdictKind.MOVED
    assert verdict.change == pytest.approx(0.4, abs=0.1)
    assert 0 < verdict.smallest_visible < 0.25
    assert verdict.recent == pytest.approx(verdict.base + verdict.change)


def test_noise_is_noise():
    assert judge(series(lambda _: 0.4), DATE).kind is VerdictKind.WITHIN_NOISE


def test_false_alarms_stay_at_or_below_the_nominal_rate_also_with_good_and_bad_days():
    alarms = 0
    for seed in range(300):
        moods = random.Random(seed + 1000)
        mood = {d: moods.gauss(0, 0.1) for d in NEEDED}
        days = series(lambda d, m=mood: min(1, max(0, 0.4 + m[d])), seed=seed, questions=20)
        alarms += judge(days, DATE).kind is VerdictKind.MOVED
    assert alarms / 300 <= 0.06


def test_a_change_of_one_day_is_not_confirmed():
    days = series(lambda d: 1.0 if d == DATE else 0.3)
    assert judge(days, DATE).kind is VerdictKind.WITHIN_NOISE


def test_missing_or_thin_days_are_too_few():
    days = series(lambda _: 0.4)
    thin = days | {NEEDED[5]: DayValue(days[NEEDED[5]].pairs, "series", "reading", 0.79)}
    assert judge(thin, DATE).kind is VerdictKind.TOO_FEW
    del days[NEEDED[20]]
    assert judge(days, DATE).reason == "1 of 36 days missing or incomplete"


def test_another_model_breaks_the_series_and_another_reading_is_not_comparable():
    days = series(lambda _: 0.4)
    broken = days | {DATE: DayValue(days[DATE].pairs, "other", "reading", 1.0)}
    assert judge(broken, DATE).kind is VerdictKind.SERIES_BREAK
    reread = days | {DATE: DayValue(days[DATE].pairs, "other", "reading 2", 1.0)}
    assert judge(reread, DATE).kind is VerdictKind.NOT_COMPARABLE


def test_questions_that_come_and_go_do_not_move_a_number():
    days = series(lambda _: 0.3)
    for date in NEEDED[-7:]:
        extra = {f"new{n}": (1.0, 1.0) for n in range(30)}
        days[date] = DayValue({**days[date].pairs, **extra}, "series", "reading", 1.0)
    verdict = judge(days, DATE)
    assert (verdict.kind, verdict.questions) == (VerdictKind.WITHIN_NOISE, 30)


def test_false_alarm_control_equals_benjamini_hochberg_of_statsmodels():
    p_values = [0.001, 0.009, 0.02, 0.03, 0.04, 0.2, 0.6, 0.049]
    family = {i: Verdict(VerdictKind.MOVED, p_value=p) for i, p in enumerate(p_values)}
    family["few"] = Verdict(VerdictKind.TOO_FEW)
    expected = multipletests(p_values, alpha=0.05, method="fdr_bh")[0]
    judged = control(family)
    assert [judged[i].kind is VerdictKind.MOVED for i in range(len(p_values))] == list(expected)
    assert judged["few"].kind is VerdictKind.TOO_FEW


def test_series_identity_changes_with_the_model_served_and_not_with_order():
    plan = [{"model_asked": "m", "search_asked": True, "region": None, "device": None, "mode": None}]
    served = [{"parser": "ark/1", "model_served": m} for m in ("m-1", "m-2")]
    assert series_identity(plan, served, platform="doubao") == series_identity(plan, served[::-1], platform="doubao")
    assert series_identity(plan, served) != series_identity(plan, served[:1])
    assert series_identity(plan, served, channel="api") != series_identity(plan, served, channel="browser")
