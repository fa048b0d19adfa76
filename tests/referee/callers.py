"""Callers at the door of a lobby, good and bad, in the same process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgpack
import trio

from arena.referee.door.addresses import TcpAddress, UnixAddress
from arena.referee.door.evidence import EvidenceSource, no_evidence
from arena.referee.door.guests import Guest
from arena.referee.door.lobby import Lobby, open_lobby
from arena.referee.wire.lookout import Lookout
from arena.tokens import KnownToken, new_token
from arena.utc import now as utc_now
from tests.helpers import packed
from tests.referee.small_table import Punctual, virtual_us


def hello(token: str, **otherwise: object) -> bytes:
    """A good hello, but for what is said otherwise."""
    return packed({"type": "hello", "protocol": 1, "token": token} | otherwise)


def expected(lobby: Lobby, name: str, *, dials_in: bool = False) -> tuple[Guest, str]:
    """A guest of this lobby, and the token that admits it."""
    token = new_token()
    return lobby.expect(name, KnownToken.of(token), dials_in=dials_in), token


class Caller:
    """One connection to a lobby."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self._buffer = b""

    async def __aenter__(self) -> Caller:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stream.socket.close()

    async def send(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def receive(self) -> Mapping[str, Any] | None:
        """The next message; None at the end."""
        while True:
            end = 4 + int.from_bytes(self._buffer[:4], "big")
            if len(self._buffer) >= max(end, 5):
                body, self._buffer = self._buffer[4:end], self._buffer[end:]
                message: Mapping[str, Any] = msgpack.unpackb(body)
                return message
            try:
                data = await self.stream.receive_some()
            except trio.BrokenResourceError:
                return None
            if not data:
                return None
            self._buffer += data

    async def reason(self) -> str:
        """Of the bye, which is the last that comes."""
        message = await self.receive()
        assert message is not None
        assert message["type"] == "bye"
        assert await self.receive() is None
        return str(message["reason"])


async def call(address: str) -> Caller:
    """Connect to what a lobby says its address is."""
    scheme, _, place = address.partition(":")
    if scheme == "unix":
        return Caller(await trio.open_unix_socket(place))
    host, _, port = place.rpartition(":")
    return Caller(await trio.open_tcp_stream(host.strip("[]"), int(port)))


@asynccontextmanager
async def a_lobby(
    folder: Path,
    *more: TcpAddress,
    hello_ms: int = 10_000,
    evidence: EvidenceSource = no_evidence,
    now: Callable[[], str] = utc_now,
) -> AsyncIterator[Lobby]:
    """On a Unix socket in this folder, and maybe on TCP."""
    lookout = Lookout(virtual_us, Punctual(virtual_us))
    door = UnixAddress(folder / "door")
    async with open_lobby(
        lookout, door, *more, hello_ms=hello_ms, evidence=evidence, now=now
    ) as lobby:
        yield lobby
