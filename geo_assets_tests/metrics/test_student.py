import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from geo_assets.metrics.student import incomplete_beta, t_quantile, t_tail


@pytest.mark.parametrize("df", [1, 1.5, 2, 3, 6.37, 19, 59, 199, 1000, 1e5])
@pytest.mark.parametrize("probability", [0.005, 0.2, 0.5, 0.8, 0.95, 0.975, 0.995, 0.9999])
def test_quantiles_equal_scipy(df, probability):
    assert t_quantile(probability, df) == pytest.approx(stats.t.ppf(probability, df), rel=1e-9, abs=1e-9)


@given(st.floats(0.001, 60), st.floats(0.3, 500))
def test_two_sided_tails_equal_scipy(t, df):
    assert t_tail(-t, df) == pytest.approx(2 * stats.t.sf(t, df), rel=1e-8, abs=1e-14)


@given(st.floats(0.2, 200), st.floats(0.2, 200), st.floats(0, 1))
def test_incomplete_beta_equals_scipy(a, b, x):
    assert incomplete_beta(a, b, x) == pytest.approx(special.betainc(a, b, x), rel=1e-7, abs=1e-12)


def test_impossible_arguments_are_refused():
    with pytest.raises(ValueError, match="degrees of freedom"):
        t_tail(1.0, 0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        t_quantile(1.0, 5)
    assert math.isclose(t_quantile(0.975, 1e9), 1.959963984540054, rel_tol=1e-6)
