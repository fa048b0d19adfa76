"""The processes of the bots, and which of them plays which match.

A process never plays two matches of one set: memory in it is of no use then. Each bot has a few
places for processes; who plays is drawn among those that are free and have not seen the set. If
all have seen it, one is ended and started afresh. Files and side channels are beyond this.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from arena.referee.house import House, Player, Program

# More would fill the memory of a machine with idle bots.
MOST_PROCESSES = 8
# A number of each process, never used twice: 48 bits fit every reader's integers.
NUMBER_BITS = 48


def processes_for(matches_of_a_set: int, at_once: int) -> int:
    """How many processes of each bot are kept: enough that none need be started afresh."""
    return max(at_once, min(MOST_PROCESSES, matches_of_a_set + at_once - 1))


class Seated:
    """A place for a process of one bot."""

    def __init__(self, player: Player):
        self.player = player
        self.is_free = True
        self._seen: set[int] = set()  # sets that the process now here has played in
        self._starts = 0
        self._number = 0

    def __repr__(self) -> str:
        return f"<Seated {self.player!r}, {'free' if self.is_free else 'playing'}>"

    def has_seen(self, set_number: int) -> bool:
        return set_number in self._seen

    def process(self) -> int:
        """The number of the process that is here, once it has been called to a match."""
        if self._starts != self.player.starts:
            self._starts = self.player.starts
            self._seen.clear()
            self._number = secrets.randbits(NUMBER_BITS)
        return self._number

    def played(self, set_number: int) -> int:
        """It has played in this set now: the number of its process."""
        number = self.process()
        self._seen.add(set_number)
        return number

    def forget(self, set_number: int) -> None:
        self._seen.discard(set_number)


class Pool:
    """All processes of one job."""

    def __init__(self, house: House, programs: Iterable[Program], processes: int, start_ms: int):
        self._places = {
            program.name: [Seated(house.player(program, start_ms)) for _ in range(processes)]
            for program in programs
        }

    def __repr__(self) -> str:
        return f"<Pool of {len(self._places)} bots>"

    @contextmanager
    def seated(self, name: str, set_number: int) -> Iterator[Seated]:
        """A place whose process has not seen the set; it is this match's alone meanwhile."""
        free = [place for place in self._places[name] if place.is_free]
        fresh = [place for place in free if not place.has_seen(set_number)]
        place = secrets.choice(fresh or free)
        place.is_free = False
        try:
            yield place
        finally:
            place.is_free = True

    async def make_fresh(self, place: Seated, set_number: int) -> None:
        """Before a match: a process that has seen the set makes room for another."""
        if place.has_seen(set_number):
            await place.player.say_bye("done")
            place.forget(set_number)

    def forget(self, set_number: int) -> None:
        """The set is over; it comes no more."""
        for places in self._places.values():
            for place in places:
                place.forget(set_number)

    def players(self) -> list[Player]:
        return [place.player for places in self._places.values() for place in places]
