"""Reading a socket, and when what was read arrived.

TCP: the kernel stamps what it receives. Unix sockets have no stamps: the lag meter's estimate.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from array import array
from collections.abc import Callable
from fcntl import ioctl
from termios import FIONREAD
from typing import Final

from arena.referee.clock import Now
from arena.referee.lag import LagMeter

# Linux's numbers; the socket module has no names for them before Python 3.13.
SO_TIMESTAMPNS: Final = 35
TCP_QUICKACK: Final = 12
_STAMP = struct.Struct("qq")  # seconds and nanoseconds
_SPACE = socket.CMSG_SPACE(_STAMP.size)
_COUNT = array("i", [0])  # where the kernel writes; made once, because it is asked so often


def has_come(fd: int) -> bool:
    """Whether there is something to read; the end of a connection is not something.

    A third of the cost of a read that finds nothing, which raises an exception.
    """
    try:
        ioctl(fd, FIONREAD, _COUNT)
    except OSError:
        return True  # the read that follows will say what is wrong
    return _COUNT[0] > 0


class NoStamps:
    """A socket whose reads carry no time of arrival."""

    __slots__ = ("_lag", "_sock")

    def __init__(self, sock: socket.socket, lag: LagMeter):
        self._sock = sock  # a method kept of it would be one thing more to touch
        self._lag = lag

    def arrived(self, found: int | None) -> int:
        """When what was last read arrived, in whole microseconds of the referee's clock.

        It was found when something had come after this time; or by a read alone.
        """
        return self._lag.arrived if found is None else found

    def acknowledge(self) -> None:
        """Nothing is held back here."""

    def read(self, most: int) -> bytes | None:
        """What there is, b"" at the end, None if there is nothing yet."""
        try:
            return self._sock.recv(most)
        except BlockingIOError:
            return None
        except OSError:
            return b""


class Stamps:
    """A TCP socket: reads carry the kernel's time of arrival."""

    def __init__(self, sock: socket.socket, now: Now, wall_ns: Callable[[], int] = time.time_ns):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._sock = sock
        self._now = now
        self._wall_ns = wall_ns
        self._arrived = now()

    def arrived(self, found: int | None) -> int:
        """As above; the kernel knows better."""
        return self._arrived

    def read(self, most: int) -> bytes | None:
        """What there is, b"" at the end, None if there is nothing yet."""
        try:
            data, ancillary, _, _ = self._sock.recvmsg(most, _SPACE)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        self._arrived = now = self._now()
        for _level, _kind, payload in ancillary:  # of one kind, or none at all
            seconds, nanoseconds = _STAMP.unpack(payload)
            # The stamp is of the wall clock: only how long ago it was is used of it.
            ago = self._wall_ns() - (seconds * 1_000_000_000 + nanoseconds)
            if 0 <= ago < 60_000_000_000:
                self._arrived = now - ago // 1000
        return data

    def acknowledge(self) -> None:
        """Say at once what has come; Nagle's algorithm there may hold back the rest until then.

        Only needed in the middle of a frame: what follows a whole one is a request, and that
        carries the acknowledgement along.
        """
        with contextlib.suppress(OSError):  # broken: the next read says so
            self._sock.setsockopt(socket.IPPROTO_TCP, TCP_QUICKACK, 1)
