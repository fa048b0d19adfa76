"""The deck of SPEC 12.1."""

from __future__ import annotations

from collections import Counter

from arena.games.nope.cards import (
    COPIES,
    DECK,
    DECK_WITHOUT_ACTIONS,
    KIND_OF,
    KINDS,
    NUMBERS,
    SHOWS,
    colour_letters,
    colour_list,
    deck,
    named,
)


def copies_of(*names: str) -> list[int]:
    return [COPIES[KIND_OF[name]] for name in names]


def shown_by(name: str) -> str:
    return colour_letters(SHOWS[KIND_OF[name]])


def test_there_are_104_cards() -> None:
    assert len(DECK) == 104
    assert sum(COPIES) == 104


def test_the_kinds_have_a_fixed_order() -> None:
    in_order = (
        *("R1", "R2", "R3", "G1", "G2", "G3", "B1", "B2", "B3", "Y1", "Y2", "Y3"),
        *("RG1", "RG2", "RG3", "RB1", "RB2", "RB3", "RY1", "RY2", "RY3"),
        *("GB1", "GB2", "GB3", "GY1", "GY2", "GY3", "BY1", "BY2", "BY3"),
        *("J", "X", "TR", "TG", "TB", "TY", "SR", "SG", "SB", "SY", "S*"),
    )
    assert in_order == KINDS


def test_one_coloured_cards_are_two_1s_two_2s_and_one_3_in_each_colour() -> None:
    for colour in "RGBY":
        assert copies_of(f"{colour}1", f"{colour}2", f"{colour}3") == [2, 2, 1]
        assert shown_by(f"{colour}1") == colour
    assert sum(COPIES[:12]) == 20


def test_two_coloured_cards_are_four_1s_four_2s_and_three_3s_in_each_pair() -> None:
    for pair in ("RG", "RB", "RY", "GB", "GY", "BY"):
        assert copies_of(f"{pair}1", f"{pair}2", f"{pair}3") == [4, 4, 3]
        assert shown_by(f"{pair}3") == pair
    assert sum(COPIES[12:30]) == 66


def test_four_jokers_count_1_and_show_all_colours() -> None:
    assert copies_of("J") == [4]
    assert NUMBERS[KIND_OF["J"]] == 1
    assert shown_by("J") == "RGBY"


def test_fourteen_action_cards_four_resets_four_see_throughs_six_selects() -> None:
    """[N1]: a see-through of each colour; a select of each colour and two with all four."""
    assert copies_of("X") == [4]
    assert copies_of("TR", "TG", "TB", "TY") == [1, 1, 1, 1]
    assert copies_of("SR", "SG", "SB", "SY", "S*") == [1, 1, 1, 1, 2]
    assert [shown_by(name) for name in ("X", "TG", "SB", "S*")] == ["RGBY", "G", "B", "RGBY"]


def test_the_numbers_are_those_printed() -> None:
    assert Counter(NUMBERS[kind] for kind in DECK) == {1: 8 + 24 + 4, 2: 8 + 24, 3: 4 + 18, 0: 14}


def test_the_deck_is_in_kind_order_with_copies_adjacent() -> None:
    assert list(DECK) == sorted(DECK)
    assert named(DECK[:6]) == ["R1", "R1", "R2", "R2", "R3", "G1"]


def test_without_action_cards_90_remain() -> None:
    assert deck(True) == DECK
    assert deck(False) == DECK_WITHOUT_ACTIONS
    assert len(DECK_WITHOUT_ACTIONS) == 90
    assert named(DECK_WITHOUT_ACTIONS[-1:]) == ["J"]


def test_colours_are_told_in_words() -> None:
    assert colour_list("R") == "red"
    assert colour_list("RG") == "red or green"
    assert colour_list("RGBY") == "any colour"
