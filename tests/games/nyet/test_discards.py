"""Discarding and passing: how many, which, and who knows (SPEC 11.3, step 4)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from arena.games.errors import IllegalAction, OutOfTurn
from arena.games.nyet.state import TrickState
from tests.games.trick_positions import (
    RULE_SETS,
    act,
    legal,
    play,
    table,
)

TEAMS: dict[int, Sequence[int] | None] = {2: None, 3: (0,), 4: (0, 1), 5: (0, 1)}
BONUS = {2: None, 3: 0, 4: None, 5: 0}


def at_discards(name: str, hands: Sequence[str], discard: str, **terms: Any) -> TrickState:
    seats = len(hands)
    return table(name, hands, discard=discard, team=TEAMS[seats], bonus=BONUS[seats], **terms)


def hand(state: TrickState, seat: int) -> str:
    return " ".join(state.view(seat)["hand"])


@pytest.mark.parametrize(
    ("name", "discard", "cards"),
    [
        *[("nyet", "1", 1), ("nyet", "2", 2), ("nyet", "1x", 1), ("nyet", "left1", 1)],
        *[("njet", "1", 1), ("njet", "2", 2), ("njet", "2x", 2), ("njet", "right2", 2)],
        *[("njet-it", "1", 1), ("njet-it", "2", 2)],
    ],
)
def test_everyone_discards_or_passes_the_number_in_the_open_box(
    name: str, discard: str, cards: int
) -> None:
    """SPEC 11.1; in njet-it, too, it is compulsory and secret (D9)."""
    state = at_discards(name, ["R2 R3 R4", "B2 B3 B4", "R5 R6 R7", "B5 B6 B7"], discard)
    for seat in range(4):
        for _ in range(cards):
            assert state.view(None)["phase"] == "discard"
            assert seat in state.to_act()
            play(state, legal(state)[0])
    assert state.view(None)["phase"] == "play"
    kept = 3 if discard in ("left1", "right2") else 3 - cards
    assert state.view(None)["hand_sizes"] == [kept] * 4
    assert [len(state.view(seat)["given"]) for seat in range(4)] == [cards] * 4


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_box_without_discards_leads_straight_to_the_tricks(name: str) -> None:
    state = at_discards(name, ["R2", "B2", "R3", "B3"], "0")
    assert state.view(None)["phase"] == "play"
    assert state.view(None)["hand_sizes"] == [1] * 4
    assert state.view(0)["given"] == []


def test_all_owe_their_choice_at_once_and_may_make_it_in_any_order() -> None:
    hands = ["R2 R3 R4", "B2 B3 B4", "Y2 Y3 Y4"]
    given = [("R2", "R4"), ("B3", "B2"), ("Y4", "Y3")]
    ends = set()
    for order in set(itertools.permutations([0, 0, 1, 1, 2, 2])):
        state = at_discards("nyet", hands, "2")
        assert state.to_act() == (0, 1, 2)
        cards = [iter(cards) for cards in given]
        for seat in order:
            act(state, seat, next(cards[seat]))
        ends.add(str([state.view(seat) for seat in (0, 1, 2, None)]))
    assert len(ends) == 1
    assert [hand(state, seat) for seat in range(3)] == ["R3", "B4", "Y2"]


def test_who_has_chosen_owes_nothing_more() -> None:
    state = at_discards("nyet", ["R2 R3", "B2 B3", "Y2 Y3"], "1")
    act(state, 1, "B2")
    assert state.to_act() == (0, 2)
    assert list(state.legal(1)) == []
    with pytest.raises(OutOfTurn):
        act(state, 1, "B3")


def test_who_has_discarded_one_of_two_still_owes_the_other() -> None:
    state = at_discards("nyet", ["R2 R3 R4", "B2 B3 B4", "Y2 Y3 Y4"], "2")
    act(state, 1, "B2")
    assert state.to_act() == (0, 1, 2)
    assert legal(state, 1) == ["B3", "B4"]
    assert state.view(1)["given"] == ["B2"]


def test_any_card_of_the_hand_may_be_discarded() -> None:
    """Low cards, trumps and supertrumps too."""
    cards = ["R1", "R5", "B1", "B5", "Y1", "G9"]
    state = at_discards("nyet", [" ".join(cards)] * 4, "1", trump="R", supertrump="B")
    assert legal(state, 2) == cards


def test_a_card_held_twice_may_be_discarded_twice_and_one_held_once_may_not() -> None:
    state = at_discards("njet", ["R7 R7 K1"] * 4, "2")
    act(state, 0, "R7")
    assert legal(state, 0) == ["R7", "K1"]
    act(state, 0, "R7")
    assert hand(state, 0) == "K1"
    act(state, 1, "K1")
    assert legal(state, 1) == ["R7"]
    with pytest.raises(IllegalAction):
        act(state, 1, "K1")


def test_a_card_that_is_not_held_cannot_be_discarded() -> None:
    state = at_discards("nyet", ["R2 R3", "B2 B3", "Y2 Y3"], "1")
    with pytest.raises(IllegalAction):
        act(state, 0, "B2")


def test_discards_are_seen_by_nobody_but_their_owner() -> None:
    """Not when they are chosen, not afterwards, not by a spectator (SPEC 11.9)."""
    hands = ["R2 R3", "B2 B3", "Y2 Y3"]
    one, two = at_discards("nyet", hands, "1"), at_discards("nyet", hands, "1")
    act(one, 1, "B2")
    act(two, 1, "B3")
    for onlooker in (0, 2, None):
        assert one.view(onlooker) == two.view(onlooker)
    for state in (one, two):
        act(state, 0, "R2")
        act(state, 2, "Y2")
    for onlooker in (0, 2, None):
        assert one.view(onlooker) == two.view(onlooker)
    assert one.view(1)["given"] == ["B2"]
    assert two.view(1)["given"] == ["B3"]


def test_nobody_sees_in_a_view_whether_another_has_chosen() -> None:
    state = at_discards("nyet", ["R2 R3", "B2 B3", "Y2 Y3"], "1")
    before = [state.view(0), state.view(None)]
    act(state, 1, "B2")
    assert [state.view(0), state.view(None)] == before


def test_discards_are_out_of_the_round() -> None:
    state = at_discards("nyet", ["R2 R3", "R4 R5"], "1", trump="B")
    play(state, "R3", "R5", "R2")
    with pytest.raises(IllegalAction):
        act(state, 1, "R5")
    play(state, "R4")
    assert state.view(None)["round"] == 2


def test_discards_count_for_nothing() -> None:
    """A low card discarded is nobody's loot."""
    state = at_discards("nyet", ["R1 R2 R9", "R1 R3 R4"], "1", points=3)
    play(state, "R1", "R1")
    play(state, "R9", "R3", "R2", "R4")
    assert state.view(None)["previous"]["loot"] == [0, 0]
    assert state.view(None)["previous"]["scored"] == [3, 3]


