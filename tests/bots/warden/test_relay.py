"""Addresses that a confined bot may reach, and how they are read out of its memory."""

from __future__ import annotations

import os
import socket
import struct
import sys
from threading import Thread, get_native_id

import pytest

from arena.bots.warden.relay import (
    Reach,
    Relay,
    _asks_for_a_route,
    _process_of,
    address_in,
    is_public,
)
from tests.referee.real_match import descriptors

STREAM, DATAGRAM = socket.SOCK_STREAM, socket.SOCK_DGRAM


def packed_4(host: str, port: int) -> bytes:
    family = socket.AF_INET.to_bytes(2, sys.byteorder)
    return family + port.to_bytes(2, "big") + socket.inet_aton(host) + bytes(8)


def packed_6(host: str, port: int) -> bytes:
    family = socket.AF_INET6.to_bytes(2, sys.byteorder)
    return family + port.to_bytes(2, "big") + bytes(4) + socket.inet_pton(socket.AF_INET6, host)


def packed_unix(path: bytes) -> bytes:
    return socket.AF_UNIX.to_bytes(2, sys.byteorder) + path


def test_addresses_are_read_as_the_kernel_reads_them() -> None:
    assert address_in(packed_4("127.0.0.1", 4711)) == ("127.0.0.1", 4711)
    assert address_in(packed_6("::1", 4711) + bytes(4)) == ("::1", 4711)
    assert address_in(packed_unix(b"/tmp/door\0and more")) == "/tmp/door"


def test_an_ipv4_address_in_an_ipv6_one_is_that_address() -> None:
    """As Java has every IPv4 address; else a rule for one of them would miss the other."""
    assert address_in(packed_6("::ffff:10.0.0.1", 80) + bytes(4)) == ("10.0.0.1", 80)


@pytest.mark.parametrize(
    "packed",
    [b"", b"\2", packed_4("1.2.3.4", 5)[:7], packed_6("::1", 5)[:23], packed_unix(b"\0abstract")],
)
def test_what_is_no_whole_address_is_none(packed: bytes) -> None:
    assert address_in(packed) is None
    assert not Reach(("public", "unix:", "unix:abstract")).allows(address_in(packed), STREAM)


@pytest.mark.parametrize(
    "host",
    [
        *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.9.9.9", "169.254.169.254"),
        *("172.16.0.1", "172.31.255.255", "192.168.1.1", "224.0.0.1", "240.0.0.1"),
        *("255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1"),
        *("64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:0:7f00:1::"),
    ],
)
def test_this_machine_and_private_networks_are_not_public(host: str) -> None:
    assert not is_public(host)


@pytest.mark.parametrize(
    "host",
    ["1.1.1.1", "100.63.0.1", "100.128.0.1", "172.15.0.1", "172.32.0.1", "223.1.1.1", "2606::1"],
)
def test_all_other_addresses_are_public(host: str) -> None:
    assert is_public(host)


def test_a_bot_reaches_its_door_and_nothing_else() -> None:
    unix = Reach(("unix:/run/door",))
    assert unix.allows("/run/door", STREAM)
    assert not unix.allows("/run/door2", STREAM)
    assert not unix.allows(("127.0.0.1", 1), STREAM)
    tcp = Reach(("tcp:127.0.0.1:4711",))
    assert tcp.allows(("127.0.0.1", 4711), STREAM)
    assert not tcp.allows(("127.0.0.1", 4712), STREAM)
    assert not tcp.allows(("1.1.1.1", 4711), STREAM)
    assert not tcp.allows(("127.0.0.1", 4711), DATAGRAM)


def test_a_build_reaches_public_addresses_by_tcp_and_its_name_servers_by_udp() -> None:
    build = Reach(("public", "udp:10.0.0.53:53"))
    assert build.allows(("1.1.1.1", 443), STREAM)
    assert not build.allows(("1.1.1.1", 53), DATAGRAM)
    assert build.allows(("10.0.0.53", 53), DATAGRAM)
    assert not build.allows(("10.0.0.53", 53), STREAM)
    assert not build.allows(("10.0.0.53", 54), DATAGRAM)
    assert not build.allows("/run/user/1000/bus", STREAM)


def test_the_layouts_are_the_kernels() -> None:
    """seccomp_notif and seccomp_notif_resp: their sizes are part of the numbers of the calls."""
    from arena.bots.warden import relay

    assert relay._REPORT.size == (relay._RECEIVE >> 16) & 0x3FFF == 80
    assert relay._ANSWER.size == (relay._SEND >> 16) & 0x3FFF == 24
    assert relay._ADDED.size == (relay._ADD_DESCRIPTOR >> 16) & 0x3FFF == 24
    assert struct.calcsize("Q") == (relay._IS_VALID >> 16) & 0x3FFF


@pytest.mark.parametrize(
    ("packed", "kind", "asks"),
    [
        (struct.pack("=HH4x8x", socket.AF_INET, 0), socket.SOCK_DGRAM, True),
        (struct.pack("=HH4x8x", socket.AF_INET, 0), socket.SOCK_STREAM, False),
        (struct.pack("=H", socket.AF_INET) + b"\0\x35" + bytes(12), socket.SOCK_DGRAM, False),
        (struct.pack("=HH24x", socket.AF_INET6, 0), socket.SOCK_DGRAM, True),
        (struct.pack("=H14x", socket.AF_UNSPEC), socket.SOCK_DGRAM, True),
        (struct.pack("=H", socket.AF_UNIX) + b"/tmp/door\0", socket.SOCK_DGRAM, False),
    ],
)
def test_a_connect_that_only_asks_for_a_route_is_no_attempt_to_reach_anybody(
    packed: bytes, kind: int, *, asks: bool
) -> None:
    """A look-up of names makes some; told as attempts they would hide the cause of a failure."""
    assert _asks_for_a_route(packed, kind) is asks


def test_a_relay_that_is_closed_has_nothing_open() -> None:
    before = descriptors()
    reader, writer = os.pipe()
    os.close(writer)
    Relay(reader, (), 77, lambda address: None).close()
    assert descriptors() == before


def test_the_process_of_a_thread_is_found_by_its_number() -> None:
    assert _process_of(os.getpid()) == os.getpid()
    found: list[tuple[int, int]] = []
    thread = Thread(target=lambda: found.append((get_native_id(), _process_of(get_native_id()))))
    thread.start()
    thread.join()
    ((number, process),) = found
    assert number != process == os.getpid()
    with pytest.raises(FileNotFoundError):
        _process_of(2**22 + 1)  # more than the kernel counts to
