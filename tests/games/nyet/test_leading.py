"""A rule about leading stands in one place: `terms.not_led`.

None of the rule sets has such a rule. A made-up one is put there, as in many trick-taking
games: trump is not led while another card is held. All else must follow it by itself.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from arena.games.nyet import terms
from arena.games.nyet.cards import Deck
from arena.games.nyet.game import TrickGame
from arena.games.nyet.phases import PLAY
from arena.games.nyet.rulesets import NYET
from arena.games.nyet.state import TrickState
from tests.games import test_contract as contract


def no_trump(deck: Deck, trump: int | None, supertrump: int | None) -> bytes:
    return bytes(kind for kind in deck.all_kinds if deck.colours[kind] == trump)


@pytest.fixture
def shy(monkeypatch: pytest.MonkeyPatch) -> TrickGame:
    """Nyet in which trump is not led while another card is held."""
    monkeypatch.setattr(terms, "not_led", no_trump)
    return TrickGame(replace(NYET, name="shy"))


def leads(game: TrickGame, seats: int, number: int) -> list[TrickState]:
    """Every position of a match of random play in which a trick is led."""
    rng = random.Random(number)
    state = game.deal(seats, bytes([number]), {"rounds": 2})
    found = []
    while state.to_act():
        if state.phase is PLAY and state.led is None:
            found.append(state.copy())
        seat = rng.choice(state.to_act())
        state.apply(seat, rng.choice(list(state.legal(seat))))
    return found


def is_trump(state: TrickState, kind: int) -> bool:
    assert state.terms is not None
    return state.match.deck.colours[kind] == state.terms.trumps.trump


@pytest.mark.parametrize("seats", [2, 4, 5])
def test_legal_follows_it_and_a_refusal_names_it(shy: TrickGame, seats: int) -> None:
    refused = 0
    for number in range(5):
        for state in leads(shy, seats, number):
            (seat,) = state.to_act()
            hand = state.hands[seat]
            others = [kind for kind in hand if not is_trump(state, kind)]
            assert list(state.legal(seat)) == (others or list(hand))
            for kind in {*hand} - {*state.legal(seat)}:
                refused += 1
                assert state.refusal(seat, kind) == (
                    "this card may not be led while you hold others (SPEC 11.4)"
                )
    assert refused > 100


@pytest.mark.parametrize("seats", [2, 4, 5])
def test_playouts_follow_it(shy: TrickGame, seats: int) -> None:
    """The cards of a playout, played again through `apply`."""
    for number in range(20):
        played = shy.deal(seats, bytes([number]), {"rounds": 1})
        rng = random.Random(number)
        while played.phase is not PLAY:
            seat = rng.choice(played.to_act())
            played.apply(seat, rng.choice(list(played.legal(seat))))
        again = played.copy()
        before = len(played.log)
        shy.playout(played, rng)
        for card in played.log[before:]:
            again.apply(again.to_act()[0], card)
        assert again.outcome() == played.outcome()


@pytest.mark.parametrize("seats", [2, 4, 5])
def test_imagined_hands_follow_it(shy: TrickGame, seats: int) -> None:
    """A seat that led trump held nothing else then."""
    rng = random.Random(seats)
    seen = 0
    for number in range(30):
        for state in leads(shy, seats, number):
            (leader,) = state.to_act()
            card = state.legal(leader)[0]
            if not is_trump(state, card) or len(state.hands[leader]) < 2:
                continue
            state.apply(leader, card)
            seen += 1
            for seat in (*range(seats), None):
                if seat == leader:
                    continue
                world = shy.imagine(state.view(seat), rng)
                assert all(is_trump(state, kind) for kind in world.hands[leader])
    assert seen > 10


@pytest.mark.parametrize("seats", NYET.seats)
def test_the_contract_of_all_games_holds(shy: TrickGame, seats: int) -> None:
    options = shy.trials.short
    contract.test_a_match_keeps_the_contract_at_every_decision(shy, seats, options)
    contract.test_a_refusal_names_the_rule_and_tells_nothing_its_seat_cannot_know(
        shy, seats, options
    )
    contract.test_imagine_agrees_with_the_view_it_came_from(shy, seats, options)
    contract.test_a_playout_ends_the_match_or_the_round(shy, seats, options)
