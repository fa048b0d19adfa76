"""`arena export`: the decisions of leagues as rows of numbers."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from arena.cli.leagues import find_league, reading
from arena.cli.progress import progress
from arena.outputs.words import count
from arena.text import listed

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("export")
@click.argument("leagues", nargs=-1, metavar="[LEAGUE...]")
@click.option("--npz", type=_FILE, metavar="FILE", help="Write a file of numpy.")
@click.option(
    "--parquet", type=_FILE, metavar="FILE", help="Write a file of Parquet; needs the extra rl."
)
def COMMAND(leagues: tuple[str, ...], npz: Path | None, parquet: Path | None) -> None:  # noqa: N802  # the name that every command module exports
    """Write the decisions of LEAGUEs to a file, a row each, for programs that learn.

    Every decision of every complete set is a row: what the seat could know and
    do, as numbers, what it did, and how the match ended for it. The leagues
    must be of one game at one table size with the same options; bots of one
    name are one bot if their files are the same. arena.dataset.read_decisions reads
    the file again (docs/library.md).

    \b
    Examples:
      arena export --npz cup.npz
      arena export cup spring --npz both.npz
      arena export cup --parquet cup.parquet
    """
    if (npz is None) == (parquet is None):
        raise click.UsageError("name one file: --npz FILE or --parquet FILE")
    # Late, because numpy takes a tenth of a second to load.
    from arena.dataset.npz import write_npz
    from arena.dataset.parquet import NoParquet, write_parquet
    from arena.dataset.rows import (
        ExportedLeague,
        MixedLeagues,
        about_of,
        batches,
        distinct_names,
        told_apart,
    )

    folders = [find_league(league) for league in leagues] or [find_league(None)]
    file = npz or parquet
    assert file is not None
    if not file.parent.is_dir():
        raise click.UsageError(f"there is no folder {file.parent} to write {file.name} to")
    with ExitStack() as open_leagues:
        try:
            sources = [
                ExportedLeague(name, open_leagues.enter_context(reading(folder)))
                for name, folder in zip(distinct_names(folders), folders, strict=True)
            ]
            about = about_of(sources)
            if not any(source.sets for source in sources):
                raise click.ClickException(
                    f"no set of {listed(about.leagues)} is complete yet: there is nothing to export"
                )
            for line in told_apart(sources):
                click.echo(line, err=True)
            with progress() as tell:
                write = write_npz if npz else write_parquet
                rows = write(file, about, batches(sources, about, tell))
        except MixedLeagues as error:
            raise click.UsageError(str(error)) from None
        except (NoParquet, OSError) as error:
            raise click.ClickException(str(error)) from None
    told = f"{about.game} with {about.seats} seats"
    click.echo(f"{file}: {count(rows, 'decision')} of {told}", err=True)
