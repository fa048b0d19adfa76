"""`arena league`: plays a league to its end and publishes it; again, and it goes on."""

from __future__ import annotations

import math
import os
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import click
import trio
from rich.console import Console

from arena import data
from arena.cli.league_view import VIEW_SECONDS, View, view_on
from arena.cli.leagues import file_named, told_in_words
from arena.cli.listening import check_listening
from arena.cli.printer import Printer
from arena.cli.publishing import Publishing, open_publisher
from arena.cli.running import run
from arena.exits import INTERRUPTED, TERMINATED
from arena.league.config import League
from arena.league.database import FILE_NAME, StoreError
from arena.league.event_stream import STANDARD_OUTPUT, BadEventFile, EventStream
from arena.league.file import BadLeague, read_league, too_many_jobs, warnings
from arena.league.lock import AlreadyRunning, locked
from arena.league.opening import FOLDER_SUFFIX, Refused, folder_of, open_league
from arena.league.orders import Caller, Entry
from arena.league.runner import LeagueStopped, Runner
from arena.league.schedule import NoLineUp
from arena.league.settings import Settings
from arena.league.standings import Standings
from arena.league.store import Store
from arena.league.table import Table
from arena.league.tokens import file_of, to_dial, tokens_of
from arena.outputs.text import has_colour, text
from arena.referee.addresses import TcpAddress
from arena.referee.build import BuildFailed
from arena.referee.not_started import ProcessError
from arena.referee.preparing import prepared
from arena.referee.processes import open_warden

DEFAULT_FILE = Path("league.toml")
DEMO_NAME = "demo"
# Below the league's folder: what may be put on a web server, and nothing else.
PUBLIC = "public"
LOG = "referee.log"
# Where bots run: copies of their folders, gone when the run ends.
SCRATCH = "scratch"

# Events that nobody takes are waited for so long, when it is stopped.
LAST_EVENTS_SECONDS = 2.0
# Of so many sets to read somebody is told, as it takes a while.
MANY_SETS = 1_000

_MEANT = (BadLeague, Refused, NoLineUp)
_STOPPED = (AlreadyRunning, StoreError, LeagueStopped, BuildFailed, ProcessError, BadEventFile)


@click.command("league")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--events", metavar="FILE|-", help="Write what happens here, a line of JSON each.")
@click.option("--jobs", type=click.IntRange(1), help="Referee processes, instead of the file's.")
@click.option("--no-pages", is_flag=True, help="Make pages at the end only, not while it runs.")
def COMMAND(  # noqa: N802  # what every command module exports
    file: Path | None, events: str | None, jobs: int | None, no_pages: bool
) -> None:
    """Play the league of FILE to its end and publish it.

    FILE is league.toml if there is one here; else a small demo league of the sample bots is
    played. The folder that it is in will do, or what it is called without its ending.
    Stopped at any moment, the same command goes on; a finished league is only published again.
    Everything is kept beside the file, in league.arena/: what may be shown to the world in
    league.arena/public/, with index.html to open in a browser.

    \b
    Exit codes:
      0  the league is finished
      1  it cannot go on now; said why
      2  the file, or a change of it, will not do
      130  stopped by Ctrl-C, 143 by SIGTERM; the same command goes on

    \b
    Examples:
      arena league
      arena init && arena league
      arena league cup.toml --jobs 2 --events cup.ndjson
    """
    where = file or (DEFAULT_FILE if DEFAULT_FILE.exists() else None)
    try:
        if where is None:
            league = read_league(data.sample_bots() / f"{DEMO_NAME}.toml")
            folder = (Path.cwd() / DEMO_NAME).with_suffix(FOLDER_SUFFIX)
            click.echo("no league.toml here: the demo league; `arena init` makes one", err=True)
        else:
            where = file_named(where)
            league, folder = read_league(where), folder_of(where)
        if jobs is not None:
            league = replace(league, jobs=jobs)
        if (problem := too_many_jobs(league)) is not None:
            raise click.UsageError(problem)
        check_not_lost(folder)
        for warning in warnings(league, len(os.sched_getaffinity(0))):
            click.echo(f"warning: {warning}", err=True)
        with locked(folder), opened(league, folder) as store:
            code = run(
                lambda: play(league, store, folder, events, pages=not no_pages),
                told=(*_STOPPED, OSError),
            )
    except _MEANT as error:
        if where is None and isinstance(error, Refused):
            raise click.ClickException(
                f"{folder}: the demo league of another version of arena, which cannot go on; move "
                "it away and run it again"
            ) from None
        raise click.UsageError(str(error)) from None
    except _STOPPED as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        if error.filename is None:
            raise
        raise click.ClickException(f"{error.filename}: {error.strerror}") from None
    raise SystemExit(code)


def check_not_lost(folder: Path) -> None:
    """A file that a disk or a copy lost would be made anew, and what is published overwritten."""
    file, public = folder / FILE_NAME, folder / PUBLIC
    is_lost = not file.exists() or (file.is_file() and not file.stat().st_size)
    if is_lost and (public / "index.html").exists():
        raise click.ClickException(
            f"{file} is {'empty' if file.exists() else 'gone'}, and in {public} there are the"
            f" pages of a league that was played: bring back the last copy of the file, or move"
            f" {folder} away to begin a new league"
        )


