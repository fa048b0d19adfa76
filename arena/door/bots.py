"""A bot at a door, as the bytes of the frames that a referee would get from it over TCP."""

from __future__ import annotations

from typing import Protocol

import trio

from arena.door.stamped import READ_BYTES, StampedStream


class BotLeft(Exception):
    """The bot takes nothing more."""


class BotAtDoor(Protocol):
    """One bot, over any of the protocols."""

    @property
    def tcp(self) -> StampedStream:
        """Its connection, below all else."""

    async def receive(self) -> bytes:
        """Return the next bytes of its frames; b"" once it sends no more."""

    async def send(self, data: bytes) -> None:
        """Send bytes of frames. Raises BotLeft."""

    async def say_goodbye(self) -> None:
        """Tell the bot, in the manner of its protocol, that nothing more comes."""


class TlsBot:
    """A bot that sends frames in TLS; nothing is changed."""

    def __init__(self, tls: trio.SSLStream[StampedStream]):
        self._tls = tls
        self.tcp = tls.transport_stream

    async def receive(self) -> bytes:
        """Return the next bytes; a connection that breaks has ended."""
        try:
            return bytes(await self._tls.receive_some(READ_BYTES))
        except trio.BrokenResourceError:
            return b""

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        try:
            await self._tls.send_all(data)
        except trio.BrokenResourceError:
            raise BotLeft from None

    async def say_goodbye(self) -> None:
        """Do nothing: the end of the connection says it, after the `bye` of the referee."""
