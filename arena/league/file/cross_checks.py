"""The parts of a league's file that must agree with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from arena.bots.botfile import FILE_NAME as BOT_FILE
from arena.bots.botfile import Bot
from arena.games import Game
from arena.league.file.bot_tables import ListedBot
from arena.league.file.keys import KEYS
from arena.league.file.names import another_name
from arena.league.file.problems import Problems
from arena.league.model.config import Entrant, EntryLimits, Tls
from arena.league.model.stopping import Stopping
from arena.tcp_address import EVERYWHERE, host_of
from arena.text import listed


def check_names(tables: Sequence[ListedBot], problems: Problems) -> None:
    """Refuse names that differ in capitals only, because they become names of files."""
    first: dict[str, ListedBot] = {}
    for one in tables:
        if one.name is None:
            continue
        other = first.setdefault(one.name.lower(), one)
        if other is not one:
            another = another_name(one.name, (each.name for each in tables if each.name))
            problems.say(
                f"`name` of {one.where} is {one.name!r}, and that of {other.where} is"
                f" {other.name!r}; names become names of files, and must differ in more than"
                f' capitals. For instance: name = "{another}"'
            )


def check_places(tables: Sequence[ListedBot], folder: Path, problems: Problems) -> None:
    """Refuse a bot whose folder holds the league."""
    for one in tables:
        if one.bot is not None and not one.bot.is_bare:
            _check_place(one.where, one.bot, folder, problems)


def check_games(
    tables: Sequence[ListedBot], game: Game | None, seats: int | None, problems: Problems
) -> None:
    """Refuse a bot that does not play the game, or not at such tables."""
    for one in tables:
        if game is None or one.bot is None:
            continue
        if game.name not in one.bot.games:
            problems.say(
                f"{one.where} ({one.bot.name}) does not play {game.name}: `games` of its"
                f" {BOT_FILE} has {', '.join(one.bot.games)}; leave it out, or choose a game"
                " that all play"
            )
        elif seats is not None and seats not in one.bot.sizes(game.name):
            sizes = listed(one.bot.sizes(game.name))
            problems.say(
                f"{one.where} ({one.bot.name}) does not play at tables of {seats}: `seats` of its"
                f" {BOT_FILE} allows {sizes} in {game.name}; leave it out, or choose `seats` that"
                " all play"
            )


def _check_place(where: str, bot: Bot, folder: Path, problems: Problems) -> None:
    here = folder.resolve()
    if bot.folder.resolve() in (here, *here.parents):
        problems.say(
            f"{where} ({bot.name}) is the folder that this file is in; a bot is all its files,"
            " and the league is kept beside its file, so it would change with every match:"
            " move this file out of the bot's folder"
        )


def check_listening(tables: Sequence[ListedBot], problems: Problems, *, is_there: bool) -> None:
    """Refuse bots that dial in without an address. `is_there`: the file has the key `listen`."""
    callers = [one.name or one.where for one in tables if one.dials_in]
    example = KEYS[""]["listen"].example
    if callers and not is_there:
        problems.say(
            f"`listen` is missing, and {listed(callers)} must be able to dial in."
            f" For instance: {example}"
        )


def check_address(address: str | None, problems: Problems, *, is_listening: bool) -> None:
    """Refuse an address for authors that nobody can dial. `is_listening`: the file has `listen`."""
    if address is None:
        return
    if not is_listening:
        problems.say(
            "`address` is what authors are told, and `listen` is missing, so nobody could dial in"
            f" there: leave it out, or add `listen`. For instance: {KEYS['']['listen'].example}"
        )
    if host_of(address) in EVERYWHERE:
        problems.say(
            f"`address` is {address!r}, and nobody can dial that: write the name or the address by"
            f" which bots reach this machine. For instance: {KEYS['']['address'].example}"
        )


def check_engine(top: Mapping[str, object], tls: Tls | None, problems: Problems) -> None:
    """Refuse a scheduler that nobody would use, and encryption without certificates."""
    scheduler = top.get("scheduler")
    if scheduler is None:
        return
    if top.get("engine") != "dask":
        problems.say(
            "`scheduler` is for the engine dask, and the sets of this league are played by jobs of"
            ' this machine: leave it out, or write engine = "dask"'
        )
    if (problem := unfit_encryption(str(scheduler), has_files=tls is not None)) is not None:
        problems.say(f"`scheduler` is {scheduler!r}, {problem}")


def unfit_encryption(scheduler: str, *, has_files: bool) -> str | None:
    """Return the rest of a sentence about a scheduler whose address does not fit [tls]; None if it
    does. `has_files`: [tls] names certificates. Dask refuses either mismatch with a traceback."""
    if scheduler.startswith("tls:") and not has_files:
        return (
            "and the certificates for it are missing: [tls] needs ca, cert and key. For instance:"
            f" {KEYS['']['tls'].example}"
        )
    if scheduler.startswith("tcp:") and has_files:
        return "which is not encrypted, and [tls] names certificates: write tls://, or no [tls]"
    return None


def check_stop(stop: Stopping | None, sets: int | None, problems: Problems) -> None:
    """Refuse a number of sets in [stop] that the league never reaches. `sets`: its own, in all."""
    if stop is not None and stop.sets is not None and sets is not None and stop.sets > sets:
        problems.say(
            f"`sets` of [stop] is {stop.sets}, and the league is over after {sets}: leave it out,"
            f" write {sets} or less there, or sets = {stop.sets} or more at the top of the file"
        )


def over_limits(entrants: Sequence[Entrant], limits: EntryLimits) -> Iterator[str]:
    """Yield why so many bots may not be in the league, each with the remedy; nothing if they may.

    `entrants`: all that would take part, one that is about to be admitted among them.
    """
    most = limits.most_bots
    if most is not None and len(entrants) > most:
        yield (
            f"`most_bots` is {most}, and there would be {len(entrants)}: leave"
            f" {len(entrants) - most} out, or write most_bots = {len(entrants)}"
        )
    of_owners: dict[str, list[Entrant]] = {}
    for each in entrants:
        of_owners.setdefault(each.owner, []).append(each)
    for owner, theirs in of_owners.items():
        most = limits.most_bots_per_owner
        if most is not None and len(theirs) > most:
            yield (
                f"`most_bots_per_owner` is {most}, and the owner {owner!r} would have"
                f" {len(theirs)}: {listed(each.name for each in theirs)}; leave"
                f" {len(theirs) - most} out, or write most_bots_per_owner = {len(theirs)}"
            )
        connections = {each.name: each.connections for each in theirs if each.bot is None}
        in_all, most = sum(connections.values()), limits.most_connections_per_owner
        if most is not None and in_all > most:
            told = listed(f"{name} with {number}" for name, number in connections.items())
            yield (
                f"`most_connections_per_owner` is {most}, and the owner {owner!r} would have"
                f" {in_all}: {told}; give them fewer `connections`, or write"
                f" most_connections_per_owner = {in_all}"
            )
