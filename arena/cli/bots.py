"""Bots as a command line names them: a folder, a sample bot, a command line in quotes, or one that
dials in."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import click
import msgspec

from arena import data
from arena.bots.botfile import (
    FILE_NAME,
    NAME_IN_WORDS,
    NAME_PATTERN,
    BadBotFile,
    Bot,
    read_bot,
)
from arena.bots.build import BuildFailed
from arena.bots.builds.cache import users_cache
from arena.bots.prepare import built, prepared
from arena.bots.program import DialIn, Program
from arena.bots.refused import NotStartable
from arena.games import GAMES
from arena.record import Record
from arena.record.confinement import DIALLED_IN
from arena.record.repeat import Repeated
from arena.referee.door.guests import environment
from arena.referee.house import House
from arena.referee.players.dialled import DialledPlayer
from arena.referee.players.pool import Pool, Seated
from arena.referee.players.repeated import RepeatedPlayer
from arena.text import did_you_mean, listed, plain
from arena.tokens import KnownToken, new_token

DIALS_IN = "dial-in"


@dataclass(frozen=True)
class RepeatedBot:
    """A seat of a recorded match that repeats its actions, in the place of a bot."""

    name: str
    record: Record
    seat: int


@dataclass(frozen=True)
class PolicyBot:
    """A policy of this process in the place of a bot; the command seats it.

    `content`: a hash of its module's file. `is_timed`: it may be late.
    """

    name: str
    content: str
    is_timed: bool


def sample_names() -> list[str]:
    """Return the names of the bundled bots."""
    return sorted(file.parent.name for file in data.sample_bots().glob(f"*/{FILE_NAME}"))


def is_read_as_bot(argument: str) -> bool:
    """Tell if an argument is a folder, a bot.toml or another file, or a command line."""
    path = Path(argument)
    return path.is_dir() or path.suffix == ".toml" or " " in argument or path.is_file()


def names_a_bot(argument: str) -> bool:
    """Tell if an argument can only be meant as a bot, though perhaps one that is not there."""
    is_known = argument in sample_names() or argument.partition(":")[0] == DIALS_IN
    return is_known or "/" in argument or is_read_as_bot(argument)


def find(argument: str) -> Bot:
    """Return the bot that an argument names; else raise a usage error that says which would do."""
    try:
        if is_read_as_bot(argument):
            return read_bot(argument)
        if argument in sample_names():
            return read_bot(data.sample_bots() / argument)
    except BadBotFile as error:
        raise click.UsageError(str(error)) from None
    known = sample_names()
    why = "no folder of this name, no sample bot, no command line"
    if "/" in argument:
        why = "there is no such file or folder"
    raise click.UsageError(
        f"{argument!r} is no bot: {why}."
        f"{did_you_mean(argument, known)} Sample bots: {', '.join(known)}"
    )


def find_or_await(argument: str) -> Bot | DialIn:
    """Return the bot that an argument names, which may be one that dials in."""
    kind, _, name = argument.partition(":")
    if kind != DIALS_IN:
        return find(argument)
    if ":" in argument and not re.match(NAME_PATTERN, name):
        raise click.UsageError(
            f"{argument!r}: a name is {NAME_IN_WORDS}. For instance: {DIALS_IN}:fox"
        )
    return DialIn(name or DIALS_IN)


def must_play(game: str, seats: int, bots: Sequence[Bot | DialIn]) -> None:
    """Raise a usage error if a bot says that it plays other games, or other tables, only."""
    for bot in bots:
        if not isinstance(bot, Bot):
            continue
        if game not in bot.games:
            raise click.UsageError(
                f"{bot.name} says it plays {', '.join(bot.games)}, not {game}; add it to `games` in"
                " its bot.toml if it does"
            )
        if seats not in bot.sizes(game):
            raise click.UsageError(
                f"{bot.name} says it plays {game} at tables of {listed(bot.sizes(game))}, not of"
                f" {seats}: name as many bots, or add {seats} to `seats` in its bot.toml if it does"
            )


def only_game(bots: Sequence[Bot | DialIn]) -> str:
    """Return the one game that all bots play; else raise a usage error that names those they do."""
    played = [bot.games for bot in bots if isinstance(bot, Bot)]
    games = [game for game in GAMES if all(game in each for each in played)]
    if len(games) == 1:
        return games[0]
    if not games:
        raise click.UsageError("there is no game that all these bots say they play")
    raise click.UsageError(f"name the game before the bots, one of {', '.join(games)}")


def named_bots(arguments: Sequence[str]) -> list[Bot | DialIn]:
    """Return all bots that the arguments name, each under a name of its own.

    Folders whose bots have one name, as a copy has it, are called by their own names. The second
    place of an argument gets a number: name-2, and so on.
    """
    found = {argument: find_or_await(argument) for argument in arguments}
    names = {argument: bot.name for argument, bot in found.items()}
    often = Counter(names.values())
    for name, times in often.items():
        places = [argument for argument in names if names[argument] == name]
        folders = {each: Path(each).absolute().name for each in places if Path(each).is_dir()}
        if times > 1 and len({*folders.values()}) == times:
            names |= {each: own for each, own in folders.items() if re.match(NAME_PATTERN, own)}
    bots: list[Bot | DialIn] = []
    taken = {*names.values()}
    given: dict[str, str] = {}  # by argument, the name of its first place
    for argument in arguments:
        name = names[argument]
        if argument in given or name in given.values():
            name = numbered(name, taken)
        taken.add(name)
        given.setdefault(argument, name)
        bots.append(renamed(found[argument], name))
    of_one_name = Counter(bot.name for bot in found.values())
    which = [
        f"{given[each]} is {plain(each)}" for each in given if of_one_name[found[each].name] > 1
    ]
    if which:
        click.echo(f"bots of one name: {', '.join(which)}", err=True)
    return bots


def numbered(name: str, taken: Container[str]) -> str:
    """Return the name of a copy: name-2, or with the next number that is not taken."""
    names = (f"{name}-{number}" for number in count(2))
    return next(each for each in names if each not in taken)


def renamed(bot: Bot | DialIn, name: str) -> Bot | DialIn:
    return replace(bot, name=name) if isinstance(bot, Bot) else DialIn(name)


async def pool_of(
    house: House,
    bots: Sequence[Bot | DialIn | RepeatedBot | PolicyBot],
    start_ms: int,
    processes: int,
    logs: Mapping[str, Path],
) -> Pool:
    """Make places for this many processes of each bot; a bot that dials in has one place, a
    policy none yet.

    `start_ms`: from the start of a process to its hello. `logs`: by name, folders for the output of
    bots; others need none.
    """
    ours = [bot for bot in bots if isinstance(bot, Bot)]
    programs = [
        msgspec.structs.replace(program, logs=logs.get(program.name))
        for program in await _told(house, ours, prepared)
    ]
    places = {
        program.name: [Seated(house.player(program, start_ms)) for _ in range(processes)]
        for program in programs
    }
    for bot in bots:
        if isinstance(bot, DialIn):
            places[bot.name] = [Seated(awaited(house, bot, start_ms), is_ours=False)]
        if isinstance(bot, RepeatedBot):
            player = RepeatedPlayer(bot.name, Repeated(bot.record, bot.seat))
            places[bot.name] = [Seated(player, is_ours=False)]
    return Pool(places, house.confiner.word if ours else DIALLED_IN)


def awaited(house: House, bot: DialIn, start_ms: int) -> DialledPlayer:
    """Wait for a bot without a limit, and print how to start it."""
    token = new_token()
    player = DialledPlayer(
        house.lobby, bot.name, KnownToken.of(token), first_seconds=math.inf, again_ms=start_ms
    )
    settings = environment(house.listens_at, token)
    export = " ".join(f"{name}={value}" for name, value in settings.items())
    click.echo(
        f"{bot.name} is yours to start, and waited for until then (Ctrl-C ends it), with\n"
        f"  export {export}",
        err=True,
    )
    return player


async def prepare(house: House, bots: Sequence[Bot]) -> list[Program]:
    """Copy and build bots; the copies are removed with the house."""
    return await _told(house, bots, built)


async def _told(
    house: House, bots: Sequence[Bot], make: Callable[..., Awaitable[list[Program]]]
) -> list[Program]:
    """Call `make`, print each build as it begins, and end the command in words if it fails."""

    def tell(line: str) -> None:
        click.echo(line, err=True)

    try:
        return await make(
            house.warden, house.confiner, bots, house.folder, tell, users_cache(os.environ)
        )
    except (BuildFailed, NotStartable) as error:
        raise click.ClickException(str(error)) from None
