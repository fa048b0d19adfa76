"""Further sets of a league that has begun, for the bots that still take part in it.

A benched bot plays no more, nor does a version that another has replaced; the sets left out with
them count as unplanned. Pure, and worked out from the league's events alone, so that `arena verify`
can do it again.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.plan.roster import Roster
from arena.league.plan.schedule import NoLineUp, check_line_ups, schedule


def more_sets(
    settings: Settings,
    roster: Roster,
    lots: bytes,
    already: Sequence[PlannedSet],
    sets: int,
) -> list[PlannedSet]:
    """Plan sets to add to those planned already, so that there are `sets` in all.

    Raises NoLineUp.
    """
    benched = roster.benched
    return schedule(
        roster.taking_part,
        seats=settings.seats,
        sets=sets,
        lots=lots,
        format=settings.format,
        challenger=settings.challenger,
        duplicate=settings.duplicate,
        owners_may_meet=settings.owners_may_meet,
        already=already,
        left_out={
            planned.number
            for planned in already
            if planned.number in roster.dropped
            or any(planned.number > benched.get(name, planned.number) for name in planned.line_up)
        },
    )


def sets_in_all(
    settings: Settings,
    entrants: Sequence[tuple[str, str]],
    planned: int,
    left_out: int,
    benched: Container[str],
) -> int:
    """Return the number of sets that will have counted when the league is finished.

    `planned`: sets in the schedule; `left_out`: those of them that count for nobody. At the end
    others are planned in their place, if the bots that still take part can fill a table.
    """
    to_count = planned - left_out
    if to_count >= settings.sets or not planned:
        return to_count
    rest = [(name, owner) for name, owner in entrants if name not in benched]
    try:
        check_line_ups(
            rest, settings.seats, settings.format, settings.challenger, settings.owners_may_meet
        )
    except NoLineUp:
        return to_count
    return settings.sets
