"""The format of a league in its file: its keys, and whether the bots can play it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.league.file.bot_tables import ListedBot
from arena.league.file.keys import KEYS, SETS
from arena.league.file.problems import Problems, unknown
from arena.league.model.config import League
from arena.league.model.terms import MOST_SETS_PER_TIE, SETS_PER_TABLE, LeagueTerms
from arena.league.plan.formats import FORMATS, format_of
from arena.text import listed

CHALLENGER = "challenger"
PER_LINE_UP = "sets_per_line_up"
OF_FORMATS = tuple(dict.fromkeys(key for each in FORMATS.values() for key in each.keys))
"""The keys at the top of the file that not every format has."""


def format_keys(
    top: dict[str, Any],
    tables: Sequence[ListedBot],
    seats: int | None,
    problems: Problems,
    *,
    may_be_few: bool = False,
) -> dict[str, Any]:
    """Take the keys of the format out of the top of the file; return them as a League has them.

    Keys of other formats, and bots that cannot play this one, become problems. `may_be_few`:
    too few for a table are none, as more are to come.
    """
    name = top.pop("format", League.format)
    planner = FORMATS[name]
    keys = planner.keys
    found = {key: top.pop(key) for key in OF_FORMATS if key in top}
    for key in found:
        if key not in keys:
            its = [other for other, each in FORMATS.items() if key in each.keys]
            has = "has" if len(its) == 1 else "have"
            problems.say(
                f"`{key}` is {found[key]!r}, and only {listed(its)} {has} it; leave it out, or"
                f' write format = "{its[0]}"'
            )
    if PER_LINE_UP in found and "sets" in found:
        problems.say("`sets` and `sets_per_line_up` both say how long it is: leave one out")
    in_one, in_tie = (
        found.get("sets_per_table", SETS_PER_TABLE),
        found.get("most_sets_per_tie", MOST_SETS_PER_TIE),
    )
    if "most_sets_per_tie" in keys and in_one > in_tie:
        problems.say(
            f"`sets_per_table` is {in_one}, and `most_sets_per_tie` is {in_tie}: no tie plays more"
            f" than that; write sets_per_table = {in_tie} or less, or most_sets_per_tie ="
            f" {in_one} or more"
        )
    if "sets" in keys and PER_LINE_UP not in found and not planner.endless:
        found.setdefault("sets", SETS)
    challenger = found.pop(CHALLENGER, None)
    named = [challenger] if isinstance(challenger, str) else challenger or []
    challengers = tuple(sorted({*named}))  # in any order they are the same league
    if len(challengers) < len(named):
        problems.say("`challenger` names a bot twice: name each once")
    if CHALLENGER in keys:
        _check_challengers(challengers, tables, top, problems)
    found |= {
        "format": name,
        "challengers": challengers,
        "sets": found.get("sets"),
        "pairing": planner.pairing,
    }
    if seats is not None and tables and not problems and not may_be_few:
        _check_tables(found, tables, seats, top, problems)
    return found


def _check_challengers(
    challengers: Sequence[str],
    tables: Sequence[ListedBot],
    top: Mapping[str, Any],
    problems: Problems,
) -> None:
    """Refuse a gauntlet whose challengers are none of its bots, and bots that could not meet
    any."""
    if not challengers:
        example = KEYS[""][CHALLENGER].example
        problems.say(f"`challenger` is missing, and a gauntlet needs one. For instance: {example}")
    owners = {one.name or one.where: one.owner or one.where for one in tables}
    if all(one.name and one.owner for one in tables):
        for name in challengers:
            if name not in owners:
                problems.say(f"`challenger`: {unknown(name, owners)}")
    theirs = {owners.get(name) for name in challengers}
    if len(theirs) != 1 or top.get("owners_may_meet"):
        return
    for name, owner in owners.items():
        if name not in challengers and owner in theirs:
            problems.say(
                f"`bots`: {name!r} can never play: it has the owner of the challenger"
                f" {challengers[0]!r}, {owner!r}; leave it out, or write owners_may_meet = true"
            )


def _check_tables(
    found: Mapping[str, Any],
    tables: Sequence[ListedBot],
    seats: int,
    top: Mapping[str, Any],
    problems: Problems,
) -> None:
    """Refuse bots that cannot fill a table."""
    # An unreadable table counts as a bot with an owner of its own: its problem is noted already.
    bots = [(one.name or one.where, one.owner or one.where) for one in tables]
    may_meet = top.get("owners_may_meet", League.owners_may_meet)
    terms = msgspec.convert({**found, "seats": seats, "owners_may_meet": may_meet}, LeagueTerms)
    why = format_of(terms).why_not(bots)
    if why is not None:
        problems.say(f"`bots`: {why}")
