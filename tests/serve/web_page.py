"""The page of a person who plays, as its server meets it: WebSocket frames on a TCP connection."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping
from types import TracebackType
from typing import Any

TABLE = "/play/table"
NOPE = {"type": "open", "game": "nope", "bots": ["python-random"], "name": "Ada"}
SECONDS = 30
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def upgrade_head(port: int, *more: str, path: str = TABLE, is_page: bool = True) -> bytes:
    """The request for a WebSocket. `is_page`: it names the page that asks, as browsers do."""
    origin = [f"Origin: http://127.0.0.1:{port}"] if is_page else []
    head = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        *origin,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *more,
    ]
    return "\r\n".join([*head, "", ""]).encode("latin-1")


def frame(data: bytes, kind: int = TEXT, *, first: int = 0x80) -> bytes:
    """A masked frame. `first`: the upper half of its first byte, 0x80 for a whole message."""
    size = len(data)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 65_536:
        length = bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        length = bytes([0x80 | 127]) + size.to_bytes(8, "big")
    mask = os.urandom(4)
    masked = bytes(each ^ mask[at % 4] for at, each in enumerate(data)) if size < 1_000 else data
    return bytes([first | kind]) + length + (mask if size < 1_000 else bytes(4)) + masked


class WebPage:
    """One page. `network`: that of its visitor, told as a proxy tells it."""

    def __init__(self, port: int, network: int = 1, *more: str):
        self._port = port
        self._network = network
        self.seen = b""  # all that came, for tests of what must not
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        forwarded = f"X-Forwarded-For: 10.{network // 256}.{network % 256}.1"
        self.socket.sendall(upgrade_head(port, forwarded, *more))
        self._buffer = b""
        self.head = self._until(b"\r\n\r\n")

    def __enter__(self) -> WebPage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.socket.close()

    def say(self, message: Mapping[str, Any]) -> None:
        self.socket.sendall(frame(json.dumps(message).encode()))

    def next(self) -> dict[str, Any] | None:
        """The next message; None at the end of the connection. Pings are answered."""
        while True:
            head = self._exactly(2)
            if len(head) < 2:
                return None
            kind, size = head[0] & 15, head[1] & 127
            if size >= 126:
                size = int.from_bytes(self._exactly(2 if size == 126 else 8), "big")
            data = self._exactly(size)
            if kind == CLOSE or len(data) < size:
                return None
            if kind == PING:
                self.socket.sendall(frame(data, PONG))
            if kind == TEXT:
                message: dict[str, Any] = json.loads(data)
                return message

    def until(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while (message := self.next()) is not None:
            if message["type"] in kinds:
                return message
        raise AssertionError(f"none of {kinds} came")

    def ends(self) -> bool:
        """Read until the server ends the connection."""
        while self.next() is not None:
            pass
        return True

    def sit_down(self) -> str:
        """Open a table; return the secret of the seat once something is asked."""
        self.say(NOPE)
        seat = str(self.until("seated")["seat"])
        self.asked = self.until("request")
        return seat

    def choose(self) -> str:
        """Answer the open request, and return the type of what ends the wait for the next."""
        asked = self.asked
        answer = {"match": asked["match"], "id": asked["id"], "action": asked["legal"][0]}
        self.say({"type": "action", **answer})
        self.asked = self.until("request", "end")
        return str(self.asked["type"])

    def play_on(self) -> None:
        """Play the match to its end; there must be no fault."""
        while self.choose() == "request":
            pass
        assert self.asked["type"] == "end"
        assert self.asked["faults"] == []

    def again(self, seat: str) -> WebPage:
        """Another page that takes this seat, up to the request that is open."""
        page = WebPage(self._port, self._network)
        page.say({"type": "rejoin", "seat": seat})
        page.asked = page.until("request", "end")
        return page

    def _until(self, end: bytes) -> bytes:
        while end not in self._buffer and self._more():
            pass
        found, _, self._buffer = self._buffer.partition(end)
        return found + end

    def _exactly(self, size: int) -> bytes:
        while len(self._buffer) < size and self._more():
            pass
        found, self._buffer = self._buffer[:size], self._buffer[size:]
        return found

    def _more(self) -> bool:
        try:
            data = self.socket.recv(65_536)
        except ConnectionError:
            data = b""
        self._buffer += data
        self.seen += data
        return bool(data)


def is_ended(connection: socket.socket) -> bool:
    """Wait until the other side ends a connection, reading what it sends."""
    try:
        while connection.recv(65_536):
            pass
    except ConnectionError:
        pass
    return True
