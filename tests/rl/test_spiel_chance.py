"""The chance before the first decision, step by step; it needs no extra."""

from __future__ import annotations

from math import isclose

import pytest

from arena.games import GAMES
from arena.rl.spiel_chance import BYTES, SEED_BYTES, ChanceSteps
from arena.rl.spiel_parameters import CARDS

TABLES = [
    (name, seats, options)
    for name, game in GAMES.items()
    for seats in game.seats
    for options in ({}, *([{"rounds": 1}] if name != "nope" else []))
]


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_a_seed_comes_first_where_more_is_dealt_later_then_who_deals_then_the_cards(
    name: str, seats: int, options: dict[str, int]
) -> None:
    game = GAMES[name]
    steps = ChanceSteps(game, seats, options, CARDS)
    is_whole = game.rounds(seats, options) == 1
    dealers, groups = game.chances(seats, options)
    kinds = ["seed"] * (0 if is_whole else SEED_BYTES) + ["dealer"] * (len(dealers) > 1)
    kinds += ["deal"] * sum(groups)
    most, bound = steps.most_steps, steps.most_outcomes
    assert most == len(kinds)
    assert bound >= (0 if is_whole else BYTES)
    for kind in kinds:
        outcomes = steps.outcomes()
        assert isclose(sum(chance for _, chance in outcomes), 1)
        assert max(outcome for outcome, _ in outcomes) < bound
        assert {steps.name(outcome).split()[0] for outcome, _ in outcomes} == {kind}
        steps.apply(outcomes[-1][0])
    assert steps.outcomes() == []
    assert steps.state().to_act()
