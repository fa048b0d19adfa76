"""The fit: what it solves, and when it cannot."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.league.table.ratings.model import ELO, NoFiniteRatings, expected, fit
from arena.league.table.ratings.pairs import pairs_of
from arena.league.table.ratings.results import Floats, tables_of
from tests.league.table.ratings.leagues import any_league


def two(won: float, lost: float) -> tuple[Floats, Floats]:
    games = won + lost
    return np.array([[0, games], [games, 0]]), np.array([[0, won], [lost, 0]])


def test_400_elo_are_ten_to_one() -> None:
    ratings = np.array([400 / ELO, 0.0])
    assert expected(ratings)[0, 1] == pytest.approx(10 / 11)


@pytest.mark.parametrize("seed", range(5))
def test_at_the_solution_everybody_has_the_points_expected_of_it(seed: int) -> None:
    pairs = pairs_of(7, tables_of(7, any_league(seed)))
    weights, scores = pairs.weights(), pairs.scores()
    ratings = fit(weights, scores)
    points = (weights * expected(ratings)).sum(axis=1)
    assert points == pytest.approx(scores.sum(axis=1), abs=1e-9)


def test_steps_are_short_enough_to_arrive_from_far() -> None:
    """A chain of bots each of which beats the next 99 times in 100."""
    weights, scores = np.zeros((2, 12, 12))
    for bot in range(11):
        weights[bot, bot + 1] = weights[bot + 1, bot] = 100
        scores[bot, bot + 1], scores[bot + 1, bot] = 99, 1
    ratings = fit(weights, scores)
    assert np.diff(ratings) == pytest.approx([-math.log(99)] * 11)


def test_a_perfect_score_has_no_finite_rating_without_a_prior() -> None:
    with pytest.raises(NoFiniteRatings):
        fit(*two(10, 0))


def test_the_prior_is_a_tie_with_a_bot_in_the_middle() -> None:
    """By symmetry the ratings are r and -r, and r solves the one equation that is left."""
    tau = 1.0
    for won, lost in ((10, 0), (75, 25), (3, 3)):
        r = fit(*two(won, lost), tau)[0]
        ahead_of_other, ahead_of_middle = 1 / (1 + math.exp(-2 * r)), 1 / (1 + math.exp(-r))
        left = won - (won + lost) * ahead_of_other + tau * (0.5 - ahead_of_middle)
        assert left == pytest.approx(0, abs=1e-9)
    assert 0 < fit(*two(75, 25), tau)[0] < fit(*two(75, 25))[0]


def test_one_bot_or_none_needs_no_fit() -> None:
    assert fit(np.zeros((1, 1)), np.zeros((1, 1))).tolist() == [0.0]
    assert fit(np.zeros((0, 0)), np.zeros((0, 0))).tolist() == []
