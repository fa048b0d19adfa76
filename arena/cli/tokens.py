"""`arena tokens`: who may dial in to a league; a token drawn anew, or taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.control.order import begun_league, order, read_expires
from arena.cli.leagues import league_argument

if TYPE_CHECKING:
    from arena.league.control.acts import Act


@click.command("tokens")
@league_argument
@click.option("--renew", metavar="BOT", help="Draw a new token; the one before ends at once.")
@click.option("--revoke", metavar="BOT", help="End a token. Only --renew brings another.")
@click.option(
    "--expires",
    callback=read_expires,
    metavar="TIME",
    help="With --renew: when the new token ends, UTC, such as 2026-12-31 or 2026-12-31T18:00:00Z.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    league: str | None, renew: str | None, revoke: str | None, expires: str | None
) -> None:
    """List the tokens of the bots that dial in to LEAGUE, or change one.

    The league keeps a hash of each token. The token itself stands in the file for its author; that
    of a bot that was invited was told once, and so is one that is drawn anew for it. LEAGUE may
    be running: a change holds at once.

    \b
    Examples:
      arena tokens cup
      arena tokens cup --renew fox --expires 2026-12-31
      arena tokens cup --revoke owl
    """
    if renew is not None and revoke is not None:
        raise click.UsageError("--renew and --revoke are two changes: make one after the other")
    if expires is not None and renew is None:
        raise click.UsageError("--expires belongs to --renew")
    act = act_of(renew, revoke, expires)
    file, folder = begun_league(league)
    order(act, file, folder)


def act_of(renew: str | None, revoke: str | None, expires: str | None) -> Act:
    """Return the act that the options mean."""
    from arena.league.control.acts import Renew, Revoke, Tokens

    if renew is not None:
        return Renew(renew, expires)
    return Tokens() if revoke is None else Revoke(revoke)
