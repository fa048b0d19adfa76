"""Bots as named on a command line: a folder, a sample bot's name, a command line in quotes, or
one that dials in."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from arena import data
from arena.games.errors import did_you_mean
from arena.referee.botfile import (
    FILE_NAME,
    NAME_IN_WORDS,
    NAME_PATTERN,
    BadBotFile,
    Bot,
    read_bot,
)
from arena.referee.build import BuildFailed
from arena.referee.dialling import DialledPlayer
from arena.referee.guests import environment
from arena.referee.house import House, Program
from arena.referee.player import Player
from arena.referee.preparing import prepared

DIAL_IN = "dial-in"


def sample_names() -> list[str]:
    """The bots that are carried along."""
    return sorted(file.parent.name for file in data.sample_bots().glob(f"*/{FILE_NAME}"))


@dataclass(frozen=True)
class Caller:
    """A bot that somebody starts by hand, in a debugger say, and that dials in."""

    name: str


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


def find_or_await(argument: str) -> Bot | Caller:
    """As `find`, or one that dials in."""
    kind, _, name = argument.partition(":")
    if kind != DIAL_IN:
        return find(argument)
    if ":" in argument and not re.match(NAME_PATTERN, name):
        raise click.UsageError(
            f"{argument!r}: a name is {NAME_IN_WORDS}. For instance: {DIAL_IN}:fox"
        )
    return Caller(name or DIAL_IN)


def must_play(game: str, bots: Sequence[Bot | Caller]) -> None:
    """A usage error if one of them says that it plays others only."""
    for bot in bots:
        if isinstance(bot, Bot) and game not in bot.games:
            raise click.UsageError(
                f"{bot.name} says it plays {', '.join(bot.games)}, not {game}; add it to `games` in"
                " its bot.toml if it does"
            )


def named_bots(arguments: Sequence[str]) -> list[Bot | Caller]:
    """All of them; the second bot of a name is called name-2, and so on."""
    bots = []
    seen: Counter[str] = Counter()
    for argument in arguments:
        bot = find_or_await(argument)
        seen[bot.name] += 1
        times = seen[bot.name]
        bots.append(replace(bot, name=f"{bot.name}-{times}") if times > 1 else bot)
    return bots


async def players_of(house: House, bots: Sequence[Bot | Caller], start_ms: int) -> Sequence[Player]:
    """In the order of the bots; who dials in is waited for until it comes."""
    programs = iter(await prepare(house, [bot for bot in bots if isinstance(bot, Bot)]))
    return [
        house.player(next(programs), start_ms)
        if isinstance(bot, Bot)
        else awaited(house, bot, start_ms)
        for bot in bots
    ]


def awaited(house: House, caller: Caller, start_ms: int) -> DialledPlayer:
    """Whoever starts it is told how."""
    player = DialledPlayer(
        house.lobby, caller.name, None, first_seconds=math.inf, again_ms=start_ms
    )
    settings = environment(house.listens_at, player.token)
    export = " ".join(f"{name}={value}" for name, value in settings.items())
    click.echo(f"{caller.name} is yours to start, with\n  export {export}", err=True)
    return player


async def prepare(house: House, bots: Sequence[Bot]) -> list[Program]:
    """Each in a private copy of its folder, built; the copies go with the house."""

    def tell(line: str) -> None:
        click.echo(line, err=True)

    try:
        return await prepared(house.warden, bots, house.folder, tell)
    except BuildFailed as error:
        raise click.ClickException(str(error)) from None
