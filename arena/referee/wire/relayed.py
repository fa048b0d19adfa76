"""A link to a bot that came through `arena door`, and the choice between it and a direct one.

The bot is charged as if the door took no time: its answers are dated by their arrival at the door.
Two rulings need more than a date. A silence is ruled late only after the door has said that it
holds nothing back; and where the door itself is gone, or does not answer, that is this machine's
doing and not the bot's, so the match is void as it is for lag (SPEC 6.5).
"""

from __future__ import annotations

import logging
import socket
from contextlib import suppress

from arena.referee.replies import Failed, Lagged, Reply
from arena.referee.wire.connection import Tap
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout
from arena.referee.wire.relay import (
    MOST_CREDIT_US,
    Kind,
    Packet,
    RelayOutbox,
    RelayStamps,
    is_relayed,
)
from arena.referee.wire.stamps import Stamps
from protocol.breach import Breach
from protocol.server_end import ServerEnd

log = logging.getLogger(__name__)


def link_over(
    sock: socket.socket, end: ServerEnd, lookout: Lookout, name: str, tap: Tap | None = None
) -> Link:
    """Make a link of a socket of any kind."""
    if is_relayed(sock):
        return RelayedLink(sock, end, lookout, name, tap)
    stamps = Stamps(sock, lookout.now) if sock.family != socket.AF_UNIX else None
    return Link(sock, end, lookout, name, stamps, tap)


class RelayedLink(Link):
    """A connection that a door hands on. The arguments are those of `Link`."""

    def __init__(
        self,
        sock: socket.socket,
        end: ServerEnd,
        lookout: Lookout,
        name: str,
        tap: Tap | None = None,
    ):
        self._relay = RelayStamps(sock, lookout.now)
        super().__init__(sock, end, lookout, name, self._relay, tap)
        self._outbox = RelayOutbox(sock, lookout.now)
        self._full_bytes = 1  # each read brings one packet: read on until there is none
        self._door_asked = 0, 0  # the request for which the door was asked, and the time

    def was_cut(self) -> bool:
        """Tell whether the connection was lost with the door. Packets not read yet are read and
        dropped, so this is for a connection that is not alive."""
        if self.is_open:
            while self._relay.read(0):
                pass
        return self._relay.was_cut

    def _gone(self, breach: Breach, took_us: int) -> Failed | Lagged:
        gone = Failed(breach, took_us, b"")
        if not self._relay.was_cut:
            return gone
        log.warning("%s was lost with the door that it came through: its match is void", self.name)
        return Lagged(0, 0, gone)

    def _overdue(self) -> Reply | None:
        """Rule on a silence once the door has answered that nothing is on its way.

        A door that held the request has the bot waited for by as much longer, and is asked again.
        """
        now, (request, asked_us) = self._now(), self._door_asked
        if request != self.last_id:
            self._ask_door(now)
            return None
        if self._relay.here_us == asked_us:
            until = self.deadline_us + self._relay.here_delay_us
            if asked_us >= until:
                return super()._overdue()
            if now >= until:
                self._ask_door(now)
            return None
        if now - asked_us <= MOST_CREDIT_US:
            return None
        self.is_asked = False
        log.warning("the door that %s came through does not answer: its match is void", self.name)
        late = self._out_of_time()
        return Lagged(late.took_us, now - asked_us, late)

    def _ask_door(self, now: int) -> None:
        self._door_asked = self.last_id, now
        with suppress(OSError):  # full: the bot does not read; broken: the next read reports it
            self.sock.send(Packet(Kind.ASK, now).packed())
