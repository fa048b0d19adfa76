"""Bots as named on a command line: a folder, a sample bot's name, or a command line in quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from arena import data
from arena.games.errors import did_you_mean
from arena.referee.botfile import FILE_NAME, BadBotFile, Bot, read_bot
from arena.referee.build import BuildFailed
from arena.referee.house import House, Program
from arena.referee.preparing import prepared


def sample_names() -> list[str]:
    """The bots that are carried along."""
    return sorted(file.parent.name for file in data.sample_bots().glob(f"*/{FILE_NAME}"))


def find(argument: str) -> Bot:
    """The bot that an argument names; a usage error that says what would do."""
    try:
        path = Path(argument)
        if path.is_dir() or path.suffix == ".toml" or " " in argument or path.is_file():
            return read_bot(argument)
        if argument in sample_names():
            return read_bot(data.sample_bots() / argument)
    except BadBotFile as error:
        raise click.UsageError(str(error)) from None
    known = sample_names()
    raise click.UsageError(
        f"{argument!r} is no bot: no folder of this name, no sample bot, no command line."
        f"{did_you_mean(argument, known)} Sample bots: {', '.join(known)}"
    )


def named_bots(arguments: Sequence[str]) -> list[Bot]:
    """All of them; the second bot of a name is called name-2, and so on."""
    bots = []
    seen: Counter[str] = Counter()
    for argument in arguments:
        bot = find(argument)
        seen[bot.name] += 1
        times = seen[bot.name]
        bots.append(replace(bot, name=f"{bot.name}-{times}") if times > 1 else bot)
    return bots


async def prepare(house: House, bots: Sequence[Bot]) -> list[Program]:
    """Each in a private copy of its folder, built; the copies go with the house."""

    def tell(line: str) -> None:
        click.echo(line, err=True)

    try:
        return await prepared(house.warden, bots, house.folder, tell)
    except BuildFailed as error:
        raise click.ClickException(str(error)) from None
