"""`arena publish`: a league's table and pages as files, for any web server or none."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.leagues import find_league, is_league, league_argument, told_in_words
from arena.cli.printer import Printer
from arena.cli.progress import progress
from arena.league.model.match_pages import MatchPages
from arena.league.store.complete_reader import reader_of
from arena.league.store.folder import PUBLIC
from arena.outputs.pages.names import BOTS, MATCHES, SETS
from arena.outputs.pages.pages import ASSETS, head
from arena.outputs.publish import Publisher
from arena.outputs.registry import OUTPUTS
from arena.outputs.words import count

PAGES = ("index.html", "matrix.html", "history.html", "deals.html")
# Marks a page as ours; it is in the head of every page (templates/page.html).
MARK = '<meta name="generator" content="arena pages '


def chosen(_: click.Context, __: click.Parameter, text: str | None) -> MatchPages | None:
    """Read --matches."""
    try:
        return None if text is None else MatchPages.read(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def required(_: click.Context, __: click.Parameter, folder: Path | None) -> Path:
    """Read --to. Said here, because a folder without the option would be told first."""
    if folder is None:
        raise click.UsageError(
            "Missing option '--to', which names the folder to write to, such as: arena publish cup"
            " --to public"
        )
    return folder


@click.command("publish")
@league_argument
@click.option(
    "--to",
    callback=required,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder to write to; made if it is not there.",
)
@click.option(
    "--matches",
    callback=chosen,
    metavar="WHICH",
    help='The matches that get pages: all, "last N", faults or none. Left out: as the file of the '
    "league says ([pages]), else the last 1000 and as many of sets with a fault.",
)
@click.option("--force", is_flag=True, help="Overwrite files there that are not of a league.")
def COMMAND(league: str | None, to: Path, matches: MatchPages | None, force: bool) -> None:  # noqa: N802  # the name that every command module exports
    """Write the table and the pages of LEAGUE to a folder.

    A league publishes itself while it runs, to league.arena/public/. This does it again, for
    instance after an update of arena, or to another place. Nothing of an unfinished set is in it.
    A folder that has other things under the names that it would write is left alone.

    \b
    Examples:
      arena publish --to public
      arena publish cup.toml --to /srv/www/cup
      arena publish cup --to everything --matches all
    """
    folder = find_league(league)
    try:
        if is_league(to):
            raise click.UsageError(
                f"{to} is the folder of a league, with its secrets: name another; {to / PUBLIC} is"
                " what a web server may show"
            )
        if not force:
            check_free(to)
        with told_in_words(folder), progress() as tell:
            sets = Publisher(folder, to, reader_of, matches).publish(tell)
    except OSError as error:
        raise click.ClickException(f"{error.filename or to}: {error.strerror}") from None
    printer = Printer()
    printer(f"{count(sets, 'set')} published in {to}")
    printer.end()


def check_free(to: Path) -> None:
    """Raise a usage error if the folder has other people's files under the names to be written."""
    if to.is_symlink() and not to.exists():
        raise click.UsageError(
            f"{to} is a link to {to.readlink()}, which is not there: make that folder, or name"
            " another"
        )
    if MARK in head(to / PAGES[0]):
        return
    names = (*PAGES, *(f"standings.{name}" for name in OUTPUTS), ASSETS, BOTS, SETS, MATCHES)
    theirs = [name for name in names if (to / name).exists()]
    if theirs:
        raise click.UsageError(
            f"{to} has {', '.join(theirs)} already, and no pages of a league: they would be"
            " written over or mixed with pages. Name another folder, or write --force"
        )