def test_all_hands_have_the_same_length_after_the_discards() -> None:
    state = at_discards("njet-it", ["R2 R3 R4", "K2 K3 K4", "B2 B3 B4", "G2 G3 G4"], "2")
    play(state, "R2", "R3", "K2", "K3", "B2", "B3", "G2", "G3")
    assert state.view(None)["hand_sizes"] == [1] * 4


# ---- no low card ----------------------------------------------------------------------------


def test_except_one_spares_the_ones() -> None:
    """000: players must discard one card, excluding cards with a value of 1."""
    state = at_discards("nyet", ["R1 R2 B1 B13"] * 3, "1x")
    assert legal(state, 0) == ["R2", "B13"]
    with pytest.raises(IllegalAction):
        act(state, 0, "R1")


def test_the_crossed_out_zero_spares_the_zeros() -> None:
    """003: the players discard 2 cards, but may not discard a value 0 card."""
    state = at_discards("njet", ["R0 R1 B0 B9 Y2"] * 3, "2x")
    assert legal(state, 0) == ["R1", "B9", "Y2"]
    act(state, 0, "B9")
    assert legal(state, 0) == ["R1", "Y2"]
    with pytest.raises(IllegalAction):
        act(state, 0, "R0")


def test_the_supertrump_none_spares_low_cards_too() -> None:
    state = at_discards("nyet", ["R1 R2", "R1 R3"], "1x", supertrump="-")
    assert legal(state, 0) == ["R2"]


