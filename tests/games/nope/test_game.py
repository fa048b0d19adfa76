"""NOPE! as a game of the arena, and random play to the end."""

from __future__ import annotations

import random

import pytest

from arena.games.errors import BadOption, BadSeats
from arena.games.interface import Game
from arena.games.nope import NOPE
from arena.games.nope.actions import ACTIONS
from tests.games.nope_positions import play, position


def test_it_is_a_game() -> None:
    game: Game = NOPE
    assert game.name == "nope"
    assert game.seats == (2, 3, 4, 5, 6)
    assert [option.name for option in game.options] == ["actions", "hand", "max_turns"]
    assert game.actions is ACTIONS
    assert set(game.endings) == {"last", "turns"}


def test_at_every_decision_the_whole_deck_is_somewhere() -> None:
    state = NOPE.deal(3, b"seed")
    rng = random.Random(0)
    deck = sorted(NOPE.deck(3))
    while state.to_act():
        assert sorted(NOPE.cards(state)) == deck
        (seat,) = state.to_act()
        state.apply(seat, rng.choice(state.legal(seat)))
    assert sorted(NOPE.cards(state)) == deck


@pytest.mark.parametrize("seats", NOPE.seats)
@pytest.mark.parametrize("options", [{}, {"actions": False}, {"hand": 1}, {"max_turns": 9}])
def test_random_matches_end_within_the_bound(seats: int, options: dict[str, object]) -> None:
    rng = random.Random(seats)
    for number in range(5):
        state = NOPE.deal(seats, b"%d" % number, options)
        decisions = 0
        while state.to_act():
            (seat,) = state.to_act()
            state.apply(seat, rng.choice(state.legal(seat)))
            decisions += 1
        outcome = state.outcome()
        assert outcome is not None
        assert decisions <= NOPE.bound(seats, options)
        assert outcome.ending in NOPE.endings
        assert outcome.scores == tuple(state.view(None)["hand_sizes"])
        assert min(outcome.places) == 1


def test_the_bound_is_reached_by_the_longest_turn() -> None:
    """Draw, lay three, choose: five decisions; and one for a first open select."""
    state = position(["R1 R2", "B1", "B2"], "R3", draw_pile="SR B1 B2")
    play(state, "draw R1 R2 SR to1:1")
    assert state.view(None)["turns"] == 1
    assert NOPE.bound(3) == 5001
    assert NOPE.bound(3, {"max_turns": 2}) == 11


def test_the_bound_refuses_what_deal_refuses() -> None:
    with pytest.raises(BadSeats):
        NOPE.bound(9)
    with pytest.raises(BadOption):
        NOPE.bound(3, {"max_turns": 0})


@pytest.mark.parametrize("until", ["round", "match"])
def test_a_playout_goes_to_the_end_of_the_match(until: str) -> None:
    rng = random.Random(1)
    for number in range(20):
        state = NOPE.deal(2 + number % 5, b"%d" % number)
        NOPE.playout(state, rng, until)  # type: ignore[arg-type]
        assert state.to_act() == ()
        assert state.outcome() is not None


def test_a_playout_goes_on_from_where_the_state_is_and_is_repeatable() -> None:
    state = position(["R1 R2 B1", "B2 B3", "B1 G1"], "R2", options={"max_turns": 3})
    play(state, "R1")
    one, two = state.copy(), state.copy()
    NOPE.playout(one, random.Random(4))
    NOPE.playout(two, random.Random(4))
    assert one.view(None) == two.view(None)
    assert one.view(None)["recent"][0][0][4:] == ["R1", "R2"]


class Late(random.Random):
    """Draws from the last quarter, always."""

    def random(self) -> float:
        return 0.75


def test_a_playout_draws_from_all_actions_of_two_as_of_many() -> None:
    state = NOPE.deal(3, b"late")
    one, two = state.copy(), state.copy()
    NOPE.playout(one, Late())
    choices = set()
    while owing := two.to_act():
        legal = two.legal(owing[0])
        choices.add(len(legal))
        two.apply(owing[0], legal[len(legal) * 3 // 4])
    assert {1, 2} < choices
    assert one.view(None) == two.view(None)


def test_a_finished_match_is_left_alone() -> None:
    state = play(position(["R1", "B2"], "R1"), "R1")
    before = state.view(None)
    NOPE.playout(state, random.Random(4))
    assert state.view(None) == before
