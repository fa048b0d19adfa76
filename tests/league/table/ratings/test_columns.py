"""Results as columns, and what is worked out from them part by part."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arena.league.model.anchor import Anchor
from arena.league.table.ratings import Columns, Ratings, Scored, columns, elos, ratings
from arena.league.table.ratings.results import parts_of, tables_of
from tests.league.table.ratings.leagues import any_league

NAMES = [*"abcdefg"]
SEATS = (2, 3, 4, 5)


def matches_of(seats: int, seed: int = 0) -> list[Scored]:
    """Matches of one table size, with ties, forfeits and sets of any length."""
    return [each for each in any_league(seed, sets=200) if len(each.bots) == seats]


def figures(found: Ratings) -> tuple[object, ...]:
    """All that is published of ratings, to the last bit."""
    pairs = found.pairs.weights.tobytes(), found.pairs.scores.tobytes()
    groups = [(each.elo.tobytes(), each.covariance.tobytes()) for each in found.groups]
    better = [found.superiority(one, other) for one in NAMES for other in NAMES]
    return (*map(repr, found.rows), *pairs, *groups, *better)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("compared", [1, 20, 60])
def test_over_parts_every_figure_is_the_same_to_the_last_bit(
    monkeypatch: pytest.MonkeyPatch, seats: int, compared: int
) -> None:
    matches = matches_of(seats)
    anchor = Anchor({"c": 1}, elo=1500)
    at_once = ratings(NAMES, matches, anchor=anchor)
    monkeypatch.setattr(columns, "COMPARED_AT_ONCE", compared)
    selection = Columns(matches).without(())
    assert len([*parts_of(7, selection)]) > 1
    over_parts = ratings(NAMES, selection, anchor=anchor)
    assert figures(over_parts) == figures(at_once)
    assert over_parts.elos() == elos(NAMES, selection, anchor=anchor)
    assert [*over_parts.elos()] == [*elos(NAMES, matches, anchor=anchor)]


def test_groups_that_never_met_are_rated_apart_over_parts_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matches = [
        Scored(number, 0, (one, one + 1), (1, 2) if number % 3 else (2, 1))
        for number in range(60)
        for one in [random.Random(number).choice((0, 1, 4, 5))]
    ]
    at_once = ratings(NAMES, matches)
    monkeypatch.setattr(columns, "COMPARED_AT_ONCE", 7)
    over_parts = ratings(NAMES, Columns(matches).without(()))
    assert len(over_parts.groups) == 3
    assert figures(over_parts) == figures(at_once)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("last_set", [None, 120, 121, 10**6, -1])
def test_parts_are_whole_sets_in_order_and_together_all_matches(
    monkeypatch: pytest.MonkeyPatch, seats: int, last_set: int | None
) -> None:
    monkeypatch.setattr(columns, "COMPARED_AT_ONCE", 30)
    selection = Columns(matches_of(seats)).without([3])
    if last_set is not None:
        selection = selection.until(last_set)
    whole = tables_of(7, selection)
    parts = [table for tables in parts_of(7, selection) for table in tables]
    sets = [{*part.set.tolist()} for part in parts]
    assert sum(map(len, sets)) == len(set[int]().union(*sets))
    for name in ("set", "turn", "bots", "places", "points", "forfeited", "left_out", "begun"):
        wanted = [getattr(table, name) for table in whole]
        found = [getattr(part, name) for part in parts]
        assert np.concatenate([np.zeros(0), *map(np.ravel, found)]).tobytes() == (
            np.concatenate([np.zeros(0), *map(np.ravel, wanted)]).tobytes()
        )


def test_rows_that_are_added_in_any_order_are_put_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(columns, "ROWS_AT_ONCE", 16)
    matches = matches_of(4)
    in_order, rows = Columns(), []
    for each in matches:
        rows.append(in_order.add(each))
    swapped = [*rows]
    swapped[15], swapped[16] = rows[16], rows[15]  # at the edge of what is looked through at once
    for mixed in (rows, swapped, rows[::-1]):
        found = Columns()
        found.add_rows(4, b"".join(mixed))
        assert found == in_order
    assert in_order.sets().tolist() == sorted({each.set for each in matches})
    assert Columns().sets().tolist() == []


SMALL = Scored(7, 1, (0, 1), (1, 2), (3.0, -1.0))
LARGEST = Scored(2**32 - 1, 3, (6, 1), (2, 1), (2.0**15 - 1, 1 - 2.0**15), (0,))
WITHOUT_POINTS = Scored(8, 0, (1, 0), (1, 1), is_begun=False, forfeits=(0, 1))


@pytest.mark.parametrize(
    "wide",
    [
        Scored(9, 0, (0, 1), (1, 2), (0.5, 1.0)),
        Scored(9, 0, (0, 1), (1, 2), (2.0**15, 1.0)),
        Scored(9, 0, (0, 1), (1, 2), (1.0, -(2.0**15))),
        Scored(9, 0, (0, 1), (1, 2), (1e300, float("inf"))),
        Scored(9, 0, (0, 1), (1, 2), (-0.0, 1.0)),
        Scored(2**32, 0, (0, 1), (1, 2), (1.0, 2.0)),
        Scored(-1, 0, (0, 1), (1, 2), (1.0, 2.0)),
    ],
    ids=str,
)
def test_a_match_that_does_not_fit_narrow_rows_makes_all_wide_and_changes_nothing(
    wide: Scored,
) -> None:
    small = [SMALL, WITHOUT_POINTS, LARGEST]
    narrow, found = Columns(small), Columns(small)
    rows = [*map(Columns().add, small)]
    assert len(narrow._rows) < len(b"".join(rows)) == 3 * 37
    rows.append(found.add(wide))
    matches = sorted((*small, wide), key=lambda each: each.set)
    assert len(found._rows) == len(b"".join(rows))
    for each in (found, Columns(matches)):
        assert repr([*each]) == repr(matches)
    again = Columns()
    again.add_rows(2, b"".join(rows))
    assert again == found
    assert narrow != found
    assert repr([*narrow]) == repr(small)
