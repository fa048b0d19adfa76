"""Where the scale has its zero."""

from __future__ import annotations

import numpy as np
import pytest

from arena.league.model.anchor import Anchor
from arena.league.table.ratings import BadAnchor, Scored, ratings
from arena.league.table.ratings.anchor import pinned
from tests.league.table.ratings.leagues import KINDS, league

NAMES = [f"bot {number}" for number in range(8)]


def test_what_is_pinned_is_a_weighted_mean() -> None:
    move, zero = pinned(np.array([10.0, 20.0, 60.0]), np.array([0.5, 0.5, 0.0]))
    assert zero.tolist() == [-5, 5, 45]
    assert (move @ np.ones(3)).tolist() == [0, 0, 0]


def test_a_group_without_the_anchor_is_pinned_in_its_middle() -> None:
    places = {(0, 1): (1, 2), (1, 0): (1, 2), (2, 3): (1, 2), (3, 2): (1, 2)}
    matches = [Scored(number, 0, bots, places[bots]) for number, bots in enumerate(places)]
    rated = ratings([*"abcd"], matches, anchor=Anchor({"a": 1.0}, elo=100))
    assert [row.elo for row in rated.rows] == pytest.approx([100.0] * 4)


def test_an_anchor_may_be_a_basket_with_weights() -> None:
    rated = ratings(
        NAMES, league(KINDS["duplicate"], 1), anchor=Anchor({"bot 0": 1, "bot 7": 3}, 1500)
    )
    elo = {row.bot: row.elo for row in rated.rows}
    assert (elo["bot 0"] + 3 * elo["bot 7"]) / 4 == pytest.approx(1500)


def test_an_anchor_that_is_nobody_is_refused() -> None:
    with pytest.raises(BadAnchor, match=r"no bot of this league is called 'fxo'; it has fox, cat"):
        ratings(["fox", "cat"], [], anchor=Anchor({"fxo": 1.0}))
    with pytest.raises(BadAnchor, match=r"the weight of 'fox' is 0; it must be above 0"):
        ratings(["fox", "cat"], [], anchor=Anchor({"fox": 0}))
