"""How ranks and ratings have moved over the last sets, from the history of the standings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.league.table.standings import Moment, Standings

# The sets looked back over are so many that each bot has played about this many of them.
SETS_OF_A_BOT = 5


@dataclass(frozen=True)
class Shift:
    """The change of one bot: ranks gained (below 0: lost), and Elo."""

    ranks: int
    elo: float


@dataclass(frozen=True)
class Movement:
    """The changes over the last `sets` counted sets. A bot that is new since has none."""

    sets: int
    shifts: Mapping[str, Shift]


def movement(standings: Standings) -> Movement | None:
    """Return the changes against the moment that is far enough back; None: there is none yet."""
    before = moment_before(standings)
    if before is None:
        return None
    then = ranks_then(standings, before)
    shifts = {
        row.name: Shift(then[row.name] - row.rating.rank, row.rating.elo - before.elo[row.name][0])
        for row in standings.rows
        if row.name in then
    }
    return Movement(standings.facts.sets - before.sets, shifts)


def moment_before(standings: Standings) -> Moment | None:
    """Return the last moment of the history that is far enough back."""
    facts = standings.facts
    back = max(1, round(SETS_OF_A_BOT * len(standings.rows) / facts.seats))
    found = [moment for moment in standings.history if moment.sets <= facts.sets - back]
    return found[-1] if found else None


def ranks_then(standings: Standings, moment: Moment) -> dict[str, int]:
    """Return the ranks at that moment, in each part among the bots that had a rating then."""
    ranks: dict[str, int] = {}
    for part in range(standings.parts):
        names = [row.name for row in standings.rows if row.part == part and row.name in moment.elo]
        names.sort(key=lambda name: -moment.elo[name][0])
        ranks |= {name: rank for rank, name in enumerate(names, 1)}
    return ranks
