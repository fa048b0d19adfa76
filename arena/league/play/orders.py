"""The messages between a runner and its jobs: frames of msgpack on two pipes.

A job gets the bots, then the sets to play; it sends back each match as the match ends. Only the
sockets of bots that dial in pass beside the pipes, so a job of other bots could as well be on
another machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
import trio
from msgspec import Struct, field

from arena.bots.confine.confiner import Means
from arena.bots.program import Program
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import PlannedSet
from arena.record.timing import BotClock, Timing
from arena.referee.wire.packed import LendLink, LinkBack, PackedBreach


class Setup(Struct, frozen=True, tag=True):
    """The first order: the bots that are started, and how long they are waited for."""

    bots: tuple[Program, ...]
    processes: int  # the most of each bot that we start
    start_ms: int
    confine: Means = field(default_factory=Means)
    pieces: Path | None = None  # the folder for the output of bots in each match


class EnterBots(Struct, frozen=True, tag=True):
    """Further bots that are started, of sets that are ordered from now on."""

    bots: tuple[Program, ...]


class PlaySet(Struct, frozen=True, tag=True):
    """Play these turns of a set, one after another; stop at a void match."""

    number: int
    lease: int  # of this order: the set's next order has a higher one
    attempt: int
    line_up: tuple[str, ...]
    turns: tuple[int, ...]
    seed: bytes
    game: str
    options: Mapping[str, Any]
    timing: Timing
    show_names: bool
    may_void: bool  # else a late ruling stands, even if this machine was slow
    clocks: Mapping[str, BotClock] = field(default_factory=dict)  # by name, where not `timing`
    # By bot that dials in, the number of its connections that are lent to the set.
    guests: Mapping[str, int] = field(default_factory=dict)
    # Of bots that dial in and were waited for in vain, the reason.
    absent: Mapping[str, PackedBreach] = field(default_factory=dict)

    @property
    def planned(self) -> PlannedSet:
        return PlannedSet(self.number, self.line_up)


class LeagueOver(Struct, frozen=True, tag=True):
    """The last order: the bots get a `bye` with the reason `done`."""


Order: TypeAlias = Setup | EnterBots | PlaySet | LendLink | LeagueOver


class MatchOver(Struct, frozen=True, tag=True):
    """A match of the order with this lease has ended."""

    lease: int
    played: LeagueMatch


class SetOver(Struct, frozen=True, tag=True):
    """The order with this lease is over. Those of its connections that are open go back to the
    front door."""

    number: int
    lease: int
    back: tuple[LinkBack, ...] = ()
    bug: str = ""  # the type of an error in arena that kept the rest from being played


class Said(Struct, frozen=True, tag=True):
    """The words of a bot's hello about itself."""

    name: str
    version: str
    author: str
    language: str


class SetAside(Struct, frozen=True, tag=True):
    """The order with this lease is not played, because each worker that plays it dies of it."""

    number: int
    lease: int
    why: str


News: TypeAlias = MatchOver | SetOver | Said | SetAside

T = TypeVar("T")

HEADER_BYTES = 4
READ_BYTES = 65_536


class Channel(Generic[T]):
    """Frames over two streams; `T` is the type of message that comes."""

    def __init__(
        self, receiving: trio.abc.ReceiveStream, sending: trio.abc.SendStream, comes: Any
    ) -> None:
        """`comes`: the type of message that comes, as msgspec takes it."""
        self._receiving = receiving
        self._sending = sending
        self._decode = msgspec.msgpack.Decoder(comes, dec_hook=path_of).decode
        self._encode = msgspec.msgpack.Encoder(enc_hook=text_of).encode
        self._one_at_a_time = trio.Lock()
        self._buffer = bytearray()

    async def send(self, message: Order | News) -> None:
        body = self._encode(message)
        async with self._one_at_a_time:
            await self._sending.send_all(len(body).to_bytes(HEADER_BYTES, "big") + body)

    def __aiter__(self) -> Channel[T]:
        """Iterate over messages until the other side closes its stream.

        Not an async generator: one that is left half-way is closed by the garbage collector.
        """
        return self

    async def __anext__(self) -> T:
        while True:
            end = HEADER_BYTES + int.from_bytes(self._buffer[:HEADER_BYTES], "big")
            if len(self._buffer) >= max(end, HEADER_BYTES):
                body = bytes(self._buffer[HEADER_BYTES:end])
                del self._buffer[:end]
                message: T = self._decode(body)
                return message
            data = await self._receiving.receive_some(READ_BYTES)
            if not data:
                raise StopAsyncIteration
            self._buffer += data


def text_of(value: object) -> str:
    """Encode the one type of ours that msgspec does not know."""
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} is no part of an order")


def path_of(type_: type, value: Any) -> Path:
    """Decode a text that `text_of` made."""
    if type_ is not Path:
        raise NotImplementedError(f"{type_.__name__} is no part of an order")
    return Path(value)
