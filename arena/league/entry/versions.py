"""The row of each bot of a league's file, once the league has begun: the old one, or a new version.

A row has one content for ever, so a bot whose files have changed gets a row of its own if the
operator asks for that. A bot that has played no match may be changed in place: nothing is mixed.
An owner may change until two bots of the new owner have met.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from arena.bots.botfile import MAX_NAME_CHARS
from arena.league.model.config import League
from arena.league.model.entrants import KnownEntrant
from arena.league.model.sets import PlannedSet, SetState
from arena.league.plan.roster import Roster, RosterRow
from arena.record.timing import BotClock


@dataclass(frozen=True)
class Replaced:
    """A row that takes no further part; another version of the same bot plays instead."""

    row: str
    by: str
    sets: tuple[int, ...]  # planned with it, not complete, and not played any more
    is_new: bool  # else a version that has played before


@dataclass(frozen=True)
class Changed:
    """A row with a new owner or other connections, or with new contents or another clock of a bot
    that has played no match."""

    name: str
    owner: str
    content: str
    sets: tuple[int, ...]  # in which two bots of one owner would meet now
    clock: BotClock | None = None  # None: that of the league
    connections: int = 1


@dataclass(frozen=True)
class Resolved:
    """The league with the names of rows, and the changes that this makes.

    `contents` and `bases` are by row: the hash of its files, and its name in the file.
    """

    league: League
    contents: Mapping[str, str]
    bases: Mapping[str, str]
    changes: Sequence[Replaced | Changed]
    problems: Sequence[str]

    def known(self, roster: Roster) -> list[KnownEntrant]:
        """Return the rows that take part, as they are once the changes have been made."""
        changed = {each.name: each for each in self.changes if isinstance(each, Changed)}
        here = {each.name for each in self.league.entrants}
        replaced = [each for each in self.changes if isinstance(each, Replaced)]
        out = roster.replaced.keys() | {each.row for each in replaced}
        out -= {each.by for each in replaced}  # rows of before that come back
        out |= roster.retired - here
        rows = (changed.get(name, row) for name, row in roster.rows.items() if name not in out)
        return [KnownEntrant(row.name, row.owner, row.content, {}, row.clock) for row in rows]


def resolved(
    league: League,
    roster: Roster,
    contents: Mapping[str, str],
    states: Sequence[SetState],
    in_play: Container[int] = (),
) -> Resolved:
    """Find the row of each bot of the file. A change that is not allowed is left, to be refused.

    `contents`: by the name in the file. `states`: the schedule so far. `in_play`: the numbers of
    sets that are being played: they are played to their end, and count.
    """
    begun = [
        each.planned
        for each in states
        if each.turns or each.attempt or each.is_complete or each.planned.number in in_play
    ]
    to_come = [
        each.planned
        for each in states
        if not each.is_complete and each.planned.number not in in_play
    ]
    played = {name for planned in begun for name in planned.line_up}
    taken = {*roster.rows, *(entrant.name for entrant in league.entrants)}
    replaced, contents_now, rows, problems = [], {}, {}, []
    for entrant in league.entrants:
        base, content = entrant.name, contents[entrant.name]
        row = roster.current(base)
        if row is None:
            rows[base] = base
            if base in roster.rows:
                of = roster.rows[base].base
                problems.append(
                    f"{base!r} is the row of a later version of {of!r}: choose another name"
                )
            continue
        rows[base] = row.name
        if content == row.content or row.name in roster.retired:
            continue  # a change of one that still finishes its sets is refused later
        if row.name not in played:
            contents_now[row.name] = content
        elif league.versions == "new-row" and base not in league.challengers:
            again = with_content(roster.versions(base), content)
            rows[base] = again or version_name(base, taken)
            taken.add(rows[base])
            left_out = [one.number for one in to_come if row.name in one.line_up]
            replaced.append(Replaced(row.name, rows[base], tuple(left_out), again is None))
    entrants = tuple(replace(each, name=rows[each.name]) for each in league.entrants)
    in_its_rows = replace(league, entrants=entrants)
    changed = _changed(league, in_its_rows, roster, contents_now, begun, to_come)
    return Resolved(
        in_its_rows,
        {rows[base]: content for base, content in contents.items()},
        {row: base for base, row in rows.items()},
        [*replaced, *changed],
        problems,
    )


def in_rows(league: League, roster: Roster) -> League:
    """Return the league with the name of its row for each bot of the file."""
    rows = {each.name: roster.current(each.name) for each in league.entrants}
    entrants = (
        replace(each, name=row.name) if (row := rows[each.name]) is not None else each
        for each in league.entrants
    )
    return replace(league, entrants=tuple(entrants))


def version_name(base: str, taken: Iterable[str]) -> str:
    """Return the name of a further version: fox+2, fox+3; a long name loses its end for it."""
    lower = {name.lower() for name in taken}
    endings = (f"+{number}" for number in count(2))
    names = (f"{base[: MAX_NAME_CHARS - len(ending)]}{ending}" for ending in endings)
    return next(name for name in names if name.lower() not in lower)


def with_content(rows: Iterable[RosterRow], content: str) -> str | None:
    """Return the name of the row that has this content, None if there is none."""
    return next((row.name for row in rows if row.content == content), None)


def _changed(
    league: League,
    in_its_rows: League,
    roster: Roster,
    contents: Mapping[str, str],
    begun: Sequence[PlannedSet],
    to_come: Sequence[PlannedSet],
) -> list[Changed]:
    """Return the rows with other contents, clocks or connections, and those that get another owner
    as far as they may.

    `in_its_rows`: the league with the names of rows. `contents`: of rows, where they changed.
    """
    owners = {
        row.name: each.owner for each in league.entrants for row in roster.versions(each.name)
    }
    playing = {each.name: each for each in in_its_rows.entrants}
    played = {name for planned in begun for name in planned.line_up}
    changed = []
    for name, owner in owners.items():
        row = roster.rows[name]
        theirs = {other for other, its_owner in owners.items() if its_owner == owner}
        left_out: tuple[int, ...] = ()
        if owner != row.owner and not league.owners_may_meet:
            if _meetings(theirs, begun):
                owner = row.owner
            else:
                left_out = tuple(
                    one.number for one in _meetings(theirs, to_come) if name in one.line_up
                )
        content = contents.get(name, row.content)
        clock, connections = row.clock, row.connections
        if name in playing:
            connections = playing[name].connections
            clock = clock if name in played else playing[name].clock
        now = Changed(name, owner, content, left_out, clock, connections)
        if now != Changed(name, row.owner, row.content, (), row.clock, row.connections):
            changed.append(now)
    return changed


def _meetings(names: set[str], sets: Iterable[PlannedSet]) -> list[PlannedSet]:
    """Return the sets in which two of these rows sit."""
    return [one for one in sets if len(names.intersection(one.line_up)) > 1]


def in_words(change: Replaced | Changed) -> str:
    """Return the line that tells the operator of a change."""
    sets = f"{len(change.sets):,} set{'' if len(change.sets) == 1 else 's'}"
    rest = f"; others come in the place of {sets} planned with it" if change.sets else ""
    if isinstance(change, Changed):
        terms = ""
        if change.clock is not None:
            times = ", ".join(f"{key} = {value}" for key, value in change.clock.in_words().items())
            terms += f"; it has a clock of its own, {times}"
        if change.connections > 1:
            terms += f"; it may have {change.connections} connections"
        return f"{change.name} is changed in its row, and its owner is {change.owner}{terms}{rest}"
    row = "a new row" if change.is_new else "its row of before"
    return f"{change.row} has changed: it plays on as {change.by}, {row}{rest}"
