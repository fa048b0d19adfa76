"""WebSockets over socket pairs, with an application that sends without end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from arena.serve.connections import websocket
from arena.serve.connections.http import BoundedProtocol
from arena.serve.connections.websocket import MOST_FRAMES, BoundedWebSocket

HEAD = (
    b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
SMALL = b"\x81\x81\0\0\0\0x"
PING = b"\x89\x80\0\0\0\0"


async def without_end(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    while True:
        await send({"type": "websocket.send", "text": "x" * 10_000})


async def listening(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


@asynccontextmanager
async def connected(app: object) -> AsyncIterator[tuple[socket.socket, ServerState]]:
    """The other end of a connection to this application, after its upgrade."""
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]  # an application
        http=BoundedProtocol,
        ws=BoundedWebSocket,
        ws_per_message_deflate=False,
        log_config=None,
    )
    config.load()
    state = ServerState()
    here, there = socket.socketpair()
    loop = asyncio.get_running_loop()
    with here:
        here.setblocking(False)
        await loop.connect_accepted_socket(
            lambda: BoundedProtocol(config=config, server_state=state, app_state={}), there
        )
        await loop.sock_sendall(here, HEAD)
        assert (await loop.sock_recv(here, 12)).endswith(b"101")
        yield here, state
    while state.connections or state.tasks:
        await asyncio.sleep(0)


async def end(here: socket.socket) -> bool:
    """Read until the other side ends the connection."""
    loop = asyncio.get_running_loop()
    try:
        while await loop.sock_recv(here, 65_536):
            pass
    except ConnectionError:
        pass
    return True


def test_a_reader_that_does_not_read_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "STALL_SECONDS", 0.01)

    async def main() -> None:
        async with asyncio.timeout(30), connected(without_end) as (here, state):
            while state.connections:
                await asyncio.sleep(0)
            assert await end(here)

    asyncio.run(main())


def test_a_reader_that_reads_is_kept() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(30), connected(without_end) as (here, state):
            for _ in range(100):
                assert await loop.sock_recv(here, 1_000_000)
            assert state.connections

    asyncio.run(main())


@pytest.mark.parametrize("data", [SMALL, PING, b"\x8a\x80\0\0\0\0", b"\x01\x80\0\0\0\0"])
def test_more_frames_than_a_page_ever_sends_end_the_connection(data: bytes) -> None:
    """Of a message in parts only the first is sent as such: a second one breaks the protocol."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(30), connected(listening) as (here, _):
            await loop.sock_sendall(here, data * 2 * MOST_FRAMES)
            assert await end(here)

    asyncio.run(main())


def test_as_many_frames_as_are_allowed_at_once_are_taken() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(30), connected(listening) as (here, state):
            await loop.sock_sendall(here, PING * MOST_FRAMES)
            answered = b""
            while answered.count(b"\x8a\0") < MOST_FRAMES:
                answered += await loop.sock_recv(here, 65_536)
            assert state.connections

    asyncio.run(main())
