"""`arena match --like LEAGUE:MATCH`: what a match of a league was played with, taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from arena.cli.bots import find
from arena.cli.leagues import FILE_SUFFIX, find_match, reading, shown_match
from arena.cli.match import Named
from arena.league.config import League
from arena.league.file import BadLeague, read_league
from arena.league.played import Played
from arena.league.settings import Settings
from arena.record.transcript import plain
from arena.referee.botfile import Bot
from arena.referee.contents import content_hash
from arena.referee.match import Plan


def match_like(argument: str, named: Sequence[str]) -> Named:
    """The same deal, options, clock and seating; bots as they are today, or others by seat."""
    found = find_match(argument)
    if found is None:
        raise click.BadParameter(
            f"name a league and a match of it, such as league:17.4; got {argument!r}",
            param_hint="--like",
        )
    folder, place = found
    with reading(folder) as store:
        played = shown_match(store, place)
        settings = Settings.from_json(store.settings)
        contents = {known.name: known.content for known in store.entrants()}
    record = played.record
    bots = seated(folder, played, named)
    for bot in bots:
        if bot.name in contents and content_hash(bot) != contents[bot.name]:
            click.echo(f"{plain(bot.name)} is not what it was in this match", err=True)
    names = tuple(bot.name for bot in bots)
    plan = Plan(
        match="",
        game=record.game,
        seats=record.seats,
        seed=record.seed_bytes,
        names=names,
        options=dict(record.options),
        timing=settings.timing,
        shown_names=names if settings.show_names else None,
    )
    return Named(plan, settings.start_ms, bots)


def seated(folder: Path, played: Played, named: Sequence[str]) -> tuple[Bot, ...]:
    """By seat: those of the league's file, or those named, who may be of the file too."""
    names = played.record.names
    if named and len(named) != len(names):
        raise click.UsageError(
            f"this match had {len(names)} seats, so name {len(names)} bots by seat, or none:"
            f" {', '.join(map(plain, names))} sat there; got {len(named)}"
        )
    file = folder.with_suffix(FILE_SUFFIX)
    if not named:
        league = the_league(file, names)
        return tuple(entrant(league, name, file) for name in names)
    known = the_league(file, names) if file.is_file() else None
    entered = {each.name for each in known.entrants} if known is not None else set()
    return tuple(
        entrant(known, each, file)
        if known is not None and each in entered and not Path(each).exists()
        else find(each)
        for each in named
    )


def the_league(file: Path, names: Sequence[str]) -> League:
    """What the league's file says today."""
    instead = f"name the bots by seat, in the place of {', '.join(map(plain, names))}"
    if not file.is_file():
        raise click.ClickException(f"there is no {file} to take the bots from; {instead}")
    try:
        return read_league(file)
    except BadLeague as error:
        raise click.ClickException(f"{error}\nMend it, or {instead}") from None


def entrant(league: League, name: str, file: Path) -> Bot:
    """A bot of the league, under the name it has there."""
    for each in league.entrants:
        if each.name == name and each.bot is None:
            raise click.ClickException(
                f"{file}: {plain(name)} dials in, and is not ours to start; name the bots of this"
                " match by seat"
            )
        if each.name == name and each.bot is not None:
            return replace(each.bot, name=name)
    raise click.ClickException(
        f"{file}: {plain(name)} is not in it any more; name the bots of this match by seat"
    )
