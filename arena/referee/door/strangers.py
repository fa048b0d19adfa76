"""Connections that have not sent a good hello yet, and the `bye` for those that send none."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Sequence
from typing import TypeAlias

import trio

from arena.referee.clock import Now
from arena.referee.door.guests import Guest
from arena.referee.door.wrong_tokens import address_of, counted_address
from arena.referee.wire.relay import (
    MOST_PACKET_BYTES,
    MOST_PAYLOAD_BYTES,
    Kind,
    Packet,
    is_relayed,
    unpacked,
)
from protocol.breach import Breach
from protocol.breaches import half_a_hello
from protocol.encode import encode
from protocol.farewells import farewell
from protocol.messages import Bye
from protocol.server_end import ServerEnd

NOBODY = "(somebody)"  # a name until the token is known; no entrant can have it
_CREDENTIALS = struct.Struct("3i")  # of SO_PEERCRED: process, user, group


class Stranger:
    """A connection that has not sent a good hello yet. `now`: the referee's clock."""

    def __init__(self, sock: trio.socket.SocketType, now: Now):
        self.sock = sock
        self.name = NOBODY
        self.session: int | None = None
        self.scope = trio.CancelScope()
        self.end = ServerEnd()
        # Part of an answer was sent. A `bye` now could wait for ever for a slow reader, or come in
        # the middle of a frame.
        self.is_answered = False
        self.bye: Bye | None = None  # the refusal that waits to be sent to it
        self.guest: Guest | None = None  # the bot that it is, if it asked for evidence
        self._is_relayed = is_relayed(sock)
        self._now = now
        # The address of a bot behind a door of ours, None if the socket knows it.
        self._origin: str | None = None

    async def receive(self, most: int) -> bytes:
        """Return the next bytes, at most so many of a stream; b"" at the end."""
        if not self._is_relayed:
            return await self.sock.recv(most)
        while True:
            data = await self.sock.recv(MOST_PACKET_BYTES)
            if not data:
                return b""
            packet = unpacked(data)
            if packet.kind is Kind.FROM:
                self._origin = packet.payload.decode("ascii")
            elif packet.kind is Kind.ENDED:
                return b""
            elif packet.kind is Kind.BYTES and packet.payload:
                return packet.payload

    async def send(self, data: bytes | memoryview) -> int:
        """Send some of these bytes; return how many."""
        if not self._is_relayed:
            return await self.sock.send(data)
        piece = bytes(data[:MOST_PAYLOAD_BYTES])
        await self.sock.send(Packet(Kind.BYTES, self._now(), 0, piece).packed())
        return len(piece)

    @property
    def address(self) -> str | None:
        """The address that wrong tokens are counted by; None where they are not counted."""
        if self._is_relayed:
            return None if self._origin is None else counted_address(self._origin)
        return address_of(self.sock.family, self.sock.getpeername)


Door: TypeAlias = dict[Stranger, None]
"""The strangers at one address, the oldest first; a dict, because it keeps that order."""


async def say(stranger: Stranger, bye: Bye) -> None:
    """Send a refusal. Errors do not matter: the connection is closed next."""
    try:
        await stranger.send(encode(bye))
    except OSError:
        return


def make_room(doors: Sequence[Door], most: int) -> None:
    """Send strangers away until fewer than `most` are left, at all doors together."""
    while (count := sum(map(len, doors))) and count >= most:
        send_away_oldest(doors)


def send_away_oldest(doors: Sequence[Door]) -> None:
    """Cancel the oldest stranger at the fullest door, if there is any; one that is refused first.

    So a crowd at one door costs nobody at another, and one with wrong tokens nobody who has yet to
    send a hello.
    """
    door = max(doors, key=len)
    refused = (stranger for stranger in door if stranger.bye is not None)
    oldest = next(refused, None) or next(iter(door), None)
    if oldest is not None:
        del door[oldest]
        oldest.scope.cancel()


def too_slow(end: ServerEnd) -> Bye:
    """Make the `bye` for a stranger that sent no whole hello in its time."""
    if end.is_between_frames:
        return farewell("no-hello")
    return farewell("frame-unfinished", end.unfinished().text)


def begun_by(stranger: Stranger) -> Breach | None:
    """Return the breach of a hello begun and not finished, None if no byte has come."""
    end = stranger.end
    return None if end.is_between_frames else half_a_hello(end.unfinished())


def session_of(sock: trio.socket.SocketType) -> int | None:
    """Return the session of the process at the other end, None over TCP and behind a door of ours.

    The session of a bot that the warden started is the number of the bot's first process.
    """
    if sock.family != socket.AF_UNIX or is_relayed(sock):
        return None
    packed = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid: int = _CREDENTIALS.unpack(packed)[0]
    try:
        return os.getsid(pid)
    except OSError:  # the process has ended already, or is of another pid namespace
        return pid or None
