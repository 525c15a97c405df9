"""Student's t distribution without scipy: the distribution function and its quantiles.

The distribution function is a regularised incomplete beta function, evaluated as a continued fraction by the modified
Lentz method (DLMF 8.17.22; Lentz 1976, Thompson and Barnett 1986). Quantiles are found by bracketing and bisection
down to the spacing of floats: slower than a rational approximation and exact at any number of degrees of freedom.
"""

import math
from functools import lru_cache

_TINY = 1e-300


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Continued fraction of the incomplete beta function; converges fast for x < (a + 1) / (a + b + 2)."""
    c, d = 1.0, 1.0 / ((1.0 - (a + b) * x / (a + 1.0)) or _TINY)
    value = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / ((1.0 + term * d) or _TINY)
            c = (1.0 + term / c) or _TINY
            value *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return value


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Regularised incomplete beta function I_x(a, b) for a, b > 0 and 0 <= x <= 1."""
    if x <= 0.0 or x >= 1.0:
        return min(max(x, 0.0), 1.0)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    front = math.exp(log_front)
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b


def t_tail(t: float, df: float) -> float:
    """P(|T| > |t|) for Student's T with `df` > 0 degrees of freedom: the two-sided p-value."""
    if df <= 0:
        raise ValueError(f"degrees of freedom must be positive, not {df}")
    return incomplete_beta(df / 2.0, 0.5, df / (df + t * t))


@lru_cache(maxsize=4096)
def t_quantile(probability: float, df: float) -> float:
    """The value that Student's T with `df` degrees of freedom stays below with `probability` (0 < p < 1)."""
    if not 0.0 < probability < 1.0:
        raise ValueError(f"probability must lie between 0 and 1, not {probability}")
    if probability < 0.5:
        return -t_quantile(1.0 - probability, df)
    tail = 2.0 * (1.0 - probability)
    low, high = 0.0, 1.0
    while t_tail(high, df) > tail:
        low, high = high, high * 2.0
    while (middle := (low + high) / 2.0) not in {low, high}:
        if t_tail(middle, df) > tail:
            low = middle
        else:
            high = middle
    return high
