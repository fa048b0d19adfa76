"""`arena league`: plays a league to its end and publishes it; the same command goes on with it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from arena import data
from arena.bots.build import BuildFailed
from arena.bots.confine.choose import NotConfined
from arena.bots.confine.confinement import Wish
from arena.bots.refused import ProcessError
from arena.cli.confining import confine_option, read_option
from arena.cli.host_option import host_option
from arena.cli.league_view import view_on
from arena.cli.leagues import check_not_lost, file_named, told_in_words
from arena.cli.play_option import play_option, playable
from arena.cli.printer import Printer
from arena.cli.running import run, stopped_by
from arena.cli.values import read_address
from arena.exits import INTERRUPTED, TERMINATED
from arena.league.cluster.engine import DaskEngine, DaskMissing
from arena.league.entry.opening import CannotGoOn, make_ready
from arena.league.entry.stored import league_of_store
from arena.league.entry.versions import in_rows
from arena.league.file.cross_checks import unfit_encryption
from arena.league.file.jobs import warnings
from arena.league.file.problems import BadLeague
from arena.league.file.reading import read_league
from arena.league.file.told_address import to_dial
from arena.league.model.config import League
from arena.league.plan.formats import NoLineUp
from arena.league.play.entering import LeagueStopped
from arena.league.play.run import LeagueRun, RunEnd, Stop, WeakerRung
from arena.league.store.database import StoreError
from arena.league.store.event_stream import STANDARD_OUTPUT, BadEventFile
from arena.league.store.folder import (
    DATABASE,
    FOLDER_SUFFIX,
    LOG,
    PUBLIC,
    SERVE_LOG,
    folder_of,
)
from arena.league.store.lock import AlreadyRunning, locked
from arena.league.store.store import Store
from arena.league.table.checkpoint import unread_sets
from arena.outputs.text import has_colour, text
from arena.outputs.words import count, winner
from arena.referee.door.addresses import CannotListen
from arena.referee.door.descriptors import raise_limit, too_few
from arena.serve.options import DEFAULT_ADDRESS, ServeOptions
from arena.serve.play import PlayBot
from arena.tcp_address import SCHEDULER_IN_WORDS, is_scheduler
from arena.text import plain

DEFAULT_FILE = Path("league.toml")
DEMO_NAME = "demo"

# The option --dask without an address.
HERE = ""

# To read this many sets takes a while, so people are told.
MANY_SETS = 1_000

_WRONG_USAGE = (BadLeague, CannotGoOn, NoLineUp)
_STOPPED = (
    AlreadyRunning,
    StoreError,
    LeagueStopped,
    BuildFailed,
    ProcessError,
    BadEventFile,
    CannotListen,
    NotConfined,
    WeakerRung,
    DaskMissing,
)


def read_scheduler(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    """Refuse what is no address of a scheduler: often it is the file of the league."""
    if value and not is_scheduler(value):
        raise click.UsageError(
            f"--dask {value!r} is no address: it must be {SCHEDULER_IN_WORDS}; to try a cluster"
            " on this machine, write the file first: arena league cup.toml --dask"
        )
    return value


@click.command("league")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--events", metavar="FILE|-", help="Write events here, a line of JSON each.")
@click.option("--jobs", type=click.IntRange(1), help="Referee processes, instead of the file's.")
@confine_option
@read_option
@click.option(
    "--new-versions",
    is_flag=True,
    help="Enter a bot whose files have changed as a new row, as `versions` in the file does.",
)
@click.option(
    "--serve",
    is_flag=False,
    flag_value=DEFAULT_ADDRESS,
    callback=read_address,
    metavar="[HOST:PORT]",
    help=f"Serve the league on the web while it is played, at {DEFAULT_ADDRESS} unless another"
    " address is written; `arena serve` has more options.",
)
@host_option
@play_option
@click.option(
    "--dask",
    "scheduler",
    is_flag=False,
    flag_value=HERE,
    callback=read_scheduler,
    metavar="[ADDRESS]",
    help="Have workers play, by the Dask scheduler at this address; without one on this machine.",
)
@click.option("--no-pages", is_flag=True, help="Make pages at the end only, not while it runs.")
def COMMAND(  # noqa: N802  # the name that every command module exports
    file: Path | None,
    events: str | None,
    jobs: int | None,
    confine: str | None,
    read: tuple[Path, ...],
    new_versions: bool,
    serve: str | None,
    hosts: tuple[str, ...],
    play: tuple[str, ...],
    scheduler: str | None,
    no_pages: bool,
) -> None:
    """Play the league of FILE to its end and publish it.

    FILE is league.toml if there is one here; else a small demo league of the sample bots is
    played. The folder that FILE is in will do, or its name without the ending.
    Stopped at any moment, the same command goes on; a finished league is only published again.
    Everything is kept beside the file, in league.arena/: all that may be shown to the world in
    league.arena/public/, with index.html to open in a browser.

    \b
    Exit codes:
      0  the league is finished
      1  it cannot go on now; the reason is told
      2  the file is wrong, or was changed as it may not be
      130  stopped by Ctrl-C, 143 by SIGTERM; the same command goes on

    \b
    Examples:
      arena league
      arena init && arena league
      arena league cup.toml --jobs 2 --events cup.ndjson
      arena league cup.toml --serve --play python-high
    """
    where = file or (DEFAULT_FILE if DEFAULT_FILE.exists() else None)
    wish = Wish(confine) if confine is not None else None
    asked = RunOptions(jobs, wish, read, new_versions, scheduler)
    try:
        served = served_at(serve, hosts, play)
        named_file, folder = named(where)
        code = play_named(named_file, folder, asked, events, pages=not no_pages, served=served)
    except _WRONG_USAGE as error:
        if where is None and isinstance(error, CannotGoOn):
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


@dataclass(frozen=True)
class RunOptions:
    """The options that stand above the file. `read`: further paths that bots may read."""

    jobs: int | None
    confine: Wish | None
    read: Sequence[Path]
    new_versions: bool
    scheduler: str | None  # HERE: a cluster on this machine

    def of(self, league: League) -> League:
        """Return the league as these options have it."""
        more = tuple(path.absolute() for path in self.read)
        confine = replace(league.confine, read=(*league.confine.read, *more))
        if self.scheduler is not None:
            league = replace(league, engine="dask", scheduler=self.scheduler or None)
            problem = unfit_encryption(self.scheduler, has_files=league.tls is not None)
            if problem is not None:
                raise click.UsageError(f"--dask {self.scheduler}, {problem}")
        return replace(
            league,
            jobs=self.jobs or league.jobs,
            versions="new-row" if self.new_versions else league.versions,
            confine=confine if self.confine is None else replace(confine, by=self.confine),
        )


def named(where: Path | None) -> tuple[Path, Path]:
    """Return the file of a league, or of the demo league, and the folder that it is kept in."""
    if where is not None:
        file = file_named(where)
        return file, folder_of(file)
    click.echo("no league.toml here: the demo league; `arena init` makes one", err=True)
    file = data.sample_bots() / f"{DEMO_NAME}.toml"
    return file, (Path.cwd() / DEMO_NAME).with_suffix(FOLDER_SUFFIX)


@dataclass(frozen=True)
class ServedAt:
    """How a league is on the web while it is played."""

    address: str
    hosts: tuple[str, ...]  # further names that visitors ask for
    play: tuple[PlayBot, ...]  # bots that visitors may play against

    def options(self, league: League, folder: Path) -> ServeOptions:
        """Return what the web server of this league is told."""
        dial_in = to_dial(league) if league.listen is not None else ""
        return ServeOptions(
            (str(folder.absolute()),),
            self.address,
            self.hosts,
            dial_in=dial_in,
            log=str(folder / SERVE_LOG),
            play=self.play,
        )


def served_at(address: str | None, hosts: tuple[str, ...], play: Sequence[str]) -> ServedAt | None:
    """Read --serve, --host and --play; None where the league is not served."""
    if address is not None:
        return ServedAt(address, hosts, playable(play))
    for option, given in (("--host", hosts), ("--play", play)):
        if given:
            raise click.UsageError(f"{option} is for a league on the web: it goes with --serve")
    return None


def play_named(
    file: Path,
    folder: Path,
    asked: RunOptions,
    events: str | None,
    *,
    pages: bool,
    served: ServedAt | None,
) -> int:
    """Open the league, play it and print its end. Returns the exit code.

    `served`: how it is on the web meanwhile; None: not at all.
    """
    if not (folder / DATABASE).exists():
        read_league(file)  # what is wrong with it is told before anything is made
    elif not file.exists():
        raise click.UsageError(f"{file} is gone, the file of the league in {folder}: put it back")
    check_is_text(folder)
    if (problem := too_few(raise_limit())) is not None:
        raise click.ClickException(problem)
    check_not_lost(folder)
    with locked(folder), opened(file, folder, asked) as (league, store):
        return run(
            partial(
                play_opened,
                league,
                store,
                folder,
                file,
                events,
                pages=pages,
                serve=None if served is None else served.options(league, folder),
            ),
            told=(*_STOPPED, OSError),
        )


def check_is_text(folder: Path) -> None:
    """Refuse a folder whose name is not UTF-8: the messages to referee processes hold text."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        raise click.ClickException(
            f"{str(folder)!a}: a part of this name is not UTF-8, and no league can be played in"
            " such a folder: rename that part, or move the league"
        ) from None


