"""Likelihoods that one bot is better than another, and intervals of ranks."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from arena.league.table.ratings.ranks import rank_intervals, superiority, variance_of_difference


def test_with_many_sets_it_is_the_normal_distribution() -> None:
    for difference in (-30.0, -1.0, 0.0, 10.0, 50.0):
        wanted = NormalDist().cdf(difference / 20)
        assert superiority(difference, 400.0, 1_000_000) == pytest.approx(wanted, abs=1e-5)


def test_with_few_sets_it_is_less_sure() -> None:
    """Student's t with 4 degrees, and the error of a spread measured in 5 sets."""
    assert superiority(2.77645, 1.0 * 4 / 5, 5) == pytest.approx(0.975, abs=1e-5)
    assert superiority(-2.77645, 1.0 * 4 / 5, 5) == pytest.approx(0.025, abs=1e-5)


def test_a_single_set_is_silent_and_no_spread_is_certain() -> None:
    assert superiority(100.0, 400.0, 1) is None
    assert superiority(100.0, 400.0, 2) is not None
    assert superiority(0.0, 0.0, 10) == 0.5
    assert superiority(1.0, 0.0, 10) == 1.0
    assert superiority(-1.0, 0.0, 10) == 0.0


def test_a_difference_has_its_own_variance() -> None:
    covariance = np.array([[4.0, 1.0], [1.0, 9.0]])
    assert variance_of_difference(covariance, 0, 1) == 11.0
    assert variance_of_difference(np.ones((2, 2)), 0, 1) == 0.0


def test_rank_intervals_of_bots_far_apart_are_their_ranks() -> None:
    assert rank_intervals(np.array([100.0, 300.0, 200.0]), np.eye(3)) == [(3, 3), (1, 1), (2, 2)]


def test_rank_intervals_of_level_bots_are_all_ranks() -> None:
    assert rank_intervals(np.zeros(4), 100 * np.eye(4)) == [(1, 4)] * 4


def test_rank_intervals_of_bots_that_no_draw_tells_apart_are_all_ranks() -> None:
    """Two bots that shared each set evenly have errors of 0; neither is surely the first."""
    assert rank_intervals(np.zeros(2), np.zeros((2, 2))) == [(1, 2)] * 2
    ratings = np.array([0.0, 50.0, 0.0, -50.0, 0.0])
    assert rank_intervals(ratings, np.zeros((5, 5))) == [(2, 4), (1, 1), (2, 4), (5, 5), (2, 4)]


@pytest.mark.parametrize("shared", [-0.6, 0.0, 0.6])
@pytest.mark.parametrize("variance", [500.0, 0.05])
def test_two_bots_have_ranks_of_their_own_where_their_difference_is_beyond_its_bar(
    shared: float, variance: float
) -> None:
    """However much of their errors is shared; no difference is so near the limit that a draw or
    two would decide."""
    covariance = variance * np.array([[1.0, shared], [shared, 1.0]])
    bar = NormalDist().inv_cdf(0.975) * (2 * variance * (1 - shared)) ** 0.5
    assert rank_intervals(np.array([1.1 * bar, 0.0]), covariance) == [(1, 1), (2, 2)]
    assert rank_intervals(np.array([0.9 * bar, 0.0]), covariance) == [(1, 2), (1, 2)]


def test_bots_that_move_together_keep_their_order() -> None:
    """Large errors, but shared: the first stays above the second."""
    covariance = 10_000 * np.array([[1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])
    first, second, _ = rank_intervals(np.array([50.0, 40.0, 0.0]), covariance)
    assert (first, second) == ((1, 2), (2, 3))


def test_the_draws_are_the_same_in_every_run() -> None:
    ratings, covariance = np.linspace(0, 20, 10), 25 * np.eye(10)
    assert rank_intervals(ratings, covariance) == rank_intervals(ratings, covariance)
