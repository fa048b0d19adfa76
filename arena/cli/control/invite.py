"""`arena invite`: a bot that dials in enters a league, and its token is told once."""

from __future__ import annotations

import click

from arena.cli.control.order import any_league, order, read_expires


@click.command("invite")
@click.argument("league")
@click.argument("name")
@click.option("--owner", help="Its owner; bots of one owner do not meet.  [default: its name]")
@click.option(
    "--expires",
    callback=read_expires,
    metavar="TIME",
    help="When its token ends, UTC, such as 2026-12-31 or 2026-12-31T18:00:00Z.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    league: str, name: str, owner: str | None, expires: str | None
) -> None:
    """Invite the bot NAME, which dials in, to LEAGUE, which may be running.

    It prints the lines to send to its author: the address, and a token that proves the bot's
    name. The token is told this once, and is kept nowhere; `arena tokens LEAGUE --renew NAME`
    draws another. The file of the league must say where bots dial in, with `listen`.

    \b
    Examples:
      arena invite cup fox --owner ann
      arena invite cup hen > hen.env
      arena invite cup owl --expires 2026-12-31
    """
    from arena.league.control.acts import Invite

    file, folder = any_league(league)
    order(Invite(name, owner, expires), file, folder)
