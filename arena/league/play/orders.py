"""The messages between a runner and its jobs: frames of msgpack on two pipes.

A job gets the bots, then the sets to play; it sends back each match as the match ends. Nothing else
passes between them, so a job could as well be on another machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
import trio
from msgspec import Struct, field

from arena.bots.confine.confiner import Means
from arena.bots.program import DialIn, Program
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import PlannedSet
from arena.record.timing import BotClock, Timing
from arena.referee.door.evidence import EvidencePage
from arena.referee.door.wrong_tokens import WrongTokensCount
from arena.tokens import KnownToken


class Setup(Struct, frozen=True, tag=True):
    """The first order: the bots, and how long they are waited for."""

    bots: tuple[Program | DialIn, ...]
    processes: int  # the most of each bot that we start
    start_ms: int
    dial_in_ms: int
    listen: str | None  # the address where bots dial in
    confine: Means = field(default_factory=Means)
    pieces: Path | None = None  # the folder for what bots print in each match
    # By name, for bots that dial in; one that is missing cannot come.
    tokens: Mapping[str, KnownToken] = field(default_factory=dict)


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

    @property
    def planned(self) -> PlannedSet:
        return PlannedSet(self.number, self.line_up)


class EvidenceGiven(Struct, frozen=True, tag=True):
    """The evidence that was asked for with this ticket."""

    ticket: int
    page: EvidencePage | None  # None: there is no such place, or there is trouble
    trouble: str = ""  # the reason why the league cannot be read now


class LeagueOver(Struct, frozen=True, tag=True):
    """The last order: the bots get a `bye` with the reason `done`."""


Order: TypeAlias = Setup | PlaySet | EvidenceGiven | LeagueOver


class MatchOver(Struct, frozen=True, tag=True):
    """A match of the order with this lease has ended."""

    lease: int
    played: LeagueMatch


class SetOver(Struct, frozen=True, tag=True):
    """Nothing more comes of the order with this lease."""

    number: int
    lease: int


class Said(Struct, frozen=True, tag=True):
    """The words of a bot's hello about itself."""

    name: str
    version: str
    author: str
    language: str


class Awaited(Struct, frozen=True, tag=True):
    """A match waits for a bot that dials in."""

    name: str


class StrangersTold(Struct, frozen=True, tag=True):
    """Connections with wrong tokens came, at most one such news a minute."""

    count: WrongTokensCount


class EvidenceAsked(Struct, frozen=True, tag=True):
    """A bot that dials in asks for evidence of its faults; the answer has the same ticket."""

    ticket: int
    name: str
    after: str  # the place after which it is wanted, "" for all


News: TypeAlias = MatchOver | SetOver | Said | Awaited | StrangersTold

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
        self._decode = msgspec.msgpack.Decoder(comes, dec_hook=_path_of).decode
        self._encode = msgspec.msgpack.Encoder(enc_hook=_text_of).encode
        self._one_at_a_time = trio.Lock()
        self._buffer = bytearray()

    async def send(self, message: Order | News | EvidenceAsked) -> None:
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


def _text_of(value: object) -> str:
    """Encode the one type of ours that msgspec does not know."""
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} is no part of an order")


def _path_of(type_: type, value: Any) -> Path:
    if type_ is not Path:
        raise NotImplementedError(f"{type_.__name__} is no part of an order")
    return Path(value)
