"""Addresses to listen at, as ARENA_CONNECT has them (SPEC 2.2)."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import socket
from dataclasses import dataclass
from pathlib import Path

import trio

from arena.referee.tcp_address import TCP_EXAMPLE, TCP_IN_WORDS, TCP_PATTERN

# What the kernel has room for, without the NUL at the end.
MOST_PATH_BYTES = 107


@dataclass(frozen=True)
class UnixAddress:
    """A path that does not exist yet, best in a folder that only we may enter."""

    path: Path

    def listen(self, backlog: int) -> tuple[trio.SocketListener, str]:
        """A listener, and the address to tell bots."""
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
            # Nobody can have connected before: connecting needs `listen`.
            os.chmod(path, 0o600)
            sock.listen(backlog)
        except OSError:
            sock.close()
            raise
        return trio.SocketListener(trio.socket.from_stdlib_socket(sock)), f"unix:{self.path}"

    def clean_up(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()


@dataclass(frozen=True)
class TcpAddress:
    """A host and a port; port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = 0

    @classmethod
    def of(cls, address: str) -> TcpAddress:
        """As it is written; raises ValueError."""
        if not re.match(TCP_PATTERN, address):
            raise ValueError(f"{address!r} is not {TCP_IN_WORDS}. For instance: {TCP_EXAMPLE}")
        host, _, port = address.removeprefix("tcp:").rpartition(":")
        return cls(host.removeprefix("[").removesuffix("]"), int(port))

    def listen(self, backlog: int) -> tuple[trio.SocketListener, str]:
        """A listener, and the address to tell bots."""
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

    def clean_up(self) -> None:
        """Nothing is left of it."""