def test_a_hand_of_ones_only_discards_one_of_them() -> None:
    """D5: else hands would differ in length. Five players can be dealt twelve ones."""
    ones = "R1 R1 R1 B1 B1 B1 Y1 Y1 Y1 G1 G1 G1"
    others = ["R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13"] * 4
    state = at_discards("nyet", [ones, *others], "1x")
    assert legal(state, 0) == ["R1", "B1", "Y1", "G1"]
    play(state, "Y1", "R2", "R2", "R2", "R2")
    assert hand(state, 0) == "R1 R1 R1 B1 B1 B1 Y1 Y1 G1 G1 G1"
    assert state.view(None)["hand_sizes"] == [11] * 5


def test_a_hand_of_zeros_only_discards_two_of_them() -> None:
    """D5."""
    state = at_discards("njet", ["R0 R0 K0 B0", "R2 R3 R4 R5", "Y2 Y3 Y4 Y5"], "2x")
    assert legal(state, 0) == ["R0", "K0", "B0"]
    act(state, 0, "K0")
    assert legal(state, 0) == ["R0", "B0"]
    act(state, 0, "R0")
    assert hand(state, 0) == "R0 B0"


def test_a_hand_with_one_other_card_than_zeros_discards_it_and_a_zero() -> None:
    """D5: all the others, and low cards for the rest."""
    state = at_discards("njet", ["R0 R0 K0 B5", "R2 R3 R4 R5", "Y2 Y3 Y4 Y5"], "2x")
    assert legal(state, 0) == ["B5"]
    act(state, 0, "B5")
    assert legal(state, 0) == ["R0", "K0"]
    act(state, 0, "K0")
    assert state.view(0)["given"] == ["B5", "K0"]
    assert hand(state, 0) == "R0 R0"


def test_a_hand_with_two_others_than_zeros_discards_just_these() -> None:
    state = at_discards("njet", ["R0 R0 K4 B5", "R2 R3 R4 R5", "Y2 Y3 Y4 Y5"], "2x")
    assert legal(state, 0) == ["K4", "B5"]
    act(state, 0, "B5")
    assert legal(state, 0) == ["K4"]


def test_a_card_held_twice_counts_as_two_others() -> None:
    state = at_discards("njet", ["R0 R0 K7 K7", "R2 R3 R4 R5", "Y2 Y3 Y4 Y5"], "2x")
    assert legal(state, 0) == ["K7"]
    act(state, 0, "K7")
    assert legal(state, 0) == ["K7"]


# ---- passing --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_card_passed_left_comes_to_the_next_seat(seats: int) -> None:
    hands = [f"{colour}2 {colour}3" for colour in "RBYG"] + ["R8 R9"]
    state = at_discards("nyet", hands[:seats], "left1")
    passed = [cards.split()[0] for cards in hands[:seats]]
    kept = [cards.split()[1] for cards in hands[:seats]]
    play(state, *passed)
    for seat in range(seats):
        view = state.view(seat)
        assert view["given"] == [passed[seat]]
        assert view["received"] == [passed[seat - 1]]
        assert sorted(view["hand"]) == sorted([kept[seat], passed[seat - 1]])
    assert state.view(None)["hand_sizes"] == [2] * seats


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_two_cards_passed_right_come_to_the_previous_seat(seats: int) -> None:
    hands = [f"{colour}2 {colour}3 {colour}4" for colour in "RKBY"] + ["R7 R8 R9"]
    state = at_discards("njet", hands[:seats], "right2")
    passed = [cards.split()[:2] for cards in hands[:seats]]
    kept = [cards.split()[2] for cards in hands[:seats]]
    play(state, *itertools.chain(*passed))
    for seat in range(seats):
        view = state.view(seat)
        giver = (seat + 1) % seats
        assert view["given"] == passed[seat]
        assert view["received"] == passed[giver]
        assert sorted(view["hand"]) == sorted([kept[seat], *passed[giver]])
    assert state.view(None)["hand_sizes"] == [3] * seats


@pytest.mark.parametrize(("name", "box"), [("nyet", "left1"), ("njet", "right2")])
def test_any_card_may_be_passed_a_low_one_too(name: str, box: str) -> None:
    low = "1" if name == "nyet" else "0"
    cards = [f"R{low}", "R5", f"B{low}", "B9"]
    state = at_discards(name, [" ".join(cards)] * 4, box, supertrump="B")
    assert legal(state, 3) == cards


