"""More sets for a league that has begun: for those who still take part in it.

Whoever is benched plays no more, and what was left out with it was played by nobody. Pure, and
worked out from what is told in events, so that `arena verify` can do it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.league.schedule import schedule
from arena.league.sets import PlannedSet
from arena.league.settings import Settings


def more_sets(
    settings: Settings,
    entrants: Sequence[tuple[str, str]],
    lots: bytes,
    already: Sequence[PlannedSet],
    sets: int,
    benched: Mapping[str, int],
) -> list[PlannedSet]:
    """Sets to add to those planned already, so that there are so many in all; raises NoLineUp.

    `entrants` are names with owners; `benched`: by name, the number of the set after which.
    """
    return schedule(
        [(name, owner) for name, owner in entrants if name not in benched],
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
            if any(planned.number > benched.get(name, planned.number) for name in planned.line_up)
        },
    )
