"""The values of actions in one world, for every game."""

from __future__ import annotations

import random

import pytest

from arena.games import GAMES
from arena.games.nope.actions import CHOICE_OF, FIRST_ALONE, FIRST_CHOICE
from arena.games.nope.state import NopeState
from arena.games.nyet.past import LOOT
from arena.games.nyet.state import TrickState
from arena.judge.judgement import ActionValue, Decided
from arena.judge.knockout import ASKS, behind, pick
from arena.judge.lots import LotValues
from arena.judge.policies import values_of
from arena.judge.tricks import TrickValues, lead, round_played_out
from tests.games.example.match_up import EXAMPLE
from tests.games.trick_positions import play, table

TABLES = [(name, seats) for name in GAMES for seats in GAMES[name].seats]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_value_leaves_its_world_alone_and_is_the_same_again(name: str, seats: int) -> None:
    game = GAMES[name]
    rng = random.Random(f"{name} {seats}")
    state = game.deal(seats, b"values", game.trials.short)
    values = values_of(game)
    kinds = set()
    while state.to_act():
        seat = rng.choice(state.to_act())
        legal = list(state.legal(seat))
        view = state.view(seat)
        kind = game.kind_of(view, [game.actions.name(each) for each in legal])
        if kind not in kinds:
            kinds.add(kind)
            world = game.imagine(view, rng)
            found = [values.value(world, seat, each, 5) for each in legal]
            assert found == [values.value(world, seat, each, 5) for each in legal]
            assert world.view(seat) == view
        state.apply(seat, rng.choice(legal))
    assert len(kinds) > 1


def test_a_game_without_rules_of_its_own_is_played_on_by_lot() -> None:
    values = values_of(EXAMPLE)
    assert isinstance(values, LotValues)
    state = EXAMPLE.deal(3, b"lot", {})
    seat = state.to_act()[0]
    found = {values.value(state, seat, state.legal(seat)[0], seed) for seed in range(20)}
    assert len(found) > 1
    assert found <= {0, 0.5, 1, 1.5, 2}


def test_who_finished_behind_is_counted_and_a_tie_counts_half() -> None:
    assert [behind((1, 2, 2, 4), seat) for seat in range(4)] == [3, 1.5, 1.5, 0]


def test_the_lead_is_over_the_average_of_the_others() -> None:
    assert lead((10, 4, 4, 1), 0) == 7
    assert lead((10, 4, 4, 1), 3) == -5


@pytest.mark.parametrize("name", ["nyet", "njet", "njet-it"])
@pytest.mark.parametrize("seed", range(4))
def test_a_last_trick_in_which_nobody_has_a_choice_scores_as_the_rules_say(
    name: str, seed: int
) -> None:
    game = GAMES[name]
    rng = random.Random(f"{name} {seed}")
    state = game.deal(4, bytes([seed]), {"rounds": 1})
    while (seats := state.to_act()) and (
        len(state.legal(seats[0])) > 1 or any(size > 1 for size in state.view(None)["hand_sizes"])
    ):
        state.apply(seats[0], rng.choice(list(state.legal(seats[0]))))
    assert isinstance(state, TrickState)
    scored = round_played_out(state)
    while seats := state.to_act():
        state.apply(seats[0], state.legal(seats[0])[0])
    outcome = state.outcome()
    assert outcome is not None
    assert scored == outcome.scores


def test_a_round_is_played_out_to_its_last_trick() -> None:
    game = GAMES["nyet"]
    rng = random.Random(1)
    state = game.deal(4, b"whole", {"rounds": 1})
    while state.view(None)["phase"] != "play":
        seat = state.to_act()[0]
        state.apply(seat, rng.choice(list(state.legal(seat))))
    assert isinstance(state, TrickState)
    terms, team = state.terms, state.team
    assert terms is not None
    assert team is not None
    scored = round_played_out(state)
    # Two against two: the scores of the teams are all tricks and all loot.
    tricks = len(state.view(0)["hand"])
    other = next(seat for seat in range(4) if seat not in team.seats)
    taken = (scored[team.seats[0]] + scored[other]) // terms.points
    assert tricks <= taken <= tricks * (1 + LOOT)


