"""Sets, seatings, and what they tell."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from arena.record import Record
from arena.referee.sets import (
    mean_of,
    results,
    seatings,
    seed_of_set,
    sets_to_separate,
    share_ahead,
    with_bar,
)
from arena.referee.student import incomplete_beta, quantile, share_below
from tests.play import random_record

RECORD = random_record("nope", 3)


def played(places: tuple[int, ...], scores: tuple[int, ...]) -> Record:
    return replace(RECORD, places=places, scores=scores)


def test_each_bot_sits_on_each_seat_once_and_the_order_goes_round() -> None:
    assert seatings(3) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    for bots in (2, 4, 6):
        assert all(sorted(column) == [*range(bots)] for column in zip(*seatings(bots), strict=True))


def test_each_set_has_a_seed_of_its_own() -> None:
    seeds = {seed_of_set(b"seed", number) for number in range(100)}
    assert len(seeds) == 100
    assert seed_of_set(b"seed", 3) == seed_of_set(b"seed", 3) != seed_of_set(b"other", 3)


@pytest.mark.parametrize(
    ("places", "shares"),
    [
        ((1, 2), (1, 0)),
        ((1, 1), (0.5, 0.5)),
        ((2, 1, 2), (0.25, 1, 0.25)),
        ((1, 2, 3, 4), (1, 2 / 3, 1 / 3, 0)),
    ],
)
def test_a_tie_counts_half(places: tuple[int, ...], shares: tuple[float, ...]) -> None:
    for seat, share in enumerate(shares):
        assert share_ahead(places, seat) == pytest.approx(share)


@pytest.mark.parametrize(
    ("freedom", "t"),
    [(1, 12.70620), (2, 4.30265), (5, 2.57058), (10, 2.22814), (29, 2.04523), (1000, 1.96234)],
)
def test_students_quantiles_are_those_of_the_printed_tables(freedom: int, t: float) -> None:
    assert quantile(0.975, freedom) == pytest.approx(t, abs=1e-5)
    assert share_below(t, freedom) == pytest.approx(0.975, abs=1e-6)


def test_the_incomplete_beta_function_is_known_where_it_is_simple() -> None:
    assert incomplete_beta(1, 1, 0.3) == pytest.approx(0.3)
    assert incomplete_beta(2, 1, 0.9) == pytest.approx(0.81)
    assert (incomplete_beta(2, 3, 0.0), incomplete_beta(2, 3, 1.0)) == (0.0, 1.0)


def test_a_bar_is_over_sets_and_a_single_set_has_none() -> None:
    assert mean_of([0.4]).bar is None
    assert with_bar(mean_of([0.4]), 1) == "0.400 ±?"
    mean = mean_of([0.2, 0.4, 0.6])
    assert mean.value == pytest.approx(0.4)
    assert mean.bar == pytest.approx(4.30265 * 0.2 / 3**0.5, abs=1e-4)


def test_the_bar_of_a_handful_of_sets_is_not_told() -> None:
    assert with_bar(mean_of([0.5, 1.0]), 2) == "0.750 ±?"
    assert with_bar(mean_of([0.2, 0.4, 0.6, 0.4, 0.4]), 5) == "0.400 ±0.176"


def test_results_follow_a_bot_through_its_seats() -> None:
    """The first bot always finishes first, wherever it sits."""
    one = [
        ((0, 1, 2), played((1, 2, 3), (9, 5, 1))),
        ((1, 2, 0), played((2, 3, 1), (5, 1, 9))),
        ((2, 0, 1), played((3, 1, 2), (1, 9, 5))),
    ]
    rows, gaps = results(3, [one, one])
    assert [row.bot for row in rows] == [0, 1, 2]
    assert [row.ahead.value for row in rows] == [1.0, 0.5, 0.0]
    assert [row.points.value for row in rows] == [9.0, 5.0, 1.0]
    assert all(gap.is_separated for gap in gaps)


def test_a_match_cut_short_has_no_points() -> None:
    one = [((0, 1), played((1, 2), ())), ((1, 0), played((2, 1), ()))]
    rows, _ = results(2, [one])
    assert [row.points.value for row in rows] == [0.0, 0.0]
    assert [row.ahead.value for row in rows] == [1.0, 0.0]


def test_how_many_sets_would_separate_two_bots() -> None:
    assert sets_to_separate([0.1]) is None
    assert sets_to_separate([0.5, -0.5]) is None
    assert sets_to_separate([0.3, 0.3, 0.3]) == 2
    # A gap as large as its spread needs four times as many as half of it would.
    near, far = sets_to_separate([0.0, 0.2]), sets_to_separate([0.1, 0.3])
    assert near is not None
    assert far is not None
    assert near > far
