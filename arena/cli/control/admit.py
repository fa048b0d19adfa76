"""`arena admit`: a new bot in a league, one that was retired, or all that is new in its file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.control.order import any_league, order
from arena.cli.leagues import league_argument

if TYPE_CHECKING:
    from arena.league.control.acts import Act


@click.command("admit")
@league_argument
@click.argument("name", required=False)
@click.option("--path", metavar="FOLDER", help="The folder of the bot, or its bot.toml.")
@click.option("--sample", metavar="BOT", help="A bundled bot.")
@click.option("--command", metavar="LINE", help="A command line, run in the folder of the file.")
@click.option("--owner", help="Its owner; bots of one owner do not meet.  [default: its name]")
def COMMAND(  # noqa: N802  # the name that every command module exports
    league: str | None,
    name: str | None,
    path: str | None,
    sample: str | None,
    command: str | None,
    owner: str | None,
) -> None:
    """Admit the bot NAME to LEAGUE, which may be running.

    It is kept in the league and need not be in its file. Without --path, --sample or --command
    a bot is meant that was retired, and it takes part again. Without NAME the file is read again,
    and all that is new in it is told. `arena invite` admits a bot that dials in.

    \b
    Examples:
      arena admit cup fox --path bots/fox --owner ann
      arena admit cup fox
      arena admit cup
    """
    given = {"path": path, "sample": sample, "command": command}
    sources = {key: value for key, value in given.items() if value is not None}
    file, folder = any_league(league)
    act = act_of(name, sources, owner, shlex.quote(str(file.with_suffix(""))))
    order(act, file, folder)


def act_of(name: str | None, sources: dict[str, str], owner: str | None, league: str) -> Act:
    """Return the act that the arguments mean; `sources`: the options that say where a bot is."""
    from arena.league.control.acts import Admit, AdmitAgain, Merge

    if len(sources) > 1:
        raise click.UsageError(f"write only one of {', '.join(f'--{key}' for key in sources)}")
    if not sources:
        if owner is not None:
            raise click.UsageError(
                "--owner is for a new bot: say where it is, with --path, --sample or --command"
            )
        return Merge() if name is None else AdmitAgain(name)
    ((key, value),) = sources.items()
    if name is None:
        raise click.UsageError(
            f"name the bot too: arena admit {league} NAME --{key} {shlex.quote(value)}"
        )
    if key == "path":
        value = str(Path(value).expanduser().absolute())
    table = {"name": name, key: value}
    return Admit(table if owner is None else {**table, "owner": owner})
