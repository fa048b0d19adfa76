"""The other side of a door: the referee that a bot is handed on to.

A league takes bots from a door at a socket in its folder, with the times of all bytes and the end
of each connection told (`arena.referee.wire.relay`). Any other server is spoken to over TCP, as if
the bot had connected there: then the door's time is the bot's, as that of any proxy.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import trio

from arena.door.stamped import READ_BYTES
from arena.referee.clock import Now
from arena.referee.door.addresses import RELAY
from arena.referee.door.socket_file import address_in
from arena.referee.wire.relay import MOST_PACKET_BYTES, MOST_PAYLOAD_BYTES, Kind, Packet, unpacked
from arena.tcp_address import host_and_port


class RefereeLeft(Exception):
    """The referee has closed the connection."""


class Referee(Protocol):
    """The referee's end for one bot."""

    async def send(self, data: bytes, arrived_us: int) -> None:
        """Hand on bytes of the bot, and when they arrived. Raises RefereeLeft."""

    async def receive(self, settled: Callable[[int], Awaitable[None]]) -> bytes:
        """Return the next bytes for the bot; b"" at the end.

        `settled` is called with a time, and returns once all has been sent on that had come from
        the bot before.
        """

    def note_sent(self, sent_us: int, full_until_us: int) -> None:
        """Note when the bytes received last were on their way to the bot, and the time before which
        its connection took no more."""

    async def bot_left(self) -> None:
        """Say that the bot's connection has ended. Raises RefereeLeft."""

    def close(self) -> None:
        """Close the connection, without a word of the bot."""


class TcpReferee:
    """Any server that keeps to SPEC.md."""

    def __init__(self, stream: trio.SocketStream):
        self._stream = stream

    async def send(self, data: bytes, arrived_us: int) -> None:
        """Send the bytes; when they arrived cannot be told."""
        try:
            await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise RefereeLeft from None

    async def receive(self, settled: Callable[[int], Awaitable[None]]) -> bytes:
        """Return the next bytes."""
        try:
            return bytes(await self._stream.receive_some(READ_BYTES))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return b""

    def note_sent(self, sent_us: int, full_until_us: int) -> None:
        """Do nothing: it cannot be told."""

    async def bot_left(self) -> None:
        """Do nothing: the end of this connection says it."""

    def close(self) -> None:
        """Close the socket."""
        self._stream.socket.close()


class RelayReferee:
    """A league on this machine. `now` is the clock that it has too, in microseconds."""

    def __init__(self, sock: trio.socket.SocketType, now: Now):
        self._sock = sock
        self._now = now
        self._came_us = 0  # when the packet received last was sent
        self._delay_us = 0

    async def say_from(self, address: str) -> None:
        """Say where the bot connects from."""
        await self._send(Packet(Kind.FROM, self._now(), 0, address.encode("ascii")))

    async def send(self, data: bytes, arrived_us: int) -> None:
        """Send the bytes as packets, with their time and the delay of the last bytes to the bot."""
        for begin in range(0, len(data), MOST_PAYLOAD_BYTES):
            piece = data[begin : begin + MOST_PAYLOAD_BYTES]
            await self._send(Packet(Kind.BYTES, arrived_us, self._delay_us, piece))

    async def receive(self, settled: Callable[[int], Awaitable[None]]) -> bytes:
        """Return the next bytes, and answer the referee where it asks if anything is held back."""
        while True:
            try:
                data = await self._sock.recv(MOST_PACKET_BYTES)
            except OSError:
                return b""
            if not data:
                return b""
            packet = unpacked(data)
            if packet.kind is Kind.ASK:
                await settled(packet.at_us)
                try:
                    await self._send(Packet(Kind.HERE, packet.at_us, self._delay_us))
                except RefereeLeft:
                    return b""
                continue
            self._came_us = packet.at_us
            return packet.payload

    def note_sent(self, sent_us: int, full_until_us: int) -> None:
        """Note the delay, for the answer. Time in which the bot did not read is not the door's."""
        self._delay_us = sent_us - max(self._came_us, full_until_us)

    async def bot_left(self) -> None:
        """Send the last packet, however long the referee leaves others unread."""
        await self._send(Packet(Kind.ENDED, self._now()))

    async def _send(self, packet: Packet) -> None:
        try:
            await self._sock.send(packet.packed())
        except OSError:
            raise RefereeLeft from None

    def close(self) -> None:
        """Close the socket."""
        self._sock.close()


class NoReferee(Exception):
    """No referee listens; the text says where."""


@dataclass(frozen=True)
class Beyond:
    """Where bots are handed on to: the folder of a league, or an address tcp:HOST:PORT."""

    to: Path | str

    def __str__(self) -> str:
        return self.to if isinstance(self.to, str) else str(self.to / RELAY)

    def check(self) -> None:
        """Raise NoReferee if the socket of the league is there and this user may not open it.

        A league that rests has no socket; then only the first bot shows it.
        """
        if isinstance(self.to, str):
            return
        path = self.to / RELAY
        if os.access(path, os.F_OK) and not os.access(path, os.R_OK | os.W_OK):
            raise NoReferee(
                f"{path}: this user may not open it; the door of a league runs as the user who"
                " plays the league"
            )

    async def connect(self, origin: str, now: Now) -> Referee:
        """Connect for a bot that came from the address `origin`. Raises NoReferee."""
        try:
            if isinstance(self.to, str):
                host, port = host_and_port(self.to)
                stream = await trio.open_tcp_stream(host, int(port))
                stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return TcpReferee(stream)
            sock = trio.socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            try:
                with address_in(self.to, RELAY) as address:
                    await sock.connect(address)
                referee = RelayReferee(sock, now)
                await referee.say_from(origin)
            except BaseException:
                sock.close()
                raise
            return referee
        except (FileNotFoundError, ConnectionRefusedError) as error:
            # A league that was killed leaves its socket file, and nobody listens there.
            why = error.strerror if isinstance(self.to, str) else "the league rests"
            raise NoReferee(f"{self}: {why}") from None
        except (OSError, RefereeLeft) as error:
            why = error.strerror if isinstance(error, OSError) else None
            raise NoReferee(f"{self}: {why or 'the connection is closed'}") from None
