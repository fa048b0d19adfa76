"""A bot that speaks WebSocket: a binary message is the body of a frame, in both directions.

wsproto reads and writes the protocol; here are the upgrade, the frames' four bytes of length, and
the answer to anything else. Nothing is kept of a message beyond the limit of a body: of a longer
one the referee is told the length, and rules on it as on any frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    Pong,
    Request,
    TextMessage,
)
from wsproto.frame_protocol import CloseReason
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from arena.door.bots import BotLeft
from arena.door.stamped import READ_BYTES, StampedStream
from protocol.limits import HEADER_BYTES, MAX_BOT_BODY_BYTES

# Of a request with all its headers; those of programs and proxies have some hundred bytes.
MOST_HEAD_BYTES = 8_192
# Pings, and parts of messages that are not the last, at once and then a second. Each costs some
# fifty microseconds and forwards nothing, so a flood of them would hold up the door; no library
# sends a hundredth of that.
MOST_PARTS, PARTS_A_SECOND = 256, 4.0
_END_OF_HEAD = b"\r\n\r\n"
ABOUT = "Bots connect here by WebSocket, version 13 (SPEC 2.2)."


class NoUpgrade(Exception):
    """The request is not one for a WebSocket; the text says why."""


async def take_head(stream: trio.abc.Stream) -> tuple[bytes, bytes]:
    """Read the head of a request; return it, and the bytes behind it. Raises NoUpgrade."""
    data = b""
    while _END_OF_HEAD not in data:
        if len(data) > MOST_HEAD_BYTES:
            raise NoUpgrade(f"a request of more than {MOST_HEAD_BYTES} bytes")
        more = await stream.receive_some(READ_BYTES)
        if not more:
            raise NoUpgrade("the connection ended in the request")
        data += bytes(more)
    head, end, rest = data.partition(_END_OF_HEAD)
    return head + end, rest


def upgraded(head: bytes) -> tuple[WSConnection, bytes, Mapping[bytes, bytes]]:
    """Accept the upgrade that a head asks for: return the connection, the response, and the
    headers by name, in small letters; several of one name are joined. Raises NoUpgrade.

    No extension and no subprotocol is taken up, whichever are offered.
    """
    connection = WSConnection(ConnectionType.SERVER)
    try:
        connection.receive_data(head)
        request = next(connection.events(), None)
        if not isinstance(request, Request):
            raise NoUpgrade("no whole request")
        headers: dict[bytes, bytes] = {}
        for name, value in request.extra_headers:
            before = headers.get(name.lower())
            headers[name.lower()] = value if before is None else before + b", " + value
        if headers.keys() & {b"content-length", b"transfer-encoding"}:
            raise NoUpgrade("a request with a body")
        return connection, connection.send(AcceptConnection()), headers
    # ValueError: of bytes that are no text, in a header that has to be.
    except (RemoteProtocolError, LocalProtocolError, ValueError) as error:
        raise NoUpgrade(str(error)) from None


def refusal(why: str) -> bytes:
    """Return the response to a request that is none for a WebSocket, in words."""
    text = f"{ABOUT} This is none: {why}.\n".encode("ascii", "backslashreplace")
    head = (
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n"
        f"Content-Length: {len(text)}\r\n\r\n"
    )
    return head.encode() + text


class WebSocketBot:
    """A bot after its upgrade. `tcp` is the connection below `stream`; `rest`: bytes that came
    behind the upgrade."""

    def __init__(
        self,
        stream: trio.abc.Stream,
        tcp: StampedStream,
        connection: WSConnection,
        rest: bytes = b"",
    ):
        self.tcp = tcp
        self._stream = stream
        self._connection = connection
        self._rest = rest
        self._body = b""
        self._sending = trio.Lock()  # answers to pings go out between messages
        self._parts_left, self._parts_at = float(MOST_PARTS), trio.current_time()
        self._unsent = b""  # the beginning of a frame whose end has not come yet
        self._has_left = False

    async def receive(self) -> bytes:
        """Return the next frame, made of a binary message; b"" once nothing more is taken."""
        while not self._has_left:
            try:
                for event in self._connection.events():
                    if frame := await self._take(event):
                        return frame
                    if self._has_left:
                        return b""
                data, self._rest = self._rest, b""
                data = data or bytes(await self._stream.receive_some(READ_BYTES))
                if not data:
                    break
                self._connection.receive_data(data)
            except RemoteProtocolError as error:
                hint = error.event_hint
                code = hint.code if isinstance(hint, CloseConnection) else None
                await self._hang_up(code or CloseReason.PROTOCOL_ERROR, str(error))
            except (trio.BrokenResourceError, LocalProtocolError, BotLeft):
                break
        self._has_left = True
        return b""

    async def _take(self, event: Event) -> bytes:
        """Return the frame that an event completes, b"" for none."""
        match event:
            case BytesMessage(data=data, message_finished=is_whole):
                self._body += data
                size = len(self._body)
                if size <= MAX_BOT_BODY_BYTES and not is_whole:
                    await self._spend_part()
                    return b""
                body, self._body = self._body, b""
                header = size.to_bytes(HEADER_BYTES, "big")
                if size > MAX_BOT_BODY_BYTES:
                    self._has_left = True  # the referee rules on the length, and hangs up
                    return header
                return header + body
            case TextMessage():
                why = "text; a frame's body is a binary message (SPEC 2.2)"
                await self._hang_up(CloseReason.UNSUPPORTED_DATA, why)
            case Ping():
                await self._spend_part()
                if not self._has_left:
                    await self._write(event.response())
            case Pong():
                await self._spend_part()
            case CloseConnection():
                with suppress(LocalProtocolError, BotLeft):
                    await self._write(event.response())
                self._has_left = True
        return b""

    async def _spend_part(self) -> None:
        """Count something that is no message; hang up if it is too much."""
        now = trio.current_time()
        more = (now - self._parts_at) * PARTS_A_SECOND
        self._parts_left, self._parts_at = min(MOST_PARTS, self._parts_left + more) - 1, now
        if self._parts_left < 0:
            await self._hang_up(CloseReason.POLICY_VIOLATION, "too many pings or parts at once")

    async def _hang_up(self, code: int, why: str) -> None:
        with suppress(LocalProtocolError, BotLeft):
            await self._write(CloseConnection(code=code, reason=why))
        self._has_left = True

    async def send(self, data: bytes) -> None:
        """Send each whole frame as a message, all at once, and keep the rest."""
        data = self._unsent + data
        messages = []
        while len(data) >= HEADER_BYTES:
            end = HEADER_BYTES + int.from_bytes(data[:HEADER_BYTES], "big")
            if len(data) < end:
                break
            messages.append(BytesMessage(data=data[HEADER_BYTES:end]))
            data = data[end:]
        self._unsent = data
        try:
            await self._write(*messages)
        except LocalProtocolError:  # a side has sent its close frame
            raise BotLeft from None

    async def _write(self, *events: Event) -> None:
        """Send events."""
        async with self._sending:
            try:
                await self._stream.send_all(b"".join(map(self._connection.send, events)))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise BotLeft from None

    async def say_goodbye(self) -> None:
        """Send a close frame."""
        await self._hang_up(CloseReason.NORMAL_CLOSURE, "")
