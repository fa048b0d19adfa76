"""Read a socket, with the time at which the bytes arrived.

On TCP the kernel stamps received bytes with a time. On Unix sockets it does not: there `lag.py`
works out the earliest time at which the bytes can have arrived.
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
from arena.referee.wire.lag import LagMeter

# Numbers of Linux; the socket module has no names for them before Python 3.13.
SO_TIMESTAMPNS: Final = 35
TCP_QUICKACK: Final = 12
_STAMP = struct.Struct("qq")  # seconds and nanoseconds
_SPACE = socket.CMSG_SPACE(_STAMP.size)
_COUNT = array("i", [0])  # the kernel writes the count here; made once for all requests


def has_come(fd: int) -> bool:
    """Tell if there are bytes to read. The end of a connection does not count.

    The call costs a third of a read that finds nothing, because such a read raises an exception.
    """
    try:
        ioctl(fd, FIONREAD, _COUNT)
    except OSError:
        return True  # the read that follows reports the error
    return _COUNT[0] > 0


class NoStamps:
    """A socket that gives no arrival time with a read."""

    __slots__ = ("_lag", "_sock")

    def __init__(self, sock: socket.socket, lag: LagMeter):
        self._sock = sock  # not a bound method: that is one more object to fetch into the cache
        self._lag = lag

    def arrived(self, found: int | None) -> int:
        """Return the earliest arrival time of the bytes last read, in microseconds of our clock.

        `found`: the time at which the lookout found the input, None if only the read found it.
        """
        return self._lag.arrived if found is None else found

    def acknowledge(self) -> None:
        """Do nothing: Unix sockets do not delay acknowledgements."""

    def read(self, most: int) -> bytes | None:
        """Return the bytes there are, up to `most`; b"" at the end, None if there are none yet."""
        try:
            return self._sock.recv(most)
        except BlockingIOError:
            return None
        except OSError:
            return b""


class Stamps:
    """A TCP socket: each read carries the kernel's arrival time.

    `now` is the referee's clock in microseconds; `wall_ns` is the wall clock in nanoseconds, which
    the kernel's stamps are of.
    """

    def __init__(self, sock: socket.socket, now: Now, wall_ns: Callable[[], int] = time.time_ns):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._sock = sock
        self._now = now
        self._wall_ns = wall_ns
        self._arrived = now()

    def arrived(self, found: int | None) -> int:
        """Return the kernel's time for the bytes last read; `found` is not needed."""
        return self._arrived

    def read(self, most: int) -> bytes | None:
        """Return the bytes there are, up to `most`; b"" at the end, None if there are none yet."""
        try:
            data, ancillary, _, _ = self._sock.recvmsg(most, _SPACE)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        self._arrived = now = self._now()
        for _level, _kind, payload in ancillary:  # one stamp, or nothing
            seconds, nanoseconds = _STAMP.unpack(payload)
            # The stamp is of the wall clock, which may be set back or forth: only the age is used.
            ago = self._wall_ns() - (seconds * 1_000_000_000 + nanoseconds)
            if 0 <= ago < 60_000_000_000:
                self._arrived = now - ago // 1000
        return data

    def acknowledge(self) -> None:
        """Acknowledge received bytes at once: Nagle's algorithm may hold back the rest till then.

        Only needed in the middle of a frame: after a whole frame a request goes out, and carries
        the acknowledgement along.
        """
        with contextlib.suppress(OSError):  # broken: the next read reports it
            self._sock.setsockopt(socket.IPPROTO_TCP, TCP_QUICKACK, 1)
