"""`arena match --like LEAGUE:MATCH`: plays a match of a league again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from arena.bots.botfile import Bot
from arena.bots.contents import content_hash
from arena.cli.bots import RepeatedBot, find, numbered
from arena.cli.leagues import (
    FILE_SUFFIX,
    ask_which_match,
    find_match,
    reading,
    shown_match,
    told_in_words,
)
from arena.cli.match_arguments import AskedMatch, Repeats
from arena.league.file.problems import BadLeague
from arena.league.file.reading import StoredBots, read_league
from arena.league.model.config import League
from arena.league.model.played import LeagueMatch
from arena.league.model.settings import Settings
from arena.league.store.folder import DATABASE, folder_of
from arena.league.store.store import read_admitted
from arena.referee.match import Plan
from arena.text import plain


@dataclass(frozen=True)
class LikedMatch:
    """A match that is to be played again.

    `folder`: of its league. `bases`: by the name of a row, the name that the league's file has for
    its bot; a row such as camel+2 is a later version of camel.
    """

    folder: Path
    played: LeagueMatch
    bases: Mapping[str, str]

    @property
    def file(self) -> Path:
        """The league's file."""
        return self.folder.with_suffix(FILE_SUFFIX)


def match_like(argument: str, named: Sequence[str], replay_others: int | None) -> AskedMatch:
    """Return a match with the same deal, options, clock and seating.

    The bots are those of the league's file as they are today, or by seat those that are named.
    With `replay_others`, a seat, there is one bot, at that seat, and the others repeat the record.
    """
    found = find_match(argument)
    if found is None:
        ask_which_match(argument)
        raise click.BadParameter(
            f"name a league and a match of it, such as league:17.4; got {argument!r}",
            param_hint="--like",
        )
    folder, place = found
    with reading(folder) as store:
        played = shown_match(store, place)
        settings = Settings.from_json(store.settings)
        contents = {known.name: known.content for known in store.entrants()}
        bases = {name: row.base for name, row in store.roster().rows.items()}
    liked = LikedMatch(folder, played, bases)
    record = played.record
    bots: Sequence[Bot | RepeatedBot] = (
        distinct(seated(liked, named))
        if replay_others is None
        else among_repeated(liked, named, replay_others)
    )
    for bot in bots:
        if (
            isinstance(bot, Bot)
            and bot.name in contents
            and content_hash(bot) != contents[bot.name]
        ):
            click.echo(f"{plain(bot.name)} has changed since this match", err=True)
    names = tuple(bot.name for bot in bots)
    plan = Plan(
        match="",
        game=record.game,
        seats=record.seats,
        seed=record.seed_bytes,
        names=names,
        options=dict(record.options),
        timing=settings.timing,
        clocks=record.clocks,
        shown_names=names if settings.show_names else None,
    )
    rows = [(seat,) for seat in range(plan.seats)]
    repeats = None if replay_others is None else Repeats(record, replay_others)
    return AskedMatch(plan, settings.start_ms, bots, rows, repeats=repeats)


def among_repeated(
    liked: LikedMatch, named: Sequence[str], seat: int
) -> Sequence[Bot | RepeatedBot]:
    """Return the bot of one seat, and in all others recorded seats."""
    played, record = liked.played, liked.played.record
    if not 0 <= seat < record.seats:
        raise click.BadParameter(
            f"this match had seats 0 to {record.seats - 1}; got {seat}",
            param_hint="--replay-others",
        )
    if len(named) > 1:
        raise click.UsageError(
            f"--replay-others {seat} leaves one seat to play: name one bot for it, or none for"
            f" {plain(record.names[seat])}; got {len(named)}"
        )
    if not played.is_begun:
        raise click.ClickException(
            f"match {played.place} was not begun: there is nothing to repeat"
        )
    asked = [named[0] if each == seat and named else name for each, name in enumerate(record.names)]
    bot = at_seat(liked, asked[seat])
    others = {name for each, name in enumerate(record.names) if each != seat}
    if bot.name in others:
        bot = replace(bot, name=numbered(bot.name, others))
    return tuple(
        bot if each == seat else RepeatedBot(name, record, each)
        for each, name in enumerate(record.names)
    )


def distinct(bots: Sequence[Bot]) -> Sequence[Bot]:
    """Return the bots with names of their own: a bot that has several seats has one process in
    each. No copy gets the name of another bot."""
    taken = {bot.name for bot in bots}
    seen: set[str] = set()
    renamed = []
    for bot in bots:
        if bot.name in seen:
            bot = replace(bot, name=numbered(bot.name, taken))
        seen.add(bot.name)
        taken.add(bot.name)
        renamed.append(bot)
    return renamed


def seated(liked: LikedMatch, named: Sequence[str]) -> tuple[Bot, ...]:
    """Return the bots by seat: those of the league's file, or those named, also by their names
    there."""
    names = liked.played.record.names
    if named and len(named) != len(names):
        raise click.UsageError(
            f"this match had {len(names)} seats, so name {len(names)} bots by seat, or none:"
            f" {', '.join(map(plain, names))} sat there; got {len(named)}"
        )
    if not named:
        league = the_league(liked.file, names)
        return tuple(entrant(league, liked, name) for name in names)
    return tuple(at_seat(liked, each) for each in named)


def at_seat(liked: LikedMatch, named: str) -> Bot:
    """Return a bot by its name in the league's file, by that of a row, or as a command line names
    one."""
    file = liked.file
    known = the_league(file, liked.played.record.names) if file.is_file() else None
    entered = {each.name for each in known.entrants} if known is not None else set()
    is_entered = named in entered or liked.bases.get(named) in entered
    if known is not None and is_entered and not Path(named).exists():
        return entrant(known, liked, named)
    return find(named)


def the_league(file: Path, names: Sequence[str]) -> League:
    """Read the league's file as it is today."""
    instead = f"name the bots by seat, in the place of {', '.join(map(plain, names))}"
    if not file.is_file():
        raise click.ClickException(f"there is no {file} to take the bots from; {instead}")
    try:
        return read_league(file, StoredBots(admitted_to(folder_of(file))), may_be_few=True)
    except BadLeague as error:
        raise click.ClickException(f"{error}\nMend it, or {instead}") from None


def admitted_to(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the bots that were admitted by command; none for who may not read the store."""
    if not os.access(folder / DATABASE, os.R_OK):
        return {}
    with told_in_words(folder):
        return read_admitted(folder / DATABASE)


def entrant(league: League, liked: LikedMatch, name: str) -> Bot:
    """Return a bot of the league's file as it is today, under the name of its file or of its row
    that was asked for."""
    found = {each.name: each for each in league.entrants}
    entered = found.get(name) or found.get(liked.bases.get(name, name))
    if entered is None:
        raise click.ClickException(
            f"{liked.file}: {plain(name)} is not in it any more; name the bots of this match by"
            " seat"
        )
    if entered.bot is None:
        raise click.ClickException(
            f"{liked.file}: {plain(name)} dials in, and is not ours to start; name the bots of this"
            " match by seat"
        )
    return replace(entered.bot, name=name)
