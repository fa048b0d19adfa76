"""From places to comparisons."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from arena.league.table.ratings import Scored
from arena.league.table.ratings.pairs import Pairs, pairs_of
from arena.league.table.ratings.results import tables_of
from tests.league.table.ratings import by_hand
from tests.league.table.ratings.leagues import any_league

Rows = list[tuple[int, int, int, float, float]]


def read(bots: int, matches: list[Scored], owners: list[str] | None = None) -> Pairs:
    return pairs_of(bots, tables_of(bots, matches, owners))


def rows(pairs: Pairs) -> Rows:
    columns = (pairs.set, pairs.first, pairs.second, pairs.weight, pairs.score)
    return [*zip(*(column.tolist() for column in columns), strict=True)]


def test_every_two_seats_are_a_pair_and_each_weighs_two_by_the_seats() -> None:
    assert rows(read(4, [Scored(0, 0, (2, 0, 3, 1), (1, 2, 3, 4))])) == [
        (0, 0, 1, 0.5, 0.5),
        (0, 0, 2, 0.5, 0.0),
        (0, 0, 3, 0.5, 0.5),
        (0, 1, 2, 0.5, 0.0),
        (0, 1, 3, 0.5, 0.0),
        (0, 2, 3, 0.5, 0.5),
    ]


def test_a_tie_is_half_a_point_for_both() -> None:
    assert rows(read(2, [Scored(0, 0, (1, 0), (1, 1))])) == [(0, 0, 1, 1.0, 0.5)]


def test_the_matches_of_a_set_add_up_to_one_row_for_each_pair() -> None:
    set_7 = [Scored(7, 0, (0, 1), (1, 2)), Scored(7, 1, (1, 0), (1, 2))]
    matches = [*set_7, Scored(9, 0, (0, 1), (1, 2))]
    assert rows(read(2, matches)) == [(0, 0, 1, 2.0, 1.0), (1, 0, 1, 1.0, 1.0)]


def test_a_forfeited_seat_loses_its_pairs_and_several_have_none_among_themselves() -> None:
    pairs = read(3, [Scored(0, 0, (0, 1, 2), (2, 1, 2), forfeits=(0, 2))])
    assert [row[1:3] for row in rows(pairs)] == [(0, 1), (1, 2)]
    assert (pairs.score / pairs.weight).tolist() == [0.0, 1.0]


def test_a_place_earned_before_the_forfeit_counts() -> None:
    pairs = read(3, [Scored(0, 0, (0, 1, 2), (1, 2, 3), forfeits=(0, 2))])
    assert [row[1:3] for row in rows(pairs)] == [(0, 1), (0, 2), (1, 2)]
    assert (pairs.score / pairs.weight).tolist() == [1.0, 1.0, 1.0]


def test_a_tie_earned_before_one_of_two_forfeited_is_a_tie() -> None:
    pairs = read(3, [Scored(0, 0, (0, 1, 2), (1, 1, 3), forfeits=(0,))])
    assert [row[1:3] for row in rows(pairs)] == [(0, 1), (0, 2), (1, 2)]
    assert (pairs.score / pairs.weight).tolist() == [0.5, 1.0, 1.0]


def test_a_bot_is_not_compared_with_itself_nor_with_others_of_its_owner() -> None:
    assert rows(read(2, [Scored(0, 0, (0, 0), (1, 2))])) == []
    matches = [Scored(0, 0, (0, 1, 2), (1, 2, 3))]
    kept = rows(read(3, matches, ["x", "x", "y"]))
    assert [(first, second) for _, first, second, _, _ in kept] == [(0, 2), (1, 2)]


@pytest.mark.parametrize("seed", range(5))
def test_the_rows_are_the_comparisons_added_up_by_hand(seed: int) -> None:
    owners = [*"uvwxyzz"]
    matches = any_league(seed)
    sums: dict[tuple[int, int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for match in matches:
        for i, j, weight, score in by_hand.comparisons(match, owners):
            low, high = min(i, j), max(i, j)
            sums[match.set, low, high][0] += weight
            sums[match.set, low, high][1] += weight * (score if i < j else 1 - score)
    numbers = {set_: number for number, set_ in enumerate(sorted({key[0] for key in sums}))}
    wanted = [(numbers[set_], i, j, *sums[set_, i, j]) for set_, i, j in sorted(sums)]
    found = rows(read(7, matches, owners))
    assert [row[:3] for row in found] == [row[:3] for row in wanted]
    for row, want in zip(found, wanted, strict=True):
        assert row[3:] == pytest.approx(want[3:])


def test_weights_and_scores_of_all_sets_are_matrices() -> None:
    pairs = read(3, [Scored(0, 0, (0, 1), (1, 2)), Scored(1, 0, (2, 0), (1, 1))])
    assert pairs.weights().tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert pairs.scores().tolist() == [[0, 1, 0.5], [0, 0, 0], [0.5, 0, 0]]


def test_some_of_the_bots_are_numbered_anew_and_so_are_their_sets() -> None:
    places = {(0, 1): (1, 2), (2, 3): (2, 1), (3, 2): (1, 1)}
    matches = [Scored(number, 0, bots, places[bots]) for number, bots in enumerate(places)]
    assert rows(read(4, matches).among(np.array([2, 3]))) == [
        (0, 0, 1, 1.0, 0.0),
        (1, 0, 1, 1.0, 0.5),
    ]


def test_without_matches_there_are_no_rows() -> None:
    assert rows(read(3, [])) == []
    assert rows(read(0, [])) == []
    assert read(3, []).sets == 0


def test_tables_say_what_they_hold() -> None:
    (table,) = tables_of(2, [Scored(0, 0, (0, 1), (1, 2))])
    assert repr(table) == "<Tables 1 matches of 2 seats>"
