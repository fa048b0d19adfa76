"""Rounds, totals, and the ends of a match (SPEC 11.2, 11.7)."""

from __future__ import annotations

import random

import pytest

from arena.games.interface import Outcome
from arena.games.nyet.state import TrickState
from tests.games.nyet.test_rulesets import TABLES
from tests.games.trick_positions import (
    RULE_SETS,
    lay,
    play,
    rules_of,
    trick_game,
)


def match(name: str, seats: int, **options: object) -> TrickState:
    return trick_game(name).deal(seats, b"match", {"dealer": 0, **options})


def duel_round(state: TrickState, tricks: int, of: int, points: int) -> None:
    """A round of two players in which seat 0 takes so many tricks, and seat 1 the rest."""
    lost = of - tricks
    mine = [f"B{13 - i}" for i in range(tricks)] + [f"R{2 + i}" for i in range(lost)]
    theirs = [f"B{2 + i}" for i in range(tricks)] + [f"R{13 - i}" for i in range(lost)]
    lay(state, [" ".join(mine), " ".join(theirs)], trump="Y", points=points)
    for card, answer in zip(mine, theirs, strict=True):
        play(state, *([card, answer] if state.to_act() == (0,) else [answer, card]))


def test_totals_are_the_sums_over_the_rounds() -> None:
    state = match("nyet", 2, rounds=3)
    assert state.view(None)["scores"] == [0, 0]
    duel_round(state, 2, 3, 4)
    assert state.view(None)["previous"]["scored"] == [8, 4]
    assert state.view(None)["scores"] == [8, 4]
    duel_round(state, 0, 2, 1)
    assert state.view(None)["previous"]["scored"] == [0, 2]
    assert state.view(None)["scores"] == [8, 6]
    duel_round(state, 1, 1, -2)
    assert state.outcome() == Outcome((6, 6), (1, 1), "rounds")


def test_every_player_has_a_score_of_his_own() -> None:
    """With changing partners."""
    state = match("njet-it", 4, rounds=2)
    lay(state, ["R9", "R2", "R3", "R4"], trump="B", points=3, team=(0, 1))
    play(state, "R9", "R2", "R3", "R4")
    lay(state, ["R9", "R2", "R3", "R4"], trump="B", points=4, team=(0, 3))
    play(state, "R9", "R2", "R3", "R4")
    assert state.outcome() == Outcome((7, 3, 0, 4), (1, 3, 4, 2), "rounds")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_match_is_over_after_its_last_round_and_not_before(name: str, seats: int) -> None:
    game = trick_game(name)
    state = match(name, seats)
    rng = random.Random(1)
    rounds = state.view(None)["rounds"]
    for number in range(1, rounds + 1):
        view = state.view(None)
        assert (view["round"], view["rounds"]) == (number, rounds)
        assert state.outcome() is None
        assert state.to_act()
        game.playout(state, rng, "round")
    view = state.view(None)
    assert (view["phase"], view["round"], view["turn"]) == ("over", rounds, None)
    assert state.to_act() == ()
    assert all(list(state.legal(seat)) == [] for seat in range(seats))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.ending == "rounds"
    assert list(outcome.scores) == view["scores"]


def test_most_points_win_and_ties_share_the_best_place() -> None:
    """000: in case of tie, there are multiple winners."""
    state = match("nyet", 4, rounds=1)
    lay(state, ["R9", "R2", "R3", "R4"], trump="B", points=3, team=(0, 2))
    play(state, "R9", "R2", "R3", "R4")
    assert state.outcome() == Outcome((3, 0, 3, 0), (1, 3, 1, 3), "rounds")


def test_of_minus_points_fewer_are_better() -> None:
    state = match("nyet", 3, rounds=1)
    lay(state, ["R9", "R2", "R3"], trump="B", points=-2, team=(0,), bonus=0)
    play(state, "R9", "R2", "R3")
    assert state.outcome() == Outcome((-4, 0, 0), (3, 1, 1), "rounds")


def test_nobody_may_take_anything_is_a_tie_of_all() -> None:
    state = match("nyet", 2, rounds=1)
    duel_round(state, 1, 2, 4)
    assert state.outcome() == Outcome((4, 4), (1, 1), "rounds")


def test_the_number_of_rounds_may_be_any() -> None:
    state = match("nyet", 2, rounds=1)
    assert state.view(None)["rounds"] == 1
    duel_round(state, 1, 1, 1)
    assert state.outcome() == Outcome((1, 0), (1, 2), "rounds")
    state = match("nyet", 2, rounds=13)
    for _ in range(12):
        duel_round(state, 1, 1, 1)
    assert state.outcome() is None
    duel_round(state, 0, 1, 1)
    assert state.outcome() == Outcome((12, 1), (1, 2), "rounds")


# ---- a target -------------------------------------------------------------------------------


def test_a_match_ends_after_the_first_round_in_which_a_total_reaches_the_target() -> None:
    """D7: reaching it exactly is enough."""
    state = match("nyet", 2, target=10)
    duel_round(state, 3, 3, 3)
    assert state.outcome() is None
    assert state.view(None)["round"] == 2
    duel_round(state, 1, 1, 1)
    assert state.outcome() == Outcome((10, 0), (1, 2), "target")
    assert state.to_act() == ()


