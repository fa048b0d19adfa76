"""Send bytes to a bot without ever waiting.

Bytes that the socket does not take at once are kept and go out when the bot reads again. So a bot
that never reads delays no other bot.
"""

from __future__ import annotations

import socket


class Outbox:
    """The bytes of one socket that still have to go out."""

    __slots__ = ("_sock", "unsent")

    def __init__(self, sock: socket.socket):
        self._sock = sock
        self.unsent = b""

    def go_on_from(self, unsent: bytes) -> None:
        """Take over the bytes that another process has still to send."""
        self.unsent = unsent

    def put(self, data: bytes) -> bool:
        """Send kept bytes, then these, as far as the socket takes them; False if some are kept."""
        if self.unsent:
            data = self.unsent + data
        try:
            sent = self._sock.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            # The connection is broken; the next read reports it.
            sent = len(data)
        if sent == len(data):
            self.unsent = b""
            return True
        self.unsent = data[sent:]
        return False
