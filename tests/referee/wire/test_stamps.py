"""Reading sockets: what there is, and when it came."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias, cast

import pytest

from arena.referee.wire.lag import LagMeter
from arena.referee.wire.stamps import NoStamps, Stamps, has_come

NOW_US = 50_000_000


Pair: TypeAlias = Callable[[], AbstractContextManager[tuple[socket.socket, socket.socket]]]


def now() -> int:
    return NOW_US


@contextmanager
def tcp_pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        theirs = socket.create_connection(listener.getsockname())
        ours, _ = listener.accept()
    ours.setblocking(False)
    theirs.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with ours, theirs:
        yield ours, theirs


@contextmanager
def unix_pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours, theirs:
        yield ours, theirs


def on(sock: socket.socket) -> Stamps | NoStamps:
    return NoStamps(sock, LagMeter(now)) if sock.family == socket.AF_UNIX else Stamps(sock, now)


@pytest.mark.parametrize("pair", [unix_pair, tcp_pair])
def test_a_read_tells_nothing_yet_from_the_end(pair: Pair) -> None:
    with pair() as (ours, theirs):
        stamps = on(ours)
        assert stamps.read(100) is None
        assert not has_come(ours.fileno())
        theirs.send(b"answer")
        assert has_come(ours.fileno())
        stamps.acknowledge()
        assert stamps.read(100) == b"answer"
        assert stamps.arrived(None) <= NOW_US
        theirs.close()
        assert not has_come(ours.fileno())
        assert stamps.read(100) == b""


@pytest.mark.parametrize("pair", [unix_pair, tcp_pair])
def test_a_socket_that_is_broken_has_ended(pair: Pair) -> None:
    with pair() as (ours, _):
        stamps, fd = on(ours), ours.fileno()
        ours.close()
        assert has_come(fd)
        assert stamps.read(100) == b""
        stamps.acknowledge()


def test_a_stamp_of_a_second_ago_is_an_arrival_a_second_ago() -> None:
    with tcp_pair() as (ours, theirs):
        stamps = Stamps(ours, now, lambda: time.time_ns() + 1_000_000_000)
        # The kernel begins to stamp a moment after the first socket of the machine asks for it.
        while stamps.arrived(None) == NOW_US:
            theirs.send(b"answer")
            assert stamps.read(100) == b"answer"
        # What has passed since in truth comes on top; half a minute is enough for any machine.
        assert NOW_US - 30_000_000 < stamps.arrived(None) <= NOW_US - 1_000_000


def test_a_wall_clock_that_was_set_meanwhile_tells_nothing() -> None:
    with tcp_pair() as (ours, theirs):
        for wall_ns in (0, 2**62):
            stamps = Stamps(ours, now, lambda wall_ns=wall_ns: wall_ns)  # type: ignore[misc]
            theirs.send(b"answer")
            assert stamps.read(100) == b"answer"
            assert stamps.arrived(None) == NOW_US


def test_what_was_found_came_then_unless_the_kernel_knows_better() -> None:
    with unix_pair() as (ours, _):
        assert on(ours).arrived(NOW_US - 700) == NOW_US - 700
    with tcp_pair() as (ours, _):
        assert on(ours).arrived(NOW_US - 700) == NOW_US


class StampedAt:
    """A socket of which each read has the same stamp."""

    def __init__(self, ns: int) -> None:
        stamp = struct.pack("qq", *divmod(ns, 1_000_000_000))
        self.ancillary = [(socket.SOL_SOCKET, 35, stamp)]
        self.options: list[tuple[int, int, int]] = []

    def setsockopt(self, level: int, option: int, value: int) -> None:
        self.options.append((level, option, value))

    def recvmsg(
        self, most: int, space: int
    ) -> tuple[bytes, list[tuple[int, int, bytes]], int, None]:
        assert space == socket.CMSG_SPACE(16)
        return b"answer"[:most], self.ancillary, 0, None


@pytest.mark.parametrize(
    ("ago_ns", "ago_us"),
    [
        (0, 0),
        (999, 0),
        (1_000, 1),
        (59_999_999_999, 59_999_999),
        # No bot is given a minute: the wall clock was set.
        (60_000_000_000, 0),
        (-1, 0),
    ],
)
def test_the_age_of_a_stamp_counts_and_is_less_than_a_minute(ago_ns: int, ago_us: int) -> None:
    wall_ns = 1_700_000_000_987_654_321
    sock = StampedAt(wall_ns - ago_ns)
    stamps = Stamps(cast(socket.socket, sock), now, lambda: wall_ns)
    assert sock.options == [
        (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
        (socket.SOL_SOCKET, 35, 1),
    ]
    assert stamps.read(3) == b"ans"
    assert stamps.arrived(None) == NOW_US - ago_us
