"""`arena table`: the standings of a league, worked out from its matches."""

from __future__ import annotations

import click
from rich.console import Console

from arena.cli.leagues import find_league, league_argument, reading
from arena.cli.printer import Printer
from arena.league.table import standings_of
from arena.outputs.registry import OUTPUTS
from arena.outputs.text import has_colour, text


@click.command("table")
@league_argument
@click.option("--json", is_flag=True, help="As docs/standings.md describes it.")
@click.option("--csv", is_flag=True, help="For a spreadsheet, one line a bot.")
@click.option("--md", is_flag=True, help="As Markdown.")
@click.option("--wide", is_flag=True, help="All columns, however wide the terminal is.")
def COMMAND(league: str | None, wide: bool, **flags: bool) -> None:  # noqa: N802  # exported
    """Show the table of LEAGUE.

    LEAGUE is its file, its folder, or just its name; it may be left out where there is only one.
    Only complete sets count, in the order of the schedule; the league may be running.
    Where there is little room the least important columns are left out.

    \b
    Examples:
      arena table
      arena table cup --wide | less -S
      arena table cup --json | jq '.rows[] | [.name, .elo]'
    """
    named = [name for name in OUTPUTS if flags[name]]
    if len(named) > 1:
        raise click.UsageError(
            f"write one of {', '.join(f'--{name}' for name in named)}: there is one table"
        )
    output = named[0] if named else None
    if output is not None and wide:
        raise click.UsageError("--wide is for the terminal's table; the others have all columns")
    with reading(find_league(league)) as store:
        standings = standings_of(store, with_history=output == "json")
    printer = Printer()
    if output is not None:
        told = OUTPUTS[output](standings)
    else:
        console = Console()
        width = None if wide else console.width
        told = text(standings, width=width, colour=has_colour(console))
    printer(told.removesuffix("\n"))
    printer.end()
