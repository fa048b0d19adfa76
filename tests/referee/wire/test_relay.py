"""Packets of a door over real socket pairs: whole, in order, with their times, and the end told."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from arena.referee.wire.relay import (
    MOST_CREDIT_US,
    MOST_PAYLOAD_BYTES,
    Kind,
    Packet,
    RelayOutbox,
    RelayStamps,
    is_relayed,
    unpacked,
)

NOW_US = 60_000_000


def now() -> int:
    return NOW_US


@contextmanager
def a_pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The referee's socket, and the door's."""
    ours, doors = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, doors:
        ours.setblocking(False)
        doors.setblocking(False)
        yield ours, doors


def bytes_of(data: bytes, at_us: int = NOW_US, delay_us: int = 0) -> bytes:
    return Packet(Kind.BYTES, at_us, delay_us, data).packed()


def test_a_packet_is_what_was_packed() -> None:
    packet = Packet(Kind.BYTES, 2**40, 17, b"body")
    assert unpacked(packet.packed()) == packet


@pytest.mark.parametrize("data", [b"", b"\x02", b"\x09" + bytes(15)], ids=["empty", "cut", "kind"])
def test_what_is_no_packet_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"bytes|Kind"):
        unpacked(data)


def test_a_relay_is_known_by_its_socket() -> None:
    with a_pair() as (ours, _):
        assert is_relayed(ours)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert not is_relayed(ours)


def test_bytes_come_packet_by_packet_dated_by_the_door() -> None:
    with a_pair() as (ours, door):
        stamps = RelayStamps(ours, now)
        assert stamps.read(1) is None
        door.send(bytes_of(b"one", NOW_US - 700))
        door.send(bytes_of(b"two", NOW_US - 500, delay_us=300))
        assert (stamps.read(1), stamps.arrived(None)) == (b"one", NOW_US - 700)
        assert (stamps.read(1), stamps.arrived(None)) == (b"two", NOW_US - 800)
        assert stamps.read(1) is None


@pytest.mark.parametrize(
    ("at_us", "delay_us", "arrived"),
    [
        (NOW_US + 5_000, 0, NOW_US),
        (0, 0, NOW_US - MOST_CREDIT_US),
        (NOW_US, 2**32 - 1, NOW_US - MOST_CREDIT_US),
    ],
    ids=["in the future", "long ago", "held for an hour"],
)
def test_what_a_door_may_claim_is_bounded(at_us: int, delay_us: int, arrived: int) -> None:
    with a_pair() as (ours, door):
        stamps = RelayStamps(ours, now)
        door.send(bytes_of(b"late", at_us, delay_us))
        stamps.read(1)
        assert stamps.arrived(None) == arrived


def test_the_end_that_a_door_tells_is_the_bots() -> None:
    with a_pair() as (ours, door):
        stamps = RelayStamps(ours, now)
        door.send(bytes_of(b"last"))
        door.send(Packet(Kind.ENDED, NOW_US).packed())
        door.close()
        assert [stamps.read(1), stamps.read(1), stamps.read(1)] == [b"last", b"", b""]
        assert not stamps.was_cut


def test_an_end_that_no_door_told_is_the_doors() -> None:
    with a_pair() as (ours, door):
        stamps = RelayStamps(ours, now)
        door.send(bytes_of(b"last"))
        door.close()
        assert [stamps.read(1), stamps.read(1)] == [b"last", b""]
        assert stamps.was_cut


def test_a_door_that_leaves_packets_unread_has_still_told_the_end() -> None:
    """The kernel reports a reset first, and then gives what was sent before."""
    with a_pair() as (ours, door):
        stamps = RelayStamps(ours, now)
        ours.send(bytes_of(b"a request"))
        door.send(bytes_of(b"last"))
        door.send(Packet(Kind.ENDED, NOW_US).packed())
        door.close()
        assert [stamps.read(1), stamps.read(1)] == [b"last", b""]
        assert not stamps.was_cut


def test_an_answer_of_the_door_is_noted_and_is_no_input() -> None:
    with a_pair() as (ours, door):
        stamps = RelayStamps(ours, now)
        door.send(Packet(Kind.HERE, 41).packed())
        assert stamps.read(1) is None
        assert stamps.here_us == 41


def test_what_is_sent_goes_in_packets_and_what_does_not_fit_waits() -> None:
    with a_pair() as (ours, door):
        outbox = RelayOutbox(ours, now)
        data = bytes(range(256)) * (20 * MOST_PAYLOAD_BYTES // 256)
        assert not outbox.put(data)
        came = b""
        while outbox.unsent or len(came) < len(data):
            packet = unpacked(door.recv(2 * MOST_PAYLOAD_BYTES))
            assert (packet.kind, packet.at_us) == (Kind.BYTES, NOW_US)
            came += packet.payload
            outbox.put(b"")
        assert came == data


def test_what_is_sent_to_a_door_that_is_gone_is_lost_without_a_word() -> None:
    with a_pair() as (ours, door):
        door.close()
        assert RelayOutbox(ours, now).put(b"to nobody")
