"""The top of a league's file: game, seats, options, clock, anchor, limits and rules that end it."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import fields
from math import inf, isnan
from pathlib import Path
from typing import Any

from arena.games import GAMES, BadOption, Game, UnknownGame
from arena.league.file.bot_tables import ListedBot
from arena.league.file.cross_checks import over_limits
from arena.league.file.problems import Problems, unknown
from arena.league.file.values import values_of
from arena.league.model.anchor import Anchor
from arena.league.model.config import EntryLimits, Tls
from arena.league.model.stopping import Stopping
from arena.record.timing import BOT_TIMES, FAULTS_TO_FORFEIT, Timing

# TOML has no word for nothing; SPEC and error messages use this one.
NIL = "nil"


def game_of(name: str | None, problems: Problems) -> Game | None:
    """Return the rule set of this name; None with a problem, or without a name."""
    if name is None:
        return None
    try:
        return GAMES[name]
    except UnknownGame as error:
        problems.say(f"`game`: {error}")
        return None


def seats_of(
    seats: int | None, game: Game | None, problems: Problems, *, is_there: bool
) -> int | None:
    """Return the table size, the smallest unless the file has one; None with a problem.

    `is_there`: the file has a value, which was a problem already if `seats` is None.
    """
    if game is None or (seats is None and is_there):
        return None
    if seats is None:
        return game.seats[0]
    if seats not in game.seats:
        sizes = ", ".join(map(str, game.seats))
        problems.say(
            f"`seats` is {seats}, and {game.name} is played by {sizes}."
            f" For instance: seats = {game.seats[-1]}"
        )
        return None
    return seats


def options_of(
    given: Mapping[str, object], game: Game | None, seats: int | None, problems: Problems
) -> dict[str, object]:
    """Return the options. Each is tried alone, so that all wrong ones are found; then together.

    If the number of seats is not known, only options that no table would take are problems.
    """
    options = {name: None if value == NIL else value for name, value in given.items()}
    if game is None:
        return options
    sizes = game.seats if seats is None else (seats,)
    alone = [{name: value} for name, value in options.items()]
    refused = [error for each in alone if (error := _refused(game, sizes, each))]
    if not refused and (error := _refused(game, sizes, options)):
        refused = [error]
    for error in refused:
        problems.say(f"[options]: {error}")
    return options


def timing_of(clock: Mapping[str, int], faults: Mapping[str, int]) -> Timing:
    """Return the clock of all bots, from what is right in [clock] and [faults]."""
    times = {name: clock[name] for name in BOT_TIMES if name in clock}
    return Timing(**times, faults_to_forfeit=faults.get("to_forfeit", FAULTS_TO_FORFEIT))


def entry_limits_of(
    top: MutableMapping[str, Any], tables: Sequence[ListedBot], problems: Problems
) -> EntryLimits:
    """Take the limits of entrants out of the top of the file; the bots of the file must keep to
    them."""
    limits = EntryLimits(**{one.name: top.pop(one.name, None) for one in fields(EntryLimits)})
    for problem in over_limits([one.entrant for one in tables if one.entrant], limits):
        problems.say(problem)
    return limits


def anchor_of(
    given: str | Mapping[str, object], tables: Sequence[ListedBot], problems: Problems
) -> Anchor:
    """Return the anchor; without one in the file, the mean of all bots at 0."""
    table = {"bots": given} if isinstance(given, str) else given
    found = values_of(table, "anchor", " of [anchor]", problems)
    bots = found.get("bots")
    if isinstance(bots, str):
        bots = [bots]
    weights = dict(bots) if isinstance(bots, dict) else dict.fromkeys(bots or (), 1.0)
    if bots is not None and not (weights and all(0 < each < inf for each in weights.values())):
        problems.must("bots", "anchor", " of [anchor]", table["bots"])
    if isnan(found.get("elo", 0.0)):
        problems.must("elo", "anchor", " of [anchor]", table["elo"])
    names = [one.name for one in tables if one.name]
    if len(names) == len(tables):
        for name in weights:
            if name not in names:
                problems.say(f"`anchor`: {unknown(name, names)}")
    return Anchor(weights, found.get("elo", 0.0))


def tls_of(given: Mapping[str, object], folder: Path, problems: Problems) -> Tls | None:
    """Return the files of [tls]; None unless all are named. `folder`: paths are as seen from it.

    Whether they are there is seen when they are used: by the scheduler's machine they may be, and
    not by one that only shows the table.
    """
    found = values_of(given, "tls", " of [tls]", problems)
    files = {name: folder / Path(path).expanduser() for name, path in found.items()}
    return Tls(**files) if len(files) == len(fields(Tls)) else None


def _refused(game: Game, sizes: Sequence[int], options: Mapping[str, object]) -> BadOption | None:
    """Return why tables of all these sizes refuse the options; None if one takes them."""
    refused = None
    for seats in sizes:
        try:
            game.deal(seats, b"", options)
        except BadOption as error:
            refused = error
        else:
            return None
    return refused


def stop_of(given: Mapping[str, object], bots: int, problems: Problems) -> Stopping | None:
    """Return the rules that end the league early; None without any. `bots`: how many there are."""
    found = values_of(given, "stop", " of [stop]", problems)
    test = found.get("test")
    if test is not None and test[0] >= test[1]:
        problems.must("test", "stop", " of [stop]", test)
        return None
    if test is not None and bots != 2:
        problems.say(
            f"`test` of [stop] is about two bots, and there are {bots}; leave it out, or write"
            " separated = true"
        )
    rules = Stopping(**{**found, "test": None if test is None else tuple(test)})
    return None if rules == Stopping() else rules
