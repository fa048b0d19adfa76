"""The bar of a mean share of pairs, and the chance that it is above one half, from few sets too.

A bar made from the differences between the sets alone is as narrow as the sets agree: after five
sets won, or five that are split, it has no width. But shares lie between 0 and 1, and with the mean
`m` their variance is at most `m * (1 - m)`, that of sets that are each wholly won or wholly lost.
So two things are told apart. `spread_of` is the part of this most that the sets show, and takes
agreement as evidence no sooner than their number allows. Whether the true mean may be `m` is then
told by the variance `spread * m * (1 - m)`, as in the score interval of Wilson: a share near 1 may
come from a true mean that is lower, where sets differ more than those that were seen.

`arena match` and leagues keep the plain bars of `arena.stats`. Theirs are also about points and
about differences, for which there is no such bound, and about bots that are near each other, where
both agree.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from arena.stats import FEWEST_FOR_A_BAR, quantile, share_below

# The squares of an assumed set that is won and one that is lost. Without them, ten sets with one
# half lost among them would tell a spread; with more, bars are wider than need be.
ASSUMED_SQUARES = 0.5
# A bar of 95 % leaves half of the rest above it.
BELOW_HIGH = 0.975


def ends_of(shares: Sequence[float]) -> tuple[float, float] | None:
    """Return the ends of the 95 % bar of the mean of these shares, one for each set; None with too
    few sets.

    They are the two `m` at which `(mean - m)**2 == t**2 * spread * m * (1 - m) / sets`, within 0
    and 1. An end is 0 or 1 exactly where nothing or all was won.
    """
    sets = len(shares)
    if sets < FEWEST_FOR_A_BAR:
        return None
    mean = statistics.fmean(shares)
    factor = quantile(BELOW_HIGH, sets - 1) ** 2 * spread_of(shares) / sets
    # The equation is a * m**2 - 2 * b * m + mean**2 == 0.
    a, b = 1 + factor, mean + factor / 2
    root = math.sqrt(max(b * b - a * mean**2, 0))
    return (b - root) / a if mean > 0 else 0.0, (b + root) / a if mean < 1 else 1.0


def superiority(shares: Sequence[float]) -> float | None:
    """Return the chance that the true mean share is above one half, by Student's t, if nothing
    about it was known before; None with too few sets.

    It is above 97.5 % exactly where the lower end of the bar is above one half.
    """
    sets = len(shares)
    if sets < FEWEST_FOR_A_BAR:
        return None
    t = (statistics.fmean(shares) - 0.5) / math.sqrt(spread_of(shares) / 4 / sets)
    below = share_below(abs(t), sets - 1)
    return below if t >= 0 else 1 - below


def spread_of(shares: Sequence[float]) -> float:
    """Return the variance of these shares as a part of the most that their mean allows, above 0
    and at most 1; 1 where nothing or all was won, because such sets tell nothing about it."""
    mean = statistics.fmean(shares)
    squares = math.fsum((share - mean) ** 2 for share in shares)
    most = len(shares) * mean * (1 - mean)
    return (squares + ASSUMED_SQUARES) / (most + ASSUMED_SQUARES)
