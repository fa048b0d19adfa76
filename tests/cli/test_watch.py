"""`arena watch`: the table of a league that another process plays."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from rich.console import Console

from arena.cli import watch
from arena.cli.printer import Printer
from arena.cli.watch import LOOK_SECONDS, in_lines, looks_at, redrawn
from arena.league.model.seeds import seed_of_set
from arena.league.store.lock import locked
from arena.league.store.store import Store
from arena.outputs.text import text
from tests.cli.test_main import run
from tests.league.leagues import Simulated, played_match, schedule, simulate

LEAGUE = Simulated(game="nope", bots=("fox", "owl", "crow", "hare"), sets=3, options={"hand": 2})


class Runner:
    """Plays a league of three sets, one at each wait of its watcher; after `stops_after` sets it
    stops."""

    def __init__(self, folder: Path, stops_after: int = 3):
        self.folder = folder
        self.stops_after = stops_after
        self.waits: list[float] = []
        self._held = ExitStack()
        self._store = self._held.enter_context(simulate(folder, LEAGUE, 1))
        self._held.enter_context(locked(folder))
        self._left = schedule(LEAGUE)[1:]

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        if len(self._left) == len(schedule(LEAGUE)) - self.stops_after:
            self.close()
            return
        play(self._store, self._left.pop(0).number)

    def close(self) -> None:
        self._held.close()


def play(store: Store, number: int) -> None:
    one = schedule(LEAGUE)[number - 1]
    for turn in range(LEAGUE.seats):
        played = played_match(LEAGUE, one, turn, seed_of_set(b"k" * 32, number, 0))
        store.enter(played, completes=turn == LEAGUE.seats - 1, voids=False)


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[Runner]:
    made = Runner(tmp_path / "cup.arena")
    yield made
    made.close()


def test_each_look_is_the_table_of_the_sets_complete_by_then(runner: Runner) -> None:
    seen = [
        (standings.facts.state, standings.facts.sets)
        for standings in looks_at(runner.folder, runner.wait)
    ]
    assert seen == [("running", 1), ("running", 2), ("finished", 3)]
    assert all(seconds >= LOOK_SECONDS for seconds in runner.waits)


def test_the_watching_ends_with_a_runner_that_stops(tmp_path: Path) -> None:
    runner = Runner(tmp_path / "cup.arena", stops_after=2)
    states = [standings.facts.state for standings in looks_at(runner.folder, runner.wait)]
    assert states == ["running", "running", "stopped"]


def test_lines_tell_each_change_once(runner: Runner, capsys: pytest.CaptureFixture[str]) -> None:
    watched = [*in_lines(Printer(), looks_at(runner.folder, runner.wait))]
    assert len(watched) == 3
    told = capsys.readouterr().out.splitlines()
    assert told == ["1 of 3 sets, 4 matches", "2 of 3 sets, 8 matches"]


def test_nothing_is_looked_at_for_a_reader_who_has_gone(runner: Runner) -> None:
    printer = Printer()
    printer.closed = True
    assert len([*in_lines(printer, looks_at(runner.folder, runner.wait))]) == 1


def test_a_terminal_shows_each_table_in_the_place_of_the_one_before(runner: Runner) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, height=40, _environ={})
    looks = [*redrawn(console, looks_at(runner.folder, runner.wait))]
    assert len(looks) == 3
    drawn = screen.getvalue()
    assert drawn.count("\x1b[2K") > 10  # lines cleared, to be written over
    for standings in looks:
        assert text(standings, width=80, colour=False).splitlines()[1] in drawn


def test_a_league_that_nobody_plays_is_shown_and_that_is_all(tmp_path: Path) -> None:
    simulate(tmp_path / "cup.arena", LEAGUE).close()
    code, output = run("watch", str(tmp_path / "cup.toml"))
    assert (code, output) == run("table", str(tmp_path / "cup.toml"))
    assert code == 0


def test_after_the_last_change_the_table_stands_there_once(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "looks_at", lambda folder: looks_at(folder, runner.wait))
    code, output = run("watch", str(runner.folder))
    assert code == 0
    assert output.endswith(run("table", str(runner.folder))[1])


def test_no_league_is_answered_as_by_all_commands(tmp_path: Path) -> None:
    code, output = run("watch", str(tmp_path / "cup"))
    assert code == 2
    assert "is no league" in output


def test_ctrl_c_ends_the_watching(tmp_path: Path) -> None:
    folder = tmp_path / "cup.arena"
    with simulate(folder, LEAGUE, 1), locked(folder):
        watching = subprocess.Popen(
            [sys.executable, "-m", "arena", "watch", str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert watching.stdout is not None
        assert watching.stdout.readline() == "1 of 3 sets, 4 matches\n"
        watching.send_signal(signal.SIGINT)
        out, said = watching.communicate(timeout=30)
    assert (watching.returncode, out, said) == (130, "", "no longer watched; the league goes on\n")
