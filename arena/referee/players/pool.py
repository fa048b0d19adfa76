"""The processes of the bots, and which of them plays which match.

A process never plays two matches of one set, so memory in it is of no use (SPEC 14). Each bot has
a few places for processes; the one that plays is drawn among those that are free, were started and
have not seen the set. If there is none, a further one is started; if all have seen the set, one is
ended and started afresh. Files and side channels are beyond this, and so is a bot that dials in: it
lends a set the connections that it has, and if they are fewer than the set's matches, one of them
plays several.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import trio

from arena.bots.launch import KeepPieces
from arena.referee.match import OnMove, Plan, Result
from arena.referee.players.lent import LentPlayer
from arena.referee.players.output import with_output
from arena.referee.players.player import Player
from arena.referee.table import sit_down

# More would fill the memory of a machine with idle bots.
MOST_PROCESSES = 8
# A number of each process, never used twice: 48 bits fit every reader's integers.
NUMBER_BITS = 48


def processes_for(matches_of_a_set: int, at_once: int) -> int:
    """Return the number of processes kept of each bot: one that is new to the set for each of its
    matches, but at most MOST_PROCESSES, and at least `at_once`.

    With fewer than that a process is ended and started afresh for a match. `at_once`: matches at
    the same time, of which each keeps a process busy.
    """
    return max(at_once, min(MOST_PROCESSES, matches_of_a_set + at_once - 1))


class Seated:
    """A place for a process of one bot."""

    def __init__(self, player: Player, *, is_ours: bool = True):
        """`is_ours`: we start the process, and so can start it afresh."""
        self.player = player
        self.is_free = True
        self._is_ours = is_ours
        self._seen: set[int] = set()  # sets that the process now here has played in
        self._starts = 0
        self._number = 0

    def __repr__(self) -> str:
        return f"<Seated {self.player!r}, {'free' if self.is_free else 'playing'}>"

    def has_seen(self, set_number: int) -> bool:
        return set_number in self._seen

    def must_start_afresh(self, set_number: int) -> bool:
        """Tell whether its process may not play a match of this set, and another can be started."""
        return self._is_ours and self.has_seen(set_number)

    def process(self) -> int:
        """Return the number of the process that is here, once it has been called to a match."""
        if self._starts != self.player.starts:
            self._starts = self.player.starts
            self._seen.clear()
            self._number = self.number_of_next()
        return self._number

    def number_of_next(self) -> int:
        """Return a number for the process that is here now, and was not before."""
        return new_number()

    def played(self, set_number: int) -> int:
        """Note that the process here has played in this set; return its number."""
        number = self.process()
        self._seen.add(set_number)
        return number

    def forget(self, set_number: int) -> None:
        self._seen.discard(set_number)


class SeatedGuest(Seated):
    """A place for a connection that a bot lends to a set."""

    def __init__(self, player: LentPlayer):
        super().__init__(player, is_ours=False)
        self._lent = player

    def number_of_next(self) -> int:
        """Return the number of the connection, which is the same in every process."""
        return self._lent.number


def new_number() -> int:
    """Draw a number for a process or a connection; no other has it."""
    return secrets.randbits(NUMBER_BITS)


class BotPlaces:
    """The places for the processes of one bot, and a gate that lets in as many matches as they are.

    They stay together: a match that waited while the places were replaced plays in the old ones.
    """

    def __init__(self, seated: Sequence[Seated]) -> None:
        self.seated = seated
        self.gate = trio.Semaphore(len(seated))

    def __repr__(self) -> str:
        return f"<BotPlaces, {len(self.seated)} of them>"


class Pool:
    """All processes of the bots that play in one house."""

    def __init__(
        self,
        places: Mapping[str, Sequence[Seated]],
        confinement: str,
        pieces: Path | None = None,
    ):
        """`places`: by the name of its bot. `confinement`: for the records, as in `Record`.
        `pieces`: an existing folder for the output of the bots in each match."""
        self._places = {name: BotPlaces(each) for name, each in places.items()}
        self.confinement = confinement
        self._pieces = pieces
        self._guests: dict[int, Mapping[str, Sequence[SeatedGuest]]] = {}  # by set

    def __repr__(self) -> str:
        return f"<Pool of {len(self._places)} bots>"

    def add(self, name: str, places: Sequence[Seated]) -> Sequence[Player]:
        """Make places for the processes of a further bot, or of one that has changed.

        Returns the players in the places before that are free, for the caller to say bye to. Those
        that play are seen off when their matches end.
        """
        before = self._places.get(name)
        self._places[name] = BotPlaces(places)
        if before is None:
            return ()
        return [place.player for place in before.seated if place.is_free]

    def lend(self, set_number: int, guests: Mapping[str, Sequence[SeatedGuest]]) -> None:
        """Take the connections of bots that dial in for a set, until it is forgotten."""
        self._guests[set_number] = guests

    async def play(
        self, plan: Plan, set_number: int, on_move: OnMove | None = None, word: str = ""
    ) -> tuple[Result, tuple[int, ...]]:
        """Play a match of a set on processes that have played none of it.

        The seats are taken by the bots of `plan.names`. `word`: for this match, in the names of the
        pieces of output. Returns the result, with the output of bots that had faults, and by seat
        the number of the process that played.
        """
        async with self.seated(plan.names, set_number) as places:
            for place in places:
                await self.make_fresh(place, set_number)
            players = [place.player for place in places]
            if self._pieces is not None:
                for player in players:
                    await player.plays(KeepPieces(self._pieces, f"{word}~{player.name}"))
            confined = replace(plan, confinement=self.confinement)
            result = await sit_down(confined, players, on_move)
            processes = tuple(place.played(set_number) for place in places)
            evidence = await with_output(result.evidence, players)
            if self._pieces is not None:
                for player in players:
                    player.has_played()
        return replace(result, evidence=evidence), processes

    async def written(self) -> None:
        """Wait until what the bots printed in matches that are over is written."""
        for player in self.players():
            await player.written()

    @asynccontextmanager
    async def seated(self, names: Sequence[str], set_number: int) -> AsyncIterator[list[Seated]]:
        """Hold a place of each bot, if possible one with a process that has not seen the set."""
        taken: dict[str, Seated] = {}
        held: dict[str, BotPlaces] = {}
        try:
            # All matches take places in one order, so that no two wait for each other.
            guests = self._guests.get(set_number, {})
            for name in sorted(names):
                if name in guests:
                    taken[name] = self._take(guests[name], set_number)
                    continue
                places = self._places[name]
                await places.gate.acquire()
                held[name] = places
                taken[name] = self._take(places.seated, set_number)
            yield [taken[name] for name in names]
        finally:
            try:
                # Before another match that waits for these places can take them.
                for name, places in held.items():
                    if places is not self._places[name]:
                        await taken[name].player.say_bye("replaced")
            finally:
                for place in taken.values():
                    place.is_free = True
                for places in held.values():
                    places.gate.release()

    def _take(self, places: Sequence[Seated], set_number: int) -> Seated:
        free = [place for place in places if place.is_free]
        fresh = [place for place in free if not place.has_seen(set_number)]
        # No more processes run than matches need: each takes memory.
        started = [place for place in fresh if place.player.starts]
        place = secrets.choice(started or fresh or free)
        place.is_free = False
        return place

    async def make_fresh(self, place: Seated, set_number: int) -> None:
        """End a process that has seen the set, so that the match starts another."""
        if place.must_start_afresh(set_number):
            await place.player.say_bye("replaced")
            place.forget(set_number)

    def forget(self, set_number: int) -> None:
        """Note that the set is over."""
        self._guests.pop(set_number, None)
        for places in self._places.values():
            for place in places.seated:
                place.forget(set_number)

    async def say_bye(self, reason: str) -> None:
        """End all processes, all at once, so that none waits for one that does not go."""
        async with trio.open_nursery() as nursery:
            for player in [*self.players(), *self._lent()]:
                nursery.start_soon(player.say_bye, reason)

    def printed_bytes(self) -> dict[str, int]:
        """Return by bot the number of bytes that its processes have printed."""
        return {
            name: sum(place.player.printed_bytes for place in places.seated)
            for name, places in self._places.items()
        }

    def _lent(self) -> list[Player]:
        """Return the connections lent to sets that are not over."""
        guests = (places for lent in self._guests.values() for places in lent.values())
        return [place.player for places in guests for place in places]

    def players(self) -> list[Player]:
        """Return the players of the processes that are kept from set to set."""
        return [place.player for places in self._places.values() for place in places.seated]
