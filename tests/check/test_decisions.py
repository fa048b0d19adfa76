"""The matches of a check: real ones, that come to every kind of decision."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from arena.check.decisions import (
    Decision,
    Setting,
    Table,
    every_size,
    largest,
    longest_list,
    other_options,
    reaching,
    short,
)
from arena.check.steps.play import MOST_ATTEMPTS
from arena.games import GAMES, DecisionKind


def names_of_kinds(game: str) -> set[str]:
    return {kind.name for kind in GAMES[game].kinds}


def played(setting: Setting) -> list[Decision]:
    """The decisions of a bot that plays at random."""
    table = Table(setting)
    rng = random.Random(0)
    decisions = []
    while (decision := table.next()) is not None:
        decisions.append(decision)
        table.play(rng.choice(decision.legal))
    assert table.outcome is not None
    return decisions


@pytest.mark.parametrize("game", GAMES)
def test_every_size_of_table_is_played_to_its_end(game: str) -> None:
    settings = [*every_size(game)]
    assert tuple(setting.seats for setting in settings) == GAMES[game].seats
    for setting in settings:
        assert played(setting)


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_decision_comes_up_for_a_random_bot(game: str) -> None:
    seen = {decision.kind for setting in every_size(game) for decision in played(setting)}
    for kind in GAMES[game].kinds:
        for attempt in range(MOST_ATTEMPTS):
            if kind.name not in seen:
                seen |= {decision.kind for decision in played(reaching(kind, game, attempt))}
    assert seen == names_of_kinds(game)


@pytest.mark.parametrize("game", GAMES)
def test_no_kind_of_decision_is_missing_from_the_list(game: str) -> None:
    for setting in (*every_size(game), largest(game)):
        assert {decision.kind for decision in played(setting)} <= names_of_kinds(game)


RARE = [
    pytest.param(name, kind, id=f"{name} {kind.name}")
    for name, game in GAMES.items()
    for kind in game.kinds
    if kind.is_rare
]


@pytest.mark.parametrize(("game", "kind"), RARE)
def test_a_rare_kind_is_the_first_thing_asked_where_it_is_wanted(
    game: str, kind: DecisionKind
) -> None:
    first = Table(reaching(kind, game, 0)).next()
    assert first is not None
    assert first.kind == kind.name


@pytest.mark.parametrize("game", GAMES)
def test_what_the_others_leave_alone_are_actions_of_the_game(game: str) -> None:
    for kind in GAMES[game].kinds:
        for seat in range(GAMES[game].seats[-1]):
            assert reaching(kind, game, seat).left_alone <= {*GAMES[game].actions.names}


def test_the_longest_lists_are_asked_for() -> None:
    first = Table(longest_list("nope")).next()
    assert first is not None
    assert len(first.legal) == 60


@pytest.mark.parametrize("setting", [short, largest, other_options])
@pytest.mark.parametrize("game", GAMES)
def test_settings_are_the_same_every_time(game: str, setting: Callable[[str], Setting]) -> None:
    assert setting(game) == setting(game)
    assert played(setting(game))
