"""The schedule: the sets of a league, each a line-up in its circular order.

Pure, and the schedule only ever grows: each set is chosen from the sets before it and from lots
of its own number. So the first sets do not depend on the number of sets asked for, and bots that
enter later change no set that was planned.

Few line-ups come in turn (`arena.league.plan.in_turn`); if there are more than FEW_LINE_UPS, each
is drawn, seat by seat (`arena.league.plan.balanced`).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Protocol

from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Format
from arena.league.plan.balanced import Balanced, numbers_of
from arena.league.plan.in_turn import InTurn, few_line_ups
from arena.league.plan.past import Ints, Past


class NoLineUp(ValueError):
    """No table can be filled; the text gives the reason and the remedy."""


def schedule(
    entrants: Sequence[tuple[str, str]],
    *,
    seats: int,
    sets: int,
    lots: bytes,
    format: Format = "round-robin",  # noqa: A002  # the word of the league's file
    challenger: str | None = None,
    duplicate: bool = True,
    owners_may_meet: bool = False,
    already: Sequence[PlannedSet] = (),
    left_out: Container[int] = (),
) -> list[PlannedSet]:
    """Return the sets to add to those already planned, so that there are `sets` in all.

    `entrants` are names with their owners, in any order; `lots` are secret bytes that tell
    nothing about any seed; `left_out` are numbers of sets that nobody plays. Raises NoLineUp.
    """
    check_line_ups(entrants, seats, format, challenger, owners_may_meet)
    at_every_table = challenger if format == "gauntlet" else None
    if sets <= len(already):
        return []
    owner_of = owners_who_part(entrants, at_every_table, owners_may_meet)
    past = Past(list(owner_of), seats)
    for planned in already:
        if planned.number not in left_out:
            past.count([past.at.get(name) for name in planned.line_up])
    line_ups = few_line_ups(owner_of, seats, at_every_table)
    source: Source = (
        Balanced(owner_of, at_every_table, past) if line_ups is None else InTurn(line_ups, past)
    )
    added = []
    for number in range(len(already) + 1, sets + 1):
        draws = numbers_of(lots, number, source.draws + seats)
        chosen = source.choose(draws[seats:])
        line_up = [bot for _, bot in sorted(zip(draws[:seats].tolist(), chosen, strict=True))]
        if not duplicate:
            line_up = past.fairly_turned(line_up)
        past.count(line_up)
        added.append(PlannedSet(number, tuple(past.names[bot] for bot in line_up)))
    return added


def check_line_ups(
    entrants: Sequence[tuple[str, str]],
    seats: int,
    format: Format,  # noqa: A002  # the word of the league's file
    challenger: str | None,
    owners_may_meet: bool,
) -> None:
    """Raise NoLineUp unless a table can be filled with these bots."""
    if format == "gauntlet" and challenger not in dict(entrants):
        raise NoLineUp(f"the challenger of this gauntlet, {challenger!r}, is none of its bots")
    if reason := why_no_line_up(entrants, seats, owners_may_meet):
        raise NoLineUp(reason)


def why_no_line_up(
    entrants: Sequence[tuple[str, str]], seats: int, owners_may_meet: bool
) -> str | None:
    """Return the reason why no table can be filled with these bots, and the remedy; else None."""
    owners: dict[str, list[str]] = {}
    for name, owner in entrants:
        owners.setdefault(name if owners_may_meet else owner, []).append(name)
    if len(owners) >= seats:
        return None
    if len(owners) == len(entrants):
        return (
            f"{seats} seats need {seats} bots, and there are {len(entrants)}; enter more, or "
            "choose fewer seats"
        )
    shared = "; ".join(
        f"{owner} has {', '.join(names)}" for owner, names in owners.items() if len(names) > 1
    )
    return (
        f"{seats} seats need bots of {seats} owners, as two of one owner never sit together, and "
        f"there are {len(owners)} ({shared}); enter bots of others, choose fewer seats, or set "
        "owners_may_meet = true"
    )


def owners_who_part(
    entrants: Sequence[tuple[str, str]], challenger: str | None, owners_may_meet: bool
) -> dict[str, str]:
    """Return the bots that can ever sit, by name, each with the owner whose bots it may not meet.

    They are sorted by name, so that the order of `entrants` changes nothing.
    """
    owner_of = {name: name if owners_may_meet else owner for name, owner in sorted(entrants)}
    if challenger is None:
        return owner_of
    return {
        name: owner
        for name, owner in owner_of.items()
        if name == challenger or owner != owner_of[challenger]
    }


class Source(Protocol):
    """A source of line-ups: in turn, or a balanced draw."""

    draws: int
    """The number of lots that `choose` needs."""

    def choose(self, draws: Ints) -> Sequence[int]:
        """Return the next line-up, in any order; the caller then counts it in the past."""
