"""`arena table`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.reader import Reader
from arena.league.table.live import standings_of
from arena.outputs.registry import OUTPUTS
from arena.outputs.text import text
from tests.audit.damage import Damaged
from tests.audit.honest import Honest, honest
from tests.cli.test_main import run


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return honest(tmp_path_factory.mktemp("leagues"), Honest(illegal=("hare",), sets=8))


def test_the_table_fits_the_terminal(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Reader.read(league / DATABASE) as store:
        standings = standings_of(store)
    for width in (60, 80, 132):
        monkeypatch.setenv("COLUMNS", str(width))
        assert run("table", str(league)) == (0, text(standings, width=width, colour=False))
    assert run("table", str(league), "--wide") == (0, text(standings, width=None, colour=False))


def test_colour_is_for_terminals_that_want_it(league: Path) -> None:
    def shown(**env: str) -> str:
        return CliRunner().invoke(main, ["table", str(league)], env=env, color=True).output

    assert "\x1b[" in shown(FORCE_COLOR="1", TERM="xterm")
    assert "\x1b[" not in shown(FORCE_COLOR="1", TERM="xterm", NO_COLOR="1")
    assert "\x1b[" not in shown()


@pytest.mark.parametrize("name", [*OUTPUTS])
def test_each_output_is_printed_as_it_is_published(league: Path, name: str) -> None:
    with Reader.read(league / DATABASE) as store:
        expected = OUTPUTS[name].text(standings_of(store))
    assert run("table", str(league), f"--{name}") == (0, expected)


def test_wide_is_refused_where_it_means_nothing(league: Path) -> None:
    code, output = run("table", str(league), "--wide", "--csv")
    assert (code, "--wide is for the terminal's table" in output) == (2, True)


def test_two_outputs_at_once_are_refused(league: Path) -> None:
    """The last would be printed, and nothing said of the others."""
    code, output = run("table", str(league), "--md", "--json")
    assert (code, "write only one of --json, --md" in output) == (2, True)


def test_a_league_of_which_nothing_is_complete_has_a_table_too(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=0, unfinished=2))
    code, output = run("table", str(league))
    assert (code, "no set is complete yet" in output) == (0, True)
    _, output = run("table", str(league), "--json")
    assert json.loads(output)["facts"]["matches"] == 0


def test_a_damaged_league_names_what_looks_further(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=2))
    Damaged(league, COMPLETE_SETS).flip("matches", "record", number=1, turn=0)
    code, output = run("table", str(league))
    assert code == 1
    assert f"`arena verify {tmp_path / 'cup'}` names every place" in output.replace("\n", "")
