"""A hand as one int: counts of each colour and the kinds held."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.games.nope.cards import DECK, KINDS, SHOWS
from arena.games.nope.demand import DEMANDS
from arena.games.nope.holdings import ANOTHER, FIRST, LANES_END, TOPS, holding
from arena.games.nope.legality import sets_held

hands = st.lists(st.integers(0, len(DECK) - 1), unique=True, max_size=len(DECK)).map(
    lambda places: bytes(DECK[place] for place in places)
)


@given(hands)
def test_it_tells_the_colours_in_which_a_hand_holds_a_set(hand: bytes) -> None:
    held = holding(hand)
    for (count, colours), demand in DEMANDS.items():
        expected = 0
        for bit in range(4):
            shown = sum(SHOWS[kind] >> bit & 1 for kind in hand)
            if colours >> bit & 1 and shown >= count:
                expected |= TOPS[1 << bit]
        assert sets_held(held, demand) == expected


@given(hands)
def test_it_tells_the_kinds_held(hand: bytes) -> None:
    kinds = holding(hand) >> LANES_END
    assert {kind for kind in range(len(KINDS)) if kinds >> kind & 1} == set(hand)


@given(hands)
def test_cards_added_one_by_one_give_the_same(hand: bytes) -> None:
    held = 0
    for i, kind in enumerate(hand):
        held += ANOTHER[kind] if kind in hand[:i] else FIRST[kind]
    assert held == holding(hand)
