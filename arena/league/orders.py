"""What a runner and its jobs say to each other, and how: frames of msgpack on two pipes.

A job is told which bots there are, then which sets to play; it hands back each match as it
ends. Nothing else passes between them, so a job might as well be on another machine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
import trio
from msgspec import Struct

from arena.league.played import Played
from arena.league.sets import PlannedSet
from arena.referee.clock import Timing
from arena.referee.house import Program


class Entry(Struct, frozen=True, tag=True):
    """One bot, as it is to be run."""

    name: str
    command: tuple[str, ...]
    folder: str
    env: Mapping[str, str]
    tcp: bool

    @classmethod
    def of(cls, program: Program) -> Entry:
        return cls(
            program.name, program.command, str(program.folder), dict(program.env), program.tcp
        )

    def program(self) -> Program:
        return Program(self.name, self.command, Path(self.folder), self.env, tcp=self.tcp)


class Caller(Struct, frozen=True, tag=True):
    """One bot that dials in, and the token it is known by."""

    name: str
    token: str


class Setup(Struct, frozen=True, tag=True):
    """The first order: the bots, and how they are handled."""

    bots: tuple[Entry | Caller, ...]
    processes: int  # of each bot that we start, at most
    start_ms: int
    dial_in_ms: int
    listen: str | None  # where bots dial in


class PlaySet(Struct, frozen=True, tag=True):
    """Play these turns of a set, one after another; stop where one is void."""

    number: int
    attempt: int
    line_up: tuple[str, ...]
    turns: tuple[int, ...]
    seed: bytes
    game: str
    options: Mapping[str, Any]
    decision_ms: int
    bank_ms: int
    hang_ms: int
    faults_to_forfeit: int
    show_names: bool
    may_void: bool  # else a late ruling stands, however slow this machine was

    @property
    def planned(self) -> PlannedSet:
        return PlannedSet(self.number, self.line_up)

    @property
    def timing(self) -> Timing:
        return Timing(self.decision_ms, self.bank_ms, self.hang_ms, self.faults_to_forfeit)


Order: TypeAlias = Setup | PlaySet


class MatchOver(Struct, frozen=True, tag=True):
    """A match has ended."""

    played: Played


class SetOver(Struct, frozen=True, tag=True):
    """Nothing more comes of this set."""

    number: int


class Said(Struct, frozen=True, tag=True):
    """What a bot said of itself in its hello."""

    name: str
    version: str
    author: str
    language: str


class Awaited(Struct, frozen=True, tag=True):
    """A match waits for a bot that dials in."""

    name: str


News: TypeAlias = MatchOver | SetOver | Said | Awaited

T = TypeVar("T")

HEADER_BYTES = 4
READ_BYTES = 65_536


class Channel(Generic[T]):
    """Frames over two streams: `T` is what comes."""

    def __init__(
        self, receiving: trio.abc.ReceiveStream, sending: trio.abc.SendStream, comes: Any
    ) -> None:
        self._receiving = receiving
        self._sending = sending
        self._decode = msgspec.msgpack.Decoder(comes).decode
        self._encode = msgspec.msgpack.Encoder().encode
        self._one_at_a_time = trio.Lock()

    async def send(self, message: Order | News) -> None:
        body = self._encode(message)
        async with self._one_at_a_time:
            await self._sending.send_all(len(body).to_bytes(HEADER_BYTES, "big") + body)

    async def close_sending(self) -> None:
        """The other side is told that nothing more comes."""
        await self._sending.aclose()

    async def __aiter__(self) -> AsyncIterator[T]:
        """What comes, until the other side ends."""
        buffer = bytearray()
        while data := await self._receiving.receive_some(READ_BYTES):
            buffer += data
            while len(buffer) >= HEADER_BYTES:
                end = HEADER_BYTES + int.from_bytes(buffer[:HEADER_BYTES], "big")
                if len(buffer) < end:
                    break
                body = bytes(buffer[HEADER_BYTES:end])
                del buffer[:end]
                yield self._decode(body)