@contextmanager
def opened(file: Path, folder: Path, asked: RunOptions) -> Iterator[tuple[League, Store]]:
    """Open the store, ready to go on with the league that it and the file make; errors in it are
    told in words."""
    tell = partial(click.echo, err=True)
    with ExitStack() as held:
        with told_in_words(folder):
            store = held.enter_context(Store.open(folder / DATABASE, tell=tell))
            league = asked.of(league_of_store(file, store, tell))
            for warning in warnings(league, len(os.sched_getaffinity(0))):
                click.echo(f"warning: {warning}", err=True)
            if not store.has_begun:
                tell(f"a new league begins, in {folder}")
            make_ready(store, league, tell)
        yield in_rows(league, store.roster()), store


async def play_opened(
    league: League,
    store: Store,
    folder: Path,
    file: Path,
    events: str | None,
    *,
    pages: bool,
    serve: ServeOptions | None,
) -> int:
    """Play the league with a view on this terminal. Returns the exit code."""
    # Events on standard output are for a program: people are told on standard error.
    is_taken = events == STANDARD_OUTPUT
    console = Console(stderr=is_taken)
    tell = partial(click.echo, err=True) if is_taken else Printer()
    if (unread := unread_sets(store)) >= MANY_SETS:
        tell(f"reading {unread:,} sets")
    elsewhere = DaskEngine(league, folder) if league.engine == "dask" else None
    one = LeagueRun(league, store, folder, file, elsewhere)
    stop = Stop()
    async with stopped_by(stop.ask, signal.SIGINT, signal.SIGTERM) as signals:
        view = view_on(console, one.standings, tell)
        end = await one.play(view, tell, stop, events=events, pages=pages, serve=serve)
    tell_end(one, end, folder / PUBLIC / "index.html", tell)
    if one.runner.ledger.sets:
        width = console.width if console.is_terminal else None
        standings = one.standings()
        tell(text(standings, width=width, colour=has_colour(console)))
        for line in winner(standings.facts, plain):
            tell(line)
    if signals:
        return INTERRUPTED if signals[-1] == signal.SIGINT else TERMINATED
    return 0 if end.is_published else 1


def tell_end(one: LeagueRun, end: RunEnd, index: Path, tell: Callable[[str], object]) -> None:
    """Say how far the league is, and where its pages are."""
    if end.is_stopped:
        tell(f"stopped after {one.runner.progress}; the same command goes on")
    if dropped := one.runner.entered.dropped:
        late = count(dropped, "match")
        tell(f"left out because they came too late for their orders: {late}; {LOG} names them")
    for each in one.waited_for():
        tell(str(each))
    if end.is_published:
        tell(f"the table, the pages and every match: {index}")
    else:
        tell(f"not up to date: {index}; the same command makes it anew")
