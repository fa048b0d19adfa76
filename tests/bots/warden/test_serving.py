"""The relay at work: calls of a thread under the filter that hands `connect` over.

The kernel keeps a filter to the thread that installs it, so a thread of this process is the bot.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from arena.bots.confine.filters import Filter, program
from arena.bots.warden import relay
from arena.bots.warden.enter import enter
from arena.bots.warden.relay import MOST_CONNECTIONS, Relay
from arena.bots.warden.rules import Rules

TIMEVAL = struct.Struct("ll")


class Filtered:
    """A thread that does what it is told, and whose `connect` calls a relay answers."""

    def __init__(self, reach: tuple[str, ...], session: int = 77) -> None:
        self.refused: list[str] = []
        self._tasks: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._results: SimpleQueue[object] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        listener = self._results.get(timeout=10)
        if not isinstance(listener, int):
            pytest.skip(f"no reports of seccomp here: {listener}")
        self.relay = Relay(listener, reach, session, self.refused.append)

    def _run(self) -> None:
        try:
            self._results.put(enter(Rules(filters=(program(Filter.CONNECT),), reach=())))
        except OSError as error:
            self._results.put(error)
            return
        while (task := self._tasks.get()) is not None:
            try:
                self._results.put(task())
            except OSError as error:
                self._results.put(error.errno)

    def do(self, task: Callable[[], object], *, is_served: bool = True) -> object:
        """Have it done, and answer one report if there is one; return the result or an errno."""
        self._tasks.put(task)
        if is_served:
            poll = select.poll()
            poll.register(self.relay.descriptor, select.POLLIN)
            assert poll.poll(10_000)
            assert self.relay.serve()
        return self._results.get(timeout=10)

    def close(self) -> None:
        self.relay.close()  # first: a call that nobody answers would end nowhere
        self._tasks.put(None)
        self._thread.join()


@contextmanager
def filtered(*reach: str) -> Iterator[Filtered]:
    bot = Filtered(reach)
    try:
        yield bot
    finally:
        bot.close()


@pytest.fixture
def door(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "door"))
        listener.listen(4)
        yield listener


def connecting(sock: socket.socket, address: Any) -> Callable[[], object]:
    return lambda: sock.connect(address)


def test_a_bot_is_connected_to_its_door_under_a_name_of_its_session(door: socket.socket) -> None:
    path = door.getsockname()
    with filtered(f"unix:{path}") as bot:
        for number in (1, 2):
            with socket.socket(socket.AF_UNIX) as sock:
                assert bot.do(connecting(sock, path)) is None
                with door.accept()[0] as peer:
                    name = f"\0arena.{os.getpid()}.77.{number}".encode()
                    assert peer.getpeername() == name
                    peer.sendall(b"hi")
                    assert sock.recv(2) == b"hi"
        assert bot.refused == []


def test_a_socket_that_has_a_name_keeps_it(door: socket.socket, tmp_path: Path) -> None:
    path, own = door.getsockname(), str(tmp_path / "own")
    with filtered(f"unix:{path}") as bot, socket.socket(socket.AF_UNIX) as sock:
        sock.bind(own)
        assert bot.do(connecting(sock, path)) is None
        with door.accept()[0] as peer:
            assert peer.getpeername() == own


def test_a_tcp_door_is_connected_and_the_sockets_own_timeout_stays() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        with filtered(f"tcp:127.0.0.1:{address[1]}") as bot, socket.socket() as sock:
            before = TIMEVAL.pack(3, 500_000)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, before)
            assert bot.do(connecting(sock, address)) is None
            kept = sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, TIMEVAL.size)
            assert TIMEVAL.unpack(kept)[0] == 3
            assert sock.getpeername() == address


@pytest.mark.parametrize(
    ("family", "kind", "address", "words"),
    [
        (socket.AF_UNIX, socket.SOCK_STREAM, "/no/such", "unix:/no/such"),
        (
            socket.AF_UNIX,
            socket.SOCK_STREAM,
            "\0abstract",
            "an address that is no path, host or port",
        ),
        (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 9), "127.0.0.1:9"),
        (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 8), "127.0.0.1:8"),
        (socket.AF_INET6, socket.SOCK_STREAM, ("::1", 9), "[::1]:9"),
    ],
)
def test_other_addresses_are_refused_and_told(
    family: socket.AddressFamily, kind: socket.SocketKind, address: Any, words: str
) -> None:
    try:
        sock = socket.socket(family, kind)
    except OSError as error:
        pytest.skip(f"no such socket here: {error}")
    with filtered("unix:/the/door", "tcp:127.0.0.1:8") as bot, sock:
        assert bot.do(connecting(sock, address)) == errno.EACCES
        assert bot.refused == [words]


@pytest.mark.parametrize("path", ["/run/nscd/socket", "/var/run/nscd/socket"])
def test_what_every_program_looks_for_is_not_there_and_not_told(path: str) -> None:
    with filtered("unix:/the/door") as bot, socket.socket(socket.AF_UNIX) as sock:
        assert bot.do(connecting(sock, path)) == errno.ENOENT
        assert bot.refused == []


def test_a_door_where_nobody_listens_refuses_as_always(tmp_path: Path) -> None:
    path = tmp_path / "door"
    with filtered(f"unix:{path}") as bot, socket.socket(socket.AF_UNIX) as sock:
        assert bot.do(connecting(sock, str(path))) == errno.ENOENT
        with socket.socket(socket.AF_UNIX) as closed:
            closed.bind(str(path))
        assert bot.do(connecting(sock, str(path))) == errno.ECONNREFUSED
        assert bot.refused == []


def test_a_door_that_is_full_is_not_waited_for_by_a_socket_that_does_not_wait(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "door")
    with socket.socket(socket.AF_UNIX) as listener, filtered(f"unix:{path}") as bot:
        listener.bind(path)
        listener.listen(0)
        with socket.socket(socket.AF_UNIX) as first, socket.socket(socket.AF_UNIX) as second:
            assert bot.do(connecting(first, path)) is None
            second.setblocking(False)
            assert bot.do(connecting(second, path)) == errno.EAGAIN
            second.setblocking(True)
            # After a fifth of a second, in which the warden serves nobody else.
            assert bot.do(connecting(second, path)) == errno.ETIMEDOUT


def test_what_is_no_socket_or_no_address_is_an_error_of_the_call(tmp_path: Path) -> None:
    libc = relay._LIBC

    def raw(descriptor: int, address: bytes, size: int) -> Callable[[], object]:
        def call() -> object:
            result = libc.connect(descriptor, address, size)
            return ctypes.get_errno() if result else 0

        return call

    file = tmp_path / "file"
    file.touch()
    address = socket.AF_UNIX.to_bytes(2, sys.byteorder) + b"/x" + bytes(130)
    with filtered("unix:/x") as bot, file.open() as opened, socket.socket(socket.AF_UNIX) as sock:
        number = sock.fileno()
        assert bot.do(raw(opened.fileno(), address, 10)) == errno.ENOTSOCK
        assert bot.do(raw(9_999, address, 10)) == errno.EBADF
        assert bot.do(raw(number, address, 0)) == errno.EINVAL
        assert bot.do(raw(number, address, 129)) == errno.EINVAL
        assert bot.do(raw(number, address, 128)) in (errno.ENOENT, errno.EINVAL)
        assert bot.do(raw(number, address, 1)) == errno.EACCES
        assert bot.refused == ["an address that is no path, host or port"]


def test_further_connections_than_a_bot_needs_are_refused_and_not_told(
    door: socket.socket,
) -> None:
    path = door.getsockname()
    with filtered(f"unix:{path}") as bot:
        bot.relay._left = 2
        results = []
        for _ in range(3):
            with socket.socket(socket.AF_UNIX) as sock:
                results.append(bot.do(connecting(sock, path)))
        assert results == [None, None, errno.ECONNREFUSED]
        assert bot.refused == []


def test_a_build_has_more_connections_than_a_bot() -> None:
    assert MOST_CONNECTIONS == {"bot": 64, "build": 20_000}
    for reach, most in ((("unix:/x",), 64), (("public",), 20_000), (("udp:1.1.1.1:53",), 64)):
        with filtered(*reach) as bot:
            assert bot.relay._left == most


def test_a_socket_of_another_network_gets_one_of_the_wardens_in_its_place(
    door: socket.socket,
) -> None:
    """Here the relay only believes that the networks differ: the way is the same."""
    path = door.getsockname()
    with filtered(f"unix:{path}") as bot:
        bot.relay._namespace = b"elsewhere"
        for blocks, inherited in ((True, False), (False, True)):
            with socket.socket(socket.AF_UNIX) as sock:
                sock.setblocking(blocks)
                sock.set_inheritable(inherited)
                before = os.fstat(sock.fileno()).st_ino
                assert bot.do(connecting(sock, path)) is None
                assert os.fstat(sock.fileno()).st_ino != before
                assert os.get_blocking(sock.fileno()) == blocks
                assert sock.get_inheritable() == inherited
                with door.accept()[0] as peer:
                    peer.sendall(b"x")
                    sock.setblocking(True)
                    assert sock.recv(1) == b"x"
        with socket.socket(socket.AF_UNIX) as sock:
            door.close()
            before = os.fstat(sock.fileno()).st_ino
            assert bot.do(connecting(sock, path)) == errno.ECONNREFUSED
            assert os.fstat(sock.fileno()).st_ino == before


def test_no_descriptor_is_left_open(door: socket.socket) -> None:
    path = door.getsockname()
    with filtered(f"unix:{path}") as bot, socket.socket(socket.AF_UNIX) as sock:
        before = sorted(os.listdir("/proc/self/fd"))
        for address in (path, "/no/such", path):
            bot.do(connecting(sock, address))
        assert sorted(os.listdir("/proc/self/fd")) == before


def test_each_network_has_a_value_of_its_own_and_a_thread_its_process() -> None:
    with socket.socket() as one, socket.socket(socket.AF_UNIX) as other:
        assert relay._namespace_of(one) == relay._namespace_of(other)
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(threading.get_native_id()))
    thread.start()
    thread.join()
    assert relay._process_of(threading.get_native_id()) == os.getpid()
    with pytest.raises(FileNotFoundError):
        relay._process_of(2**22 + 1)


def test_a_descriptor_is_taken_out_of_a_process_and_closed_on_exec() -> None:
    pidfd = os.pidfd_open(os.getpid())
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    taken = relay.take_descriptor(pidfd, writer)
    assert not os.get_inheritable(taken)
    os.write(taken, b"x")
    assert os.read(reader, 1) == b"x"
    with pytest.raises(OSError, match="Bad file descriptor"):
        relay.take_descriptor(pidfd, 9_999)
    for descriptor in (pidfd, reader, writer, taken):
        os.close(descriptor)


@pytest.mark.parametrize(
    ("first", "inside", "last", "beyond"),
    [
        ("0.0.0.0", "0.1.2.3", "0.255.255.255", "1.0.0.0"),
        ("10.0.0.0", "10.9.9.9", "10.255.255.255", "11.0.0.0"),
        ("100.64.0.0", "100.100.1.1", "100.127.255.255", "100.128.0.0"),
        ("127.0.0.0", "127.0.0.1", "127.255.255.255", "128.0.0.0"),
        ("169.254.0.0", "169.254.1.1", "169.254.255.255", "169.255.0.0"),
        ("172.16.0.0", "172.20.1.1", "172.31.255.255", "172.32.0.0"),
        ("192.168.0.0", "192.168.9.9", "192.168.255.255", "192.169.0.0"),
        ("224.0.0.0", "239.1.1.1", "255.255.255.255", "223.255.255.255"),
    ],
)
def test_private_networks_end_where_they_end(
    first: str, inside: str, last: str, beyond: str
) -> None:
    assert [relay.is_public(host) for host in (first, inside, last, beyond)] == [False] * 3 + [True]


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("64:ff9b::1.1.1.1", True),
        ("64:ff9b::10.0.0.1", False),
        ("64:ff9b:1::1.1.1.1", False),
        ("2001:0::1", False),
        ("2001:1::1", True),
        ("2002::1", False),
        ("2003::1", True),
        ("1fff::1", False),
        ("2000::1", True),
        ("3fff::1", True),
        ("4000::1", False),
        ("2600::1%eth0", True),
        ("fe80::1%eth0", False),
    ],
)
def test_of_ipv6_what_is_routed_in_public_is_public(host: str, public: bool) -> None:
    assert relay.is_public(host) == public
