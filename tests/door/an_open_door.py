"""A door in this process, a server of bots behind it, and clients before it."""

from __future__ import annotations

import base64
import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import trio

from arena.door.bounds import MOST, MOST_OF_AN_ADDRESS
from arena.door.certificates import Certificate
from arena.door.door import DoorTerms, open_door
from arena.door.places import ListenPlace, Way
from arena.door.referees import Beyond

CERTIFICATE = Path(__file__).parent / "certificate"
CHAIN, KEY = CERTIFICATE / "chain.pem", CERTIFICATE / "key.pem"
SAFETY_SECONDS = 30.0

_clients: list[trio.SocketStream] = []

Serve: TypeAlias = Callable[[trio.SocketStream], Awaitable[None]]


async def echo(stream: trio.SocketStream) -> None:
    """A server that says whatever it hears."""
    async for data in stream:
        await stream.send_all(data)


@asynccontextmanager
async def a_server(serve: Serve = echo) -> AsyncIterator[str]:
    """The address of a server on TCP."""

    async def handled(stream: trio.SocketStream) -> None:
        async with stream:
            try:
                await serve(stream)
            except trio.BrokenResourceError:
                return

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(
            lambda task_status: trio.serve_tcp(
                handled, 0, host="127.0.0.1", task_status=task_status
            )
        )
        yield f"tcp:127.0.0.1:{listeners[0].socket.getsockname()[1]}"
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def a_door(
    to: str | Path,
    *,
    trusted: Collection[str] = (),
    most: int = MOST,
    most_of_an_address: int = MOST_OF_AN_ADDRESS,
) -> AsyncIterator[dict[Way, int]]:
    """The ports of a door that listens for all that it understands."""
    places = [ListenPlace(way, "127.0.0.1", 0) for way in Way]
    terms = DoorTerms(Beyond(to), Certificate(CHAIN, KEY), trusted, most, most_of_an_address)
    with trio.fail_after(SAFETY_SECONDS):
        async with open_door(places, terms) as door:
            try:
                yield {place.way: place.port for place in door.places}
            finally:
                while _clients:
                    _clients.pop().socket.close()


@asynccontextmanager
async def an_echo(**terms: object) -> AsyncIterator[dict[Way, int]]:
    """The ports of a door before a server that says what it hears."""
    async with a_server() as address, a_door(address, **terms) as ports:  # type: ignore[arg-type]
        yield ports


async def plainly(port: int) -> trio.SocketStream:
    """A connection without a word; it is closed with the door."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    _clients.append(stream)
    return stream


async def by_tls(port: int) -> trio.SSLStream[trio.SocketStream]:
    """A connection after TLS's handshake, which has checked the certificate."""
    context = ssl.create_default_context(cafile=str(CHAIN))
    stream = await plainly(port)
    tls = trio.SSLStream(stream, context, server_hostname="127.0.0.1", https_compatible=True)
    await tls.do_handshake()
    return tls


def upgrade(**more: str) -> bytes:
    """A request for a WebSocket; a header is left out if it is said to be ""."""
    headers = {
        "Host": "localhost",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(bytes(16)).decode(),
    } | {name.replace("_", "-"): value for name, value in more.items()}
    lines = [f"{name}: {value}" for name, value in headers.items() if value]
    return "\r\n".join(["GET /bots HTTP/1.1", *lines, "", ""]).encode("latin-1")


def part(
    kind: int, payload: bytes = b"", *, final: bool = True, masked: bool = True, rsv: int = 0
) -> bytes:
    """One part of a message as a client sends it, by RFC 6455."""
    size = len(payload)
    mask = os.urandom(4) if masked else b""
    first = (0x80 if final else 0) | rsv << 4 | kind
    bit = 0x80 if masked else 0
    if size < 126:
        header = bytes((first, bit | size))
    elif size < 65_536:
        header = bytes((first, bit | 126)) + size.to_bytes(2, "big")
    else:
        header = bytes((first, bit | 127)) + size.to_bytes(8, "big")
    if masked:
        payload = bytes(each ^ mask[at % 4] for at, each in enumerate(payload))
    return header + mask + payload


CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Socket:
    """The client's side of a WebSocket, which may say anything."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self._data = b""

    @classmethod
    async def at(cls, port: int, **headers: str) -> Socket:
        """Through the upgrade of a door without TLS."""
        socket = cls(await plainly(port))
        await socket.stream.send_all(upgrade(**headers))
        assert (await socket.head()).startswith(b"HTTP/1.1 101 ")
        return socket

    async def head(self) -> bytes:
        """The head of the response."""
        while b"\r\n\r\n" not in self._data:
            assert await self._more(), self._data
        head, _, self._data = self._data.partition(b"\r\n\r\n")
        return head

    async def _more(self) -> bool:
        try:
            data = bytes(await self.stream.receive_some(65_536))
        except trio.BrokenResourceError:
            return False
        self._data += data
        return bool(data)

    async def says(self, *parts: bytes) -> None:
        await self.stream.send_all(b"".join(parts))

    async def hears(self) -> tuple[int, bytes] | None:
        """The kind and payload of the next part; None at the end."""
        while True:
            data = self._data
            if len(data) >= 2:
                size, at = data[1], 2
                if size > 125:
                    at += 2 if size == 126 else 8
                    size = int.from_bytes(data[2:at], "big")
                if len(data) >= at + size:
                    self._data = data[at + size :]
                    return data[0] & 0x0F, data[at : at + size]
            if not await self._more():
                return None

    async def closed_for(self) -> int | None:
        """The code of the close frame that comes next; None if the connection ends without one."""
        while (came := await self.hears()) is not None:
            if came[0] == CLOSE:
                return int.from_bytes(came[1][:2], "big")
        return None