def test_nobody_sees_what_they_receive_before_all_have_chosen() -> None:
    state = at_discards("nyet", ["R2 R3", "B2 B3", "Y2 Y3"], "left1")
    act(state, 0, "R2")
    before = state.view(1)
    assert (before["hand"], before["received"]) == (["B2", "B3"], [])
    assert legal(state, 1) == ["B2", "B3"]
    act(state, 1, "B3")
    assert state.view(1)["hand"] == ["B2"]
    assert state.view(1)["received"] == []
    act(state, 2, "Y2")
    assert state.view(1)["hand"] == ["R2", "B2"]
    assert state.view(1)["received"] == ["R2"]


def test_received_cards_are_not_passed_on() -> None:
    """003: simultaneously."""
    state = at_discards("njet", ["R2 R3 R4", "K2 K3 K4", "B2 B3 B4"], "right2")
    act(state, 1, "K2", "K3")
    act(state, 0, "R2")
    for card in ("K2", "K3"):
        with pytest.raises(IllegalAction):
            act(state, 0, card)


def test_a_passed_card_is_known_to_its_giver_and_its_receiver_only() -> None:
    hands = ["R2 R3", "B2 B3", "Y2 Y3", "G2 G3"]
    one, two = at_discards("nyet", hands, "left1"), at_discards("nyet", hands, "left1")
    play(one, "R2", "B2", "Y2", "G2")
    play(two, "R2", "B3", "Y2", "G2")
    for onlooker in (0, 3, None):
        assert one.view(onlooker) == two.view(onlooker)
    assert one.view(1)["given"] == one.view(2)["received"] == ["B2"]
    assert two.view(1)["given"] == two.view(2)["received"] == ["B3"]


def test_between_two_players_left_and_right_are_the_same() -> None:
    left = at_discards("nyet", ["R2 R3", "B2 B3"], "left1")
    play(left, "R2", "B2")
    assert [hand(left, seat) for seat in range(2)] == ["R3 B2", "R2 B3"]
    right = at_discards("njet", ["R2 R3 R4", "B2 B3 B4"], "right2")
    play(right, "R2", "R3", "B2", "B3")
    assert [hand(right, seat) for seat in range(2)] == ["R4 B2 B3", "R2 R3 B4"]


def test_a_passed_card_is_played_by_who_received_it() -> None:
    """Whose loot a low card is depends on who plays it, not on who was dealt it."""
    state = at_discards("nyet", ["R1 R9", "B2 B3", "Y2 Y3", "G2 G3"], "left1")
    # Seat 1, the leader's partner, receives the one and plays it under his nine: no loot.
    play(state, "R1", "B2", "Y2", "G2")
    play(state, "R9", "R1", "B2", "G3")
    assert state.view(None)["loot"] == [0, 0, 0, 0]
    # Given by an opponent, played by the leader's partner.
    state = at_discards("nyet", ["R8 R9", "B2 R3", "Y2 Y3", "R1 G3"], "left1")
    play(state, "R8", "B2", "Y2", "R1")
    assert state.view(0)["hand"] == ["R1", "R9"]
    play(state, "R1", "R8", "B2", "G3")
    assert state.view(None)["tricks_won"] == [0, 1, 0, 0]
    assert state.view(None)["loot"] == [0, 0, 0, 0]
    # Given by the leader's partner to an opponent, who plays it: loot.
    state = at_discards("nyet", ["R8 R9", "B2 R1", "Y2 Y3", "R2 G3"], "left1")
    play(state, "R8", "R1", "Y2", "R2")
    play(state, "R9", "R8", "R1", "Y2")
    assert state.view(None)["loot"] == [1, 0, 0, 0]


def test_discarding_and_passing_start_afresh_each_round() -> None:
    state = at_discards("nyet", ["R2 R3", "B2 B3"], "left1")
    play(state, "R2", "B2", "R3", "R2", "B2", "B3")
    view = state.view(0)
    assert view["round"] == 2
    assert (view["given"], view["received"]) == ([], [])
