"""Sets, seatings, and what they tell."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from hashlib import sha256

import numpy as np
import pytest
from msgspec.structs import replace

from arena.compare.sets import (
    Gap,
    elo_between,
    results,
    seatings,
    seatings_against,
    seed_of_set,
    sets_to_separate,
    share_of_pairs,
)
from arena.record import Record
from arena.stats import (
    FEWEST_FOR_A_BAR,
    Mean,
    incomplete_beta,
    mean_of,
    quantile,
    share_below,
    with_bar,
)
from tests.play import random_record

RECORD = random_record("nope", 3)


def played(places: tuple[int, ...], scores: tuple[int, ...]) -> Record:
    return replace(RECORD, places=places, scores=scores)


def test_each_bot_sits_on_each_seat_once_and_the_order_goes_round() -> None:
    assert seatings(3) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    for bots in (2, 4, 6):
        assert all(sorted(column) == [*range(bots)] for column in zip(*seatings(bots), strict=True))


def test_against_a_rival_each_seating_is_played_twice_with_only_the_first_bot_changed() -> None:
    assert seatings_against(3) == [(0, 1, 2), (3, 1, 2), (1, 2, 0), (1, 2, 3), (2, 0, 1), (2, 3, 1)]


def against(
    *pairs: tuple[tuple[int, ...], tuple[int, ...]],
) -> Sequence[tuple[tuple[int, ...], Record]]:
    """A set of two seats: by turn, the places with the first bot and with its rival."""
    seated = seatings_against(2)
    places = [each for pair in pairs for each in pair]
    return [(seating, played(each, ())) for seating, each in zip(seated, places, strict=True)]


def test_bots_that_do_not_meet_are_compared_by_what_each_won_of_the_same_others() -> None:
    won, lost = (1, 2), (2, 1)
    # The first wins both matches of two sets, and one of the third; its rival one of each set.
    sets = [
        against((won, won), (lost, won)),
        against((won, lost), (lost, lost)),
        against((won, won), (won, won)),
    ]
    rows, gaps = results([(0,), (2,)], sets)
    assert [(row.bot, row.ahead.value) for row in rows] == [(0, pytest.approx(5 / 6)), (1, 0.5)]
    assert gaps[0].gap == mean_of([0.5, 0.5, 0.0])


def test_elo_between_bots_that_do_not_meet_has_a_bar_of_the_paired_differences() -> None:
    """Against the formula done by numpy on the shares of each set."""
    won, lost = (1, 2), (2, 1)
    by_share = {1.0: (won, lost), 0.5: (won, won), 0.0: (lost, won)}
    shares = np.array([[1, 0.5], [0.5, 0.5], [1, 1], [0.5, 0], [1, 0.5], [0, 0]])
    sets = [against(*zip(by_share[first], by_share[rival], strict=True)) for first, rival in shares]
    elo = elo_between(((0,), (2,)), sets)
    means = shares.mean(axis=0)
    slopes = 400 / np.log(10) / (means * (1 - means))
    spread = (shares * slopes * [1, -1]).sum(axis=1).std(ddof=1)
    assert elo is not None
    assert elo.value == pytest.approx(400 * np.log10(means / (1 - means)) @ [1, -1])
    assert elo.bar == pytest.approx(quantile(0.975, 5) * spread / np.sqrt(6))


def test_no_elo_stands_between_bots_of_which_one_won_everything() -> None:
    won, lost = (1, 2), (2, 1)
    assert elo_between(((0,), (2,)), [against((won, won), (lost, won))] * 5) is None
    assert elo_between(((2,), (0,)), [against((won, won), (lost, won))] * 5) is None


def test_each_set_has_a_seed_of_its_own() -> None:
    # For ever: with `--seed` another version deals the same cards.
    assert seed_of_set(b"seed", 3) == sha256(b"arena match set\0\0\0\0\3seed").digest()
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
        assert share_of_pairs(places, [seat]) == pytest.approx(share)


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
    rows, gaps = results([(0,), (1,), (2,)], [one, one])
    assert [row.bot for row in rows] == [0, 1, 2]
    assert [row.ahead.value for row in rows] == [1.0, 0.5, 0.0]
    assert [row.points.value for row in rows] == [9.0, 5.0, 1.0]
    assert not any(gap.is_separated for gap in gaps)
    _, gaps = results([(0,), (1,), (2,)], [one] * 5)
    assert all(gap.is_separated for gap in gaps)


def test_rows_are_in_the_order_of_shares_then_of_points() -> None:
    """The third bot always wins; the others are level, and the second has more points."""
    one = [
        ((0, 1, 2), played((2, 2, 1), (1, 2, 9))),
        ((1, 2, 0), played((2, 1, 2), (2, 9, 1))),
        ((2, 0, 1), played((1, 2, 2), (9, 1, 2))),
    ]
    rows, gaps = results([(0,), (1,), (2,)], [one] * 5)
    assert [row.bot for row in rows] == [2, 1, 0]
    assert [gap.gap for gap in gaps] == [Mean(0.75, 0.0), Mean(0.0, 0.0)]
    assert [gap.is_separated for gap in gaps] == [True, False]


def test_a_gap_as_large_as_its_bar_separates_nobody() -> None:
    for bar, is_separated in ((0.25, False), (0.2, True), (None, False)):
        assert Gap(Mean(0.25, bar), 5, None).is_separated is is_separated


def test_nothing_is_separated_by_fewer_sets_than_a_bar_is_told_for() -> None:
    """Two bots that are equal often differ by as much in each of two sets: a bar of nothing."""
    for sets, told, is_separated in ((4, "0.250 ±?", False), (5, "0.250 ±0.000", True)):
        mean = mean_of([0.25] * sets)
        assert with_bar(mean, sets) == told
        assert Gap(mean, sets, None).is_separated is is_separated


def test_what_is_rounded_away_has_no_sign() -> None:
    assert with_bar(Mean(-0.0004, 0.01), 5) == "0.000 ±0.010"
    assert with_bar(Mean(-0.0006, 0.01), 5) == "-0.001 ±0.010"


def test_a_match_cut_short_has_no_points() -> None:
    one = [((0, 1), played((1, 2), ())), ((1, 0), played((2, 1), ()))]
    rows, _ = results([(0,), (1,)], [one])
    assert [row.points.value for row in rows] == [0.0, 0.0]
    assert [row.ahead.value for row in rows] == [1.0, 0.0]


def test_how_many_sets_would_separate_two_bots() -> None:
    assert sets_to_separate([0.1]) is None
    assert sets_to_separate([0.5, -0.5]) is None
    assert sets_to_separate([0.0019] * 3) is None
    assert sets_to_separate([0.002] * 3) == 5
    assert sets_to_separate([0.3, 0.3, 0.3]) == FEWEST_FOR_A_BAR
    # A gap as large as its spread needs four times as many as half of it would.
    assert sets_to_separate([0.0, 0.2]) == math.ceil(3.605**2 * 2) == 26
    assert sets_to_separate([0.1, 0.3]) == math.ceil(3.605**2 / 2) == 7
    assert sets_to_separate([0.3, 0.4]) == FEWEST_FOR_A_BAR > math.ceil(3.605**2 * 0.005 / 0.35**2)


def test_copies_of_a_bot_share_a_row_and_play_no_pairs_with_each_other() -> None:
    """Two copies on the first places of the line-up, and one opponent between them in places."""
    one = [((0, 1, 2), played((1, 3, 2), (9, 5, 1))), ((1, 2, 0), played((1, 2, 2), (8, 4, 6)))]
    assert share_of_pairs((1, 3, 2), [0, 1]) == 0.5
    assert share_of_pairs((1, 3, 2), [2]) == 0.5
    rows, gaps = results([(0, 1), (2,)], [one])
    assert [(row.bot, row.ahead.value) for row in rows] == [(0, 0.625), (1, 0.375)]
    assert [row.points.value for row in rows] == [7.0, 2.5]
    assert len(gaps) == 1


def test_the_sets_that_are_named_separate_such_bots_in_95_of_100_cases() -> None:
    random = np.random.default_rng(6)
    sets = sets_to_separate([0.0, 0.1, 0.2, 0.7, -0.5])  # mean 0.1
    assert sets is not None
    spread = statistics.stdev([0.0, 0.1, 0.2, 0.7, -0.5])
    drawn = random.normal(0.1, spread, (4_000, sets))
    bars = quantile(0.975, sets - 1) * drawn.std(axis=1, ddof=1) / math.sqrt(sets)
    assert float((drawn.mean(axis=1) > bars).mean()) == pytest.approx(0.95, abs=0.015)
