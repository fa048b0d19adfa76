"""An accepted connection: send messages to it, and close it.

Bytes that the socket does not take at once are kept, up to a limit. They go out when the lookout
finds that the socket takes more.
"""

from __future__ import annotations

import contextlib
import select
import socket
from typing import Protocol

from arena.referee.wire.lookout import Lookout
from arena.referee.wire.outbox import Outbox
from protocol.breach import Breach
from protocol.farewells import farewell
from protocol.messages import Bye, End, Fault, Start, Welcome
from protocol.order import ConnectionState
from protocol.server_end import ServerEnd

# Bytes that may wait for a bot to read them: some dozens of requests. A bot with more than that
# waiting does not read at all.
MOST_UNSENT_BYTES = 262_144


class OtherEnd(Protocol):
    """A connection as a tap sees it: it has a name, and nothing else that a tap needs."""

    @property
    def name(self) -> str: ...


class Tap(Protocol):
    """Gets every frame in both directions as bytes; `arena match --tap` prints them."""

    def sent(self, link: OtherEnd, data: bytes) -> None: ...
    def came(self, link: OtherEnd, body: bytes) -> None: ...


class Connection:
    """A connection after a good hello.

    `name` is the entrant's; `tap`, if any, is shown every frame.
    """

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
        self._is_holding = False  # the outbox holds bytes that the socket did not take yet
        self._lost: Breach | None = None  # the bot's breach that closed it, if there was one

    def __repr__(self) -> str:
        state = "open" if self.is_open else "closed"
        return f"<{type(self).__name__} {self.name!r} {state}, {self.end!r}>"

    def tell(self, message: Welcome | Start | Fault | End | Bye) -> None:
        """Send a message that needs no answer. A broken connection shows at the next read."""
        if self.is_open and self.end.state is not ConnectionState.CLOSED:
            self._send(self.end.send(message))

    def hang_up(self, reason: str, detail: str = "") -> None:
        """Send `bye` with this reason and close."""
        if self.is_open:
            if self.end.state is not ConnectionState.CLOSED:
                self.tell(farewell(reason, detail))
            self.drop()

    def is_alive(self) -> bool:
        """Tell by the kernel's state of the socket if the other side still holds the connection."""
        if not self.is_open:
            return False
        # Not by a peek: unread bytes that the bot sent before it closed would hide the close.
        poll = select.poll()
        poll.register(self.sock, select.POLLRDHUP)
        return not poll.poll(0)

    def drop(self) -> None:
        """Close without sending `bye`, at once for the other side too: a process that has another
        descriptor of the socket would keep the connection open."""
        if self.is_open:
            self.is_open = False
            self._lookout.forget_socket(self)
            with contextlib.suppress(OSError):  # it is closed by the other side
                self.sock.shutdown(socket.SHUT_RDWR)
            self.sock.close()

    def _send(self, data: bytes) -> None:
        """Send without waiting and keep the rest; close if that is more than MOST_UNSENT_BYTES."""
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
