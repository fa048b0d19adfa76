"""Dealing, lots and the dealer's office (SPEC 11.2, 11.3)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from arena.games.errors import BadSeats
from arena.games.nyet.state import TrickState
from tests.games.nyet.test_rulesets import TABLES
from tests.games.trick_positions import lay, play, trick_game


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_same_seed_deals_the_same_match(name: str, seats: int) -> None:
    game = trick_game(name)
    one, two = game.deal(seats, b"same"), game.deal(seats, b"same")
    assert [one.view(seat) for seat in range(seats)] == [two.view(seat) for seat in range(seats)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_another_seed_deals_other_hands(name: str, seats: int) -> None:
    game = trick_game(name)
    hands = {tuple(game.deal(seats, b"other %d" % number).view(0)["hand"]) for number in range(20)}
    assert len(hands) == 20


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_first_dealer_is_drawn_by_lot_from_the_seed(name: str, seats: int) -> None:
    game = trick_game(name)
    dealers = Counter(
        game.deal(seats, b"lot %d" % number).view(None)["dealer"] for number in range(200)
    )
    assert set(dealers) == set(range(seats))
    assert min(dealers.values()) > 200 / seats / 2


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_card_may_come_to_every_seat(name: str, seats: int) -> None:
    game = trick_game(name)
    seen: list[set[str]] = [set() for _ in range(seats)]
    for number in range(100):
        state = game.deal(seats, b"anywhere %d" % number)
        for seat in range(seats):
            seen[seat] |= set(state.view(seat)["hand"])
    assert seen == [set.union(*seen)] * seats


def play_a_trick(state: TrickState) -> None:
    """A whole round, with one card in each hand."""
    seats = state.match.seats
    lay(state, ["R2"] * seats)
    play(state, *{2: [], 3: ["team:0"], 4: ["team:01"], 5: ["team:01*0"]}[seats])
    play(state, *["R2"] * seats)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_after_each_round_the_next_seat_deals(name: str, seats: int) -> None:
    """Clockwise, wrapping; and the first token goes with the office (SPEC 11.2)."""
    state = trick_game(name).deal(seats, b"office", {"dealer": seats - 1, "rounds": seats + 2})
    dealers, starters = [], []
    for _ in range(seats + 2):
        dealers.append(state.view(None)["dealer"])
        starters.append(state.to_act()[0])
        play_a_trick(state)
    expected = [(seats - 1 + turn) % seats for turn in range(seats + 2)]
    assert dealers == expected
    left = 1 if name == "njet-it" else 0
    assert starters == [(dealer + left) % seats for dealer in expected]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_cards_are_shuffled_anew_for_each_round(name: str, seats: int) -> None:
    """All are dealt again, discards and cards that lay aside too."""
    state = trick_game(name).deal(seats, b"anew", {"rounds": 30})
    rounds = []
    for number in range(30):
        assert state.view(None)["round"] == number + 1
        rounds.append([state.view(seat)["hand"] for seat in range(seats)])
        play_a_trick(state)
    assert len({str(hands) for hands in rounds}) == 30
    decks = [Counter(card for hand in hands for card in hand) for hands in rounds]
    if seats > 2:
        assert all(deck == decks[0] for deck in decks)
    else:
        assert len({str(sorted(deck.elements())) for deck in decks}) == 30
        seen = {card for deck in decks for card in deck}
        assert seen == {*trick_game(name).deck(seats)}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_all_cards_are_dealt_but_with_two_seats_thirty(name: str, seats: int) -> None:
    """[SPEC 11.3.1] Those lie aside, and no state knows which they are."""
    game = trick_game(name)
    aside = 30 if seats == 2 else 0
    assert len(game.cards(game.deal(seats, b"deal"))) + aside == len(game.deck(seats))


def test_a_seed_is_bytes() -> None:
    """A text would deal another match in every encoding."""
    with pytest.raises(TypeError, match="a seed is bytes, got str"):
        trick_game("nyet").deal(3, "seed")  # type: ignore[arg-type]  # on purpose


def test_a_dealer_is_a_seat_at_the_table() -> None:
    game = trick_game("nyet")
    dealt = game.deal_cards(4, [], b"dealer", dealer=np.int64(2))  # type: ignore[arg-type]  # tested
    assert dealt == game.deal_cards(4, [], b"dealer", dealer=2)
    for nobody in (4, -1):
        with pytest.raises(BadSeats):
            game.deal_cards(4, [], b"dealer", dealer=nobody)
