"""Addresses to listen at, in the form that ARENA_CONNECT has (SPEC 2.2)."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import socket
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import trio

from arena.referee.door.socket_file import listening_in
from arena.tcp_address import TCP_EXAMPLE, TCP_IN_WORDS, TCP_PATTERN

# The kernel's limit for the path of a Unix socket, without the NUL at the end.
MOST_PATH_BYTES = 107


class CannotListen(Exception):
    """Bots cannot dial in at this address; the text says which, and why."""


class Accepted(Protocol):
    """A connection, as it is accepted."""

    @property
    def socket(self) -> trio.socket.SocketType: ...


class ListeningSocket(Protocol):
    """A listening socket: one of Trio, or `RelayListener`."""

    @property
    def socket(self) -> trio.socket.SocketType: ...
    async def accept(self) -> Accepted: ...


@dataclass(frozen=True)
class UnixAddress:
    """A Unix socket at a path that does not exist yet, in a folder that only we may enter.

    The folder keeps others away, and not the socket's mode: a bot that is a user of its own sees
    the socket alone, bound into its sandbox.
    """

    path: Path

    def listen(self, backlog: int) -> tuple[trio.SocketListener, str]:
        """Return a listener and the address to tell bots. `backlog`: connections that may queue."""
        path = os.fspath(self.path)
        if len(os.fsencode(path)) > MOST_PATH_BYTES:
            raise OSError(
                errno.ENAMETOOLONG,
                f"the path of a Unix socket has at most {MOST_PATH_BYTES} bytes; set TMPDIR to a"
                " folder with a shorter name",
                path,
            )
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            sock.bind(path)
            # In time: nothing can connect before `listen`.
            os.chmod(path, 0o666)
            sock.listen(backlog)
        except OSError:
            sock.close()
            raise
        return trio.SocketListener(trio.socket.from_stdlib_socket(sock)), f"unix:{self.path}"

    def clean_up(self) -> None:
        """Remove the socket's file."""
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()


@dataclass(frozen=True)
class TcpAddress:
    """A TCP socket at a host and a port; port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = 0

    @classmethod
    def of(cls, address: str) -> TcpAddress:
        """Read an address as ARENA_CONNECT has it. Raises ValueError with an example."""
        if not re.match(TCP_PATTERN, address):
            raise ValueError(f"{address!r} is not {TCP_IN_WORDS}. For instance: {TCP_EXAMPLE}")
        host, _, port = address.removeprefix("tcp:").rpartition(":")
        return cls(host.removeprefix("[").removesuffix("]"), int(port))

    def listen(self, backlog: int) -> tuple[trio.SocketListener, str]:
        """Return a listener and the address to tell bots. `backlog`: connections that may queue."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((self.host, self.port))
            sock.listen(backlog)
        except OSError:
            sock.close()
            raise
        port = sock.getsockname()[1]
        host = f"[{self.host}]" if ":" in self.host else self.host
        return trio.SocketListener(trio.socket.from_stdlib_socket(sock)), f"tcp:{host}:{port}"

    def check(self) -> None:
        """Raise CannotListen if this process cannot listen here. Called in Trio.

        For a caller that starts another process to listen: that one could not say it so well.
        """
        try:
            listener, _ = self.listen(1)
        except OSError as error:
            raise CannotListen(
                f"cannot listen at tcp:{self.host}:{self.port}: {error.strerror}"
            ) from None
        listener.socket.close()

    def clean_up(self) -> None:
        """Do nothing: a TCP socket leaves nothing behind."""


# In the folder of a league.
RELAY = "door.sock"


@dataclass(frozen=True)
class AcceptedRelay:
    """A bot's connection that `arena door` hands on."""

    socket: trio.socket.SocketType


@dataclass(frozen=True)
class RelayListener:
    """A listening socket for packets; those of Trio know streams only."""

    socket: trio.socket.SocketType

    async def accept(self) -> AcceptedRelay:
        """Wait for the next connection of a door."""
        sock, _ = await self.socket.accept()
        return AcceptedRelay(sock)


@dataclass(frozen=True)
class RelayAddress:
    """The socket at which `arena door` hands on connections, in a folder of the league's owner.

    It is for this user alone: whoever can open it can say when the bytes of a bot arrived.
    """

    folder: Path
    _open: ExitStack = field(default_factory=ExitStack, compare=False, repr=False)

    def listen(self, backlog: int) -> tuple[RelayListener, str]:
        """Return a listener and its path. `backlog`: connections that may queue."""
        kind = socket.SOCK_SEQPACKET
        sock = self._open.enter_context(listening_in(self.folder, RELAY, backlog, kind))
        # A descriptor of its own: the caller closes it, whenever that is.
        listener = trio.socket.from_stdlib_socket(sock.dup())
        return RelayListener(listener), str(self.folder / RELAY)

    def clean_up(self) -> None:
        """Remove the socket's file."""
        self._open.close()
