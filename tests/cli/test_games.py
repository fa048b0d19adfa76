"""`arena games`."""

from __future__ import annotations

from arena.games import GAMES
from tests.cli.test_main import run


def test_every_rule_set_is_listed_with_its_seats() -> None:
    code, output = run("games")
    assert code == 0
    assert [line.split()[0] for line in output.splitlines()[: len(GAMES)]] == [*GAMES]
    assert "nyet     2 to 5 seats" in output
    assert "njet-it       4 seats" in output


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
