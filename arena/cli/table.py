"""`arena table`: the standings of a league, worked out from its matches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from arena.cli.leagues import find_league, league_argument, reading, reading_evidence
from arena.cli.printer import Printer
from arena.league.table.live import standings_of
from arena.league.table.machines import machine_rows
from arena.outputs.machines import LEGEND, machine_lines
from arena.outputs.registry import OUTPUTS
from arena.outputs.text import has_colour, text


def _flags(command: Callable[..., None]) -> Callable[..., None]:
    """Add a flag for each output, in the order of the registry."""
    for name, output in reversed([*OUTPUTS.items()]):
        command = click.option(f"--{name}", is_flag=True, help=output.help)(command)
    return command


@click.command("table")
@league_argument
@_flags
@click.option("--wide", is_flag=True, help="All columns, however wide the terminal is.")
@click.option("--machines", is_flag=True, help="The machines that played it, compared.")
def COMMAND(league: str | None, wide: bool, machines: bool, **flags: bool) -> None:  # noqa: N802  # the name that every command module exports
    """Show the table of LEAGUE.

    LEAGUE is its file, its folder, or just its name; it may be left out where there is only one.
    Only complete sets count, in the order of the schedule; the league may be running.
    Where there is little room the least important columns are left out.
    --machines compares the machines of a cluster (docs/cluster.md): thinking times, void matches.

    \b
    Examples:
      arena table
      arena table cup --wide | less -S
      arena table cup --json | jq '.rows[] | [.name, .elo]'
    """
    named = [name for name in OUTPUTS if flags[name]]
    if len(named) > 1:
        raise click.UsageError(f"write only one of {', '.join(f'--{name}' for name in named)}")
    output = named[0] if named else None
    if output is not None and wide:
        raise click.UsageError("--wide is for the terminal's table; the others have all columns")
    if machines:
        if output is not None or wide:
            raise click.UsageError("--machines is a table of its own, for people")
        _print_machines(find_league(league))
        return
    with reading(find_league(league)) as store:
        standings = standings_of(store, with_history=output == "json")
    printer = Printer()
    if output is not None:
        told = OUTPUTS[output].text(standings)
    else:
        console = Console()
        width = None if wide else console.width
        told = text(standings, width=width, colour=has_colour(console))
    printer(told.removesuffix("\n"))
    printer.end()


def _print_machines(folder: Path) -> None:
    """Print the machines of a league, from its own file: only its owner may."""
    with reading_evidence(folder) as store:
        rows = machine_rows(store.played_on())
    printer = Printer()
    for line in machine_lines(rows):
        printer(line)
    if any(row.factor is not None for row in rows):
        printer("")
        printer(LEGEND)
    printer.end()
