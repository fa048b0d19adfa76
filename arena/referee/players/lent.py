"""A player that its author runs and that dials in (SPEC 2.5), as one set of matches has it.

It dials in at the front door of the league, in another process, and its connection is lent to the
referee for a set. If the connection is lost meanwhile and the bot dials in again, the next one is
handed on.
"""

from __future__ import annotations

import math
import socket
from collections.abc import Mapping, Sequence

import trio

from arena.referee.door.guests import Guest
from arena.referee.players.player import OutOfSight
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout
from arena.referee.wire.packed import LendLink, LinkBack, PackedBreach
from arena.referee.wire.relayed import link_over
from protocol.breach import Breach
from protocol.breaches import no_connection
from protocol.server_end import ServerEnd


class LentPlayer(OutOfSight):
    """One of the connections that a bot lends to a set; `receive` takes it.

    A match waits `again_ms` milliseconds for it. `absent`: the reason why none will come, until one
    comes after all.
    """

    def __init__(self, name: str, *, again_ms: int, absent: Breach | None = None):
        self.name = name
        self.starts = 0
        self.number = 0  # of the connection: no other has it
        self._again_ms = again_ms
        self._absent = absent
        self._link: Link | None = None
        self._has_come = trio.Event()

    def __repr__(self) -> str:
        return f"<LentPlayer {self.name!r}, came {self.starts} times>"

    @property
    def link(self) -> Link:
        assert self._link is not None
        return self._link

    @property
    def is_connected(self) -> bool:
        """True if it has a connection, which may be lost without our knowing."""
        return self._link is not None and self._link.is_alive()

    @property
    def guest(self) -> Guest | None:
        """Return None: its hello was said at the front door."""
        return None

    def receive(self, link: Link, number: int) -> None:
        """Take a connection in the place of one that is lost. `number`: no other has it."""
        if self._link is not None:
            self._link.drop()
        self._link = link
        self._absent = None
        self.number = number
        self.starts += 1
        self._has_come.set()

    async def ready(self) -> Breach | None:
        """Wait for a connection if there is none; return the reason if none comes."""
        cut = None
        if self._link is not None and not self._link.is_alive():
            cut = self._link if self._link.was_cut() else None
            self._link.drop()
            self._link = None
            self._has_come = trio.Event()
        if self._absent is not None:
            return self._absent
        if self._link is None:
            began = trio.current_time()
            with trio.move_on_after(self._again_ms / 1000):
                await self._has_come.wait()
            if self._link is None:
                if cut is None:
                    return no_connection(math.ceil((trio.current_time() - began) * 1000))
                # A door of ours lost it: the match begins, and is void once this seat is asked.
                self._link = cut
        return None

    async def say_bye(self, reason: str, detail: str = "") -> None:
        """Send `bye` on the connection, and close it for the front door too."""
        if self._link is not None:
            self._link.hang_up(reason, detail)

    def give_back(self) -> Link | None:
        """Part with the connection, which stays open; None if it is lost.

        The caller hands it back by `Link.between_matches` and `Link.release`.
        """
        link, self._link = self._link, None
        if link is None or not link.is_alive():
            return None
        return link


class LentLinks:
    """The connections of bots that dial in, lent to one order of a set.

    `guests`: by bot, the number of its connections. `absent`: by bot that was waited for in vain,
    the reason. `again_ms`: as in `LentPlayer`.
    """

    def __init__(
        self, guests: Mapping[str, int], absent: Mapping[str, PackedBreach], again_ms: int
    ) -> None:
        reasons = {name: why.breach for name, why in absent.items()}
        self.players: Mapping[str, Sequence[LentPlayer]] = {
            name: [
                LentPlayer(name, again_ms=again_ms, absent=reasons.get(name))
                for _ in range(max(1, number))
            ]
            for name, number in guests.items()
        }

    def __repr__(self) -> str:
        return f"<LentLinks of {[*self.players]}>"

    def receive(self, lent: LendLink, sock: socket.socket, lookout: Lookout) -> None:
        """Take a connection in the place of one that is lost, or has not come yet."""
        sock.setblocking(False)
        link = link_over(sock, ServerEnd(), lookout, lent.name)
        link.go_on_from(lent.known)
        players = self.players[lent.name]
        free = (each for each in players if not each.is_connected)
        next(free, players[-1]).receive(link, lent.connection)

    def give_back(self) -> tuple[LinkBack, ...]:
        """Return the connections that are open, for the front door to go on with."""
        back = []
        for player in (each for players in self.players.values() for each in players):
            if (link := player.give_back()) is not None:
                back.append(LinkBack(player.number, link.between_matches()))
                link.release()
        return tuple(back)
