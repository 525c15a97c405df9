"""Intervals for rates, ratios and means whose units are questions, not answers.

Repeats of one question resemble each other, so every interval here treats questions as clusters and speaks about
"questions like these". Input is one pair (y, x) per question: its share of numerator and denominator. What does not
belong here: which answers count, and what a numerator is.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from geo_assets.metrics.student import t_quantile

Pair = tuple[float, float]

CONFIDENCE = 0.95
MIN_ICC = 0.3
"""Lower bound of the assumed correlation between repeats of one question. Estimated from few questions, the design
effect is often far too small by chance; the bound keeps coverage up there (measured by `benchmarks/intervals.py`)."""


class Interval(NamedTuple):
    """Ends of an interval, None where the data cannot give one, and how it was made."""

    low: float | None
    high: float | None
    method: str


def _informative(pairs: Sequence[Pair]) -> list[Pair]:
    return [(y, x) for y, x in pairs if x > 0]


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


def linearised_variance(pairs: Sequence[Pair]) -> float:
    """Variance of Σy / Σx over clusters, by linearisation (Cochran 1977, 6.4), with the factor q / (q - 1)."""
    questions = len(pairs)
    total = math.fsum(x for _, x in pairs)
    ratio = math.fsum(y for y, _ in pairs) / total
    squares = math.fsum((y - ratio * x) ** 2 for y, x in pairs)
    return questions / (questions - 1) * squares / total**2


def effective_size(pairs: Sequence[Pair]) -> float:
    """Answers that the m answers of these questions are worth: N over the design effect.

    The design effect is the linearised variance over the binomial one, kept within [1 + 0.3 (m̄ - 1), m̄] with
    m̄ = Σm² / N. Where all or no answers succeed, nothing can be estimated and the size is the number of questions.
    """
    total = math.fsum(x for _, x in pairs)
    p = math.fsum(y for y, _ in pairs) / total
    if p <= 0.0 or p >= 1.0:
        return float(len(pairs))
    mean_size = math.fsum(x * x for _, x in pairs) / total
    effect = linearised_variance(pairs) / (p * (1.0 - p) / total)
    return total / min(max(effect, 1.0 + (mean_size - 1.0) * MIN_ICC), mean_size)


def rate_interval(pairs: Sequence[Pair], confidence: float = CONFIDENCE) -> Interval:
    """Interval for a rate: y successes in m answers of each question.

    Wilson's interval at the effective size, with Student's t of q - 1 degrees of freedom in place of z.
    """
    pairs = _informative(pairs)
    if len(pairs) < 2:
        return Interval(None, None, "none: fewer than 2 questions")
    p = math.fsum(y for y, _ in pairs) / math.fsum(x for _, x in pairs)
    low, high = wilson(p, effective_size(pairs), _critical(len(pairs) - 1, confidence))
    return Interval(low, high, "wilson_t_design_effect")


def ratio_interval(
    pairs: Sequence[Pair],
    confidence: float = CONFIDENCE,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    method: str = "linearised_ratio_t",
) -> Interval:
    """Interval for Σy / Σx by the linearised ratio estimator with t(q - 1), clamped to `bounds`.

    Questions that add nothing to the denominator carry no information and are left out. Where the ratio sits on a
    bound of [0, 1] in every question, its estimated variance is 0 and would claim certainty: there Wilson's interval
    with one trial per question stands in. Elsewhere without any spread there is no interval.
    """
    pairs = _informative(pairs)
    if len(pairs) < 2:
        return Interval(None, None, "none: fewer than 2 questions")
    critical = _critical(len(pairs) - 1, confidence)
    ratio = math.fsum(y for y, _ in pairs) / math.fsum(x for _, x in pairs)
    error = math.sqrt(linearised_variance(pairs))
    if error <= 1e-12:
        if bounds == (0.0, 1.0) and (ratio <= 0.0 or ratio >= 1.0):
            return Interval(*wilson(min(max(ratio, 0.0), 1.0), len(pairs), critical), "wilson_t_questions")
        return Interval(None, None, "none: no spread between questions")
    low, high = max(bounds[0], ratio - critical * error), min(bounds[1], ratio + critical * error)
    return Interval(min(low, ratio), max(high, ratio), method)


def mean_interval(
    pairs: Sequence[Pair], confidence: float = CONFIDENCE, *, bounds: tuple[float, float] = (0.0, 1.0)
) -> Interval:
    """Cluster t interval for a mean over answers: y the sum and x the number of answers of each question.

    With equally many answers per question this is the t interval of the questions' means; with unequal numbers it
    stays centred on the published mean.
    """
    return ratio_interval(pairs, confidence, bounds=bounds, method="cluster_t")


def logit_mean_interval(pairs: Sequence[Pair], confidence: float = CONFIDENCE) -> Interval:
    """Cluster t interval on the logit scale for a mean of per-question probabilities (each pair is (value, 1)).

    On the logit scale the interval cannot leave [0, 1]. A mean of 0 or 1 has no logit: Wilson with n = questions.
    """
    plain = mean_interval(pairs, confidence)
    pairs = _informative(pairs)
    if plain.low is None or plain.method == "wilson_t_questions":
        return plain
    mean = math.fsum(y for y, _ in pairs) / math.fsum(x for _, x in pairs)
    centre = math.log(mean / (1.0 - mean))
    half = _critical(len(pairs) - 1, confidence) * math.sqrt(linearised_variance(pairs)) / (mean * (1.0 - mean))
    return Interval(_expit(centre - half), _expit(centre + half), "cluster_t_logit")


def _expit(value: float) -> float:
    if value >= 0:
        return 1.0 / (1.0 + math.exp(-min(value, 700.0)))
    return math.exp(max(value, -700.0)) / (1.0 + math.exp(max(value, -700.0)))


def weighted_interval(
    parts: Sequence[tuple[float, Mapping[str, Pair]]],
    confidence: float = CONFIDENCE,
    *,
    binomial: bool,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Interval for Σ w · (Σy / Σx), the weighted mean of platforms' numbers; weights sum to 1.

    Platforms are asked the same questions, so their numbers are not independent: a question's linearised residuals are
    added over platforms before they are squared. For rates the variance becomes an effective size for Wilson's
    interval, never more than independent platforms would give.
    """
    questions = sorted({q for _, pairs in parts for q, (_, x) in pairs.items() if x > 0})
    if len(questions) < 2:
        return Interval(None, None, "none: fewer than 2 questions")
    residuals = dict.fromkeys(questions, 0.0)
    value = 0.0
    for weight, pairs in parts:
        total = math.fsum(x for _, x in pairs.values())
        ratio = math.fsum(y for y, _ in pairs.values()) / total
        value += weight * ratio
        for question, (y, x) in pairs.items():
            if x > 0:
                residuals[question] += weight * (y - ratio * x) / total
    count = len(questions)
    variance = count / (count - 1) * math.fsum(r * r for r in residuals.values())
    critical = _critical(count - 1, confidence)
    unit = bounds == (0.0, 1.0)
    if unit and (value <= 0.0 or value >= 1.0):
        return Interval(*wilson(min(max(value, 0.0), 1.0), count, critical), "weighted_wilson_t_questions")
    if binomial:
        most = 1.0 / math.fsum(w * w / effective_size(_informative(list(p.values()))) for w, p in parts if w > 0)
        size = value * (1.0 - value) / variance if variance > 0 else most
        return Interval(*wilson(value, min(max(size, min(count, most)), most), critical), "weighted_wilson_t")
    half = critical * math.sqrt(variance)
    if half <= 1e-12:
        return Interval(None, None, "none: no spread between questions")
    return Interval(max(bounds[0], value - half), min(bounds[1], value + half), "weighted_linearised_t")
