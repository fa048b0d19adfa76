"""Means over sets with their 95 % bars, and Student's t, exact by the incomplete beta function."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

# With fewer sets a bar may be wider than the whole range of the value, so none is shown.
FEWEST_FOR_A_BAR = 5


@dataclass(frozen=True)
class Mean:
    """A mean over sets, and half the width of its 95 % bar; None with a single set."""

    value: float
    bar: float | None


def has_bar(mean: Mean, sets: int) -> bool:
    """Tell whether the bar of a mean over this many sets can be believed."""
    return mean.bar is not None and sets >= FEWEST_FOR_A_BAR


def with_bar(mean: Mean, sets: int) -> str:
    """Write a mean over this many sets with its bar, or ±? where there are too few for one."""
    value = round(mean.value, 3) or 0.0  # never -0.000
    if mean.bar is None or not has_bar(mean, sets):
        return f"{value:.3f} ±?"
    return f"{value:.3f} ±{mean.bar:.3f}"


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of `values`, one for each set, and its bar."""
    if len(values) < 2:
        return Mean(values[0], None)
    error = statistics.stdev(values) / math.sqrt(len(values))
    return Mean(statistics.fmean(values), quantile(0.975, len(values) - 1) * error)


def mean_of_sums(count: int, total: int, squares: int) -> Mean:
    """Return the mean of `count` whole numbers, and its bar, from their sum and that of their
    squares; no rounding depends on their order."""
    if count < 2:
        return Mean(total / count, None)
    variance = (count * squares - total * total) / (count * (count - 1))
    return Mean(total / count, quantile(0.975, count - 1) * math.sqrt(variance / count))


@cache
def quantile(p: float, freedom: int) -> float:
    """The t below which a share `p` (above one half) of Student's distribution lies.

    Newton's method from the normal quantile, which lies below it. Above 0 the curve of
    `share_below` bends downwards, so that the steps shorten and never overshoot.
    """
    t = NormalDist().inv_cdf(p)
    while True:
        step = (p - share_below(t, freedom)) / density(t, freedom)
        t += step
        if step < 1e-9 * t:
            return t


def density(t: float, freedom: int) -> float:
    """Return the slope of `share_below` at t."""
    half = freedom / 2
    front = math.exp(math.lgamma(half + 0.5) - math.lgamma(half)) / math.sqrt(freedom * math.pi)
    return front * math.exp(-(half + 0.5) * math.log1p(t * t / freedom))


def share_below(t: float, freedom: int) -> float:
    """Return the share of the distribution below t, for t at or above 0."""
    x = freedom / (freedom + t * t)
    return 1 - 0.5 * incomplete_beta(freedom / 2, 0.5, x)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x in (0.0, 1.0):
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(logarithm + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 500):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + step * d or tiny)
            c = 1 + step / c or tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction
