"""A league as its file and its store give it together: the store has the last word about bots.

Bots that were admitted by command are in the store alone. Bots that were retired are out, whether
the file still has them or not; one that sits in a set that has begun plays that set to its end.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.league.file.problems import BadLeague
from arena.league.file.reading import StoredBots, bot_tables, read_league
from arena.league.model.config import League
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.plan.formats import FORMATS
from arena.league.plan.roster import Roster
from arena.league.store.database import Tell, untold
from arena.league.store.store import Store
from arena.text import listed


def league_of_store(
    file: Path, store: Store, tell: Tell = untold, *, may_be_few: bool = False
) -> League:
    """Return the league that this file and this open store make; raises BadLeague.

    `tell` is called with lines where file and store disagree, and one of them counts.
    `may_be_few`: as for `read_league`.
    """
    retired, playing = retired_bots(store), _retired_and_playing(store)
    stored = StoredBots(store.admitted(), retired - playing, _has_retired_callers(store))
    league = read_league(file, stored, may_be_few=may_be_few)
    if gone := playing - {each.name for each in league.entrants}:
        are, them = ("is", "it") if len(gone) == 1 else ("are", "them")
        raise BadLeague(
            [
                f"{file}: {listed(sorted(gone))} {are} retired, and sets that have begun are played"
                f" to their end with {them}: put {them} back into the file until then"
            ]
        )
    for line in _disagreements(file, retired, stored.admitted):
        tell(line)
    return league


def retired_bots(store: Store) -> frozenset[str]:
    """Return the bots that are retired, by their names in the file."""
    roster = store.roster()
    rows = roster.rows
    # A league begun anew, as nothing was played, has no row of a bot that was retired before.
    return frozenset(rows[name].base if name in rows else name for name in roster.retired)


def _has_retired_callers(store: Store) -> bool:
    roster = store.roster()
    rows = [roster.rows[name] for name in roster.retired if name in roster.rows]
    return any(row.content == UNKNOWN_CONTENT for row in rows)


def _retired_and_playing(store: Store) -> frozenset[str]:
    """Return the retired bots that sit in sets that are still to be played to their end."""
    roster = store.roster()
    rows = [roster.rows[name] for name in roster.retired if name in roster.rows]
    if not rows:
        return frozenset()
    seated = {name for planned in unfinished_sets(store, roster) for name in planned.line_up}
    return frozenset(row.base for row in rows if row.name in seated)


def unfinished_sets(store: Store, roster: Roster) -> list[PlannedSet]:
    """Return the sets that are being played, or are still to be played.

    A planner would say the same, after reading every match of a long league.
    """
    counts_at_once = FORMATS[Settings.from_json(store.settings).format].counts_at_once
    benched = {} if counts_at_once else roster.benched
    planned = (state.planned for state in store.unfinished())
    return [
        one
        for one in planned
        if one.number not in roster.dropped
        and not any(one.number > benched.get(name, one.number) for name in one.line_up)
    ]


def _disagreements(
    file: Path, retired: frozenset[str], admitted: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return a line for each bot that the file has otherwise than the store."""
    if not (retired or admitted):
        return []
    tables = bot_tables(file)
    name_of_league = shlex.quote(str(file.with_suffix("")))
    lines = [
        f"{name} is retired and plays no part, though {file.name} has it:"
        f" `arena admit {name_of_league} {name}` takes it up again"
        for name in sorted(retired & tables.keys())
    ]
    return lines + [
        f"{name} was admitted by command, and {file.name} has it otherwise: that of the file counts"
        for name in sorted(admitted.keys() & tables.keys() - retired)
        if tables[name] != {**admitted[name], "name": name}
    ]
