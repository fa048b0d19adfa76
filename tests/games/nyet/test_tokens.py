"""The Nyet phase: what is covered, and what stays open (SPEC 11.3, step 2)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from arena.games.errors import IllegalAction, OutOfTurn
from tests.games.nyet.test_rulesets import TABLES
from tests.games.trick_positions import act, legal, play, settle, trick_game


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_tokens_are_placed_in_turn_clockwise(name: str, seats: int) -> None:
    state = trick_game(name).deal(seats, b"clockwise", {"dealer": seats - 1})
    left = 1 if name == "njet-it" else 0
    turn = 0
    while state.view(None)["phase"] == "tokens":
        seat = (seats - 1 + left + turn) % seats
        assert state.to_act() == (seat,)
        assert state.view(None)["turn"] == seat
        state.apply(seat, state.legal(seat)[0])
        turn += 1


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_token_goes_on_any_open_box_of_a_row_with_two_or_more(name: str, seats: int) -> None:
    """Nobody may pass, and tokens have no owner: everyone has the same choice."""
    for number in range(5):
        rng = random.Random(number)
        state = trick_game(name).deal(seats, b"boxes")
        boxes = state.view(None)["open"]
        covered: list[str] = []
        while state.view(None)["phase"] == "tokens":
            left = [box for box in boxes if box not in covered]
            rows = Counter(box.split(":")[0] for box in left)
            open_boxes = [box for box in left if rows[box.split(":")[0]] > 1]
            assert legal(state) == open_boxes
            assert state.view(None)["open"] == left
            assert state.view(None)["tokens"] == covered
            covered.append(rng.choice(open_boxes))
            play(state, covered[-1])
        assert all(
            count == 1
            for count in Counter(box.split(":")[0] for box in boxes if box not in covered).values()
        )


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_open_boxes_are_the_terms_of_the_round(name: str, seats: int) -> None:
    rng = random.Random(1)
    for number in range(10):
        state = trick_game(name).deal(seats, b"terms %d" % number)
        view = state.view(None)
        terms = ("first", "discard", "trump", "supertrump", "points")
        while view["phase"] == "tokens":
            assert [view[term] for term in terms] == [None] * 5
            play(state, rng.choice(legal(state)))
            view = state.view(None)
        open_boxes = dict(box.split(":") for box in view["open"])
        assert len(view["open"]) == 5
        assert view["first"] == int(open_boxes["first"])
        assert view["discard"] == open_boxes["discard"]
        assert view["trump"] == open_boxes["trump"]
        assert view["supertrump"] == open_boxes["supertrump"]
        assert view["points"] == int(open_boxes["points"])


def test_a_covered_box_is_not_covered_twice() -> None:
    state = trick_game("nyet").deal(3, b"twice", {"dealer": 0})
    play(state, "trump:R")
    assert "trump:R" not in legal(state)
    with pytest.raises(IllegalAction):
        act(state, 1, "trump:R")


def test_the_last_open_box_of_a_row_stays_open() -> None:
    state = trick_game("nyet").deal(3, b"last", {"dealer": 0})
    play(state, "trump:R", "trump:Y", "trump:G")
    assert "trump:B" not in legal(state)
    with pytest.raises(IllegalAction):
        act(state, 0, "trump:B")


def test_anyone_may_cover_anyones_box_in_row_one_their_own_too() -> None:
    state = trick_game("nyet").deal(3, b"own", {"dealer": 0})
    play(state, "first:0", "first:2")
    assert [box for box in legal(state) if box.startswith("first")] == []
    settle(state, first=1)
    assert state.view(None)["first"] == 1


def test_nobody_else_may_place_a_token() -> None:
    state = trick_game("nyet").deal(3, b"turns", {"dealer": 0})
    for seat in (1, 2):
        assert list(state.legal(seat)) == []
        with pytest.raises(OutOfTurn):
            act(state, seat, "trump:R")


def test_no_card_is_played_and_no_team_chosen_before_the_board_is_settled() -> None:
    state = trick_game("nyet").deal(3, b"early", {"dealer": 0})
    for early in (state.view(0)["hand"][0], "team:0"):
        with pytest.raises(IllegalAction):
            act(state, 0, early)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_tokens_come_off_the_board_after_the_round(name: str, seats: int) -> None:
    game = trick_game(name)
    state = game.deal(seats, b"fresh board")
    fresh = state.view(None)["open"]
    game.playout(state, random.Random(1), "round")
    assert state.view(None)["round"] == 2
    assert state.view(None)["tokens"] == []
    assert state.view(None)["open"] == fresh
