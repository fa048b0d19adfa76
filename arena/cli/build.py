"""`arena build`: build bots before they are needed, and look after the builds that are kept."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from arena.bots.botfile import FILE_NAME, Bot
from arena.bots.build import BuildFailed
from arena.bots.builds.cache import BuildCache, users_cache
from arena.bots.confine.choose import NotConfined, choose
from arena.bots.confine.confinement import Wish
from arena.bots.confine.confiner import Confiner
from arena.bots.contents import remove_scratch
from arena.bots.prepare import prepared
from arena.bots.processes import open_warden
from arena.bots.program import DialIn
from arena.bots.refused import NotStartable
from arena.cli.bots import named_bots, sample_names
from arena.cli.confining import confine_option, read_option
from arena.cli.printer import Printer
from arena.cli.running import run
from arena.text import duration, plain


@click.command("build")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option("--list", "lists", is_flag=True, help="List the builds that are kept.")
@click.option("--clean", "cleans", is_flag=True, help="Remove all builds that are kept.")
@click.option("--no-network", is_flag=True, help="Builds reach no address at all.")
@confine_option
@read_option
def COMMAND(  # noqa: N802  # the name that every command module exports
    bots: tuple[str, ...],
    lists: bool,
    cleans: bool,
    no_network: bool,
    confine: str | None,
    read: tuple[Path, ...],
) -> None:
    """Build bots, each in a copy of its folder, and keep what was built.

    A BOT is a folder with a bot.toml, or the name of a sample bot; without one, the bot of the
    current folder. A bot is built once: `arena match`, `arena check` and `arena league` take what
    is kept, until a file of the bot, its build command, a compiler or the way it is confined
    changes. The builds are in ~/.cache/arena/builds, or below XDG_CACHE_HOME; those that were not
    used for the longest time make room for new ones.

    \b
    Examples:
      arena build ./my-bot rust-random
      arena build --list
      arena build --clean
    """
    if (lists or cleans) and (bots or (lists and cleans)):
        raise click.UsageError("--list, --clean and the names of bots exclude each other")
    cache = users_cache(os.environ)
    printer = Printer()
    if lists or cleans:
        for line in listing(cache, time.time()) if lists else cleaning(cache):
            printer(line)
        printer.end()
        return
    named = [_with_build(bot) for bot in named_bots(bots or (_here(),))]
    wanted = partial(choose, wish=Wish(confine or Wish.AUTO), read=[p.absolute() for p in read])

    async def main() -> int:
        place = Path(tempfile.mkdtemp(prefix="arena-"))
        try:
            async with open_warden() as warden:
                warden.sweep(place)
                choice = await wanted(warden, place=place)
                if choice.warning is not None:
                    click.echo(f"warning: {choice.warning}", err=True)
                means = replace(choice.means, build_network=not no_network)
                confiner = Confiner(means, place)
                await prepared(warden, confiner, named, place, printer, cache)
        finally:
            remove_scratch(place)
        return 0

    try:
        code = run(main, told=(BuildFailed, NotConfined, NotStartable))
    except (BuildFailed, NotConfined, NotStartable) as error:
        raise click.ClickException(str(error)) from None
    printer.end()
    raise SystemExit(code)


def listing(cache: BuildCache, now: float) -> list[str]:
    """Return a line for each kept build, the one used last first, and their sum."""
    entries = cache.entries()
    if not entries:
        return [f"no builds are kept in {cache.folder}"]
    wide = max(len(kept.name) for _, _, kept in entries)
    lines = [
        f"{identity[:12]}  {plain(kept.name):{wide}}  {_megabytes(kept.size_bytes):>9}"
        f"  built in {kept.seconds:5.1f} s  {kept.rung:10}  used {duration(now - used)} ago"
        for used, identity, kept in entries
    ]
    total = sum(kept.size_bytes for _, _, kept in entries)
    return [*lines, f"{_counted(len(entries))}, {_megabytes(total)}, in {cache.folder}"]


def cleaning(cache: BuildCache) -> list[str]:
    """Remove all builds, and return lines that tell it."""
    removed, freed, in_use = cache.clean()
    lines = [f"removed {_counted(removed)}, {_megabytes(freed)}, from {cache.folder}"]
    if in_use:
        lines.append(f"left {in_use} that another command is using")
    return lines


def _here() -> str:
    if not Path(FILE_NAME).is_file():
        raise click.UsageError(
            f"there is no {FILE_NAME} here: name a folder that has one, or a sample bot:"
            f" {', '.join(sample_names())}"
        )
    return "."


def _with_build(bot: Bot | DialIn) -> Bot:
    if isinstance(bot, DialIn):
        raise click.UsageError(f"{bot.name} dials in: its author builds it")
    if bot.build is None:
        raise click.UsageError(f"{bot.name} has no build: there is no `build` in {bot.written_in}")
    return bot


def _counted(count: int) -> str:
    return f"{count} build" + ("" if count == 1 else "s")


def _megabytes(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB"
