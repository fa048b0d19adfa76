"""One table: a person and bots, one match, and the page of the person while it is connected."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import trio

from arena.bots.program import Program
from arena.games import GAMES
from arena.people.moves import MovesTold
from arena.people.options import PERSONS_CLOCK, REJOIN_SECONDS
from arena.people.person import Person
from arena.people.seat import KnownMatch
from arena.people.talk import Choose
from arena.record.timing import START_MS
from arena.referee.house import House
from arena.referee.match import Plan, Result
from arena.referee.players.dialled import DialledPlayer
from arena.referee.players.player import Player
from arena.referee.table import sit_down
from arena.text import listed
from arena.tokens import KnownToken, new_token

log = logging.getLogger(__name__)

SEED_BYTES = 32
# Drawn at the lower edge of a table. Which seat begins is up to the deal, and nothing is rated.
PERSONS_SEAT = 0
# For the bots of a table to leave after `bye`.
GOODBYE_SECONDS = 2.0
# Messages that a page has not read: one that is further behind comes back for the table as it is.
MOST_UNREAD = 200


class SeatPage:
    """The connection to one page: messages wait here until they are written."""

    def __init__(self) -> None:
        self._send, self.messages = trio.open_memory_channel[Mapping[str, Any]](MOST_UNREAD)

    def tell(self, message: Mapping[str, Any]) -> None:
        try:
            self._send.send_nowait(message)
        except trio.WouldBlock:
            self._send.close()
        except (trio.ClosedResourceError, trio.BrokenResourceError):
            pass  # it was closed, and its reader is about to notice

    def close(self) -> None:
        self._send.close()


class PeoplesTable:
    """A match of one person with bots, from the first message to the last."""

    def __init__(self, game: str, name: str, bots: Sequence[Program]):
        self.seat = secrets.token_urlsafe(24)  # a page that knows it may sit here
        self._game = GAMES[game]
        self._name = name
        self._bots = bots
        self._known = KnownMatch()
        self._person = Person(self._told)
        self._page: SeatPage | None = None
        # The page has gone, or has come back; replaced when the opposite happens.
        self._left, self._came = trio.Event(), trio.Event()
        self._spoken = trio.Event()  # the person's connection has ended

    def __repr__(self) -> str:
        return f"<PeoplesTable of {self._game.name}, {self._known!r}>"

    # The page.

    def come(self) -> SeatPage:
        """Let a page take the seat, in the place of one that has it; tell it all it needs."""
        if self._page is not None:
            self._page.close()
        self._page = page = SeatPage()
        if self._left.is_set():
            self._left = trio.Event()
        self._came.set()
        page.tell({"type": "seated", "seat": self.seat})
        for message in self._known.again(trio.current_time()):
            page.tell(message)
        return page

    def go(self, page: SeatPage) -> None:
        """Note that a page is closed; the seat is kept for a while."""
        if self._page is page:
            self._page = None
            self._came = trio.Event()
            self._left.set()

    async def choose(self, chosen: Choose) -> None:
        """Play an action; one that is not asked for is left out, and the page told the table."""
        if await self._person.choose(chosen.match, chosen.id, chosen.action):
            self._known.answered()
        elif self._page is not None:
            for message in self._known.again(trio.current_time()):
                self._page.tell(message)

    async def leave(self) -> None:
        """End the person's part."""
        await self._person.leave()

    def close(self) -> None:
        """Let a page that is still there go."""
        if self._page is not None:
            self._page.close()

    def failed(self) -> None:
        """Tell the page that the match ended by a bug of ours."""
        self._told({"type": "bye", "reason": "error", "text": "A bug in arena ended this match."})

    def _told(self, message: Mapping[str, Any]) -> None:
        self._known.take(message, trio.current_time())
        if self._page is not None:
            self._page.tell(message)

    # The match.

    async def play(self, house: House) -> Result:
        """Seat everybody, play the match, and say goodbye."""
        token = new_token()
        # Several tables have a visitor of the same name; the lobby knows each by its seat.
        person = DialledPlayer(
            house.lobby,
            f"person-{self.seat[:8]}",
            KnownToken.of(token),
            first_seconds=START_MS / 1000,
            again_ms=START_MS,
        )
        players: list[Player] = [person, *(house.player(each) for each in self._bots)]
        plan = self._plan((self._name, *(each.name for each in self._bots)))
        moves = MovesTold(self._game, PERSONS_SEAT, self._told)
        moves.deal(self._game.deal(plan.seats, plan.seed))
        _, path = house.address(tcp=False).split(":", 1)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._speak, path, token)
                nursery.start_soon(self._wait_for_page)
                try:
                    result = await sit_down(plan, players, moves)
                finally:
                    await person.say_bye("done")
                with trio.move_on_after(GOODBYE_SECONDS):
                    await self._spoken.wait()
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(GOODBYE_SECONDS):
                async with trio.open_nursery() as nursery:
                    for each in players[1:]:
                        nursery.start_soon(each.say_bye, "done")
        if not result.is_begun:
            self._told({"type": "bye", "reason": "error", "text": why_not(result)})
        return result

    async def _speak(self, path: str, token: str) -> None:
        """Speak for the person until the door hangs up, after the last message."""
        try:
            await self._person.play(path, token)
        finally:
            self._spoken.set()

    def _plan(self, names: tuple[str, ...]) -> Plan:
        seats = range(len(names))
        clocks = tuple(PERSONS_CLOCK if each == PERSONS_SEAT else None for each in seats)
        return Plan(
            match="",
            game=self._game.name,
            seats=len(names),
            seed=secrets.token_bytes(SEED_BYTES),
            names=names,
            clocks=clocks,
            shown_names=names,
            may_void=False,
        )

    async def _wait_for_page(self) -> None:
        """End the person's part when no page has been there for a while."""
        while True:
            await self._left.wait()
            with trio.move_on_after(REJOIN_SECONDS):
                await self._came.wait()
            if self._page is None:
                await self._person.leave()
                return


def why_not(result: Result) -> str:
    """Say for the visitor why a match did not begin."""
    names = {result.record.names[each.seat] for each in result.evidence}
    log.warning("no match: %s", "; ".join(each.text for each in result.evidence))
    return f"The match did not begin: {listed(sorted(names))} did not come."
