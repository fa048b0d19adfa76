"""Log-likelihood ratios, against published figures of other programs."""

from __future__ import annotations

import math

import pytest

from arena.likelihood import ELO_PER_SPREAD, Cells, Spread, elo_of, share_of

Row = tuple[str, float, float, float, float, float]

# Cells from low to high, the bounds in Elo, and the ratio by three methods: exact for Elo, exact
# for normalised Elo, and for normalised Elo by mean and variance. Five cells are pairs of matches,
# three are single matches.
GOLDEN: list[Row] = [
    ("10789 19328 33806 19402 10543", 0, 5, -38.514408, -26.838449, -26.836615),
    ("10789 19328 33806 19402 10543", -3, 1, 2.131068, 0.300870, 0.300905),
    ("10789 19328 33806 19402 10543", 0, 20, -505.250231, -340.249204, -340.030275),
    ("1187 7410 13475 7378 1164", 0, 5, -18.877471, -8.125814, -8.125006),
    ("1187 7410 13475 7378 1164", -3, 1, 2.861527, 0.600266, 0.600249),
    ("1187 7410 13475 7378 1164", 0, 20, -265.839700, -108.537014, -108.395794),
    ("39 2226 31451 2412 40", 0, 5, -68.718702, 2.847899, 2.848650),
    ("39 2226 31451 2412 40", -3, 1, 65.973585, 10.667041, 10.666410),
    ("39 2226 31451 2412 40", 0, 20, -1245.785613, -79.400009, -78.399004),
    ("5 20 40 30 5", 0, 5, 0.270468, 0.192159, 0.194121),
    ("5 20 40 30 5", -3, 1, 0.265544, 0.176810, 0.178129),
    ("5 20 40 30 5", 0, 20, 0.539426, 0.522562, 0.529994),
    ("0 0 10 5 1", 0, 5, 0.228520, 0.149301, 0.184235),
    ("0 0 10 5 1", -3, 1, 0.184676, 0.122747, 0.149144),
    ("0 0 10 5 1", 0, 20, 0.894137, 0.562932, 0.716903),
    ("30 6 18 0 6", 0, 5, -0.610813, -0.696443, -0.688025),
    ("30 6 18 0 6", -3, 1, -0.479858, -0.543792, -0.543582),
    ("30 6 18 0 6", 0, 20, -2.536207, -2.926951, -2.820871),
    ("25 40 35", 0, 5, 0.222762, 0.175459, 0.174355),
    ("25 40 35", -3, 1, 0.197338, 0.151935, 0.150529),
    ("25 40 35", 0, 20, 0.685062, 0.577844, 0.577335),
    ("3 0 17", 0, 5, 0.199415, 0.199403, 0.143863),
    ("3 0 17", -3, 1, 0.161852, 0.161846, 0.115117),
    ("3 0 17", 0, 20, 0.772824, 0.772397, 0.574869),
]

# By cells: the Elo of the mean, and half the width of its bar of 1.96 standard errors.
GOLDEN_ELO = [
    ("10789 19328 33806 19402 10543", -0.77358, 1.27758),
    ("1187 7410 13475 7378 1164", -0.44261, 1.72986),
    ("39 2226 31451 2412 40", 0.90298, 0.66253),
    ("5 20 40 30 5", 17.38628, 32.29477),
    ("0 0 10 5 1", 77.20566, 55.00663),
    ("30 6 18 0 6", -168.39523, 73.37323),
    ("25 40 35", 34.86007, 53.25977),
]

golden = pytest.mark.parametrize(
    ("cells", "low", "high", "plain", "normalised", "by_spread"), GOLDEN
)


def cells_of(text: str) -> Cells:
    return Cells(tuple(map(float, text.split())))


def matches_of(cells: Cells) -> int:
    return 2 if len(cells.counts) == 5 else 1


