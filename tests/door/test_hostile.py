"""Whatever is said to a door ends one connection at most: afterwards it takes in the next bot."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import trio

from arena.door.door import HANDSHAKE_SECONDS
from arena.door.places import Way
from arena.door.stamped import TAKES_SECONDS
from arena.door.websocket import MOST_HEAD_BYTES
from protocol.limits import MAX_BOT_BODY_BYTES
from tests.door.an_open_door import (
    BINARY,
    CLOSE,
    CONTINUED,
    PING,
    PONG,
    TEXT,
    Socket,
    a_door,
    a_server,
    an_echo,
    by_tls,
    part,
    plainly,
    upgrade,
)


async def is_open(ports: dict[Way, int]) -> bool:
    """Say a word through each way in, and hear it again."""
    socket = await Socket.at(ports[Way.WS])
    await socket.says(part(BINARY, b"word"))
    assert await socket.hears() == (BINARY, b"word")
    await socket.stream.aclose()
    tls = await by_tls(ports[Way.TLS])
    await tls.send_all(b"\0\0\0\4word")
    assert await tls.receive_some() == b"\0\0\0\4word"
    await trio.aclose_forcefully(tls)
    inside = Socket(await by_tls(ports[Way.WSS]))
    await inside.says(upgrade())
    await inside.head()
    await inside.says(part(BINARY, b"word"))
    assert await inside.hears() == (BINARY, b"word")
    await trio.aclose_forcefully(inside.stream)
    return True


@asynccontextmanager
async def still_open() -> AsyncIterator[dict[Way, int]]:
    async with an_echo() as ports:
        yield ports
        assert await is_open(ports)


REQUESTS = {
    "no upgrade": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "no HTTP": b"\0\1\2\3\r\n\r\n",
    "a hello as over TCP": b"\0\0\0\4\x81\xa1t\xa1h\r\n\r\n",
    "a subprotocol that is no ASCII": upgrade(Sec_WebSocket_Protocol="\xff\xfe\x80"),
    "a host that is no name": upgrade(Host="xn--\xff.example"),
    "an upgrade that is no ASCII": upgrade(Upgrade="\xff"),
    "another version": upgrade(Sec_WebSocket_Version="8"),
    "no key": upgrade(Sec_WebSocket_Key=""),
    "POST": upgrade().replace(b"GET", b"POST", 1),
    "a body": upgrade(Content_Length="5"),
    "a body in chunks": upgrade(Transfer_Encoding="chunked"),
    "a target that is no ASCII": upgrade().replace(b"/bots", b"/\xff", 1),
    "a header without a name": upgrade().replace(b"Host", b"", 1),
    "too long a head": b"GET / HTTP/1.1\r\nX: " + b"x" * (MOST_HEAD_BYTES + 20_000),
    "too many headers": upgrade()[:-2] + b"X: y\r\n" * 4_000 + b"\r\n",
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
async def test_a_request_that_is_none_for_a_websocket_is_answered_in_words(
    request_: bytes,
) -> None:
    async with still_open() as ports:
        socket = Socket(await plainly(ports[Way.WS]))
        await socket.stream.send_all(request_)
        head = await socket.head()
        assert head.startswith(b"HTTP/1.1 400 ")


async def test_subprotocols_and_extensions_that_are_offered_are_not_taken_up() -> None:
    async with still_open() as ports:
        socket = Socket(await plainly(ports[Way.WS]))
        extension = "permessage-deflate; client_max_window_bits"
        await socket.says(
            upgrade(Sec_WebSocket_Protocol="a, b", Sec_WebSocket_Extensions=extension)
        )
        head = (await socket.head()).lower()
        assert b" 101 " in head
        assert b"protocol" not in head.partition(b"\r\n")[2]
        assert b"extension" not in head


async def test_bytes_behind_the_upgrade_are_taken_as_sent_after_it() -> None:
    async with still_open() as ports:
        socket = Socket(await plainly(ports[Way.WS]))
        await socket.says(upgrade(), part(BINARY, b"early"), part(BINARY, b"bird"))
        await socket.head()
        assert await socket.hears() == (BINARY, b"early")
        assert await socket.hears() == (BINARY, b"bird")


async def test_a_message_in_parts_is_one_frame_with_pings_between_them() -> None:
    async with still_open() as ports:
        socket = await Socket.at(ports[Way.WS])
        await socket.says(
            part(BINARY, b"a ", final=False),
            part(PING, b"?"),
            part(CONTINUED, b"", final=False),
            part(CONTINUED, b"whole"),
        )
        assert await socket.hears() == (PONG, b"?")
        assert await socket.hears() == (BINARY, b"a whole")


BROKEN = {
    "text": (part(TEXT, b"hello"), 1003),
    "text that is no text": (part(TEXT, b"\xff\xff"), 1007),
    "not masked": (part(BINARY, b"x", masked=False), 1002),
    "a continuation of nothing": (part(CONTINUED, b"x"), 1002),
    "a message in a message": (part(BINARY, b"x", final=False) + part(BINARY, b"y"), 1002),
    "a ping in parts": (part(PING, b"x", final=False), 1002),
    "a ping of 126 bytes": (part(PING, b"x" * 126), 1002),
    "a kind that is none": (part(3, b"x"), 1002),
    "a reserved bit": (part(BINARY, b"x", rsv=4), 1002),
    "a length written too long": (b"\x82\xfe\x00\x01" + bytes(5), 1002),
    "a length of 2**63": (b"\x82\xff" + b"\x80" + bytes(7) + bytes(4), 1002),
    "a close of one byte": (part(CLOSE, b"x"), 1002),
    "a close with a code that is none": (part(CLOSE, b"\0\1"), 1002),
    "a close": (part(CLOSE, b"\x03\xe8"), 1000),
}


@pytest.mark.parametrize(("said", "code"), BROKEN.values(), ids=BROKEN)
async def test_what_breaks_the_protocol_is_answered_with_its_code(said: bytes, code: int) -> None:
    async with still_open() as ports:
        socket = await Socket.at(ports[Way.WS])
        await socket.says(said)
        assert await socket.closed_for() == code


async def test_nothing_behind_a_refused_message_reaches_the_referee() -> None:
    heard = b""
    has_ended = trio.Event()

    async def listen(stream: trio.SocketStream) -> None:
        nonlocal heard
        async for data in stream:
            heard += data
        has_ended.set()

    async with a_server(listen) as address, a_door(address) as ports:
        socket = await Socket.at(ports[Way.WS])
        await socket.says(part(BINARY, b"a"), part(TEXT, b"b"), part(BINARY, b"c"))
        assert await socket.closed_for() == 1003
        await has_ended.wait()
        assert heard == b"\0\0\0\1a"


@pytest.mark.parametrize("size", [MAX_BOT_BODY_BYTES + 1, 50_000, 3_000_000])
async def test_of_a_message_that_is_too_long_the_referee_gets_the_length_alone(size: int) -> None:
    """And rules on it as on a frame: the door keeps no more of it than a body may have."""
    heard = b""
    has_ended = trio.Event()

    async def listen(stream: trio.SocketStream) -> None:
        nonlocal heard
        async for data in stream:
            heard += data
        has_ended.set()

    async with a_server(listen) as address, a_door(address) as ports:
        socket = await Socket.at(ports[Way.WS])
        with suppress(trio.BrokenResourceError):
            await socket.says(part(BINARY, bytes(size)))
        await has_ended.wait()
        assert len(heard) == 4
        assert MAX_BOT_BODY_BYTES < int.from_bytes(heard, "big") <= size


async def test_a_flood_of_pings_whose_answers_nobody_reads_ends_its_own_connection() -> None:
    async with still_open() as ports:
        socket = await Socket.at(ports[Way.WS])
        pings = part(PING, b"x" * 100) * 1_000
        with suppress(trio.BrokenResourceError):
            while True:
                await socket.says(pings)


async def test_a_bot_that_reads_nothing_ends_its_own_connection() -> None:
    """The referee sends on and on; nothing of it heaps up in the door."""
    sent = 0
    has_ended = trio.Event()

    async def pour(stream: trio.SocketStream) -> None:
        nonlocal sent
        with suppress(trio.BrokenResourceError):
            while True:
                await stream.send_all((4_000).to_bytes(4, "big") + bytes(4_000))
                sent += 4_004
        has_ended.set()

    async with a_server(pour) as address, a_door(address) as ports:
        await Socket.at(ports[Way.WS])
        await has_ended.wait()
        assert sent < 40_000_000  # the buffers of the kernel
        await Socket.at(ports[Way.WS])


async def test_a_referee_that_reads_nothing_holds_up_its_bot_and_no_other() -> None:
    first = True

    async def serve(stream: trio.SocketStream) -> None:
        nonlocal first
        if first:
            first = False
            await trio.sleep_forever()
        async for data in stream:
            await stream.send_all(data)

    async with a_server(serve) as address, a_door(address) as ports:
        socket = await Socket.at(ports[Way.WS])
        sent = 0
        with trio.move_on_after(0.5):
            while True:
                await socket.says(part(BINARY, bytes(4_000)))
                sent += 4_000
        assert sent < 40_000_000
        assert await is_open(ports)


@pytest.mark.parametrize(
    "flood",
    [part(PING, b"?"), part(PONG, b"?"), part(BINARY, b"x", final=False)],
    ids=["pings", "pongs", "beginnings"],
)
async def test_a_flood_of_what_is_no_message_is_ended(flood: bytes) -> None:
    async with still_open() as ports:
        socket = await Socket.at(ports[Way.WS])
        first, more = flood, flood if flood[0] & 0x0F != BINARY else part(CONTINUED, final=False)
        with suppress(trio.BrokenResourceError):
            await socket.says(first, more * 10_000)
        while (came := await socket.hears()) is not None and came[0] == PONG:
            pass
        # None: what was left unread has reset the connection, and the close frame with it.
        assert came is None or (came[0], came[1][:2]) == (CLOSE, (1008).to_bytes(2, "big"))


async def test_a_message_in_many_parts_is_whole() -> None:
    async with still_open() as ports:
        socket = await Socket.at(ports[Way.WS])
        middle = part(CONTINUED, b"y", final=False) * 200
        await socket.says(part(BINARY, b"x", final=False), middle, part(CONTINUED, b"z"))
        assert await socket.hears() == (BINARY, b"x" + b"y" * 200 + b"z")


HALVES = {
    "nothing": b"",
    "half a request": upgrade()[:40],
    "half a handshake": b"\x16\x03\x01\x02\x00\x01\x00",
}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
@pytest.mark.parametrize("way", Way)
async def test_a_handshake_that_is_never_finished_ends_in_its_time(
    half: bytes, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.door.door.HANDSHAKE_SECONDS", 0.2)
    async with still_open() as ports:
        stream = await plainly(ports[way])
        await stream.send_all(half)
        came = b""
        with suppress(trio.BrokenResourceError):
            while data := await stream.receive_some():
                came += data
        assert not came.startswith(b"HTTP/1.1 101")


async def test_tls_that_is_none_or_is_broken_off_ends_its_own_connection() -> None:
    strict = ssl.create_default_context()  # it does not know this certificate
    async with still_open() as ports:
        tls = trio.SSLStream(await plainly(ports[Way.TLS]), strict, server_hostname="localhost")
        with pytest.raises(trio.BrokenResourceError):
            await tls.do_handshake()
        stream = await plainly(ports[Way.WSS])
        await stream.send_all(upgrade())
        with suppress(trio.BrokenResourceError):
            while await stream.receive_some():
                pass
        inside = await by_tls(ports[Way.TLS])
        await inside.transport_stream.send_all(b"no TLS" * 100)
        with suppress(trio.BrokenResourceError):
            while await inside.receive_some():
                pass


async def test_connections_that_say_nothing_make_room_for_the_next() -> None:
    """The newest is a bot: it gets in however many came before."""
    async with an_echo(most=20, most_of_an_address=1_000) as ports:
        silent = [await plainly(ports[Way.WS]) for _ in range(200)]
        assert await is_open(ports)
        for each in silent:
            await each.aclose()


async def test_an_address_has_so_many_connections_and_no_more() -> None:
    async with an_echo(most_of_an_address=2) as ports:
        first, _ = [await Socket.at(ports[Way.WS]) for _ in range(2)]
        third = await plainly(ports[Way.WS])
        with suppress(trio.BrokenResourceError):
            assert await third.receive_some() == b""
        await first.stream.aclose()
        while True:  # until the door has seen it go
            stream = await plainly(ports[Way.WS])
            with suppress(trio.BrokenResourceError, AssertionError):
                await stream.send_all(upgrade())
                await Socket(stream).head()
                break


async def test_behind_a_proxy_the_address_before_it_counts() -> None:
    terms = {"most_of_an_address": 1, "trusted": {"127.0.0.1"}}
    async with an_echo(**terms) as ports:
        for each in range(5):
            await Socket.at(ports[Way.WS], X_Forwarded_For=f"10.0.0.{each}")
        again = Socket(await plainly(ports[Way.WS]))
        await again.says(upgrade(X_Forwarded_For="203.0.113.9, 10.0.0.3"))
        await again.head()
        assert await again.hears() is None


def test_the_door_gives_a_bot_up_well_before_the_referee_gives_up_the_door() -> None:
    """Else a bot that reads nothing could have a match void by it."""
    from arena.referee.wire.relay import MOST_CREDIT_US

    assert TAKES_SECONDS * 1_000_000 < MOST_CREDIT_US / 2
    assert HANDSHAKE_SECONDS > 0
