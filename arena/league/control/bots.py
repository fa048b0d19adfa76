"""Bots admitted, retired and taken up again."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.bots.botfile import NAME_IN_WORDS, NAME_PATTERN
from arena.league.control.acts import ActRefused
from arena.league.control.whole import ActDone, ActedOn, merged, row_called
from arena.league.entry.stored import league_of_store, retired_bots, unfinished_sets
from arena.league.entry.versions import in_rows
from arena.league.file.problems import BadLeague
from arena.league.file.reading import bot_tables
from arena.league.model.config import League
from arena.league.model.settings import Settings
from arena.league.plan.formats import format_of
from arena.league.plan.roster import Roster
from arena.league.store import events
from arena.text import plain

PATH = "path"


def admit(of: ActedOn, bot: Mapping[str, Any], *, is_invited: bool = False) -> ActDone:
    """Keep the table of a new bot in the store, and enter it.

    `is_invited`: its token is drawn afterwards, and is in no file.
    """
    name = bot.get("name")
    if not (isinstance(name, str) and re.fullmatch(NAME_PATTERN, name)):
        raise ActRefused(
            f"{plain(str(name))!r} is no name for a bot: a name is {NAME_IN_WORDS}",
            is_misnamed=True,
        )
    refuse_known(of, name)
    of.store.admit(name, _seen_from(of.file.absolute().parent, bot))
    return merged(of, (name,) if is_invited else ())


def refuse_known(of: ActedOn, name: str) -> None:
    """Refuse the name of a bot that the league has, or had."""
    if name in retired_bots(of.store):
        raise ActRefused(
            f"{name} was in this league, and is retired: `arena admit {of.named} {name}` takes it"
            " up again; a new bot needs another name"
        )
    if of.store.has_begun and name in of.store.roster().rows:
        dials_in = f"; its token: `arena tokens {of.named} --renew {name}`"
        has_token = any(each.bot == name for each in of.store.tokens())
        raise ActRefused(
            f"{name} is in this league already: choose another name{dials_in if has_token else ''}"
        )
    if of.file.is_file() and name in bot_tables(of.file):
        raise ActRefused(
            f"{of.file.name} has a bot called {name} already: `arena admit {of.named}` enters it,"
            " with all else that is new in the file"
        )


def admit_again(of: ActedOn, name: str) -> ActDone:
    """Take up a retired bot again, by its name in the file or that of its row."""
    roster = of.store.roster()
    if name in roster.rows:
        name = roster.rows[name].base
    if name not in retired_bots(of.store):
        raise _not_retired(of, name)
    row = roster.current(name)
    of.store.add_events([events.admitted_again(name if row is None else row.name)])
    if name in bot_tables(of.file):
        of.store.admit(name, None)  # kept only while it was retired
    done = merged(of)
    return replace(done, lines=(f"{name} takes part again", *done.lines))


def _not_retired(of: ActedOn, name: str) -> ActRefused:
    where = "say where it is: --path, --sample or --command"
    rows = of.store.roster().rows if of.store.has_begun else {}
    if name in rows:
        return ActRefused(f"{name} is in this league, and is not retired: there is nothing to do")
    if of.file.is_file() and name in bot_tables(of.file):
        return ActRefused(
            f"{name} is new in {of.file.name}: `arena admit {of.named}` enters it, with all else"
            " that is new in the file"
        )
    return ActRefused(
        f"{plain(name)!r} is no bot of this league that was retired; for a new one, {where}, or"
        f" `arena invite {of.named} {shlex.quote(plain(name))}` for one that dials in",
        is_misnamed=True,
    )


def retire(of: ActedOn, name: str) -> ActDone:
    """Plan nothing more for a bot, and give up its sets that have not begun."""
    store = of.store
    roster = store.roster()
    row = row_called(roster, name)
    if row.name in roster.retired:
        raise ActRefused(f"{row.name} is retired already")
    _refuse_last_challenger(of, roster, row.name)
    its = [one for one in unfinished_sets(store, roster) if row.name in one.line_up]
    begun = {one.number for one in store.begun()}
    given_up = [
        one.number for one in its if one.number not in begun and one.number not in of.in_play
    ]
    _keep_table(of, row.base)
    event = events.retired(row.name, given_up)
    store.add_events([event])
    roster.tell(event)
    left = len(its) - len(given_up)
    lines = [f"{row.name} is retired; sets with it that are not played any more: {len(given_up):,}"]
    if left:
        lines.append(f"sets with it that have begun, and are played to their end: {left:,}")
    kind = format_of(Settings.from_json(store.settings).terms)
    if (reason := kind.why_not(roster.taking_part)) is not None:
        lines.append(f"nothing more can be planned now: {reason}")
    try:
        league = _with_entrants_of_store(of)
    except BadLeague as error:
        lines += [
            f"but the file cannot be read as it is now: {line}" for line in of.problems(error)
        ]
        league = None
    return ActDone(tuple(lines), league)


def _refuse_last_challenger(of: ActedOn, roster: Roster, name: str) -> None:
    """Refuse to retire the bot without which a gauntlet has no table."""
    challengers = Settings.from_json(of.store.settings).challengers
    here = [each for each, _ in roster.taking_part if each in challengers]
    if here == [name]:
        raise ActRefused(
            f"{name} is the challenger of this gauntlet, and has a seat at every table: stop the"
            " league, or begin a new one, with a file of another name"
        )


def _keep_table(of: ActedOn, base: str) -> None:
    """Keep the table of a bot of the file, so that it can play on and come back without it."""
    try:
        table = bot_tables(of.file).get(base)
    except BadLeague:
        return  # a bot can be retired all the same
    if table is not None:
        of.store.admit(base, table)


def _with_entrants_of_store(of: ActedOn) -> League:
    """Return the league with the bots that have entered: others of the file wait for a merge."""
    league = in_rows(league_of_store(of.file, of.store, may_be_few=True), of.store.roster())
    known = {each.name for each in of.store.entrants()}
    return replace(league, entrants=tuple(each for each in league.entrants if each.name in known))


def _seen_from(folder: Path, bot: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a table with its path as seen from this folder, as in a file there."""
    path = bot.get(PATH)
    if not (isinstance(path, str) and os.path.isabs(path)):
        return bot
    return {**bot, PATH: os.path.relpath(path, folder)}