def test_with_a_target_the_round_is_played_to_its_end() -> None:
    """D7: seat 0 has enough after a trick, and seat 1 overtakes him in the same round."""
    state = match("nyet", 2, target=4)
    lay(state, ["B9 R2 R3", "B2 R9 R8"], trump="Y", points=4)
    play(state, "B9", "B2")
    assert state.outcome() is None
    play(state, "R2", "R9", "R8", "R3")
    assert state.outcome() == Outcome((4, 8), (2, 1), "target")


def test_most_points_win_when_two_reach_the_target_at_once() -> None:
    state = match("nyet", 2, target=6)
    duel_round(state, 1, 3, 3)
    assert state.outcome() == Outcome((3, 6), (2, 1), "target")
    state = match("nyet", 2, target=3)
    duel_round(state, 1, 3, 3)
    assert state.outcome() == Outcome((3, 6), (2, 1), "target")


def test_two_who_reach_the_target_with_equal_totals_share_the_win() -> None:
    state = match("njet-it", 4, target=4)
    lay(state, ["R9", "R2", "R3", "R4"], trump="B", points=4, team=(0, 1))
    play(state, "R9", "R2", "R3", "R4")
    assert state.outcome() == Outcome((4, 4, 0, 0), (1, 1, 3, 3), "target")


def test_a_total_that_only_passes_the_target_on_the_way_down_does_not_count() -> None:
    """Totals are compared after whole rounds: 3, then 1, then 5."""
    state = match("nyet", 2, target=5)
    duel_round(state, 1, 1, 3)
    duel_round(state, 1, 1, -2)
    assert state.view(None)["scores"] == [1, 0]
    assert state.outcome() is None
    duel_round(state, 1, 1, 4)
    assert state.outcome() == Outcome((5, 0), (1, 2), "target")


def test_rounds_is_a_cap_on_a_match_with_a_target() -> None:
    state = match("nyet", 2, target=1000, rounds=2)
    assert state.view(None)["rounds"] == 2
    duel_round(state, 1, 1, 3)
    assert state.outcome() is None
    duel_round(state, 0, 1, 2)
    assert state.outcome() == Outcome((3, 2), (1, 2), "rounds")


def test_the_target_reached_in_the_last_round_is_how_it_ended() -> None:
    state = match("nyet", 2, target=4, rounds=2)
    duel_round(state, 1, 1, 3)
    duel_round(state, 1, 1, 2)
    assert state.outcome() == Outcome((5, 0), (1, 2), "target")


def test_without_a_cap_of_its_own_a_match_with_a_target_has_at_most_a_hundred_rounds() -> None:
    """D7."""
    state = match("nyet", 3, target=10**6)
    assert state.view(None)["rounds"] == 100
    rng = random.Random(1)
    for number in range(1, 101):
        assert state.view(None)["round"] == number
        assert state.outcome() is None
        trick_game("nyet").playout(state, rng, "round")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.ending == "rounds"


def test_negative_totals_never_reach_a_target() -> None:
    state = match("nyet", 2, target=1, rounds=2)
    duel_round(state, 1, 2, -2)
    assert state.outcome() is None
    assert state.view(None)["scores"] == [-2, -2]
    duel_round(state, 1, 2, -2)
    assert state.outcome() == Outcome((-4, -4), (1, 1), "rounds")


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_endings_are_named_and_explained(name: str) -> None:
    endings = trick_game(name).endings
    assert set(endings) == {"rounds", "target"}
    assert all(endings.values())


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_no_match_takes_more_decisions_than_its_bound(name: str, seats: int) -> None:
    """All tokens, a team, two discards each and all other cards is the longest round."""
    game = trick_game(name)
    rules = rules_of(name)
    rows = (range(seats), rules.discards, rules.trumps, rules.supertrumps, rules.points)
    tokens = sum(len(boxes) - 1 for boxes in rows)
    cards = rules.cards_each[seats]
    # Discarded cards are not played, but passed ones are: two passed to the right in njet.
    passed = max(box.cards if box.passes else 0 for box in rules.discards)
    longest = tokens + (seats > 2) + (cards + passed) * seats
    assert game.bound(seats, {"rounds": 1}) >= longest
    assert game.bound(seats, {"rounds": 3}) >= 3 * longest
    for number in range(5):
        rng = random.Random(number)
        state = game.deal(seats, b"bound", {"rounds": 2})
        decisions = 0
        while state.to_act():
            seat = rng.choice(state.to_act())
            state.apply(seat, rng.choice(state.legal(seat)))
            decisions += 1
        assert decisions <= game.bound(seats, {"rounds": 2})


def test_a_copy_is_a_match_of_its_own() -> None:
    for name, seats in TABLES:
        state = match(name, seats, rounds=2)
        rng = random.Random(1)
        while state.to_act():
            before = [state.view(seat) for seat in (*range(seats), None)]
            copy = state.copy()
            seat = rng.choice(state.to_act())
            action = rng.choice(state.legal(seat))
            copy.apply(seat, action)
            assert [state.view(seat) for seat in (*range(seats), None)] == before
            state.apply(seat, action)
            after = [state.view(seat) for seat in (*range(seats), None)]
            assert [copy.view(seat) for seat in (*range(seats), None)] == after
            assert copy.to_act() == state.to_act()


def test_who_is_first_is_told_by_the_states_words() -> None:
    """What a failing test prints."""
    state = match("nyet", 2)
    assert repr(state) == "<nyet round 1 tokens, to act [0], 0 actions>"
    play(state, "trump:R")
    assert repr(state) == "<nyet round 1 tokens, to act [1], 1 actions>"
    assert repr(trick_game("njet-it")) == "<game njet-it>"
