"""Connect a bot's sockets for it, to the addresses it may reach and to no other.

A bot under a filter that reports `connect` never connects by itself: the kernel holds its call and
tells the warden (seccomp_unotify(2)). The warden reads the address out of the bot's memory, takes
a duplicate of the bot's socket, and connects that. Both are one socket, so what the bot has set on
it stays. A socket of another network namespace cannot get out of that: there the warden connects a
socket of its own, and puts it in the place of the bot's. The address is read once, and what was
read is used: a bot that changes its memory meanwhile gains nothing.

`reach` lists what is allowed:

    unix:PATH       a Unix socket
    tcp:HOST:PORT   one address; HOST is a number
    udp:HOST:PORT   a name server, for a build
    public          any TCP address but those of this machine and of private networks
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import socket
import stat
import struct
import sys
from collections.abc import Callable

_RECEIVE = 0xC0502100
_SEND = 0xC0182101
_IS_VALID = 0x40082102
_ADD_DESCRIPTOR = 0x40182103
_IN_ITS_PLACE = 1  # SECCOMP_ADDFD_FLAG_SETFD
_SO_NETNS_COOKIE = 71
_PIDFD_GETFD = 438

# id, thread, flags, number of the call, architecture, instruction, six arguments
_REPORT = struct.Struct("QIIiIQ6Q")
_ANSWER = struct.Struct("QqiI")  # id, value, error, flags
_ADDED = struct.Struct("QIIII")  # id, flags, our descriptor, its descriptor, its flags

# The largest address there is (sockaddr_storage).
_MOST_ADDRESS_BYTES = 128
# A bot needs one connection, a build some for each of its packages. Further ones are refused:
# each costs the warden time that other bots wait for.
MOST_CONNECTIONS = {"bot": 64, "build": 20_000}
# The warden waits so long for a connection, where the bot's socket waits at all: in seconds and
# microseconds, to a door on this machine and to a server elsewhere.
_LOCAL_WAIT = (0, 200_000)
_PUBLIC_WAIT = (5, 0)
_TIMEVAL = struct.Struct("ll")

# The C library looks for these by itself, and goes on without.
_SOUGHT_BY_ALL = frozenset({"/var/run/nscd/socket", "/run/nscd/socket"})

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long

PUBLIC = "public"

# What "public" leaves out: this machine, private networks, links, groups, and what is reserved.
_NOT_PUBLIC_4 = (
    ("0.0.0.0", 8),
    ("10.0.0.0", 8),
    ("100.64.0.0", 10),
    ("127.0.0.0", 8),
    ("169.254.0.0", 16),
    ("172.16.0.0", 12),
    ("192.168.0.0", 16),
    ("224.0.0.0", 3),
)
# The first bits of an IPv6 address that is routed in public (2000::/3).
_PUBLIC_6 = 0b001
_MAPPED = bytes(10) + b"\xff\xff"
_TRANSLATED = bytes.fromhex("0064ff9b") + bytes(8)
_TEREDO, _6TO4 = bytes.fromhex("20010000"), bytes.fromhex("2002")


def is_public(host: str) -> bool:
    """Tell if an address, as numbers, is none of this machine or of a private network."""
    if ":" not in host:
        return _is_public_4(socket.inet_aton(host))
    packed = socket.inet_pton(socket.AF_INET6, host.partition("%")[0])
    if packed.startswith(_TRANSLATED):
        return _is_public_4(packed[12:])
    if packed.startswith((_TEREDO, _6TO4)):  # tunnels with an IPv4 address inside
        return False
    return packed[0] >> 5 == _PUBLIC_6


def _is_public_4(packed: bytes) -> bool:
    number = int.from_bytes(packed, "big")
    return not any(
        number >> (32 - bits) == int.from_bytes(socket.inet_aton(network), "big") >> (32 - bits)
        for network, bits in _NOT_PUBLIC_4
    )


def address_in(packed: bytes) -> str | tuple[str, int] | None:
    """Read a socket address: a path, a host and its port, or None for anything else."""
    if len(packed) < 2:
        return None
    family = int.from_bytes(packed[:2], sys.byteorder)
    if family == socket.AF_UNIX:
        path = packed[2:].split(b"\0")[0]
        return os.fsdecode(path) if path else None  # abstract names have no path
    if family == socket.AF_INET and len(packed) >= 8:
        return socket.inet_ntoa(packed[4:8]), int.from_bytes(packed[2:4], "big")
    if family == socket.AF_INET6 and len(packed) >= 24:
        port = int.from_bytes(packed[2:4], "big")
        if packed[8:20] == _MAPPED:  # as Java has every IPv4 address
            return socket.inet_ntoa(packed[20:24]), port
        return socket.inet_ntop(socket.AF_INET6, packed[8:24]), port
    return None


class Reach:
    """The addresses that one bot may connect to."""

    def __init__(self, addresses: tuple[str, ...]) -> None:
        self._names = frozenset(addresses)
        self.is_wide = PUBLIC in self._names

    def allows(self, address: str | tuple[str, int] | None, kind: int) -> bool:
        """Tell if a socket of this kind (SOCK_STREAM ...) may be connected to this address."""
        if address is None:
            return False
        if isinstance(address, str):
            return f"unix:{address}" in self._names
        host, port = address
        shown = f"[{host}]" if ":" in host else host
        if kind == socket.SOCK_DGRAM:
            return f"udp:{shown}:{port}" in self._names
        if f"tcp:{shown}:{port}" in self._names:
            return True
        return self.is_wide and is_public(host)


class Relay:
    """The reports of one bot's `connect` calls, and their answers.

    `session`: the bot's session, by which the lobby knows it. `refused` is called with each
    address that was refused, in words.
    """

    def __init__(
        self, listener: int, reach: tuple[str, ...], session: int, refused: Callable[[str], None]
    ) -> None:
        self.descriptor = listener
        self._reach = Reach(reach)
        self._session = session
        self._refused = refused
        self._left = MOST_CONNECTIONS["build" if self._reach.is_wide else "bot"]
        self._names = 0
        with socket.socket() as ours:
            self._namespace = _namespace_of(ours)

    def serve(self) -> bool:
        """Answer one report; False when no process is left that could make one."""
        buffer = bytearray(_REPORT.size)
        try:
            fcntl.ioctl(self.descriptor, _RECEIVE, buffer)
        except OSError as error:
            # ENOENT: the caller was killed meanwhile.
            return error.errno in (errno.ENOENT, errno.EINTR)
        report = _REPORT.unpack(buffer)
        number, thread, arguments = report[0], report[1], report[6:]
        failure = self._connect(number, thread, *arguments[:3])
        answer = bytearray(_ANSWER.pack(number, 0, -failure, 0))
        try:
            fcntl.ioctl(self.descriptor, _SEND, answer)
        except OSError as error:
            return error.errno == errno.ENOENT
        return True

    def close(self) -> None:
        os.close(self.descriptor)

    def _connect(self, number: int, thread: int, descriptor: int, address: int, size: int) -> int:
        """Connect the socket of a report; return an errno, 0 if it is connected."""
        try:
            sock, packed = self._look(number, thread, descriptor, address, size)
        except OSError as error:
            return error.errno or errno.EACCES
        with sock:
            target = address_in(packed)
            if not self._reach.allows(target, sock.type):
                if target in _SOUGHT_BY_ALL:
                    return errno.ENOENT
                if not _asks_for_a_route(packed, sock.type):
                    self._refused(_in_words(target))
                return errno.EACCES
            if not self._left:
                return errno.ECONNREFUSED
            self._left -= 1
            if self._namespace and _namespace_of(sock) == self._namespace:
                return self._join(sock, packed)
            return self._replace(number, thread, descriptor, sock, packed)

    def _look(
        self, number: int, thread: int, descriptor: int, address: int, size: int
    ) -> tuple[socket.socket, bytes]:
        """Take the bot's socket and the address out of its memory. Raises OSError."""
        if not 0 < size <= _MOST_ADDRESS_BYTES:
            raise OSError(errno.EINVAL, "size")
        process = _process_of(thread)
        memory = os.open(f"/proc/{thread}/mem", os.O_RDONLY | os.O_CLOEXEC)
        try:
            pidfd = os.pidfd_open(process)
            try:
                # The caller may be gone and its number another's: then the report is not valid
                # any more. All that was opened before this line is the caller's.
                fcntl.ioctl(self.descriptor, _IS_VALID, struct.pack("Q", number))
                packed = os.pread(memory, size, address)
                taken = take_descriptor(pidfd, descriptor & 0xFFFFFFFF)
            finally:
                os.close(pidfd)
        finally:
            os.close(memory)
        if not stat.S_ISSOCK(os.fstat(taken).st_mode):
            os.close(taken)
            raise OSError(errno.ENOTSOCK, "no socket")
        return socket.socket(fileno=taken), packed

    def _join(self, sock: socket.socket, packed: bytes) -> int:
        """Connect, and wait no longer than the warden may."""
        if sock.family == socket.AF_UNIX:
            self._sign(sock)
        before = sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _TIMEVAL.size)
        wait = _PUBLIC_WAIT if self._reach.is_wide else _LOCAL_WAIT
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _TIMEVAL.pack(*wait))
        try:
            failure = _connect(sock.fileno(), packed)
        finally:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, before)
        if failure in (errno.EINPROGRESS, errno.EAGAIN) and os.get_blocking(sock.fileno()):
            return errno.ETIMEDOUT
        return failure

    def _replace(
        self, number: int, thread: int, descriptor: int, sock: socket.socket, packed: bytes
    ) -> int:
        """Connect a socket like the bot's, and put it in the place of the bot's."""
        with socket.socket(sock.family, sock.type) as ours:
            failure = self._join(ours, packed)
            if failure:
                return failure
            os.set_blocking(ours.fileno(), os.get_blocking(sock.fileno()))
            flags = os.O_CLOEXEC if _is_closed_on_exec(thread, descriptor) else 0
            added = _ADDED.pack(number, _IN_ITS_PLACE, ours.fileno(), descriptor, flags)
            try:
                fcntl.ioctl(self.descriptor, _ADD_DESCRIPTOR, added)
            except OSError as error:
                return error.errno or errno.EACCES
        return 0

    def _sign(self, sock: socket.socket) -> None:
        """Give the socket a name that says which bot's it is: its peer sees the warden's pid."""
        self._names += 1
        try:
            sock.bind(f"\0arena.{os.getpid()}.{self._session}.{self._names}")
        except OSError:  # it has a name, or somebody has taken this one
            return


