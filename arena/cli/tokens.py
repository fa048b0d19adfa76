"""`arena tokens`: who may dial in to a league; a token drawn anew, or taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.leagues import file_named, find_league, league_argument
from arena.text import did_you_mean, plain
from arena.utc import TIME, now

if TYPE_CHECKING:
    from arena.league.store.store import Store

TIMES = ("%Y-%m-%d", TIME)


@click.command("tokens")
@league_argument
@click.option("--renew", metavar="BOT", help="Draw a new token; the one before ends at once.")
@click.option("--revoke", metavar="BOT", help="End a token. Only --renew brings another.")
@click.option(
    "--expires",
    type=click.DateTime(TIMES),
    metavar="TIME",
    help="With --renew: when the new token ends, UTC, such as 2026-12-31.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    league: str | None, renew: str | None, revoke: str | None, expires: datetime | None
) -> None:
    """List the tokens of the bots that dial in to LEAGUE, or change one.

    The league keeps a hash of each token; the token itself stands in the file for its author
    alone. Nobody may be playing LEAGUE: stop it with Ctrl-C, and go on afterwards.

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
    if expires is not None and expires.strftime(TIME) <= now():
        raise click.UsageError("--expires is over already: name a time to come, UTC")
    folder = find_league(league)
    # Imported here and not at the top: the imports are slow, and --help does not need them.
    from arena.league.entry.tokens import adopt_files, renewed, revoked
    from arena.league.file.problems import BadLeague
    from arena.league.file.reading import read_league
    from arena.league.store.database import StoreError
    from arena.league.store.folder import DATABASE
    from arena.league.store.lock import AlreadyRunning, locked
    from arena.league.store.store import Store
    from arena.league.store.tokens import TokenRefused

    try:
        config = read_league(file_named(folder))
        with (
            locked(folder),
            Store.open(folder / DATABASE, tell=lambda line: click.echo(line, err=True)) as store,
        ):
            adopt_files(store, folder)
            if renew is not None:
                check(renew, config.callers)
                until = None if expires is None else expires.strftime(TIME)
                file = renewed(config, store, folder, renew, until)
                click.echo(f"{renew} has a new token, in {file}: give that to its author")
            elif revoke is not None:
                check(revoke, [each.bot for each in store.tokens()])
                revoked(store, folder, revoke)
                click.echo(f"the token of {revoke} is revoked: it cannot dial in any more")
            else:
                for line in listed(store, folder):
                    click.echo(line)
    except (BadLeague, AlreadyRunning, StoreError, TokenRefused) as error:
        raise click.ClickException(str(error)) from None


def check(name: str, known: Sequence[str]) -> None:
    """Refuse a name that is none of these."""
    if name not in known:
        hint = did_you_mean(name, known)
        raise click.UsageError(f"{plain(name)!r} is no bot with a token here.{hint}")


def listed(store: Store, folder: Path) -> Iterator[str]:
    """Yield a line for each bot: its newest token, and where it is."""
    from arena.league.file.tokens import file_of

    newest = {each.bot: each for each in sorted(store.tokens(), key=lambda each: each.created)}
    if not newest:
        yield "no bot of this league has a token: none dials in, or none was played with yet"
    for name in sorted(newest):
        token = newest[name]
        if token.revoked is not None:
            yield f"{name}: revoked at {token.revoked}"
        elif token.token.has_expired(now()):
            yield f"{name}: expired at {token.token.expires}"
        else:
            until = f", until {token.token.expires}" if token.token.expires else ""
            where = f"; in {file_of(folder, name)}" if token.in_file else ""
            yield f"{name}: valid, since {token.created}{until}{where}"