def test_giving_a_low_card_to_the_other_team_is_worth_less_than_another_card() -> None:
    """Blue 13 takes this trick for the other team, and yellow 9 the next one for ours."""
    state = table(
        "nyet",
        hands=("B13 Y2", "B5 Y9", "B6 Y4", "B1 B2"),
        trump="R",
        supertrump="G",
        team=(0, 2),
    )
    game = GAMES["nyet"]
    play(state, "B13", "B5", "B6")
    values = TrickValues()
    given = {card: values.value(state, 3, game.actions.code(card), 0) for card in ("B1", "B2")}
    assert given["B1"] < given["B2"]


def test_the_better_action_is_the_one_that_is_most_certainly_better() -> None:
    decided = Decided(
        3,
        0,
        "A",
        (
            ActionValue("B", 5.0, 4.0, 3.9, 32),
            ActionValue("C", 3.0, 2.0, 0.5, 256),
            ActionValue("A", 1.0, 0.0, 0.0, 256),
        ),
        negligible=0.25,
    )
    assert decided.better.action == "C"
    assert decided.verdict == "mistake"
    assert decided.is_settled


@pytest.mark.parametrize(
    ("more", "bar", "verdict"),
    [
        (0.1, 0.1, "fine"),
        (0.125, 0.125, "fine"),  # it may be worth just what is negligible
        (0.2, 0.1, "mistake"),
        (-1.0, 0.5, "fine"),
        (0.2, 0.3, "undecided"),
    ],
)
def test_a_difference_inside_its_bar_is_no_mistake(more: float, bar: float, verdict: str) -> None:
    played = ActionValue("A", 1.0, 0.0, 0.0, 64)
    decided = Decided(0, 0, "A", (ActionValue("B", 1 + more, more, bar, 64), played), 0.25)
    assert decided.verdict == verdict


def test_the_promise_of_a_decision_is_one_at_the_bar_and_that_of_its_best_alternative() -> None:
    """By it the decisions are chosen that more worlds are spent on."""
    played = ActionValue("A", 1.0, 0.0, 0.0, 64)
    for more, bar, promise in ((4.0, 4.0, 1.0), (1.0, 4.0, 0.25), (-1.0, 2.0, -0.5), (3.0, 0.0, 0)):
        other = ActionValue("B", 1 + more, more, bar, 64)
        assert Decided(0, 0, "A", (other, played), 0.25).promise == promise
    others = [ActionValue(name, 2.0, 1.0, bar, 64) for name, bar in (("B", 4.0), ("C", 2.0))]
    assert Decided(0, 0, "A", (*others, played), 0.25).promise == 0.5


def test_the_rules_of_nope_ask_for_much_and_choose_the_fullest_hand() -> None:
    """Where a set is completed the card that asks for most comes last; a select asks for three
    cards of the player who holds most."""
    game = GAMES["nope"]
    met = set()
    for seed in range(40):
        rng = random.Random(seed)
        state = game.deal(3, bytes([seed]), {"max_turns": 60})
        assert isinstance(state, NopeState)
        while state.to_act():
            legal = state.legal_now
            action = pick(state, legal, rng)
            if legal[-1] >= FIRST_CHOICE:
                named, cards, _ = CHOICE_OF[action]
                fullest = max(len(state.hands[CHOICE_OF[each][0]]) for each in legal)
                assert (cards, len(state.hands[named])) == (3, fullest)
                met.add("choice")
            elif legal[-1] < FIRST_ALONE and len(state.chosen) + 1 == state.demand.count:
                assert ASKS[action] == max(ASKS[each] for each in legal)
                met.add("last card")
            state.play(action)
    assert met == {"choice", "last card"}
