"""What a policy gets is what the state says, made from the view alone."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arena.games import GAMES, Game
from arena.policy import PolicyDecision
from tests.games.test_contract import line_of_play

TABLES = [
    pytest.param(game, seats, id=f"{game.name}-{seats}")
    for game in GAMES.values()
    for seats in game.seats
]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_numbers_mask_and_observation_are_those_of_the_state(game: Game, seats: int) -> None:
    rng = random.Random(f"{game.name} {seats} policy")
    options = game.trials.short
    seen = np.zeros(game.observation(seats, options).size, np.float32)
    mask = np.zeros(len(game.actions), np.int8)
    asked = 0
    for state in line_of_play(game, seats, options, b"policy", rng):
        for seat in state.to_act():
            legal = state.legal_actions(seat)
            decision = PolicyDecision(state.view(seat), [game.actions.name(each) for each in legal])
            state.observe(seat, seen)
            state.mask(seat, mask)
            assert decision.legal == legal
            assert np.array_equal(decision.observation, seen)
            assert np.array_equal(decision.mask, mask)
            assert decision.observation.dtype == np.dtype(np.float32)
            assert decision.mask.dtype == np.dtype(np.int8)
            assert (decision.game, decision.seat, decision.seats) == (game, seat, seats)
            assert decision.options == state.view(seat)["options"]
            asked += 1
    assert asked > 0


def test_an_array_that_a_policy_changes_is_changed_for_that_decision_alone() -> None:
    state = GAMES["nyet"].deal(4, b"changed")
    seat = state.to_act()[0]
    names = [state.game.actions.name(each) for each in state.legal(seat)]
    first, second = (PolicyDecision(state.view(seat), names) for _ in range(2))
    first.observation[:] = -1
    first.legal.clear()
    assert second.observation.min() >= 0
    assert len(second.legal) == len(names)


def test_a_view_that_a_policy_changes_changes_no_array_and_no_later_view() -> None:
    state = GAMES["nyet"].deal(4, b"changed")
    seat = state.to_act()[0]
    names = [state.game.actions.name(each) for each in state.legal(seat)]
    view = state.view(seat)
    spoilt, whole = PolicyDecision(view, names), PolicyDecision(view, names)
    assert isinstance(spoilt.options, dict)
    spoilt.view["hand"].clear()
    spoilt.view.clear()
    spoilt.options.clear()
    spoilt.legal.clear()
    assert np.array_equal(spoilt.observation, whole.observation)
    assert np.array_equal(spoilt.mask, whole.mask)
    assert whole.view == view == state.view(seat)


def test_a_field_of_a_later_version_is_passed_over() -> None:
    state = GAMES["nope"].deal(3, b"later")
    seat = state.to_act()[0]
    view = {**state.view(seat), "of_a_later_version": 1}
    known = PolicyDecision(state.view(seat), [])
    assert np.array_equal(PolicyDecision(view, []).observation, known.observation)
