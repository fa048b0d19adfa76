"""What holds for the ratings of any league whatever."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from arena.league.model.anchor import Anchor
from arena.league.table.ratings import Rating, Ratings, Scored, ratings
from tests.league.table.ratings.leagues import any_league

NAMES = [*"abcdefg"]
OWNERS = [*"uvwxyzz"]

seeds = st.integers(0, 10_000)
leagues = st.builds(any_league, seeds, sets=st.integers(1, 40))


def by_name(rated: Ratings) -> dict[str, Rating]:
    return {row.bot: row for row in rated.rows}


def elos(rated: Ratings, names: Sequence[str] = NAMES) -> list[float]:
    return [by_name(rated)[name].elo for name in names]


def bars(rated: Ratings, names: Sequence[str] = NAMES) -> list[float]:
    return [by_name(rated)[name].half_width or 0.0 for name in names]


@given(leagues, seeds)
@settings(max_examples=50)
def test_the_order_of_matches_makes_no_difference(matches: list[Scored], seed: int) -> None:
    shuffled = random.Random(seed).sample(matches, len(matches))
    one, other = ratings(NAMES, matches, owners=OWNERS), ratings(NAMES, shuffled, owners=OWNERS)
    assert [row.bot for row in one.rows] == [row.bot for row in other.rows]
    for a, b in zip(one.rows, other.rows, strict=True):
        assert (a.rank_interval, a.sets, a.games, a.lacks) == (
            b.rank_interval,
            b.sets,
            b.games,
            b.lacks,
        )
        assert (a.elo, a.half_width) == pytest.approx((b.elo, b.half_width), abs=1e-6)


@given(leagues, st.permutations(range(7)))
@settings(max_examples=50)
def test_who_has_which_number_and_name_makes_no_difference(
    matches: list[Scored], number: list[int]
) -> None:
    renumbered = [
        Scored(m.set, m.turn, tuple(number[bot] for bot in m.bots), m.places, m.points, m.forfeits)
        for m in matches
    ]
    names, owners = [""] * 7, [""] * 7
    for bot in range(7):
        names[number[bot]], owners[number[bot]] = NAMES[bot].upper(), OWNERS[bot]
    one = ratings(NAMES, matches, owners=OWNERS)
    other = ratings(names, renumbered, owners=owners)
    renamed = [name.upper() for name in NAMES]
    assert_allclose(elos(other, renamed), elos(one), atol=1e-6)
    assert_allclose(bars(other, renamed), bars(one), atol=1e-6)


@given(leagues, st.floats(-3000, 3000))
@settings(max_examples=30)
def test_another_zero_moves_all_ratings_alike(matches: list[Scored], elo: float) -> None:
    zero, moved = ratings(NAMES, matches), ratings(NAMES, matches, anchor=Anchor(elo=elo))
    assert_allclose(elos(moved), [rating + elo for rating in elos(zero)], atol=1e-6)
    assert bars(moved) == bars(zero)


@given(leagues, st.sampled_from(NAMES))
@settings(max_examples=30)
def test_an_anchor_changes_no_difference_inside_a_group(matches: list[Scored], name: str) -> None:
    free, pinned = ratings(NAMES, matches), ratings(NAMES, matches, anchor=Anchor({name: 1.0}))
    for group in free.groups:
        names = [NAMES[bot] for bot in group.bots]
        first = names[0]
        differences = [
            [by_name(rated)[other].elo - by_name(rated)[first].elo for other in names]
            for rated in (free, pinned)
        ]
        assert_allclose(differences[0], differences[1], atol=1e-6)
    assert by_name(pinned)[name].elo == pytest.approx(0, abs=1e-9)


@given(leagues)
@settings(max_examples=30)
def test_results_that_are_symmetric_give_equal_ratings(matches: list[Scored]) -> None:
    """Every match once more with the places upside down."""
    whole = [Scored(m.set, m.turn, m.bots, m.places) for m in matches]
    mirrored = [Scored(m.set + 1000, m.turn, m.bots, upside_down(m.places)) for m in matches]
    assert_allclose(elos(ratings(NAMES, [*whole, *mirrored])), [0.0] * 7, atol=1e-6)


def upside_down(places: Sequence[int]) -> tuple[int, ...]:
    return tuple(max(places) + 1 - place for place in places)


@given(leagues, st.permutations(range(7)))
@settings(max_examples=50)
def test_one_more_win_raises_the_winner_most_and_lowers_the_loser_most(
    matches: list[Scored], order: list[int]
) -> None:
    winner, loser, *_ = order
    pool = Anchor(dict.fromkeys(NAMES, 1.0))
    # A round in which all tie, so that there is one group before and after.
    ties = [Scored(999, 0, tuple(range(7)), (1,) * 7)]
    before = elos(ratings(NAMES, [*matches, *ties], anchor=pool))
    more = Scored(1000, 0, (winner, loser), (1, 2))
    after = elos(ratings(NAMES, [*matches, *ties, more], anchor=pool))
    change = [b - a for a, b in zip(before, after, strict=True)]
    assert change[winner] == max(change) > 0 > min(change) == change[loser]


@given(leagues)
@settings(max_examples=30)
def test_groups_are_ranked_apart_and_rows_fall_with_elo(matches: list[Scored]) -> None:
    rated = ratings(NAMES, matches, owners=OWNERS)
    assert sorted(row.bot for row in rated.rows) == NAMES
    for above, below in zip(rated.rows, rated.rows[1:], strict=False):
        if above.group == below.group:
            assert above.rank + 1 == below.rank
            assert above.elo >= below.elo - 1e-6
        else:
            assert (below.group, below.rank) == (above.group + 1, 1)
            assert (above.los_to_next, above.is_separated) == (None, None)
            assert rated.superiority(above.bot, below.bot) is None
