"""Intervals for rates, ratios and means whose units are questions, not answers.

Repeats of one question resemble each other, so every interval here treats questions as clusters and speaks about
"questions like these". Input is one pair (y, x) per question: its share of numerator and denominator. What does not
belong here: which answers count, and what a numerator is.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from geo_assets.metrics.student import t_quantile

Pair = tuple[float, float]

CONFIDENCE = 0.95
FEW, FLAT = "none: fewer than 2 questions", "none: no spread between questions"
MIN_ICC = 0.3
"""Lower bound of the assumed correlation between repeats of one question. Estimated from few questions, the design
effect is often far too small by chance; the bound keeps coverage up there (measured by `benchmarks/intervals.py`)."""


class Interval(NamedTuple):
    """Ends of an interval, None where the data cannot give one, and how it was made."""

    low: float | None
    high: float | None
    method: str


class Moments(NamedTuple):
    """All that intervals need of the pairs of questions: their number and sums of y, x, y², xy and x².

    Only questions with x > 0 take part; the others carry no information.
    """

    questions: int
    y: float
    x: float
    yy: float
    xy: float
    xx: float

    @property
    def ratio(self) -> float:
        """Σy / Σx."""
        return self.y / self.x

    @property
    def squares(self) -> float:
        """Σ (y - ratio · x)²; exactly 0 where only rounding is left of it."""
        ratio = self.ratio
        squares = self.yy - 2.0 * ratio * self.xy + ratio * ratio * self.xx
        return squares if squares > 1e-12 * (self.yy + ratio * ratio * self.xx) else 0.0


def moments(pairs: Iterable[Pair]) -> Moments:
    """Moments of one pair (y, x) per question. Sums are exactly rounded, so their order does not matter."""
    kept = [(y, x) for y, x in pairs if x > 0]
    return Moments(
        len(kept),
        math.fsum(y for y, _ in kept),
        math.fsum(x for _, x in kept),
        math.fsum(y * y for y, _ in kept),
        math.fsum(y * x for y, x in kept),
        math.fsum(x * x for _, x in kept),
    )


def _critical(df: float, confidence: float) -> float:
    return t_quantile(0.5 + confidence / 2.0, df)


def wilson(p: float, n: float, critical: float) -> tuple[float, float]:
    """Wilson's score interval for a proportion `p` of `n` (n may be an effective size), clamped to [0, 1]."""
    square = critical * critical
    centre = (p + square / (2.0 * n)) / (1.0 + square / n)
    half = critical * math.sqrt(p * (1.0 - p) / n + square / (4.0 * n * n)) / (1.0 + square / n)
    low = 0.0 if p == 0.0 else max(0.0, centre - half)
    high = 1.0 if p == 1.0 else min(1.0, centre + half)
    return min(low, p), max(high, p)


def linearised_variance(m: Moments) -> float:
    """Variance of Σy / Σx over clusters, by linearisation (Cochran 1977, 6.4), with the factor q / (q - 1)."""
    return m.questions / (m.questions - 1) * m.squares / m.x**2


def effective_size(m: Moments) -> float:
    """Answers that the m answers of these questions are worth: N over the design effect.

    The design effect is the linearised variance over the binomial one, kept within [1 + 0.3 (m̄ - 1), m̄] with
    m̄ = Σm² / N. Where all or no answers succeed, nothing can be estimated and the size is the number of questions.
    """
    p = m.ratio
    if p <= 0.0 or p >= 1.0 or m.questions < 2:
        return float(m.questions)
    mean_size = m.xx / m.x
    effect = linearised_variance(m) / (p * (1.0 - p) / m.x)
    return m.x / min(max(effect, 1.0 + (mean_size - 1.0) * MIN_ICC), mean_size)


def rate_interval(m: Moments, confidence: float = CONFIDENCE) -> Interval:
    """Interval for a rate: y successes in m answers of each question.

    Wilson's interval at the effective size, with Student's t of q - 1 degrees of freedom in place of z.
    """
    if m.questions < 2:
        return Interval(None, None, FEW)
    low, high = wilson(m.ratio, effective_size(m), _critical(m.questions - 1, confidence))
    return Interval(low, high, "wilson_t_design_effect")


