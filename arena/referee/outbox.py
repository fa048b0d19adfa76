"""What goes out to a bot. Sending never waits.

What the socket does not take at once is kept and goes out when the bot reads again; so a bot
that never reads holds up nobody but itself.
"""

from __future__ import annotations

import socket


class Outbox:
    """Of one socket."""

    __slots__ = ("_sock", "unsent")

    def __init__(self, sock: socket.socket):
        self._sock = sock
        self.unsent = b""

    def put(self, data: bytes = b"") -> bool:
        """Give the socket what it takes, and keep the rest; False if something is kept."""
        if self.unsent:
            data = self.unsent + data
        try:
            sent = self._sock.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            # It is gone; the next read says so.
            sent = len(data)
        if sent == len(data):
            self.unsent = b""
            return True
        self.unsent = data[sent:]
        return False
