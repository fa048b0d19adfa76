"""Random legal play to the end of a round or a match."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from arena.games.nyet.state import TrickState
from tests.games.nyet.test_rulesets import TABLES
from tests.games.trick_positions import (
    RULE_SETS,
    act,
    choose_team,
    game_at,
    legal,
    play,
    rules_of,
    settle,
    table,
    trick_game,
)


def all_views(state: TrickState) -> list[dict[str, Any]]:
    return [state.view(seat) for seat in (*range(state.match.seats), None)]


def replay(start: TrickState, end: TrickState) -> None:
    """Lead `start` through `apply` to where `end`, the end of its last round, says it went."""
    public = end.view(None)
    while start.to_act():
        view = start.view(None)
        match view["phase"]:
            case "tokens":
                play(start, public["tokens"][len(view["tokens"])])
            case "team":
                choose_team(start, public["team"], public["bonus"])
            case "discard":
                seat = start.to_act()[0]
                act(start, seat, end.view(seat)["given"][len(start.view(seat)["given"])])
            case _:
                trick = len(view["tricks"]) - 1
                play(start, public["tricks"][trick][len(view["tricks"][-1])])


def starts(name: str, seats: int) -> list[TrickState]:
    """States of every phase of a round, open tricks and begun discards among them."""
    found = []
    for discard in [box.name for box in rules_of(name).discards]:
        rng = random.Random(f"{name} {seats} {discard}")
        state = trick_game(name).deal(seats, b"playout", {"rounds": 1})
        found.append(state.copy())
        settle(state, discard=discard, first=1, supertrump="B")
        while state.to_act():
            if rng.random() < 0.4:
                found.append(state.copy())
            seat = rng.choice(state.to_act())
            state.apply(seat, rng.choice(state.legal(seat)))
    return found


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_playout_is_legal_play(name: str, seats: int) -> None:
    """From every phase; `apply` takes each of its actions and comes to the same end."""
    for number, state in enumerate(starts(name, seats)):
        end = state.copy()
        trick_game(name).playout(end, random.Random(number))
        assert end.to_act() == ()
        replay(state, end)
        assert all_views(state) == all_views(end)
        assert state.outcome() == end.outcome() is not None


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_match_is_played_to_its_end_unless_told_otherwise(name: str, seats: int) -> None:
    for options in ({}, {"rounds": 3}, {"target": 30}):
        state = trick_game(name).deal(seats, b"match", options)
        trick_game(name).playout(state, random.Random(1))
        assert state.view(None)["phase"] == "over"
        assert state.outcome() is not None
        state = trick_game(name).deal(seats, b"match", options)
        trick_game(name).playout(state, random.Random(1), "match")
        assert state.outcome() is not None


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_round_is_played_to_its_end_and_the_next_dealt(name: str, seats: int) -> None:
    rng = random.Random(2)
    state = trick_game(name).deal(seats, b"round", {"rounds": 2})
    while state.view(None)["round"] == 1:
        end = state.copy()
        trick_game(name).playout(end, rng, "round")
        view = end.view(None)
        assert (view["round"], view["phase"], view["tokens"]) == (2, "tokens", [])
        assert view["previous"]["round"] == 1
        assert end.to_act()
        seat = rng.choice(state.to_act())
        state.apply(seat, rng.choice(state.legal(seat)))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_deal_after_a_playout_does_not_depend_on_what_was_played(name: str, seats: int) -> None:
    """Chance comes from the match's seed, not from the playout's rng."""
    state = trick_game(name).deal(seats, b"deal", {"rounds": 2})
    deals = set()
    for number in range(5):
        end = state.copy()
        trick_game(name).playout(end, random.Random(number), "round")
        deals.add(str([end.view(seat)["hand"] for seat in range(seats)]))
    assert len(deals) == 1


@pytest.mark.parametrize("until", ["round", "match"])
def test_the_last_round_ends_the_match_either_way(until: Any) -> None:
    state = trick_game("nyet").deal(3, b"last", {"rounds": 1})
    trick_game("nyet").playout(state, random.Random(1), until)
    assert state.outcome() is not None


def test_a_match_that_is_over_stays_as_it_is() -> None:
    state = trick_game("nyet").deal(3, b"over", {"rounds": 1})
    trick_game("nyet").playout(state, random.Random(1))
    before = all_views(state)
    trick_game("nyet").playout(state, random.Random(2))
    trick_game("nyet").playout(state, random.Random(2), "round")
    assert all_views(state) == before


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_same_rng_plays_the_same_match_and_another_another(name: str, seats: int) -> None:
    start = trick_game(name).deal(seats, b"rng", {"rounds": 2})
    ends = []
    for number in (1, 1, 2):
        state = start.copy()
        trick_game(name).playout(state, random.Random(number))
        ends.append(all_views(state))
    assert ends[0] == ends[1]
    assert ends[0] != ends[2]


def test_a_playout_of_rounds_one_by_one_is_one_of_the_match() -> None:
    one = trick_game("njet").deal(4, b"rounds", {"rounds": 3})
    two = one.copy()
    trick_game("njet").playout(one, random.Random(1))
    rng = random.Random(1)
    for _ in range(3):
        trick_game("njet").playout(two, rng, "round")
    assert all_views(one) == all_views(two)


# ---- each choice about equally often --------------------------------------------------------


def check_even(start: TrickState, what: Callable[[TrickState], str], choices: list[str]) -> None:
    """Of 1200 playouts each choice comes up about as often as any other."""
    rng = random.Random(1)
    counts: Counter[str] = Counter()
    for _ in range(1200):
        state = start.copy()
        trick_game(start.match.tables.rules.name).playout(state, rng)
        counts[what(state)] += 1
    assert set(counts) == set(choices)
    fair = 1200 / len(choices)
    assert all(0.75 * fair < count < 1.25 * fair for count in counts.values()), counts


@pytest.mark.parametrize("name", RULE_SETS)
def test_each_card_is_led_about_equally_often(name: str) -> None:
    hands = ["R2 R3 B4 B6", "R4 R5 B5 B7", "R6 R7 B2 B3", "R8 R9 B8 B9"]
    state = table(name, hands, trump="B", team=(0, 1), options={"rounds": 1})
    check_even(state, lambda end: str(end.view(None)["tricks"][0][0]), legal(state))


@pytest.mark.parametrize("name", RULE_SETS)
def test_each_card_that_follows_is_played_about_equally_often(name: str) -> None:
    hands = ["R2 R3 B4 B6", "R4 R5 R6 B7", "R7 B2 B3 B5", "R8 R9 B8 B9"]
    state = table(name, hands, trump="B", team=(0, 1), options={"rounds": 1})
    play(state, "R2")
    assert legal(state) == ["R4", "R5", "R6"]
    check_even(state, lambda end: str(end.view(None)["tricks"][0][1]), legal(state))


@pytest.mark.parametrize("name", RULE_SETS)
def test_who_cannot_follow_plays_each_card_about_equally_often(name: str) -> None:
    third = "K" if name != "nyet" else "Y"
    hands = ["R2 R3 R5 R6", f"B4 B5 {third}6 {third}7", "R7 B2 B3 R4", "R8 R9 B8 B9"]
    state = table(name, hands, trump="B", team=(0, 1), options={"rounds": 1})
    play(state, "R2")
    assert len(legal(state)) == 4
    check_even(state, lambda end: str(end.view(None)["tricks"][0][1]), legal(state))


@pytest.mark.parametrize("name", RULE_SETS)
def test_each_box_is_covered_about_equally_often(name: str) -> None:
    state = game_at(name, 4).deal(4, b"boxes", {"rounds": 1, "dealer": 0})
    settle_but_the_last_rows(state)
    check_even(state, lambda end: str(end.view(None)["tokens"][tokens(state)]), legal(state))


def settle_but_the_last_rows(state: TrickState) -> None:
    """All tokens but those of the rows supertrump and points."""
    while boxes := [box for box in legal(state) if not box.startswith(("super", "points"))]:
        play(state, boxes[0])


def tokens(state: TrickState) -> int:
    return len(state.view(None)["tokens"])


def test_each_team_is_chosen_about_equally_often() -> None:
    state = trick_game("nyet").deal(3, b"teams", {"rounds": 1, "dealer": 0})
    settle(state)
    teams = ["[0]", "[0, 1]", "[0, 2]"]
    check_even(state, lambda end: str(end.view(None)["team"]), teams)


@pytest.mark.parametrize(("name", "discard"), [("nyet", "1"), ("nyet", "1x"), ("nyet", "left1")])
def test_each_card_is_given_away_about_equally_often(name: str, discard: str) -> None:
    hands = ["R1 R2 R3 B4 B6", "R4 R5 R6 B7 G1", "R7 B2 B3 B5 Y1"]
    state = table(name, hands, discard=discard, team=(0,), bonus=0, options={"rounds": 1})
    assert len(legal(state)) == (4 if discard == "1x" else 5)
    check_even(state, lambda end: str(end.view(0)["given"][0]), legal(state))
