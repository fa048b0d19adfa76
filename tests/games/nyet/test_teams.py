"""The first player's choice of a team, and the bonus card (SPEC 11.3, step 3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.games.errors import IllegalAction, OutOfTurn
from arena.games.nyet.about import kinds
from arena.games.nyet.rulesets import NJET
from arena.games.nyet.state import TrickState
from tests.games.trick_positions import (
    RULE_SETS,
    act,
    game_at,
    lay,
    legal,
    play,
    settle,
    trick_game,
)


def at_teams(name: str, seats: int, first: int, discard: str = "0") -> TrickState:
    state = game_at(name, seats).deal(seats, b"teams", {"dealer": 0})
    settle(state, first=first, discard=discard)
    return state


@pytest.mark.parametrize("name", ["nyet", "njet"])
@pytest.mark.parametrize("first", [0, 1])
def test_two_players_play_against_each_other_without_a_choice(name: str, first: int) -> None:
    state = at_teams(name, 2, first)
    view = state.view(None)
    assert view["phase"] == "play"
    assert view["team"] == [first]
    assert view["bonus"] is None
    assert state.to_act() == (first,)


@pytest.mark.parametrize("name", ["nyet", "njet"])
@pytest.mark.parametrize(
    ("first", "choices"),
    [
        (0, ["team:0", "team:01", "team:02"]),
        (1, ["team:1", "team:01", "team:12"]),
        (2, ["team:2", "team:02", "team:12"]),
    ],
)
def test_the_first_of_three_plays_alone_or_with_either_other(
    name: str, first: int, choices: list[str]
) -> None:
    assert legal(at_teams(name, 3, first)) == choices


@pytest.mark.parametrize("name", ["nyet", "njet"])
@pytest.mark.parametrize(
    ("choice", "team", "bonus"),
    [("team:1", [1], 1), ("team:01", [0, 1], 2), ("team:12", [1, 2], 0)],
)
def test_the_lone_player_of_three_holds_the_bonus_card(
    name: str, choice: str, team: list[int], bonus: int
) -> None:
    state = at_teams(name, 3, 1)
    play(state, choice)
    assert state.view(None)["team"] == team
    assert state.view(None)["bonus"] == bonus


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize(
    ("first", "choices"),
    [
        (0, ["team:01", "team:02", "team:03"]),
        (2, ["team:02", "team:12", "team:23"]),
        (3, ["team:03", "team:13", "team:23"]),
    ],
)
def test_the_first_of_four_takes_one_partner_and_nobody_the_bonus_card(
    name: str, first: int, choices: list[str]
) -> None:
    state = at_teams(name, 4, first)
    assert legal(state) == choices
    for choice in choices:
        after = state.copy()
        play(after, choice)
        assert "team:" + "".join(map(str, after.view(None)["team"])) == choice
        assert after.view(None)["bonus"] is None


@pytest.mark.parametrize("name", ["nyet", "njet"])
def test_the_first_of_five_has_twenty_choices_of_team_and_bonus_holder(name: str) -> None:
    """Four teams of two and six of three, and either of the two may hold the card."""
    assert legal(at_teams(name, 5, 2)) == [
        *["team:02*0", "team:02*2", "team:12*1", "team:12*2"],
        *["team:23*2", "team:23*3", "team:24*2", "team:24*4"],
        *["team:012*3", "team:012*4", "team:023*1", "team:023*4"],
        *["team:024*1", "team:024*3", "team:123*0", "team:123*4"],
        *["team:124*0", "team:124*3", "team:234*0", "team:234*1"],
    ]
    for first in range(5):
        assert len(set(legal(at_teams(name, 5, first)))) == 20


@pytest.mark.parametrize(
    ("choice", "team", "bonus"),
    [
        ("team:02*0", [0, 2], 0),
        ("team:02*2", [0, 2], 2),
        ("team:024*1", [0, 2, 4], 1),
        ("team:024*3", [0, 2, 4], 3),
    ],
)
def test_the_bonus_card_of_five_goes_to_one_of_the_two(
    choice: str, team: list[int], bonus: int
) -> None:
    """To the first player too, if he is one of them."""
    state = at_teams("nyet", 5, 2)
    play(state, choice)
    assert state.view(None)["team"] == team
    assert state.view(None)["bonus"] == bonus


def test_a_team_without_the_first_player_cannot_be_chosen() -> None:
    state = at_teams("nyet", 4, 2)
    with pytest.raises(IllegalAction):
        act(state, 2, "team:01")


def test_a_team_for_another_table_size_cannot_be_chosen() -> None:
    for seats, choice in ((5, "team:02"), (4, "team:2"), (3, "team:02*0"), (3, "team:012*3")):
        with pytest.raises(IllegalAction):
            act(at_teams("nyet", seats, 2), 2, choice)


def test_only_the_first_player_chooses() -> None:
    state = at_teams("nyet", 4, 2)
    assert state.to_act() == (2,)
    assert state.view(None)["phase"] == "team"
    assert state.view(None)["team"] is None
    for seat in (0, 1, 3):
        assert list(state.legal(seat)) == []
        with pytest.raises(OutOfTurn):
            act(state, seat, "team:02")


def test_the_team_is_chosen_before_anyone_discards() -> None:
    state = at_teams("nyet", 4, 2, discard="1")
    with pytest.raises(IllegalAction):
        act(state, 2, state.view(2)["hand"][0])
    play(state, "team:23")
    assert state.view(None)["phase"] == "discard"


def test_a_team_holds_for_its_round_only() -> None:
    state = trick_game("nyet").deal(3, b"one round", {"dealer": 0})
    lay(state, ["R2", "R3", "R4"], team=(0,), bonus=0)
    play(state, "R2", "R3", "R4")
    view = state.view(None)
    assert (view["round"], view["team"], view["bonus"]) == (2, None, None)
    settle(state, first=1)
    assert legal(state) == ["team:1", "team:01", "team:12"]
    assert state.view(None)["team"] is None


def test_a_rule_set_for_two_has_no_decision_about_teams() -> None:
    """`arena check` and the tests of all games wait for each kind of decision that is named."""
    for_two = replace(NJET, cards_each={2: 15}, rounds={2: 8})
    assert "team" not in {kind.name for kind in kinds(for_two)}
    assert "team" in {kind.name for kind in kinds(NJET)}
