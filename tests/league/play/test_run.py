"""A league run from Python, without a command: bots of real processes, a view that keeps lines."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from arena.groups import leaves
from arena.league.entry.opening import open_league
from arena.league.file.reading import read_league
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.model.played import LeagueMatch
from arena.league.plan.so_far import SoFar
from arena.league.play.run import TICK_SECONDS, LeagueRun, RunEnd, Stop
from arena.league.play.runner import Runner
from arena.league.store import events
from arena.league.store.folder import DATABASE
from arena.league.table.standings import Standings
from tests.league.running import RealLeague

FOX_AND_OWL = {name: f"steady.py {name}" for name in ("fox", "owl")}


class Kept:
    """A view that asks for a stop after so many matches or when it is told to, and says when it is
    open."""

    def __init__(self, stop: Stop, stop_after: int | None, stop_when: Callable[[], bool]) -> None:
        self.matches = 0
        self.ticks = 0
        self.is_open = False
        self._stop = stop
        self._stop_after = stop_after
        self._stop_when = stop_when

    @contextmanager
    def shown(self) -> Iterator[Kept]:
        self.is_open = True
        yield self
        self.is_open = False

    def begun(self, runner: Runner) -> None: ...

    def match_over(self, played: LeagueMatch) -> None:
        self.matches += 1
        if self.matches == self._stop_after:
            self._stop.ask()

    def void(self, played: LeagueMatch) -> None: ...

    def benched(self, name: str, reason: str) -> None: ...

    def says(self, text: str) -> None: ...

    def tick(self) -> None:
        assert self.is_open
        self.ticks += 1
        if self._stop_when():
            self._stop.ask()


async def play(
    one: RealLeague,
    stop_after: int | None = None,
    stop_when: Callable[[], bool] = lambda: False,
) -> tuple[Standings, RunEnd, Kept]:
    league = read_league(one.file)
    stop, said = Stop(), list[str]()
    view = Kept(stop, stop_after, stop_when)
    with open_league(league, one.home) as store:
        run = LeagueRun(league, store, one.home, one.file)
        end = await run.play(view.shown(), said.append, stop, events=str(one.folder / "events"))
        assert not view.is_open
        # A machine that is busy takes more than a second for the last pages, and then says so.
        assert not {*said} - {"writing the pages; Ctrl-C leaves them as they are"}
        table = run.standings()
    return table, end, view


def published(one: RealLeague) -> str:
    """The state of the league as its last publication tells it."""
    public = one.home / "public"
    state: str = json.loads((public / "standings.json").read_text())["facts"]["state"]
    assert f">{state}</span>" in (public / "index.html").read_text()
    return state


async def test_a_league_is_played_and_published_and_goes_on_after_a_stop(tmp_path: Path) -> None:
    one = RealLeague(tmp_path, FOX_AND_OWL, seats=2, sets=3, more="at_once = 1")
    table, end, view = await play(one, stop_after=3)
    assert end == RunEnd(is_stopped=True, is_published=True)
    assert view.ticks > 0
    assert table.facts.sets < 3
    assert published(one) == "stopped"
    table, end, view = await play(one)
    assert end == RunEnd(is_stopped=False, is_published=True)
    assert (table.facts.sets, table.facts.is_finished) == (3, True)
    assert published(one) == "finished"
    assert not one.family.alive()
    events = (one.folder / "events").read_text().splitlines()
    assert '"event":"finished"' in events[-1]
    assert len(events) == len({*events})


async def test_what_bots_print_is_in_their_logs_while_the_league_goes_on(tmp_path: Path) -> None:
    bots = {"fox": "prints.py", "owl": "steady.py"}
    one = RealLeague(tmp_path, bots, seats=2, sets=100, game="nope", more="at_once = 1")
    log = one.home / "logs" / "fox" / "stderr.txt"
    table, end, _ = await play(one, stop_when=log.exists)
    assert end.is_stopped
    assert 0 < table.facts.sets < 100


async def test_a_league_whose_folder_is_moved_while_it_is_played_stops_in_words(
    tmp_path: Path,
) -> None:
    bots = {"fox": "prints.py", "owl": "steady.py"}
    one = RealLeague(tmp_path, bots, seats=2, sets=1000, game="nope", more="at_once = 1")
    moved = tmp_path / "moved.arena"

    def move() -> bool:
        if (one.home / "logs" / "fox" / "stderr.txt").exists():
            one.home.rename(moved)
        return False

    with pytest.raises(BaseExceptionGroup) as caught:
        await play(one, stop_when=move)
    told = {str(error) for error in leaves(caught.value)}
    assert any(f"{one.home / DATABASE} is gone" in each for each in told), told
    assert not one.home.exists()
    assert not one.family.alive()


def test_a_run_that_has_not_ended_is_told_as_running(tmp_path: Path) -> None:
    one = RealLeague(tmp_path, FOX_AND_OWL, seats=2, sets=3)
    league = read_league(one.file)
    with open_league(league, one.home) as store:
        run = LeagueRun(league, store, one.home, one.file)
        assert run.standings().facts.state == "running"
        assert repr(run) == f"<LeagueRun of {run.runner!r}>"
        for event in (events.entrant("newt", "newt", UNKNOWN_CONTENT), events.here("newt")):
            run.runner.entered.planner.tell(event)
        (newt,) = run.standings().presence
        assert (newt.name, newt.is_here) == ("newt", True)


async def test_a_stop_ends_the_step_that_is_running_and_no_later_one() -> None:
    stop = Stop()
    with stop.step() as first:
        stop.ask()
        await trio.sleep_forever()
    with stop.step() as second:
        await trio.lowlevel.checkpoint()
    assert (first.cancelled_caught, second.cancelled_caught) == (True, False)
    with stop.step() as third:
        stop.ask()
        await trio.sleep_forever()
    assert third.cancelled_caught


async def test_a_stop_between_two_steps_ends_the_next_one() -> None:
    stop = Stop()
    stop.ask()
    with stop.step() as first:
        await trio.sleep_forever()
    with stop.step() as second:
        await trio.lowlevel.checkpoint()
    assert (first.cancelled_caught, second.cancelled_caught) == (True, False)


def test_to_run_a_league_loads_nothing_of_the_command_line() -> None:
    code = (
        "import sys, arena.league.play.run;"
        "print(sorted(name for name in sys.modules"
        " if name.split('.')[0] in ('click', 'rich') or name.startswith('arena.cli')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


async def test_the_view_ticks_and_pages_are_wanted_and_each_wait_is_told_once(
    autojump_clock: MockClock,
) -> None:
    told: list[tuple[float, str]] = []

    def note(words: str) -> None:
        told.append((trio.current_time() - began, words))

    class Wait(SimpleNamespace):
        def __str__(self) -> str:
            return f"{self.name} is waited for"

    waited: list[Wait] = []
    so_far = SoFar(with_results=False)
    so_far.tell(events.entrant("newt", "newt", UNKNOWN_CONTENT))
    entered = SimpleNamespace(planner=SimpleNamespace(so_far=so_far))
    run = SimpleNamespace(
        runner=SimpleNamespace(ledger=SimpleNamespace(sets=0), entered=entered),
        waited_for=lambda: waited,
    )
    view = SimpleNamespace(tick=lambda: note("tick"), says=note)
    publisher = SimpleNamespace(wanted=lambda: note("wanted"))
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            LeagueRun._keep_told, cast(Any, run), cast(Any, view), cast(Any, publisher)
        )
        await trio.sleep(1.5 * TICK_SECONDS)
        run.runner.ledger.sets = 1
        waited += [Wait(name="fox"), Wait(name="owl")]
        await trio.sleep(TICK_SECONDS)
        run.runner.ledger.sets = 3
        waited[:] = [Wait(name="fox"), Wait(name="hare")]
        await trio.sleep(TICK_SECONDS)
        for event in (events.here("newt"), events.away("newt", ())):
            so_far.tell(event)
            await trio.sleep(TICK_SECONDS)
        nursery.cancel_scope.cancel()
    assert [(round(when / TICK_SECONDS), words) for when, words in told] == [
        (0, "tick"),
        (0, "wanted"),
        (1, "tick"),
        (2, "tick"),
        (2, "wanted"),
        (2, "fox is waited for"),
        (2, "owl is waited for"),
        (3, "tick"),
        (3, "wanted"),
        (3, "hare is waited for"),
        (4, "tick"),
        (4, "wanted"),  # newt has come
        (5, "tick"),
        (5, "wanted"),  # newt has gone
    ]