def ratio_interval(
    m: Moments,
    confidence: float = CONFIDENCE,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    method: str = "linearised_ratio_t",
) -> Interval:
    """Interval for Σy / Σx by the linearised ratio estimator with t(q - 1), clamped to `bounds`.

    Where the ratio sits on a bound of [0, 1] in every question, its estimated variance is 0 and would claim certainty:
    there Wilson's interval with one trial per question stands in. Elsewhere without any spread there is no interval.
    """
    if m.questions < 2:
        return Interval(None, None, FEW)
    critical, ratio = _critical(m.questions - 1, confidence), m.ratio
    half = critical * math.sqrt(linearised_variance(m))
    if half == 0.0:
        if bounds == (0.0, 1.0) and (ratio <= 0.0 or ratio >= 1.0):
            return Interval(*wilson(min(max(ratio, 0.0), 1.0), m.questions, critical), "wilson_t_questions")
        return Interval(None, None, FLAT)
    return Interval(min(ratio, max(bounds[0], ratio - half)), max(ratio, min(bounds[1], ratio + half)), method)


def mean_interval(m: Moments, confidence: float = CONFIDENCE, *, bounds: tuple[float, float] = (0.0, 1.0)) -> Interval:
    """Cluster t interval for a mean over answers: y the sum and x the number of answers of each question.

    With equally many answers per question this is the t interval of the questions' means; with unequal numbers it
    stays centred on the published mean.
    """
    return ratio_interval(m, confidence, bounds=bounds, method="cluster_t")


def logit_mean_interval(m: Moments, confidence: float = CONFIDENCE) -> Interval:
    """Cluster t interval on the logit scale for a mean of per-question probabilities (each pair is (value, 1)).

    On the logit scale the interval cannot leave [0, 1]. A mean of 0 or 1 has no logit: Wilson with n = questions.
    """
    plain = mean_interval(m, confidence)
    if plain.low is None or plain.method == "wilson_t_questions":
        return plain
    mean = m.ratio
    centre = math.log(mean / (1.0 - mean))
    half = _critical(m.questions - 1, confidence) * math.sqrt(linearised_variance(m)) / (mean * (1.0 - mean))
    return Interval(_expit(centre - half), _expit(centre + half), "cluster_t_logit")


def weighted_interval(
    value: float,
    squares: float,
    questions: int,
    sizes: Sequence[tuple[float, float]] | None,
    confidence: float = CONFIDENCE,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Interval for Σ w · (Σy / Σx), the weighted mean of platforms' numbers.

    Platforms are asked the same questions, so their numbers are not independent: a question's linearised residuals
    w (y - ratio · x) / Σx are added over platforms before they are squared.

    Args:
        value: the weighted mean.
        squares: Σ over questions of the squared sum of residuals.
        questions: questions with anything in a denominator.
        sizes: for rates, (weight, effective size) per platform: the variance becomes an effective size for Wilson's
            interval, never more than independent platforms would give. None for ratios and means.
        confidence: level of the interval.
        bounds: values the metric can take.
    """
    if questions < 2:
        return Interval(None, None, FEW)
    critical = _critical(questions - 1, confidence)
    variance = questions / (questions - 1) * squares
    if bounds == (0.0, 1.0) and (value <= 0.0 or value >= 1.0):
        return Interval(*wilson(min(max(value, 0.0), 1.0), questions, critical), "weighted_wilson_t_questions")
    if sizes is not None:
        most = 1.0 / math.fsum(w * w / size for w, size in sizes)
        size = value * (1.0 - value) / variance if variance > 0 else most
        return Interval(*wilson(value, min(max(size, min(questions, most)), most), critical), "weighted_wilson_t")
    half = critical * math.sqrt(variance)
    if half == 0.0:
        return Interval(None, None, FLAT)
    low, high = max(bounds[0], value - half), min(bounds[1], value + half)
    return Interval(min(low, value), max(high, value), "weighted_linearised_t")


def _expit(value: float) -> float:
    if value >= 0:
        return 1.0 / (1.0 + math.exp(-min(value, 700.0)))
    return math.exp(max(value, -700.0)) / (1.0 + math.exp(max(value, -700.0)))
