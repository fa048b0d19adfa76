"""The matches of a check: real ones, that come to every kind of decision."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from arena.check.decisions import (
    Decision,
    Setting,
    Table,
    deals_of,
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


def told(setting: Setting) -> str:
    left = "".join(f" without {each}" for each in sorted(setting.left_alone))
    options = " ".join(f"{name}={value}" for name, value in setting.options.items())
    return f"{setting}: {setting.seed.decode()!r} {options}{left}"


def kind_of(game: str, name: str) -> DecisionKind:
    return next(kind for kind in GAMES[game].kinds if kind.name == name)


def test_sizes_seats_seeds_and_options_of_the_matches_are_these() -> None:
    """Also where an author checks fewer sizes; a finding is repeated by the same numbers."""
    choose = kind_of("nope", "choose")
    settings = [
        *every_size("nope"),
        *every_size("nyet", (2, 4)),
        short("nope"),
        short("nope", 5, 7),
        short("nyet", number=3),
        other_options("nope"),
        other_options("nyet", (2, 3)),
        largest("nope"),
        largest("nyet", (3,)),
        reaching(kind_of("nyet", "discard"), "nyet", 0, (3,)),
        reaching(kind_of("nyet", "team"), "nyet", 9),
        reaching(choose, "nope", 0),
        reaching(choose, "nope", 1, (3,)),
        longest_list("nope", (3,)),
        *deals_of("nope", 4, 3, 3),
    ]
    assert [told(each) for each in settings] == [
        "nope with 2 seats, seat 1: 'check nope size 2' max_turns=60",
        "nope with 3 seats, seat 1: 'check nope size 3' max_turns=60",
        "nope with 4 seats, seat 2: 'check nope size 4' max_turns=60",
        "nope with 5 seats, seat 2: 'check nope size 5' max_turns=60",
        "nope with 6 seats, seat 3: 'check nope size 6' max_turns=60",
        "nyet with 2 seats, seat 1: 'check nyet size 2' rounds=1",
        "nyet with 4 seats, seat 2: 'check nyet size 4' rounds=1",
        "nope with 2 seats, seat 0: 'check nope short 0' max_turns=60",
        "nope with 5 seats, seat 2: 'check nope short 7' max_turns=60",
        "nyet with 2 seats, seat 1: 'check nyet short 3' rounds=1",
        "nope with 6 seats, seat 0: 'check nope options 6' actions=False hand=3",
        "nyet with 3 seats, seat 0: 'check nyet options 3' rounds=3 target=1 scoring=difference"
        " bonus=score dealer=1",
        "nope with 6 seats, seat 5: 'check nope largest 6' hand=16 max_turns=150",
        "nyet with 3 seats, seat 2: 'check nyet largest 3' rounds=2",
        "nyet with 3 seats, seat 0: 'check nyet discard 0' rounds=1 without discard:1"
        " without discard:1x without discard:2",
        "nyet with 5 seats, seat 4: 'check nyet team 9' rounds=1 without first:4",
        "nope with 6 seats, seat 0: 'check nope beginning 42' max_turns=60",
        "nope with 3 seats, seat 1: 'check nope beginning 2005' max_turns=60",
        "nope with 3 seats, seat 2: 'check nope beginning 485' max_turns=60",
        "nope with 3 seats, seat 1: 'check nope beginning 4' max_turns=60",
        "nope with 3 seats, seat 2: 'check nope beginning 5' max_turns=60",
        "nope with 3 seats, seat 0: 'check nope beginning 6' max_turns=60",
    ]
