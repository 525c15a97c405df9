import math
import random

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from geo_assets.metrics.intervals import (
    effective_size,
    linearised_variance,
    logit_mean_interval,
    mean_interval,
    moments,
    rate_interval,
    ratio_interval,
    wilson,
)

CLUSTERS = [(0, 3), (3, 3), (1, 3), (2, 2), (0, 1), (3, 3), (2, 3), (0, 3)]


@pytest.mark.parametrize(("successes", "n"), [(0, 20), (1, 32), (40, 121), (99, 100), (20, 20)])
def test_wilson_equals_statsmodels(successes, n):
    expected = proportion_confint(successes, n, method="wilson")
    assert wilson(successes / n, n, stats.norm.ppf(0.975)) == pytest.approx(expected, abs=1e-12)


def test_linearised_variance_equals_the_cluster_robust_variance_of_statsmodels():
    y, groups = [], []
    for group, (successes, n) in enumerate(CLUSTERS):
        y += [1.0] * successes + [0.0] * (n - successes)
        groups += [group] * n
    fit = sm.OLS(np.array(y), np.ones(len(y))).fit(cov_type="cluster", cov_kwds={"groups": np.array(groups)})
    n, q = len(y), len(CLUSTERS)
    theirs = fit.cov_params()[0, 0] / ((n - 1) / (n - 1) * q / (q - 1)) * q / (q - 1)
    assert linearised_variance(moments(CLUSTERS)) == pytest.approx(theirs, rel=1e-9)


def test_design_effect_stays_between_its_bounds():
    alike = [(3, 3)] * 5 + [(0, 3)] * 5
    assert effective_size(moments(alike)) == pytest.approx(10)  # repeats say nothing new: one trial per question
    spread = [(1, 2)] * 10
    assert effective_size(moments(spread)) == pytest.approx(
        20 / 1.3
    )  # never better than the assumed correlation of 0.3
    single = [(1, 1)] * 4 + [(0, 1)] * 16
    assert effective_size(moments(single)) == pytest.approx(20)


def test_rate_interval_of_none_and_all_counts_questions_not_answers():
    low, high, method = rate_interval(moments([(0, 10)] * 20))
    critical = stats.t.ppf(0.975, 19)
    assert (low, high) == (0.0, pytest.approx(critical**2 / (20 + critical**2)))
    assert rate_interval(moments([(10, 10)] * 20))[:2] == (pytest.approx(1 - high), 1.0)
    assert method == "wilson_t_design_effect"


def test_one_question_gives_no_interval():
    assert rate_interval(moments([(2, 5)])) == (None, None, "none: fewer than 2 questions")
    assert ratio_interval(moments([(2, 5), (0, 0)])).low is None


def test_cluster_t_is_the_t_interval_of_question_means_where_all_are_equally_large():
    pairs = [(1.5, 3), (0.6, 3), (2.4, 3), (0.9, 3), (2.1, 3)]
    means = [y / x for y, x in pairs]
    half = stats.t.ppf(0.975, 4) * np.std(means, ddof=1) / math.sqrt(5)
    low, high, method = mean_interval(moments(pairs))
    assert (low, high) == (pytest.approx(np.mean(means) - half), pytest.approx(np.mean(means) + half))
    assert method == "cluster_t"


def test_logit_interval_stays_inside_the_unit_interval_and_matches_the_delta_method():
    values = [0.9, 1.0, 0.8, 1.0, 0.97, 1.0]
    low, high, method = logit_mean_interval(moments([(v, 1) for v in values]))
    mean, se = np.mean(values), np.std(values, ddof=1) / math.sqrt(6)
    centre, half = math.log(mean / (1 - mean)), stats.t.ppf(0.975, 5) * se / (mean * (1 - mean))
    assert (low, high) == (
        pytest.approx(1 / (1 + math.exp(half - centre))),
        pytest.approx(1 / (1 + math.exp(-half - centre))),
    )
    assert 0 < low < mean < high < 1
    assert method == "cluster_t_logit"


def test_a_ratio_on_its_bound_does_not_claim_certainty():
    low, high, method = ratio_interval(moments([(0, 4)] * 10))
    assert (low, method) == (0.0, "wilson_t_questions")
    assert high == pytest.approx(stats.t.ppf(0.975, 9) ** 2 / (10 + stats.t.ppf(0.975, 9) ** 2))
    assert ratio_interval(moments([(2, 4)] * 10)) == (None, None, "none: no spread between questions")


@given(st.lists(st.integers(1, 6).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))), min_size=2, max_size=30))
def test_a_rate_lies_within_its_interval_and_the_interval_within_0_and_1(pairs):
    p = sum(y for y, _ in pairs) / sum(x for _, x in pairs)
    low, high, _ = rate_interval(moments(pairs))
    assert 0 <= low <= p <= high <= 1


def _coverage(questions: int, repeats: int, p: float, icc: float, rounds: int, seed: int) -> float:
    source = random.Random(seed)  # seeded: a simulation, not a secret
    a, b = p * (1 - icc) / icc, (1 - p) * (1 - icc) / icc
    hits = 0
    for _ in range(rounds):
        rates = [source.betavariate(a, b) for _ in range(questions)]
        pairs = [(sum(source.random() < r for _ in range(repeats)), repeats) for r in rates]
        low, high, _ = rate_interval(moments(pairs))
        hits += low <= p <= high
    return hits / rounds


@pytest.mark.parametrize(
    ("questions", "repeats", "p", "icc", "aim"),
    [
        (20, 3, 0.3, 0.3, 0.93),
        (20, 1, 0.5, 0.1, 0.93),
        (60, 5, 0.1, 0.7, 0.90),
        (20, 10, 0.02, 0.7, 0.90),
        (60, 3, 0.9, 0.3, 0.93),
    ],
)
def test_rate_intervals_cover_the_true_rate_as_often_as_aimed(questions, repeats, p, icc, aim):
    assert _coverage(questions, repeats, p, icc, 800, seed=7) >= aim - 0.02  # 2.5 standard errors of 800 rounds
