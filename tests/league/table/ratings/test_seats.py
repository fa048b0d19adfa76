"""What is counted without a model."""

from __future__ import annotations

import math

import pytest

from arena.compare.sets import share_of_pairs
from arena.league.table.ratings import Scored
from arena.league.table.ratings.results import tables_of
from arena.league.table.ratings.seats import Seats, seats_of
from arena.stats import Mean, mean_of, quantile
from tests.league.table.ratings.leagues import KINDS, any_league, league


def read(bots: int, matches: list[Scored], owners: list[str] | None = None) -> Seats:
    return seats_of(bots, tables_of(bots, matches, owners))


def value(mean: Mean | None) -> float:
    assert mean is not None
    return mean.value


def test_sets_and_games_are_those_a_bot_sat_in() -> None:
    set_5 = [Scored(5, 0, (0, 1), (1, 2)), Scored(5, 1, (1, 0), (1, 2))]
    seats = read(3, [*set_5, Scored(8, 0, (1, 0), (1, 1))])
    assert (seats.sets().tolist(), seats.games().tolist()) == ([2, 2, 0], [3, 3, 0])


def test_one_match_is_counted_by_seat() -> None:
    seats = read(4, [Scored(0, 0, (3, 2, 1, 0), (1, 1, 3, 4), (9.0, 9.0, 4.0, 2.0))])
    ahead, level, wins, places, points = (
        [value(mean) for mean in seats.mean_of_each(column)]
        for column in (seats.ahead, seats.level, seats.win, seats.place, seats.points)
    )
    assert ahead == pytest.approx([0, 1 / 3, 5 / 6, 5 / 6])
    assert level == pytest.approx([0, 0, 1 / 3, 1 / 3])
    assert (wins, places, points) == ([0, 0, 0.5, 0.5], [4, 3, 1, 1], [2, 4, 9, 9])


def test_a_bot_that_never_sat_has_no_means() -> None:
    seats = read(3, [Scored(0, 0, (0, 1), (1, 2), (3.0, 1.0))])
    assert [seats.mean_of_each(seats.place)[2], seats.gain_from_repetition()[2]] == [None, None]
    nobody = read(2, [])
    assert nobody.mean_of_each(nobody.ahead) == nobody.gain_from_repetition() == [None, None]


def test_matches_without_points_are_left_out_of_their_mean() -> None:
    seats = read(2, [Scored(0, 0, (0, 1), (1, 2), (3.0, 1.0)), Scored(1, 0, (0, 1), (1, 2))])
    assert [value(mean) for mean in seats.mean_of_each(seats.points)] == [3.0, 1.0]


def test_only_opponents_that_make_a_pair_are_finished_ahead_of() -> None:
    """Seats 1 and 2 share an owner, 2 and 3 the last place by forfeit."""
    seats = read(4, [Scored(0, 0, (0, 1, 2, 3), (2, 1, 3, 3), forfeits=(2, 3))], [*"xyyz"])
    ahead = [value(mean) for mean in seats.mean_of_each(seats.ahead)]
    assert ahead == pytest.approx([2 / 3, 1, 0, 0])


def test_bars_over_sets_of_equal_length_are_those_of_set_means() -> None:
    matches = league(KINDS["duplicate"], 1, sets=60)
    by_set: dict[int, list[float]] = {}
    for match in matches:
        if 3 in match.bots:
            ahead = share_of_pairs(match.places, [match.bots.index(3)])
            by_set.setdefault(match.set, []).append(ahead)
    wanted = mean_of([math.fsum(shares) / 4 for shares in by_set.values()])
    seats = read(8, matches)
    found = seats.mean_of_each(seats.ahead)[3]
    assert found is not None
    assert wanted.bar is not None
    assert (found.value, found.bar) == pytest.approx((wanted.value, wanted.bar))


def test_bars_over_sets_of_any_length_are_those_of_the_formula() -> None:
    matches = any_league(2)
    total: dict[int, list[float]] = {}
    for match in matches:
        for bot, place in zip(match.bots, match.places, strict=True):
            if bot == 4:
                total.setdefault(match.set, []).append(place)
    games = sum(map(len, total.values()))
    mean = sum(map(sum, total.values())) / games
    squares = sum((sum(places) - mean * len(places)) ** 2 for places in total.values())
    sets = len(total)
    bar = quantile(0.975, sets - 1) * math.sqrt(sets / (sets - 1) * squares) / games
    seats = read(7, matches)
    found = seats.mean_of_each(seats.place)[4]
    assert found is not None
    assert (found.value, found.bar) == pytest.approx((mean, bar))


def remembers(set_: int) -> list[Scored]:
    """Bot 0 loses the first two matches of four and wins the others."""
    line_up = (0, 1, 2, 3)
    places = ((4, 1, 2, 3), (4, 2, 1, 3), (1, 2, 4, 3), (1, 2, 3, 4))
    return [Scored(set_, turn, line_up, each) for turn, each in enumerate(places)]


def test_who_remembers_a_deal_gains_from_its_repetition() -> None:
    gains = read(4, [*remembers(0), *remembers(1)]).gain_from_repetition()
    assert gains[0] == Mean(1.0, 0.0)
    assert sum(value(gain) for gain in gains) == pytest.approx(0)


def test_the_middle_match_of_three_is_neither_early_nor_late() -> None:
    results = [(1, 2), (1, 2), (2, 1)]
    matches = [Scored(0, turn, (0, 1), places) for turn, places in enumerate(results)]
    assert read(2, matches).gain_from_repetition()[0] == Mean(-1.0, None)


def test_without_repetition_there_is_no_gain() -> None:
    matches = [Scored(number, 0, (0, 1), (1, 2)) for number in range(5)]
    assert read(2, matches).gain_from_repetition() == [None, None]


def test_a_set_that_was_not_repeated_says_nothing_of_a_gain() -> None:
    """Nor one in which all forfeited, and nobody was ahead of anybody."""
    seldom = Scored(7, 0, (0, 1, 2, 3), (2, 1, 3, 4))
    alone = [Scored(8, turn, (0, 1, 2, 3), (1,) * 4, forfeits=(0, 1, 2, 3)) for turn in range(4)]
    gains = read(4, [*remembers(0), *remembers(1), seldom, *alone]).gain_from_repetition()
    assert gains == read(4, [*remembers(0), *remembers(1)]).gain_from_repetition()


def test_a_league_without_memory_shows_no_gain() -> None:
    """With eight bots one bar in twenty misses; one of eight may."""
    gains = read(8, league(KINDS["duplicate"], 5)).gain_from_repetition()
    assert sum(abs(gain.value) > (gain.bar or 0) for gain in gains if gain) <= 1
