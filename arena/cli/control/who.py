"""`arena who`: the bots that are here now, or were here last."""

from __future__ import annotations

import click

from arena.cli.control.order import asked, begun_league
from arena.cli.leagues import league_argument, reading


@click.command("who")
@league_argument
def COMMAND(league: str | None) -> None:  # noqa: N802  # the name that every command module exports
    """Tell which bots are in LEAGUE now, and which are away since when.

    Of a league that is not being played it tells when each bot that dials in was here last.

    \b
    Examples:
      arena who cup
    """
    from arena.league.control.acts import Who
    from arena.league.control.rest import who_was_here

    _, folder = begun_league(league)
    told = asked(Who(), folder)
    if told is None:
        with reading(folder) as reader:
            told = who_was_here(reader)
    for line in told.lines:
        click.echo(line)
