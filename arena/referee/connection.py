"""An accepted connection: what is said to it, and how it ends.

What a bot does not take is kept for it up to a limit, and goes out when the lookout finds room.
"""

from __future__ import annotations

import select
import socket
from typing import Protocol

from arena.referee.lookout import Lookout
from arena.referee.outbox import Outbox
from protocol.breach import Breach
from protocol.farewells import farewell
from protocol.messages import Bye, End, Fault, Start, Welcome
from protocol.order import State
from protocol.server_end import ServerEnd

# What a bot may leave unread: some dozens of requests. More, and it is not reading.
MOST_UNSENT_BYTES = 262_144


class Named(Protocol):
    """Somebody at the other end."""

    @property
    def name(self) -> str: ...


class Tap(Protocol):
    """Sees every frame that crosses, as bytes; `arena match --tap` prints them."""

    def sent(self, link: Named, data: bytes) -> None: ...
    def came(self, link: Named, body: bytes) -> None: ...


class Connection:
    """Its hello was good."""

    def __init__(
        self,
        sock: socket.socket,
        end: ServerEnd,
        lookout: Lookout,
        name: str,
        tap: Tap | None,
    ):
        self.sock = sock
        self.end = end
        self.name = name
        self.is_open = True
        self.fd = sock.fileno()
        self._lookout = lookout
        self._tap = tap
        self._outbox = Outbox(sock)
        self._is_holding = False  # there is something in it that the socket did not take yet
        self._lost: Breach | None = None  # why it is not open, if it is the bot's doing

    def __repr__(self) -> str:
        state = "open" if self.is_open else "closed"
        return f"<{type(self).__name__} {self.name!r} {state}, {self.end!r}>"

    def tell(self, message: Welcome | Start | Fault | End | Bye) -> None:
        """Send a message that wants no answer; a link that cannot take it is soon found gone."""
        if self.is_open and self.end.state is not State.CLOSED:
            self._send(self.end.send(message))

    def hang_up(self, reason: str, detail: str = "") -> None:
        """Say `bye` and close."""
        if self.is_open:
            if self.end.state is not State.CLOSED:
                self.tell(farewell(reason, detail))
            self.drop()

    def is_alive(self) -> bool:
        """Whether the other side still holds the connection, as far as can be seen from here."""
        if not self.is_open:
            return False
        # Not by a peek: what a bot sent before it went would hide that it has gone.
        poll = select.poll()
        poll.register(self.sock, select.POLLRDHUP)
        return not poll.poll(0)

    def drop(self) -> None:
        """Close without a word."""
        if self.is_open:
            self.is_open = False
            self._lookout.forget_socket(self)
            self.sock.close()

    def _send(self, data: bytes) -> None:
        """Never waits; what is left goes out later, or is too much."""
        if data and self._tap is not None:
            self._tap.sent(self, data)
        is_holding = not self._outbox.put(data)
        if is_holding is self._is_holding is False:
            return
        if is_holding is not self._is_holding:
            self._is_holding = is_holding
            self._lookout.is_to_take(self, more=is_holding)
        if len(self._outbox.unsent) > MOST_UNSENT_BYTES:
            came = f"more than {MOST_UNSENT_BYTES} bytes wait for you to read them"
            self._lost = Breach("closed", came, "every message to be read")
            self.drop()