@golden
def test_the_ratio_of_cells_is_that_of_the_published_figures(
    cells: str, low: float, high: float, plain: float, normalised: float, by_spread: float
) -> None:
    found = cells_of(cells)
    assert found.of_means(share_of(low), share_of(high)) == pytest.approx(plain, abs=1e-5)
    unit = math.sqrt(matches_of(found)) / ELO_PER_SPREAD
    assert found.of_spreads(low * unit, high * unit) == pytest.approx(normalised, abs=1e-5)


@golden
def test_the_ratio_of_mean_and_variance_is_that_of_the_published_figures(
    cells: str, low: float, high: float, plain: float, normalised: float, by_spread: float
) -> None:
    """They take the match for the unit, and its variance from that of a pair."""
    found = cells_of(cells)
    matches = matches_of(found)
    mean, variance = found.moments
    spread = Spread(found.sets * matches, mean, variance * matches)
    ratio = spread.of_spreads(low / ELO_PER_SPREAD, high / ELO_PER_SPREAD)
    assert ratio == pytest.approx(by_spread, abs=1e-5)


@pytest.mark.parametrize(("cells", "elo", "half"), GOLDEN_ELO)
def test_the_elo_of_a_mean_and_its_bar_are_those_of_the_published_figures(
    cells: str, elo: float, half: float
) -> None:
    found = cells_of(cells)
    mean, variance = found.moments
    error = 1.959964 * math.sqrt(variance / found.sets)
    assert elo_of(mean) == pytest.approx(elo, abs=1e-5)
    width = elo_of(mean + error) - elo_of(mean - error)
    assert width / 2 == pytest.approx(half, abs=1e-4)


def test_elo_and_share_undo_each_other_and_end_at_infinity() -> None:
    assert share_of(0) == 0.5
    assert share_of(400) == pytest.approx(10 / 11)
    for elo in (-300.0, -1.5, 0.0, 20.0, 599.0):
        assert elo_of(share_of(elo)) == pytest.approx(elo, abs=1e-9)
    assert (elo_of(0.0), elo_of(1.0), elo_of(1.2)) == (-math.inf, math.inf, math.inf)


def test_normalised_elo_is_elo_for_untied_matches_decided_by_lot() -> None:
    """The spread of such a match is 1/2; near 1/2 the two scales have the same slope."""
    assert (share_of(1) - 0.5) / 0.5 * ELO_PER_SPREAD == pytest.approx(1, abs=1e-5)


def test_mean_and_variance_of_many_sets_tell_the_same_as_cells() -> None:
    """Near the claims; to first order it is sets * difference * distance from their middle."""
    cells = Cells((100.0, 200.0, 390.0, 210.0, 100.0))
    mean, variance = cells.moments
    low, high = share_of(0), share_of(5)
    spread = Spread(cells.sets, mean, variance)
    first_order = cells.sets * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert spread.of_means(low, high) == pytest.approx(first_order, rel=1e-2)
    assert spread.of_means(low, high) == pytest.approx(cells.of_means(low, high), rel=1e-2)


def test_sets_that_all_end_alike_leave_room_for_one_that_does_not() -> None:
    """Two versions that rarely act differently: 30 level sets do not rule 20 Elo out."""
    level = Cells((0, 0, 30, 0, 0))
    # A twentieth and a bit of all sets would be won outright, so that 30 without are no wonder.
    won = 2 * (share_of(20) - 0.5)
    assert level.of_means(0.5, share_of(20)) == pytest.approx(30 * math.log(1 - won), abs=0.02)
    assert Cells((0, 0, 0, 0, 9)).of_means(0.5, share_of(20)) > 0


def test_a_variance_of_nothing_divides_nothing() -> None:
    level = Spread(30, 0.5, 0.0)
    assert level.of_means(0.5, share_of(20)) < 0 < level.of_means(share_of(-20), 0.5)
    assert level.of_spreads(0.0, 0.1) < 0


def test_turning_the_bots_round_turns_the_ratio_round() -> None:
    counts = (3.0, 5.0, 9.0, 8.0, 4.0)
    there = Cells(counts).of_means(share_of(-5), share_of(12))
    back = Cells(counts[::-1]).of_means(share_of(-12), share_of(5))
    assert there == pytest.approx(-back, rel=1e-9)
