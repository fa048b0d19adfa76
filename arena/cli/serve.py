"""`arena serve`: leagues on the web, live."""

from __future__ import annotations

import re
from pathlib import Path

import click

from arena.cli.host_option import host_option
from arena.cli.leagues import find_league
from arena.cli.play_option import play_option, playable
from arena.cli.printer import Printer
from arena.cli.values import read_address
from arena.league.store.folder import COMPLETE_SETS
from arena.serve.options import DEFAULT_ADDRESS, ServeOptions
from arena.serve.supervisor import CannotServe, supervise
from arena.tcp_address import DIAL_IN_WORDS, DIAL_PATTERN


def dialled(_: click.Context, __: click.Parameter, address: str) -> str:
    """Read --dial-in: authors copy it into ARENA_CONNECT."""
    if address and not re.match(DIAL_PATTERN, address):
        raise click.BadParameter(f"{address!r} is not {DIAL_IN_WORDS} (SPEC 2.2)")
    return address


@click.command("serve")
@click.argument("leagues", nargs=-1, metavar="[LEAGUE]...")
@click.option(
    "--at",
    default=DEFAULT_ADDRESS,
    show_default=True,
    callback=read_address,
    metavar="HOST:PORT",
    help="Where to listen.",
)
@host_option
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="Take a visitor's address from X-Forwarded-For of a proxy on this machine.",
)
@click.option(
    "--dial-in",
    default="",
    callback=dialled,
    metavar="ADDRESS",
    help="The address for bots on the join page.",
)
@play_option
@click.option(
    "--log",
    default="",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Log requests here, kept for a day; left out: to standard error.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    leagues: tuple[str, ...],
    at: str,
    hosts: tuple[str, ...],
    behind_proxy: bool,
    dial_in: str,
    play: tuple[str, ...],
    log: str,
) -> None:
    """Serve each LEAGUE on the web, live, until Ctrl-C.

    Pages are those that a league publishes; while it is played they hear of news as it comes.
    Nothing of an unfinished set is read. LEAGUE is named as for `arena table`; a league that
    begins, stops or goes on meanwhile is noticed. docs/serve.md tells how to put it behind a
    server with a certificate.

    With --play there is a page on which people play against these bots, each match on a referee of
    its own; nothing of it is rated or kept.

    \b
    Examples:
      arena serve
      arena serve cup.toml spring.toml --at 127.0.0.1:9000
      arena serve cup --host cup.example.org --behind-proxy
      arena serve cup --play python-high --play python-random
    """
    folders = tuple(str(_begun(find_league(each)).absolute()) for each in leagues or (None,))
    options = ServeOptions(folders, at, hosts, dial_in, log, behind_proxy, playable(play))
    printer = Printer()
    try:
        code = supervise(options, printer)
    except CannotServe as error:
        raise click.ClickException(str(error)) from None
    printer.end()
    raise SystemExit(code)


def _begun(folder: Path) -> Path:
    """Return the folder if there is something to be served in it."""
    if not (folder / COMPLETE_SETS).is_file():
        raise click.ClickException(
            f"{folder / COMPLETE_SETS} is not there: an earlier version of arena played this"
            " league, and `arena league` makes the file"
        )
    return folder
