"""The situation of a decision in a few words, for each kind of decision."""

from __future__ import annotations

from arena.cli.judging.situation import situation

BOARD = {
    "seats": 4,
    "trump": "Y",
    "supertrump": None,
    "points": 2,
    "team": [0, 3],
    "hand": ["R2", "G9"],
    "tricks": [],
    "open": [],
}


def test_the_usual_decision_is_told_by_hand_trick_and_board() -> None:
    view = BOARD | {"phase": "play", "discard": "1", "tricks": [["B1"], ["R4", "R9"]]}
    assert situation(view) == (
        "hand: R2 G9; trick: R4 R9;"
        " board: trump Y, supertrump None, points 2, teams 0+3 against 1+2"
    )


def test_a_card_to_discard_is_told_from_one_to_pass() -> None:
    """Both are chosen in one phase, and the action alone does not tell them apart."""
    for box, words in (("1x", "a card to discard"), ("left1", "a card to pass")):
        told = situation(BOARD | {"phase": "discard", "discard": box})
        assert told.startswith(f"asked: {words}; hand: R2 G9; board: ")


def test_while_the_board_is_made_the_open_boxes_are_told() -> None:
    view = {"phase": "tokens", "hand": ["R2"], "tricks": [], "open": ["trump:R", "points:1"]}
    assert situation(view) == "asked: a box to cover; hand: R2; open: trump:R points:1"


def test_in_a_game_without_such_phases_nothing_is_said_of_them() -> None:
    view = {"phase": "lay", "hand": ["B1"], "demand": {"count": 2, "colours": "RB"}}
    assert situation(view) == "hand: B1; demand: 2 RB"
