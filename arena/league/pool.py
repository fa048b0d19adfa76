"""The processes of the bots, and which of them plays which match.

A process never plays two matches of one set: memory in it is of no use then. Each bot has a few
places for processes; who plays is drawn among those that are free and have not seen the set. If
all have seen it, one is ended and started afresh. Files and side channels are beyond this, and
so is a bot that dials in: it has one place, for the one connection that it may have.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import trio

from arena.league.orders import Caller, Entry, Setup
from arena.referee.dialling import DialledPlayer
from arena.referee.house import House
from arena.referee.player import Player

# More would fill the memory of a machine with idle bots.
MOST_PROCESSES = 8
# A number of each process, never used twice: 48 bits fit every reader's integers.
NUMBER_BITS = 48


def processes_for(matches_of_a_set: int, at_once: int) -> int:
    """How many processes of each bot are kept: enough that none need be started afresh."""
    return max(at_once, min(MOST_PROCESSES, matches_of_a_set + at_once - 1))


class Seated:
    """A place for a process of one bot."""

    def __init__(self, player: Player, *, is_ours: bool = True):
        self.player = player
        self.is_free = True
        self._is_ours = is_ours  # to be ended and started afresh
        self._seen: set[int] = set()  # sets that the process now here has played in
        self._starts = 0
        self._number = 0

    def __repr__(self) -> str:
        return f"<Seated {self.player!r}, {'free' if self.is_free else 'playing'}>"

    def has_seen(self, set_number: int) -> bool:
        return self._is_ours and set_number in self._seen

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

    def __init__(self, house: House, setup: Setup, on_wait: Callable[[str], None]):
        """`on_wait`: called with the name of who dials in, when a match waits for it."""
        self._places = {bot.name: _places(house, setup, bot, on_wait) for bot in setup.bots}
        self._free = {name: trio.Semaphore(len(places)) for name, places in self._places.items()}

    def __repr__(self) -> str:
        return f"<Pool of {len(self._places)} bots>"

    @asynccontextmanager
    async def seated(self, names: Sequence[str], set_number: int) -> AsyncIterator[list[Seated]]:
        """A place of each bot, whose process has not seen the set; they are this match's alone
        meanwhile."""
        taken: dict[str, Seated] = {}
        try:
            # All matches take them in one order: none waits for a bot of who waits for one of its.
            for name in sorted(names):
                await self._free[name].acquire()
                taken[name] = self._take(name, set_number)
            yield [taken[name] for name in names]
        finally:
            for name, place in taken.items():
                place.is_free = True
                self._free[name].release()

    def _take(self, name: str, set_number: int) -> Seated:
        free = [place for place in self._places[name] if place.is_free]
        fresh = [place for place in free if not place.has_seen(set_number)]
        place = secrets.choice(fresh or free)
        place.is_free = False
        return place

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


def _places(
    house: House, setup: Setup, bot: Entry | Caller, on_wait: Callable[[str], None]
) -> list[Seated]:
    if isinstance(bot, Entry):
        program = bot.program()
        return [Seated(house.player(program, setup.start_ms)) for _ in range(setup.processes)]
    name = bot.name
    player = DialledPlayer(
        house.lobby,
        name,
        bot.token,
        first_seconds=setup.dial_in_ms / 1000,
        again_ms=setup.start_ms,
        on_wait=lambda: on_wait(name),
    )
    return [Seated(player, is_ours=False)]