def _connect(descriptor: int, packed: bytes) -> int:
    """Connect to a packed address; return an errno, 0 for success.

    Not by `socket.connect`, which packs the address anew and waits on after a signal.
    """
    if _LIBC.connect(descriptor, packed, ctypes.c_uint(len(packed))) == 0:
        return 0
    return ctypes.get_errno()


def _namespace_of(sock: socket.socket) -> bytes:
    """Return a value that each network namespace has of its own; empty before Linux 5.14."""
    try:
        return sock.getsockopt(socket.SOL_SOCKET, _SO_NETNS_COOKIE, 8)
    except OSError:
        return b""


def _is_closed_on_exec(thread: int, descriptor: int) -> bool:
    with open(f"/proc/{thread}/fdinfo/{descriptor}", "rb", buffering=0) as file:
        for line in file.read(1024).splitlines():
            if line.startswith(b"flags:"):
                return bool(int(line.split()[1], 8) & os.O_CLOEXEC)
    return False


def take_descriptor(pidfd: int, descriptor: int) -> int:
    """Duplicate a descriptor of another process into this one. Raises OSError."""
    result = int(_LIBC.syscall(_PIDFD_GETFD, pidfd, ctypes.c_uint(descriptor), 0))
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    os.set_inheritable(result, False)
    return result


def _process_of(thread: int) -> int:
    """Return the process that a thread belongs to."""
    with open(f"/proc/{thread}/status", "rb", buffering=0) as file:
        for line in file.read(4096).splitlines():
            if line.startswith(b"Tgid:"):
                return int(line.split()[1])
    raise OSError(errno.ESRCH, "no such thread")


def _asks_for_a_route(packed: bytes, kind: int) -> bool:
    """Tell if a `connect` can reach nobody: a look-up of names connects a UDP socket to port 0 of
    each address that it has found, and to no address in between, to sort them by their routes."""
    family = int.from_bytes(packed[:2], sys.byteorder)
    if family == socket.AF_UNSPEC:
        return True
    target = address_in(packed)
    return kind == socket.SOCK_DGRAM and isinstance(target, tuple) and target[1] == 0


def _in_words(target: str | tuple[str, int] | None) -> str:
    if target is None:
        return "an address that is no path, host or port"
    if isinstance(target, str):
        return f"unix:{target}"
    host, port = target
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
