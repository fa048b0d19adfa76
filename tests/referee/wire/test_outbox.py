"""What a socket does not take at once."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from arena.referee.wire.outbox import Outbox


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    with ours, theirs:
        yield ours, theirs


def test_what_fits_goes_out_at_once(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    outbox = Outbox(ours)
    assert outbox.put(b"one")
    assert outbox.put(b"two")
    assert theirs.recv(100) == b"onetwo"


def test_the_rest_is_kept_in_order_and_goes_out_as_the_other_side_reads(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    outbox = Outbox(ours)
    sent = bytes(range(256)) * 200
    assert not outbox.put(sent)
    assert not outbox.put(b"the end")
    came = b""
    while not came.endswith(b"the end"):
        came += theirs.recv(65_536)
        outbox.put(b"")
    assert came == sent + b"the end"
    assert outbox.unsent == b""


def test_to_who_has_gone_nothing_is_kept(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    outbox = Outbox(ours)
    outbox.put(bytes(100_000))
    theirs.close()
    assert outbox.put(b"anybody there?")
    assert outbox.unsent == b""
