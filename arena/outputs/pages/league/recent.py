"""The sets that ended last: a list of them, and the upsets among them.

Only a few numbers are kept of each set, and only of the last sets.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from dataclasses import dataclass

from arena.league.model.played import PlayedSet
from arena.league.model.sets import Place
from arena.league.table.standings import Standings
from arena.outputs.pages.names import address_of_match, file_of_set

# Sets that are remembered, and looked through for upsets.
KEPT_SETS = 100
SHOWN_SETS = 8
SHOWN_UPSETS = 5
# From this likelihood on one bot is clearly the better one: as rows of the table are separated.
CLEARLY = 0.975


@dataclass(frozen=True, order=True)
class EndedSet:
    """A complete set: when its last match ended, and the places of each bot, match by match."""

    ended: str  # UTC
    number: int
    places: tuple[tuple[str, tuple[int, ...]], ...]  # of each bot by turn, best first

    @property
    def matches(self) -> int:
        return len(self.places[0][1])

    @property
    def address(self) -> str:
        """Its page, from the first page."""
        return file_of_set(self.number)

    def match(self, turn: int) -> str:
        """Return the address of one of its matches, from the first page."""
        return address_of_match(Place(self.number, turn))

    @property
    def means(self) -> list[tuple[str, float]]:
        """The bots and their mean places, best first."""
        return [(name, sum(places) / len(places)) for name, places in self.places]


@dataclass(frozen=True)
class Upset:
    """A set in which a bot finished ahead of others that are clearly better."""

    name: str
    beaten: tuple[tuple[str, float], ...]  # bots behind it, and by how much they are rated above
    set: int
    ended: str

    @property
    def address(self) -> str:
        return file_of_set(self.set)


class Recent:
    """The last sets of a league that may still be played, the newest last."""

    def __init__(self) -> None:
        self.sets: list[EndedSet] = []

    def __repr__(self) -> str:
        return f"<Recent, {len(self.sets)} sets>"

    def enter(self, one: PlayedSet) -> None:
        """Take a complete set. In whatever order sets come, the same are kept."""
        found = ended_set(one)
        if found not in self.sets:
            bisect.insort(self.sets, found)
            del self.sets[:-KEPT_SETS]

    def latest(self) -> list[EndedSet]:
        """Return the last sets, the newest first."""
        return self.sets[: -1 - SHOWN_SETS : -1]

    def upsets(self, standings: Standings) -> list[Upset]:
        """Return the greatest upsets among the last sets, by the ratings as they are now."""
        elo = {row.name: row.rating.elo for row in standings.rows}
        found = [upset for one in reversed(self.sets) for upset in upsets_of(one, standings, elo)]
        found.sort(key=lambda upset: -sum(above for _, above in upset.beaten))
        return found[:SHOWN_UPSETS]


def ended_set(one: PlayedSet) -> EndedSet:
    places: dict[str, list[int]] = {}
    for played in one.matches:
        for name, place in zip(played.record.names, played.record.places, strict=True):
            places.setdefault(name, []).append(place)
    best_first = sorted(places, key=lambda name: (sum(places[name]), name))
    return EndedSet(
        max(played.ended for played in one.matches),
        one.number,
        tuple((name, tuple(places[name])) for name in best_first),
    )


def upsets_of(one: EndedSet, standings: Standings, elo: Mapping[str, float]) -> list[Upset]:
    """Return the upsets of a set: ahead in more of its matches than behind counts as ahead."""
    found = []
    for name, places in one.places:
        beaten = []
        for other, theirs in one.places:
            versus = standings.versus.get((other, name))
            if versus is None or versus.superiority is None or versus.superiority < CLEARLY:
                continue
            better = sum((a < b) - (a > b) for a, b in zip(places, theirs, strict=True))
            if better > 0:
                beaten.append((other, elo[other] - elo[name]))
        if beaten:
            beaten.sort(key=lambda each: -each[1])
            found.append(Upset(name, tuple(beaten), one.number, one.ended))
    return found
