"""`arena watch`: the table of a running league, kept up to date, from any shell."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from arena.cli.leagues import find_league, league_argument, reading
from arena.cli.printer import Printer
from arena.exits import INTERRUPTED
from arena.league.store.lock import is_held
from arena.league.table.live import LiveTable
from arena.league.table.standings import Standings
from arena.outputs.text import has_colour, text
from arena.outputs.words import count, progress

# Seconds between two looks, at least; and how many times longer than a look itself, so that
# watching a large league takes little of a processor that bots want.
LOOK_SECONDS = 1.0
REST = 20


@click.command("watch")
@league_argument
def COMMAND(league: str | None) -> None:  # noqa: N802  # the name that every command module exports
    """Show the table of LEAGUE while it is played.

    For a league that `arena league` plays in another shell. The table is redrawn in place as sets
    are completed; written to a file or a pipe, each change is a line. It ends with the league, and
    prints the table. Ctrl-C ends the watching and nothing else.
    LEAGUE is named as for `arena table`.

    \b
    Examples:
      arena watch
      arena watch cup.toml
    """
    console = Console()
    looks = looks_at(find_league(league))
    printer = Printer()
    shown = redrawn(console, looks) if console.is_interactive else in_lines(printer, looks)
    try:
        (last,) = deque(shown, maxlen=1)
    except KeyboardInterrupt:
        click.echo("no longer watched; the league goes on", err=True)
        raise SystemExit(INTERRUPTED) from None
    told = text(last, width=console.width, colour=has_colour(console))
    printer(told.removesuffix("\n"))
    printer.end()


def looks_at(folder: Path, wait: Callable[[float], object] = time.sleep) -> Iterator[Standings]:
    """Yield the table of a league as it is now, again and again until it is finished or
    no runner plays it.

    Each set is read once. `wait` is called with seconds between two looks.
    """
    live = LiveTable(from_checkpoint=True)
    while True:
        began = time.monotonic()
        # Asked first: a runner that ends meanwhile has completed all that is read afterwards.
        is_running = is_held(folder)
        with reading(folder) as reader:
            for _ in live.new_sets(reader):
                pass
            standings = live.standings(reader, is_running=is_running, with_history=False)
        yield standings
        if standings.facts.state != "running":
            return
        wait(max(LOOK_SECONDS, REST * (time.monotonic() - began)))


def redrawn(console: Console, looks: Iterator[Standings]) -> Iterator[Standings]:
    """Show each table in the place of the one before; the last disappears."""
    with Live(console=console, auto_refresh=False, transient=True) as live:
        for standings in looks:
            told = text(standings, width=console.width, colour=has_colour(console))
            live.update(Text.from_ansi(told), refresh=True)
            yield standings


def in_lines(printer: Printer, looks: Iterator[Standings]) -> Iterator[Standings]:
    """Print the progress whenever it has changed, as long as somebody reads it."""
    told = ""
    for standings in looks:
        line = f"{progress(standings.facts)}, {count(standings.facts.matches, 'match')}"
        if line != told and standings.facts.state == "running":
            printer(line)
            told = line
        yield standings
        if printer.closed:
            return
