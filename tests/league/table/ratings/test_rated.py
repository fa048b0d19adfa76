"""The rows, and what each says."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from arena.league.model.anchor import Anchor
from arena.league.table.ratings import Lack, Scored, elos, ratings
from arena.league.table.ratings.ranks import superiority, variance_of_difference
from arena.stats import Mean
from tests.league.table.ratings.leagues import KINDS, SKILLS, any_league, league

NAMES = [f"bot {number}" for number in range(8)]


def test_a_league_of_enough_sets_is_established_and_in_order() -> None:
    rated = ratings(NAMES, league(KINDS["much duplicate"], 1))
    first, last = rated.rows[0], rated.rows[-1]
    assert [row.bot for row in rated.rows if not row.is_provisional] == NAMES[::-1]
    assert (first.bot, first.rank, first.group) == ("bot 7", 1, 0)
    assert first.rank_interval is not None
    assert first.rank_interval[0] == 1
    assert first.half_width is not None
    assert 5 < first.half_width < 50
    assert sum(row.elo for row in rated.rows) == pytest.approx(0)
    assert sum(row.games for row in rated.rows) == 4 * 4 * 250
    assert first.games == 4 * first.sets
    assert first.ahead is not None
    assert last.ahead is not None
    assert first.ahead.value > 0.5 > last.ahead.value
    assert (first.ties, first.points) == (Mean(0.0, 0.0), None)
    assert (last.los_to_next, last.is_separated) == (None, None)


def test_neighbours_are_separated_where_the_likelihood_says_so() -> None:
    rated = ratings(NAMES, league(KINDS["fresh hands"], 2, SKILLS))
    for row in rated.rows[:-1]:
        assert row.los_to_next is not None
        assert 0.5 <= row.los_to_next < 1
        assert row.is_separated == (row.los_to_next >= 0.975)
    assert {row.is_separated for row in rated.rows[:-1]} == {True, False}
    top, second = rated.rows[:2]
    assert rated.superiority(top.bot, second.bot) == top.los_to_next
    assert rated.superiority(second.bot, top.bot) == pytest.approx(1 - (top.los_to_next or 0))


def test_the_likelihood_of_being_better_is_judged_by_the_one_with_fewer_sets() -> None:
    matches = league(KINDS["fresh hands"], 1, sets=40)
    kept = [match for match in matches if match.set < 6 or 0 not in match.bots]
    (group,) = ratings(NAMES, kept).groups
    few, many = int(group.sets[0]), int(group.sets[1])
    assert 2 < few < many
    difference = float(group.elo[1] - group.elo[0])
    variance = variance_of_difference(group.covariance, 0, 1)
    assert group.superiority(1, 0) == superiority(difference, variance, few)
    assert group.superiority(0, 1) == superiority(-difference, variance, few)
    assert superiority(difference, variance, few) != superiority(difference, variance, many)


def test_a_single_set_limits_no_rank() -> None:
    """All four have points of each other, so nothing else speaks against it."""
    for sets in (1, 2):
        rated = ratings(NAMES[:4], league(KINDS["duplicate"], 1, SKILLS[:4], sets=sets))
        assert all(row.sets == sets for row in rated.rows)
        assert all(rated.groups[0].is_main)
        assert [row.rank_interval is None for row in rated.rows] == [sets == 1] * 4


def test_a_provisional_row_says_what_it_lacks() -> None:
    lacks = set()
    for sets in (1, 10, 50):
        for row in ratings(NAMES, league(KINDS["fresh hands"], 1, sets=sets)).rows:
            assert (Lack.SETS in row.lacks) == (row.sets < 30)
            assert row.is_provisional is (row.lacks != ())
            assert (Lack.BAR in row.lacks) == (row.half_width is None or row.half_width >= 50)
            lacks.add(row.lacks)
    assert lacks > {(Lack.SETS, Lack.BAR)}


def test_a_bot_that_did_not_play_is_a_group_of_its_own() -> None:
    rated = ratings(
        ["a", "b", "new"], [Scored(n, 0, (0, 1), (1 + n % 2, 2 - n % 2)) for n in range(4)]
    )
    new = rated.rows[-1]
    assert (new.bot, new.group, new.rank, new.elo, new.half_width) == ("new", 1, 1, 0.0, None)
    assert (new.sets, new.games, new.ahead, new.place, new.gain) == (0, 0, None, None, None)
    assert new.lacks == (Lack.SETS, Lack.BAR)


def test_two_bots_of_which_one_always_wins_are_rated_by_the_prior_alone() -> None:
    rated = ratings(["a", "b"], [Scored(number, 0, (0, 1), (1, 2)) for number in range(100)])
    assert [row.lacks for row in rated.rows] == [(Lack.BAR, Lack.CONNECTION)] * 2
    assert [row.half_width for row in rated.rows] == [None, None]
    assert rated.rows[0].elo == pytest.approx(-rated.rows[1].elo)
    assert rated.rows[0].is_separated is False
    assert rated.superiority("a", "b") is None


def test_no_bots_no_rows() -> None:
    assert ratings([], []).rows == ()
    assert [row.elo for row in ratings(["a", "b"], []).rows] == [0.0, 0.0]


def test_equal_ratings_are_in_the_order_of_names() -> None:
    matches = [Scored(number, 0, (0, 1, 2), (1, 1, 1)) for number in range(3)]
    assert [row.bot for row in ratings(["fox", "cat", "ant"], matches).rows] == [
        "ant",
        "cat",
        "fox",
    ]


def test_who_met_whom_is_kept() -> None:
    rated = ratings(["a", "b", "c"], [Scored(0, 0, (0, 1, 2), (1, 2, 3))])
    assert rated.pairs.scores.tolist() == [[0, 2 / 3, 2 / 3], [0, 0, 2 / 3], [0, 0, 0]]


def test_covariances_do_not_change() -> None:
    (group,) = ratings(["a"], []).groups
    with pytest.raises(ValueError, match="read-only"):
        group.covariance[0, 0] = 1


def test_a_row_does_not_change() -> None:
    (row,) = ratings(["a"], []).rows
    with pytest.raises(FrozenInstanceError):
        row.elo = 1.0  # type: ignore[misc]


@pytest.mark.parametrize("sets", [1, 2, 5, 40])
def test_elos_alone_are_those_of_the_rows_in_their_order(sets: int) -> None:
    names = [*NAMES, "new"]
    anchor = Anchor({"bot 2": 1.0}, 1500)
    matches = any_league(sets, sets=sets)
    rows = ratings(names, matches, anchor=anchor).rows
    assert [*elos(names, matches, anchor=anchor).items()] == [
        (row.bot, (row.elo, row.half_width)) for row in rows if row.sets
    ]
