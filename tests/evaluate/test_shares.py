"""Bars of shares and the chance to be better, where sets are few or agree."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.evaluate.shares import ends_of, spread_of, superiority

MATCHES = 2  # of a simulated set


@pytest.mark.parametrize("sets", [5, 10, 40])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.6, 0.75, 0.9, 0.97])
def test_a_bar_of_95_percent_holds_the_true_share_in_about_so_many_cases(
    share: float, sets: int
) -> None:
    """Sets of two matches; the deal makes one set easier than another.

    Few sets have few results, so no bar holds the share in exactly 95 of 100 cases.
    Bars of Student's t hold it here in 26 to 89 of 100 cases at 0.97, and in 62 to 90 at 0.9.
    """
    rng = np.random.default_rng([sets, round(100 * share)])
    deals = rng.beta(8 * share, 8 * (1 - share), (2000, sets))
    held = 0
    for won in rng.binomial(MATCHES, deals) / MATCHES:
        ends = ends_of([*map(float, won)])
        assert ends is not None
        held += ends[0] <= share <= ends[1]
    assert held / 2000 > 0.94


def test_a_bar_of_many_sets_is_as_wide_as_that_of_students_t() -> None:
    shares = [*map(float, np.random.default_rng(1).binomial(4, 0.6, 400) / 4)]
    ends = ends_of(shares)
    assert ends is not None
    plain = 2 * 1.966 * float(np.std(shares, ddof=1)) / math.sqrt(400)
    assert ends[1] - ends[0] == pytest.approx(plain, rel=0.02)


@pytest.mark.parametrize(
    ("shares", "low", "high"),
    [
        ([1.0] * 5, 0.3935, 1.0),  # 1 / (1 + t**2 / 5), t = 2.7764
        ([0.0] * 5, 0.0, 0.6065),
        ([1.0] * 40, 0.9072, 1.0),
        ([0.5] * 5, 0.2235, 0.7765),  # a spread of 0.5 / 1.75
        ([0.5] * 40, 0.4652, 0.5348),
    ],
)
def test_sets_that_agree_leave_a_doubt_that_falls_with_their_number(
    shares: list[float], low: float, high: float
) -> None:
    assert ends_of(shares) == pytest.approx((low, high), abs=1e-4)


def test_the_spread_is_what_the_sets_show_of_the_most_that_there_can_be() -> None:
    assert spread_of([1.0, 0.0, 1.0, 0.0]) == 1
    assert spread_of([1.0] * 100) == 1
    assert spread_of([0.5] * 8) == pytest.approx(0.5 / 2.5)
    assert spread_of([0.25, 0.75] * 500) == pytest.approx(0.25, abs=0.002)


def test_the_chance_to_be_better_is_students() -> None:
    # A mean of 0.7 and squares of 0.2, at most 1.05: a spread of 0.7 / 1.55, so t = 1.3311.
    shares = [0.7 + 0.1 * math.sqrt(5) * each for each in (-1.2649111, -0.6324555, 0)]
    shares += [0.7 + 0.1 * math.sqrt(5) * each for each in (0.6324555, 1.2649111)]
    assert superiority(shares) == pytest.approx(0.8730, abs=1e-4)
    assert superiority([1 - each for each in shares]) == pytest.approx(0.1270, abs=1e-4)
    assert superiority([0.5] * 9) == 0.5


def test_sets_that_agree_are_not_certain_that_the_policy_is_better() -> None:
    assert superiority([0.51] * 5) == pytest.approx(0.53, abs=0.01)
    assert superiority([1.0] * 5) == pytest.approx(0.9554, abs=1e-3)


def test_the_bar_is_above_one_half_exactly_where_the_chance_is_above_97_5_percent() -> None:
    rng = np.random.default_rng(2)
    seen = set()
    for won in rng.binomial(2, 0.75, (200, 8)) / 2:
        shares = [*map(float, won)]
        ends, chance = ends_of(shares), superiority(shares)
        assert ends is not None
        assert chance is not None
        assert (ends[0] > 0.5) == (chance > 0.975)
        seen.add(ends[0] > 0.5)
    assert seen == {True, False}


def test_too_few_sets_have_neither_a_bar_nor_a_chance() -> None:
    assert ends_of([0.4, 0.5, 0.6, 0.7]) is None
    assert superiority([0.4, 0.5, 0.6, 0.7]) is None
