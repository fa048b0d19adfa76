"""The league that an act is about, and what is worked out from it for several acts."""

from __future__ import annotations

import shlex
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from arena.bots.program import MAY_REMEMBER
from arena.league.control.acts import ActRefused
from arena.league.entry.opening import bring_up_to_date
from arena.league.entry.stored import league_of_store
from arena.league.entry.tokens import readdressed, tokens_of
from arena.league.file.problems import BadLeague, shown
from arena.league.file.tokens import file_of
from arena.league.file.told_address import doubt, to_dial
from arena.league.model.config import League
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.model.settings import Settings
from arena.league.plan.formats import FORMATS
from arena.league.plan.roster import Roster, RosterRow
from arena.league.store.database import untold
from arena.league.store.store import Store
from arena.text import did_you_mean, listed, plain
from arena.tokens import KnownToken
from arena.utc import TIME, now


@dataclass(frozen=True)
class ActedOn:
    """The open store of a league, its file and its folder.

    `in_play`: the numbers of sets that are being played, so that have begun although the store may
    have no match of them. `listen`: the address at which a run listens, whatever the file says
    meanwhile; None: there is no run, or it does not listen.
    """

    file: Path
    store: Store
    folder: Path
    in_play: Container[int] = ()
    listen: str | None = None

    @property
    def named(self) -> str:
        """The name of the league as a command takes it."""
        return shlex.quote(str(self.file.with_suffix("")))

    def problems(self, error: BadLeague) -> Sequence[str]:
        """Return what is wrong with the file, in words for the operator of a begun league."""
        if self.store.has_begun and not self.file.exists():
            return (f"{self.file} is gone, the file of the league in {self.folder}: put it back",)
        return error.problems

    def as_it_listens(self, league: League) -> League:
        """Return the league with the address at which bots can dial in now."""
        return league if self.listen is None else replace(league, listen=self.listen)


@dataclass(frozen=True)
class ActDone:
    """What an act has changed; see `perform.Performed`."""

    lines: tuple[str, ...] = ()
    league: League | None = None
    tokens: Mapping[str, KnownToken | None] | None = None


def row_called(roster: Roster, name: str) -> RosterRow:
    """Return the row in which a bot plays, by its name in the file or that of its row."""
    row = roster.current(name) or roster.rows.get(name)
    if row is None:
        hint = did_you_mean(name, [each.base for each in roster.rows.values()])
        raise ActRefused(f"{plain(name)!r} is no bot of this league.{hint}", is_misnamed=True)
    if row.name in roster.replaced:
        raise ActRefused(
            f"{row.name} is an earlier version of {row.base}, and plays no more: name {row.base}"
        )
    return row


def merged(
    of: ActedOn, invited: Container[str] = (), *, tells_disagreements: bool = False
) -> ActDone:
    """Make all changes that file and store ask for, and tell each.

    `invited`: new bots whose tokens are not drawn here. `tells_disagreements`: lines are added
    where file and store have a bot otherwise, which is no change.
    """
    lines: list[str] = []
    tell = lines.append if tells_disagreements else untold
    store = of.store
    before = Settings.from_json(store.settings) if store.has_begun else None
    known = {each.name for each in store.entrants()}
    league = league_of_store(of.file, store, tell, may_be_few=True)
    if before is not None and before.duplicate and not league.duplicate:
        _refuse_to_repeat(of, [name for name in league.callers if name not in known])
    league = bring_up_to_date(store, league, of.in_play, lines.append)
    if before is not None:
        lines += _changed_settings(before, Settings.of(league))
    new = [each for each in store.entrants() if each.name not in known]
    lines += [f"{each.name} is admitted; its owner is {each.owner}" for each in new]
    callers = {
        each.name for each in new if each.content == UNKNOWN_CONTENT and each.name not in invited
    }
    reached = of.as_it_listens(league)
    tokens = _tokens_of(of, reached, callers, lines)
    if told := readdressed(reached, store, of.folder):
        lines.append(f"bots dial in at {to_dial(reached)} now; in new files for: {listed(told)}")
        lines += () if tokens else doubt(reached)
    if before is not None and new and _is_all_planned(store):
        names = ", ".join(each.name for each in new)
        lines.append(f"all sets are planned: raise `sets` in {of.file.name}, and {names} will play")
    return ActDone(tuple(lines), league, tokens)


def _refuse_to_repeat(of: ActedOn, new: Sequence[str]) -> None:
    """Refuse the first bots that dial in to a league whose sets are duplicate by default alone."""
    if new:
        raise ActRefused(
            "the sets of this league are played in every seating, with the same cards, and"
            f" {listed(new)} {MAY_REMEMBER}. If that will do, write duplicate = true into"
            f" {of.file.name}. If not, copy it to a file of another name, write duplicate = false"
            " into that, and begin a new league with it"
        )


def _tokens_of(
    of: ActedOn, league: League, callers: Container[str], lines: list[str]
) -> Mapping[str, KnownToken | None]:
    """Make the tokens of bots ready that dial in and are new."""
    entrants = tuple(each for each in league.entrants if each.name in callers)
    if not entrants:
        return {}
    tokens = tokens_of(replace(league, entrants=entrants), of.store, of.folder, lines.append)
    for name in tokens:
        file = file_of(of.folder, name)
        author = f"; for its author: {file}" if file.exists() else ""
        lines.append(f"{name} dials in at {to_dial(league)}{author}")
    return dict(tokens)


def _changed_settings(old: Settings, new: Settings) -> list[str]:
    was, now_is = old.to_json(), new.to_json()
    return [
        f"`{key}` was {_in_file(was[key])} and is now {_in_file(now_is[key])}"
        for key in now_is
        if was[key] != now_is[key]
    ]


def _in_file(value: object) -> str:
    return "not set" if value is None else shown(value)


def _is_all_planned(store: Store) -> bool:
    """Tell whether a newcomer has nothing to play, as all the sets that count are planned."""
    terms = Settings.from_json(store.settings).terms
    if FORMATS[terms.format].reads_results or terms.sets is None:
        return False
    return store.planner().so_far.past().to_count >= terms.sets


def to_come(expires: str | None) -> str | None:
    """Return the time at which a token is to end; refuse one that is none, or is over."""
    if expires is None:
        return None
    try:
        # Times are compared as texts: a month of one digit would last too long.
        expires = datetime.strptime(expires, TIME).strftime(TIME)
    except ValueError:
        raise ActRefused(
            f"{plain(expires)!r} is no time: write one like 2026-12-31T00:00:00Z", is_misnamed=True
        ) from None
    if expires <= now():
        raise ActRefused(
            f"a token cannot end at {expires}, which is over already: name a time to come, UTC",
            is_misnamed=True,
        )
    return expires
