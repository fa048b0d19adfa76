"""Student's t, for bars around means of few sets. Exact, by the incomplete beta function."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist


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
    """The slope of `share_below`."""
    half = freedom / 2
    front = math.exp(math.lgamma(half + 0.5) - math.lgamma(half)) / math.sqrt(freedom * math.pi)
    return front * math.exp(-(half + 0.5) * math.log1p(t * t / freedom))


def share_below(t: float, freedom: int) -> float:
    """How much of the distribution lies below t, for t at or above 0."""
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
