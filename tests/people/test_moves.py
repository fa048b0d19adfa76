"""Each move as it is told to one seat."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from arena.games import GAMES, State
from arena.people.moves import MovesTold
from arena.record import Move


def told_of(state: State, game: str, seat: int, seed: str) -> list[Mapping[str, Any]]:
    """Play random actions from here, and return what the seat is told."""
    told: list[Mapping[str, Any]] = []
    moves = MovesTold(GAMES[game], seat, told.append)
    moves.deal(state)
    rng = random.Random(seed)
    number = 0
    while to_act := state.to_act():
        acting = to_act[0]
        action = rng.choice([*state.legal(acting)])
        state.apply(acting, action)
        moves(number, Move(acting, GAMES[game].actions.name(action), 1), state)
        number += 1
    return told


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_is_told_its_own_view_and_nothing_else(game: str) -> None:
    seats = GAMES[game].seats[-1]
    state = GAMES[game].deal(seats, b"told", GAMES[game].trials.short)
    views = [state.view(1)]
    told: list[Mapping[str, Any]] = []
    moves = MovesTold(GAMES[game], 1, told.append)
    moves.deal(state)
    while to_act := state.to_act():
        state.apply(to_act[0], state.legal(to_act[0])[0])
        views.append(state.view(1))
        moves(0, Move(to_act[0], "any", 1), state)
    seen = [view for before, view in zip([None, *views], views, strict=False) if view != before]
    assert [each["view"] for each in told] == seen
    assert all(each.keys() == {"type", "seat", "view", "told"} for each in told)


@pytest.mark.parametrize("game", ["nyet", "njet"])
def test_a_choice_in_secret_of_another_seat_is_not_told_not_even_that_it_was_made(
    game: str,
) -> None:
    """The cards that all pass on are chosen one after another here, and at the same time by the
    rules."""
    told = told_of(GAMES[game].deal(4, b"secret", {"rounds": 2}), game, 0, "3")
    discards = [each for each in told if each["view"]["phase"] == "discard"]
    assert discards
    assert {each["seat"] for each in discards if each["view"]["given"]} <= {0}
