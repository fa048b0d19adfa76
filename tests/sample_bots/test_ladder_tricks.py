"""python-tricks: each of its ideas where the right action is plain to see."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games import GAMES
from tests.sample_bots.ladder import chooses, decisions, load, trick_view

choose = chooses(load("python-tricks"))
GAMES_PLAYED = ("nyet", "njet", "njet-it")

STRONG = "R1 R1 R5 R9 R11 R12 R13 B10 B11 B12 B13 Y13 Y12 G13 G12"
WEAK = "R1 B1 B1 B3 B4 Y1 Y2 Y3 Y4 G2 G3 G4 G5 G6 G7"


def covered(hand: str, boxes: str) -> str:
    """The box it covers of these, with all others but one of each row covered already."""
    settled = {"first": "1", "discard": "0", "trump": "R", "supertrump": "-", "points": "2"}
    legal = boxes.split()
    row = legal[0].split(":")[0]
    others = [f"{name}:{box}" for name, box in settled.items() if name != row]
    view = trick_view("nyet", hand, phase="tokens", open=[*others, *legal])
    return choose(view, legal)


def settled_view(hand: str, **fields: Any) -> dict[str, Any]:
    """A board of `nyet`: red is trump, no supertrump, two points."""
    board = {"first": 0, "discard": "1", "trump": "R", "supertrump": "-", "points": 2}
    return trick_view("nyet", hand, **{**board, **fields})


def played(hand: str, trick: str, leader: int, **fields: Any) -> str:
    """What seat 2, in a team with seat 0, plays in the first trick; every card is legal."""
    view = settled_view(
        hand,
        seat=2,
        **{
            "phase": "play",
            "discard": "0",
            "team": [0, 2],
            "tricks": [trick.split()],
            "leaders": [leader],
            **fields,
        },
    )
    return choose(view, list(dict.fromkeys(hand.split())))


def test_it_covers_the_trump_colour_it_does_not_hold() -> None:
    assert covered("R13 R12 R9 B2 B5", "trump:R trump:Y") == "trump:Y"
    assert covered("Y13 Y12 Y9 B2 B5", "trump:R trump:Y") == "trump:R"


def test_it_leaves_the_supertrump_open_of_which_it_holds_two() -> None:
    assert covered("B1 B1 R9 G5 Y5", "supertrump:B supertrump:G") == "supertrump:G"


def test_a_strong_hand_wants_many_points_and_a_weak_one_few() -> None:
    assert covered(STRONG, "points:1 points:4") == "points:1"
    assert covered(WEAK, "points:1 points:4") == "points:4"
    assert covered(STRONG, "points:-2 points:2") == "points:-2"
    assert covered(WEAK, "points:-2 points:2") == "points:2"


def test_it_covers_the_others_boxes_of_row_one() -> None:
    assert covered("R5 B5", "first:0 first:3") == "first:3"


def test_it_partners_whom_the_board_suits() -> None:
    # Seat 1 covered points below those that stayed open, seat 3 points above them.
    view = settled_view(
        STRONG,
        phase="team",
        tokens=["first:1", "points:1", "first:2", "points:3"],
        first_token=0,
    )
    assert choose(view, ["team:01", "team:02", "team:03"]) == "team:01"


def test_with_a_strong_hand_it_plays_alone_and_with_a_weak_one_it_does_not() -> None:
    legal = ["team:0", "team:01", "team:02"]
    assert choose(settled_view(STRONG, seats=3, phase="team"), legal) == "team:0"
    assert choose(settled_view(WEAK, seats=3, phase="team"), legal) != "team:0"
    assert choose(settled_view(WEAK, seats=3, phase="team", points=-2), legal) == "team:0"


def test_with_a_strong_hand_it_takes_the_bonus_card_in_a_team_of_two() -> None:
    legal = ["team:01*0", "team:01*1", "team:012*3", "team:012*4"]
    assert choose(settled_view(STRONG, seats=5, phase="team"), legal) == "team:01*0"
    assert choose(settled_view(WEAK, seats=5, phase="team"), legal).startswith("team:012")


def test_it_discards_a_low_card_first() -> None:
    view = settled_view("R1 R9 B13 Y1 Y5", phase="discard", team=[0, 2])
    assert choose(view, ["R1", "R9", "B13", "Y1", "Y5"]) == "Y1"


def test_at_minus_two_it_discards_the_highest_trump() -> None:
    view = settled_view("R1 R13 B12 Y1 Y5", phase="discard", team=[0, 2], points=-2)
    assert choose(view, ["R1", "R13", "B12", "Y1", "Y5"]) == "R13"


def test_as_last_it_takes_with_the_cheapest_card() -> None:
    assert played("Y13 Y9 Y4", "Y8 Y2 Y3", 3) == "Y9"


def test_it_throws_a_low_card_on_a_teammates_trick() -> None:
    assert played("B1 B9 G5", "Y2 Y13 Y3", 3) == "B1"


def test_it_keeps_low_cards_out_of_the_others_tricks() -> None:
    assert played("B1 B9 G5", "Y13 Y2 Y3", 3) in ("B9", "G5")


def test_it_ruffs_a_trick_with_loot_in_it() -> None:
    assert played("R4 G5 B6", "Y5 Y2 Y1", 3) == "R4"


def test_at_minus_two_it_stays_below() -> None:
    assert played("Y13 Y4", "Y8 Y2 Y3", 3, points=-2) == "Y4"


def test_at_minus_two_it_gives_loot_to_the_others() -> None:
    assert played("B1 B9 G5", "Y13 Y2 Y3", 3, points=-2) == "B1"


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_it_never_plays_what_is_not_legal(game: str) -> None:
    for seats in GAMES[game].seats:
        for view, legal, chosen in decisions(game, seats, seats, choose, {"rounds": 3}):
            assert chosen in legal, view


def test_it_plays_the_same_to_the_same() -> None:
    once, again = (list(decisions("njet", 5, 1, choose, {"rounds": 1})) for _ in range(2))
    assert once == again
