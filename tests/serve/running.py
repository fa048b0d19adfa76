"""A server as operators run it: processes and sockets."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

# The promise is that a server ends within so many seconds.
END_SECONDS = 2.0


@dataclass
class RunningServer:
    """`arena serve`, and what it said."""

    process: subprocess.Popen[str]
    port: int
    said: list[str] = field(default_factory=list)

    def connect(self) -> socket.socket:
        """Connect; every wait of a test for it has an end."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def ask(self, request: bytes) -> bytes:
        """Send bytes, and return all that comes until the server ends the connection."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_all(connection)

    def get(self, path: str, *more: str) -> bytes:
        """Ask for a path as a browser does."""
        head = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close", *more]
        return self.ask("\r\n".join([*head, "", ""]).encode())

    def is_well(self) -> bool:
        return self.get("/healthz").startswith(b"HTTP/1.1 200")

    def worker(self) -> int:
        """The number of the serving process."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return int(children.split()[-1])

    def stop(self) -> float:
        """Ask it to end; return the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        return time.monotonic() - began


def read_all(connection: socket.socket) -> bytes:
    """Read until the other side ends the connection."""
    found = b""
    try:
        while data := connection.recv(65_536):
            found += data
    except ConnectionResetError:
        pass
    return found


@contextmanager
def serving(*folders: Path, options: Sequence[str] = ()) -> Iterator[RunningServer]:
    """Serve leagues at a port of the system's choice, until the block ends."""
    command = [sys.executable, "-m", "arena", "serve", "--at", "127.0.0.1:0", *options]
    process = subprocess.Popen(
        [*command, *map(str, folders)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in folders]
        port = urlsplit(said[0].strip()).port
        assert port is not None
        said.append(process.stdout.readline())  # what holds, told before the first request
        server = RunningServer(process, port, [line.strip() for line in said])
        assert server.is_well()
        yield server
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
