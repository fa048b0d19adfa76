"""Looks: fixed numbers of sets, parts of the error that add up, and what a look asks of a table."""

from __future__ import annotations

import math
from itertools import islice, pairwise

import numpy as np
import pytest

from arena.league.plan.stop.looks import (
    ERROR,
    FIRST_LOOK,
    are_narrow,
    are_separated,
    decided_sets,
    looks,
    rated,
)
from arena.league.table.ratings.group import Group
from arena.league.table.ratings.pairs import Pairs
from arena.league.table.ratings.results import Floats, Ints


def group(
    elo: list[float], error: float = 10.0, sets: int = 1000, lonely: int | None = None
) -> Group:
    """A table whose ratings have this error each, independent of each other.

    `lonely`: a bot that no chain of points connects both ways.
    """
    bots = len(elo)
    core = np.array([int(bot == lonely) for bot in range(bots)])
    variance = np.eye(bots) * error**2
    all_sets = np.full(bots, sets)
    return Group(np.arange(bots), np.array(elo), variance, variance, all_sets, core, core == 0)


def test_the_first_looks_are_those_that_the_documents_name() -> None:
    assert [sets for sets, _ in islice(looks(), 10)] == [30, 38, 48, 60, 75, 94, 118, 148, 185, 232]


def test_each_look_has_a_quarter_more_sets_than_the_one_before() -> None:
    for (before, _), (after, _) in pairwise(islice(looks(), 60)):
        assert after == math.ceil(before * 1.25)


def test_the_parts_of_the_error_add_up_to_it_and_never_pass_it() -> None:
    parts = [part for _, part in islice(looks(), 20_000)]
    assert parts == sorted(parts, reverse=True)
    assert ERROR * 0.998 < math.fsum(parts) <= ERROR


def test_the_first_look_takes_no_more_than_a_thirteenth_of_the_error() -> None:
    (sets, part), *_ = islice(looks(), 1)
    assert sets == FIRST_LOOK
    assert part == pytest.approx(ERROR / 13)


def test_neighbours_are_separated_where_the_gap_is_that_many_errors() -> None:
    """At 1 % two-sided the normal quantile is 2.576; the error of a gap is 10 times root 2."""
    wide = 2.60 * 10 * math.sqrt(2)
    near = 2.55 * 10 * math.sqrt(2)
    assert are_separated(group([0, wide], sets=100_000), 0.01)
    assert not are_separated(group([0, near], sets=100_000), 0.01)
    assert are_separated(group([0, near], sets=100_000), 0.02)


def test_one_pair_of_neighbours_that_is_not_separated_is_enough_to_go_on() -> None:
    assert are_separated(group([0, 100, 300, 200]), 0.01)
    assert not are_separated(group([0, 100, 300, 295]), 0.01)


def test_a_bot_that_won_or_lost_everything_is_not_separated_and_has_no_bar() -> None:
    elo = [0.0, 100.0, 900.0]
    assert not are_separated(group(elo, lonely=2), 0.01)
    assert not are_narrow(group(elo, lonely=2), 100)
    assert are_narrow(group(elo), 100)


def test_a_bar_is_narrow_where_its_half_is_below_the_number() -> None:
    """Half the bar is 1.96 errors."""
    assert are_narrow(group([0, 0], sets=100_000), 19.61)
    assert not are_narrow(group([0, 0], sets=100_000), 19.59)


def pairs(won: int, lost: int, level: int) -> Pairs:
    """Sets of two matches between two bots."""
    scores = [2.0] * won + [0.0] * lost + [1.0] * level
    sets = len(scores)
    bots = np.zeros(sets, np.int64)
    return Pairs(2, np.arange(sets), bots, bots + 1, np.full(sets, 2.0), np.array(scores))


def nobody_pinned(bots: Ints) -> Floats:
    return np.zeros(len(bots))


def test_bots_are_rated_when_each_has_thirty_sets_that_were_not_level() -> None:
    assert rated(pairs(15, 14, 1000), nobody_pinned) is None
    found = rated(pairs(15, 15, 1000), nobody_pinned)
    assert found is not None
    assert found.sets.tolist() == [1030, 1030]
    assert decided_sets(pairs(3, 2, 4)).tolist() == [5, 5]


def test_bots_without_a_match_are_not_rated() -> None:
    assert rated(pairs(0, 0, 0), nobody_pinned) is None


def test_bots_that_no_results_connect_are_not_rated_together() -> None:
    one, other = pairs(20, 20, 0), pairs(20, 20, 0)
    apart = Pairs(
        4,
        np.concatenate([one.set, other.set + 40]),
        np.concatenate([one.first, other.first + 2]),
        np.concatenate([one.second, other.second + 2]),
        np.concatenate([one.weight, other.weight]),
        np.concatenate([one.score, other.score]),
    )
    assert rated(apart, nobody_pinned) is None
