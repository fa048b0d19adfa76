"""`arena publish`: a league's table and pages as files, for any web server or none."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.leagues import find_league, league_argument, told_in_words
from arena.cli.printer import Printer
from arena.cli.progress import progress
from arena.outputs.publish import Publisher
from arena.outputs.words import count


@click.command("publish")
@league_argument
@click.option(
    "--to",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder to write to; made if it is not there.",
)
def COMMAND(league: str | None, to: Path) -> None:  # noqa: N802  # what every module exports
    """Write the table and the pages of LEAGUE to a folder.

    A league publishes itself while it runs, to league.arena/public/. This does it again, for
    instance after an update of arena, or to another place. Nothing of an unfinished set is in it.

    \b
    Examples:
      arena publish --to public
      arena publish cup.toml --to /srv/www/cup
    """
    folder = find_league(league)
    try:
        with told_in_words(folder), progress() as tell:
            sets = Publisher(folder, to).publish(tell)
    except OSError as error:
        raise click.ClickException(f"{error.filename or to}: {error.strerror}") from None
    printer = Printer()
    printer(f"{count(sets, 'set')} published in {to}")
    printer.end()
