"""What happened, in sentences, told from views alone."""

from __future__ import annotations

import pytest

from arena.games.nyet.state import TrickState
from tests.games.trick_positions import act, give, play, settle, table, trick_game


def told(state: TrickState, seat: int | None, *actions: str) -> list[str]:
    """The lines for these actions, each by whose turn it is."""
    game = trick_game(state.view(None)["game"])
    lines = []
    for action in actions:
        before = state.view(seat)
        play(state, action)
        lines += game.narrate(before, state.view(seat), seat)
    return lines


def test_a_match_opens_with_its_dealer() -> None:
    state = trick_game("nyet").deal(3, b"opens", {"dealer": 2})
    for seat in (0, None):
        assert trick_game("nyet").narrate(None, state.view(seat), seat) == [
            "Round 1. Seat 2 deals."
        ]


def test_tokens_are_told_with_who_placed_them() -> None:
    state = trick_game("njet-it").deal(4, b"tokens", {"dealer": 2})
    assert told(state, None, "trump:R", "points:4") == [
        "  seat 3 covers trump:R",
        "  seat 0 covers points:4",
    ]


def test_the_last_token_is_told_with_the_board_it_leaves() -> None:
    state = trick_game("nyet").deal(3, b"board", {"dealer": 0})
    settle_all_but_one_token(state)
    (last, kept) = (box for box in state.view(None)["open"] if box.startswith("points"))
    assert told(state, None, last) == [
        "  seat 1 covers " + last,
        f"  the board leaves open: first:0, discard:0, trump:R, supertrump:-, {kept}",
    ]


def settle_all_but_one_token(state: TrickState) -> None:
    boxes = state.view(None)["open"]
    keep = {"first:0", "discard:0", "trump:R", "supertrump:-", "points:1", "points:2"}
    play(state, *(box for box in boxes if box not in keep))


@pytest.mark.parametrize(
    ("name", "seats", "choice", "line"),
    [
        ("nyet", 3, "team:02", "  teams: 0+2 against 1; seat 1 holds the bonus card"),
        ("njet-it", 4, "team:03", "  teams: 0+3 against 1+2"),
        ("njet", 5, "team:034*2", "  teams: 0+3+4 against 1+2; seat 2 holds the bonus card"),
    ],
)
def test_the_teams_are_told_with_the_bonus_card(
    name: str, seats: int, choice: str, line: str
) -> None:
    state = trick_game(name).deal(seats, b"teams", {"dealer": 0})
    settle(state)
    assert told(state, None, choice) == [line]


def test_between_two_the_teams_are_told_with_the_board() -> None:
    state = trick_game("nyet").deal(2, b"two", {"dealer": 0})
    settle_all_but_one_token(state)
    assert told(state, 1, "points:2")[2:] == ["  teams: 0 against 1"]


def test_each_is_told_only_of_its_own_discards() -> None:
    for looker, own in ((0, ["  seat 0 discarded R2"]), (2, ["  seat 2 discarded Y2"]), (None, [])):
        state = table("nyet", ["R2 R3", "B2 B3", "Y2 Y3"], discard="1", team=(0,), bonus=0)
        assert told(state, looker, "R2", "B2") == []
        assert told(state, looker, "Y2") == ["  everyone has discarded cards (1)", *own]


def test_each_is_told_only_of_the_cards_it_passed_and_received() -> None:
    own = ["  seat 1 passed on K2 K3", "  seat 1 received B2 B3"]
    for looker, lines in ((1, own), (None, [])):
        state = table(
            "njet", ["R2 R3 R4", "K2 K3 K4", "B2 B3 B4"], discard="right2", team=(0,), bonus=0
        )
        assert told(state, looker, "R2", "R3", "K2", "K3", "B2") == []
        assert told(state, looker, "B3") == ["  everyone has passed on cards (right2)", *lines]


def test_cards_and_tricks_are_told_with_their_loot() -> None:
    hands = ["R9 B2", "R1 B3", "R2 B9"]
    state = table("nyet", hands, trump="Y", team=(0,), bonus=0, options={"rounds": 2})
    assert told(state, None, "R9", "R1", "R2") == [
        "  seat 0 plays R9",
        "  seat 1 plays R1",
        "  seat 2 plays R2",
        "  trick 1: R9 R1 R2 goes to seat 0 with 1 loot",
    ]
    # One trick and one piece of loot, doubled, for seat 0; a trick for the pair.
    assert told(state, 1, "B2", "B3", "B9") == [
        "  seat 0 plays B2",
        "  seat 1 plays B3",
        "  seat 2 plays B9",
        "  trick 2: B2 B3 B9 goes to seat 2",
        "  round 1 (tricks+loot, points, total): "
        "seat 0 1+1 +4 = 4, seat 1 0+0 +1 = 1, seat 2 1+0 +1 = 1",
        "Round 2. Seat 1 deals.",
    ]


def test_after_the_last_round_no_other_opens() -> None:
    state = trick_game("nyet").deal(2, b"last", {"dealer": 0, "rounds": 1})
    settle(state, trump="Y", points=-2)
    give(state, ["R2", "R1"])
    act(state, 0, "R2")
    assert told(state, 0, "R1") == [
        "  seat 1 plays R1",
        "  trick 1: R2 R1 goes to seat 0 with 1 loot",
        "  round 1 (tricks+loot, points, total): seat 0 1+1 -4 = -4, seat 1 0+0 +0 = 0",
    ]
