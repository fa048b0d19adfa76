"""`arena games`."""

from __future__ import annotations

import re

import pytest

from arena.games import GAMES
from tests.cli.test_main import run
from tests.games.example.match_up import MatchUp


def test_every_rule_set_is_listed_with_its_seats() -> None:
    code, output = run("games")
    assert code == 0
    assert [line.split()[0] for line in output.splitlines()[: len(GAMES)]] == [*GAMES]
    assert re.search("^nyet +2 to 5 seats ", output, re.MULTILINE)
    assert re.search("^njet-it +4 seats ", output, re.MULTILINE)


def test_columns_are_as_wide_as_the_longest_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class LongNamed(MatchUp):
        name = "a-long-name"

    monkeypatch.setitem(GAMES, LongNamed.name, LongNamed())
    lines = run("games")[1].splitlines()[: len(GAMES)]
    assert len({line.index(" seats ") for line in lines}) == 1


def test_one_rule_set_is_told_with_options_endings_and_actions() -> None:
    for name, game in GAMES.items():
        code, output = run("games", name)
        assert code == 0
        for option in game.options:
            assert f"  {option.name}: " in output
        for ending in game.endings:
            assert f"  {ending}: " in output
        assert {*game.actions.names} <= {*output.split()}
        assert "`" not in output
        assert "SPEC.md, chapter 10 and the chapter of the game" in output


def test_what_depends_on_the_table_is_told_with_the_table_it_is_told_for() -> None:
    code, output = run("games", "nope")
    assert code == 0
    assert "  hand: with 6 seats a whole number of cards, at least 1, or a list of 6" in output
    assert "  max_turns: a whole number from" in output


def test_an_unknown_rule_set_is_met_with_the_nearest() -> None:
    code, output = run("games", "nyte")
    assert code == 2
    assert "there is no rule set 'nyte'" in output
    assert "Did you mean 'nyet'?" in output
