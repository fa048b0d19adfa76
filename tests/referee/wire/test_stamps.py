"""Reading sockets: what there is, and when it came."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

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
