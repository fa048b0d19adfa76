"""The test that draws are held to tells true draws from others."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.games.chi_square import excess, most

WEIGHTS = {"a": 1, "b": 2, "c": 3, "d": 4}


def draws(weights: dict[str, int], count: int) -> Counter[str]:
    return Counter(random.Random(1).choices([*weights], [*weights.values()], k=count))


def test_true_draws_are_within_the_limit() -> None:
    assert abs(excess(draws(WEIGHTS, 5000), WEIGHTS)) < most(1)


def test_draws_that_are_off_by_a_tenth_are_not() -> None:
    assert excess(draws({**WEIGHTS, "a": 2}, 5000), WEIGHTS) > most(1000)


def test_what_has_no_weight_is_never_drawn() -> None:
    with pytest.raises(AssertionError):
        excess({"e": 1}, WEIGHTS)


def test_more_tests_allow_more() -> None:
    assert most(1) < most(100) < 5
