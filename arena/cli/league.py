"""`arena league`: plays a league to its end and publishes it; again, and it goes on."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
import trio
from rich.console import Console

from arena import data
from arena.cli.league_view import VIEW_SECONDS, Lines, LiveView, View, has_colour
from arena.cli.publishing import Publishing, open_publisher
from arena.cli.running import INTERRUPTED, Printer, run
from arena.league.config import League
from arena.league.event_stream import BadEventFile, EventFile, EventPipe, EventStream, NoEvents
from arena.league.file import BadLeague, read_league, warnings
from arena.league.lock import AlreadyRunning, locked
from arena.league.opening import FOLDER_SUFFIX, Refused, folder_of, open_league
from arena.league.orders import Entry
from arena.league.runner import LeagueStopped, Runner
from arena.league.schedule import NoLineUp
from arena.league.settings import Settings
from arena.league.standings import Standings
from arena.league.store import FILE_NAME, Store, StoreError
from arena.league.table import Table
from arena.outputs.text import text
from arena.referee.build import BuildFailed
from arena.referee.preparing import prepared
from arena.referee.processes import open_warden

DEFAULT_FILE = Path("league.toml")
DEMO_NAME = "demo"
# Below the league's folder: what may be put on a web server, and nothing else.
PUBLIC = "public"
LOG = "referee.log"
# Where bots run: copies of their folders, gone when the run ends.
SCRATCH = "scratch"
# Ended by a signal, as a shell tells it.
TERMINATED = 143

_MEANT = (BadLeague, Refused, NoLineUp)
_STOPPED = (AlreadyRunning, StoreError, LeagueStopped, BuildFailed, BadEventFile)


@click.command("league")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--events", metavar="FILE|-", help="Write what happens here, a line of JSON each.")
@click.option("--jobs", type=click.IntRange(1), help="Referee processes, instead of the file's.")
@click.option("--no-pages", is_flag=True, help="Make pages at the end only, not while it runs.")
def COMMAND(  # noqa: N802  # what every command module exports
    file: Path | None, events: str | None, jobs: int | None, no_pages: bool
) -> None:
    """Play the league of FILE to its end and publish it.

    FILE is league.toml if there is one here; else a small demo league of the sample bots is
    played. Stopped at any moment, the same command goes on; a finished league is only published
    again. Everything is kept beside the file, in league.arena/: what may be shown to the world
    in league.arena/public/, with index.html to open in a browser.

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
            league, folder = read_league(where), folder_of(where)
        if jobs is not None:
            league = replace(league, jobs=jobs)
        for warning in warnings(league, len(os.sched_getaffinity(0))):
            click.echo(f"warning: {warning}", err=True)
        with locked(folder), open_league(league, folder) as store:
            code = run(
                lambda: play(league, store, folder, events, pages=not no_pages), told=_STOPPED
            )
    except _MEANT as error:
        raise click.UsageError(str(error)) from None
    except _STOPPED as error:
        raise click.ClickException(str(error)) from None
    raise SystemExit(code)


async def play(
    league: League, store: Store, folder: Path, events: str | None, *, pages: bool
) -> int:
    """To its end, or until somebody stops it; the exit code."""
    printer = Printer()
    # With events on standard output nothing else may be there.
    console = Console(stderr=events == "-")

    def tell(line: str) -> None:
        if events == "-":
            click.echo(line, err=True)
        else:
            printer(line)

    runner = Runner(league, store, folder / LOG)
    made = Table(Settings.of(league), runner.ledger)

    def standings() -> Standings:
        return made.standings(
            store.entrants(), planned=runner.planned, voids=runner.voids, with_history=False
        )

    async with open_publisher(folder, folder / PUBLIC, tell) as publisher:
        with ExitStack() as held:
            stream = held.enter_context(event_stream(events))
            reader = held.enter_context(Store.read(folder / FILE_NAME))
            view: View = (
                held.enter_context(LiveView(console, standings))
                if console.is_terminal
                else Lines(tell)
            )
            async with trio.open_nursery() as nursery:
                nursery.start_soon(keep_told, runner, view, stream, reader, publisher, pages)
                stopped = await unless_stopped(
                    partial(run_to_its_end, runner, league, folder, view)
                )
                nursery.cancel_scope.cancel()
            stream.write(reader)
        await unless_stopped(publisher.publish)
    for line in last_words(runner, folder, stopped=stopped is not None):
        tell(line)
    if runner.ledger.sets:
        width = console.width if console.is_terminal else None
        tell(text(standings(), width=width, colour=has_colour(console)))
    if stopped is None:
        return 0
    return INTERRUPTED if stopped == signal.SIGINT else TERMINATED


async def run_to_its_end(runner: Runner, league: League, folder: Path, view: View) -> None:
    """Bots made ready, if there is anything to play."""
    if runner.is_over:
        await runner.finish()
        return
    scratch = folder / SCRATCH
    shutil.rmtree(scratch, ignore_errors=True)  # of a run that was killed
    async with open_warden() as warden:
        warden.sweep(scratch)
        try:
            bots = [replace(each.bot, name=each.name) for each in league.entrants]
            programs = await prepared(warden, bots, scratch, view.says)
            await runner.run([Entry.of(program) for program in programs], view)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


async def unless_stopped(work: Callable[[], Awaitable[None]]) -> int | None:
    """Do it, but call it off at Ctrl-C or SIGTERM: then which of them."""
    stopped: int | None = None
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def wait() -> None:
                nonlocal stopped
                async for number in signals:
                    stopped = number
                    scope.cancel()

            nursery.start_soon(wait)
            with trio.CancelScope() as scope:
                await work()
            nursery.cancel_scope.cancel()
    return stopped


async def keep_told(
    runner: Runner,
    view: View,
    stream: EventStream,
    reader: Store,
    publisher: Publishing,
    pages: bool,
) -> None:
    """Whoever looks on is told what has happened, a few times a second."""
    sets = -1
    async with trio.open_nursery() as nursery:
        nursery.start_soon(publisher.run)
        while True:
            view.tick()
            stream.write(reader)
            if pages and runner.ledger.sets != sets:
                sets = runner.ledger.sets
                publisher.wanted()
            await trio.sleep(VIEW_SECONDS)


@contextmanager
def event_stream(events: str | None) -> Iterator[EventStream]:
    """Where `--events` wants them."""
    stream: EventStream
    if events is None:
        stream = NoEvents()
    elif events == "-":
        stream = EventPipe(sys.stdout.buffer)
    else:
        stream = EventFile(Path(events))
    try:
        yield stream
    finally:
        stream.close()


def last_words(runner: Runner, folder: Path, *, stopped: bool) -> Iterator[str]:
    """How it ended, and where to look."""
    if stopped:
        yield f"stopped after {runner.sets_over} of {runner.planned} sets; the same command goes on"
    index = folder / PUBLIC / "index.html"
    yield f"the table, the pages and every match: {index}"
