"""`arena retire`: a bot takes no further part in a league."""

from __future__ import annotations

import click

from arena.cli.control.order import begun_league, order


@click.command("retire")
@click.argument("league")
@click.argument("name")
def COMMAND(league: str, name: str) -> None:  # noqa: N802  # the name that every command module exports
    """Retire the bot NAME from LEAGUE, which may be running.

    Nothing more is planned for it. Its sets that have begun are played to their end and count;
    in the place of the others come sets without it, where the format has any. It keeps its row
    in the table, and may be missing in the file from now on.
    `arena admit LEAGUE NAME` takes it up again.

    \b
    Examples:
      arena retire cup fox
    """
    from arena.league.control.acts import Retire

    file, folder = begun_league(league)
    order(Retire(name), file, folder)
