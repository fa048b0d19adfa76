"""The matches of a check: real ones, that come to every kind of decision."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from arena.games import GAMES
from arena.referee.check.decisions import (
    KINDS,
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
from arena.referee.check.play import MOST_ATTEMPTS


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


def test_every_rule_set_has_its_kinds_of_decision() -> None:
    assert [*KINDS] == [*GAMES]


@pytest.mark.parametrize("game", GAMES)
def test_every_size_of_table_is_played_to_its_end(game: str) -> None:
    settings = [*every_size(game)]
    assert tuple(setting.seats for setting in settings) == GAMES[game].seats
    for setting in settings:
        assert played(setting)


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_decision_comes_up_for_a_random_bot(game: str) -> None:
    seen = {decision.kind for setting in every_size(game) for decision in played(setting)}
    for kind in KINDS[game]:
        for attempt in range(MOST_ATTEMPTS):
            if kind not in seen:
                seen |= {decision.kind for decision in played(reaching(kind, game, attempt))}
    assert seen >= {*KINDS[game]}


@pytest.mark.parametrize("game", GAMES)
def test_no_kind_of_decision_is_missing_from_the_list(game: str) -> None:
    for setting in (*every_size(game), largest(game)):
        assert {decision.kind for decision in played(setting)} <= {*KINDS[game]}


@pytest.mark.parametrize("kind", ["choose", "choose, with a colour"])
def test_a_choice_is_the_first_thing_asked_where_it_is_wanted(kind: str) -> None:
    first = Table(reaching(kind, "nope", 0)).next()
    assert first is not None
    assert first.kind == kind


def test_the_longest_lists_are_asked_for() -> None:
    first = Table(longest_list("nope")).next()
    assert first is not None
    assert len(first.legal) == 60


@pytest.mark.parametrize("setting", [short, largest, other_options])
@pytest.mark.parametrize("game", GAMES)
def test_settings_are_the_same_every_time(game: str, setting: Callable[[str], Setting]) -> None:
    assert setting(game) == setting(game)
    assert played(setting(game))