def opened(league: League, folder: Path) -> Store:
    """The store, ready to go on; what is wrong with it is told in words."""
    with told_in_words(folder):
        return open_league(league, folder)


async def play(
    league: League, store: Store, folder: Path, events: str | None, *, pages: bool
) -> int:
    """To its end, or until somebody stops it; the exit code."""
    printer = Printer()
    # With events on standard output nothing else may be there.
    console = Console(stderr=events == STANDARD_OUTPUT)

    def tell(line: str) -> None:
        if events == STANDARD_OUTPUT:
            click.echo(line, err=True)
        else:
            printer(line)

    if (complete := sum(state.is_complete for state in store.sets())) >= MANY_SETS:
        tell(f"reading {complete:,} sets")
    runner = Runner(league, store, folder / LOG)
    made = Table(Settings.of(league), runner.ledger)

    def standings() -> Standings:
        return made.standings(
            store.entrants(), planned=runner.planned, voids=runner.voids, with_history=False
        )

    with ExitStack() as held:
        reader = held.enter_context(Store.read(folder / FILE_NAME))
        stream = None
        if events is not None:
            stream = EventStream(events, reader)
            held.callback(stream.close)
        async with stoppable() as stop, open_publisher(folder, folder / PUBLIC, tell) as publisher:
            with view_on(console, standings, tell) as view:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(keep_told, runner, view, publisher, pages)
                    if stream is not None:
                        nursery.start_soon(keep_written, stream)
                    with stop.scope():
                        await run_to_its_end(runner, league, folder, view)
                    is_stopped = stop.signal is not None
                    nursery.cancel_scope.cancel()
            if stream is not None:
                patience = LAST_EVENTS_SECONDS if is_stopped else math.inf
                with stop.scope(), trio.move_on_after(patience):
                    await write(stream)
            is_published = False
            with stop.scope():
                is_published = await publisher.publish_last()
    if is_stopped:
        over = f"{runner.sets_over} of {runner.planned} sets"
        tell(f"stopped after {over}; the same command goes on")
    index = folder / PUBLIC / "index.html"
    if is_published:
        tell(f"the table, the pages and every match: {index}")
    else:
        tell(f"not up to date: {index}; the same command makes it anew")
    if runner.ledger.sets:
        width = console.width if console.is_terminal else None
        tell(text(standings(), width=width, colour=has_colour(console)))
    if stop.signal is not None:
        return INTERRUPTED if stop.signal == signal.SIGINT else TERMINATED
    return 0 if is_published else 1


async def run_to_its_end(runner: Runner, league: League, folder: Path, view: View) -> None:
    """Bots made ready, if there is anything to play."""
    if not await runner.has_more(view):
        await runner.finish()
        return
    scratch = folder / SCRATCH
    shutil.rmtree(scratch, ignore_errors=True)  # of a run that was killed
    async with open_warden() as warden:
        warden.sweep(scratch)
        try:
            bots = [replace(bot, name=name) for name, bot in league.bots.items()]
            programs = await prepared(warden, bots, scratch, view.says)
            entries = [Entry.of(program) for program in programs]
            await runner.run([*entries, *callers(league, folder, view)], view)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def callers(league: League, folder: Path, view: View) -> list[Caller]:
    """Those that dial in; somebody must be told where, and who they are."""
    if league.listen is None:
        return []
    check_listening(TcpAddress.of(league.listen))
    found = []
    for name, token in tokens_of(league, folder).items():
        where = to_dial(league.listen)
        view.says(f"{name} dials in at {where}; for its author: {file_of(folder, name)}")
        found.append(Caller(name, token))
    return found


class Stop:
    """Ctrl-C and SIGTERM: each calls off what is being done, and what comes next is still done."""

    def __init__(self) -> None:
        self.signal: int | None = None
        self._scope = trio.CancelScope()

    def scope(self) -> trio.CancelScope:
        """What is to be called off from now on."""
        self._scope = trio.CancelScope()
        return self._scope

    async def listen(self, signals: AsyncIterator[int]) -> None:
        async for self.signal in signals:
            self._scope.cancel()


@asynccontextmanager
async def stoppable() -> AsyncIterator[Stop]:
    """Signals are listened to from the beginning to the end of it."""
    stop = Stop()
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stop.listen, signals)
            yield stop
            nursery.cancel_scope.cancel()


async def keep_told(runner: Runner, view: View, publisher: Publishing, pages: bool) -> None:
    """Whoever looks on is told what has happened, a few times a second."""
    sets = -1
    async with trio.open_nursery() as nursery:
        nursery.start_soon(publisher.run)
        while True:
            view.tick()
            if pages and runner.ledger.sets != sets:
                sets = runner.ledger.sets
                publisher.wanted()
            await trio.sleep(VIEW_SECONDS)


async def keep_written(stream: EventStream) -> None:
    """Events go out as they happen."""
    while True:
        await write(stream)
        await trio.sleep(VIEW_SECONDS)


async def write(stream: EventStream) -> None:
    """In a thread that is left alone if it is called off: whoever reads a pipe may stand still."""
    await trio.to_thread.run_sync(stream.write, abandon_on_cancel=True)
