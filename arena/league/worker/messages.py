"""The messages between the runner and the workers of a cluster: msgpack, sealed on its way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from arena.bots.botfile import Bot, Connect
from arena.bots.confine.confinement import Wish
from arena.bots.confine.limits import Limits
from arena.league.play.orders import MatchOver, PlaySet, Said, path_of, text_of
from arena.league.worker.sealed import Sealed

T = TypeVar("T")

# A host's name in Linux has 64 characters at most. That of a machine stands in each match it plays.
MOST_MACHINE_CHARS = 64
# The version of a program with the hash of its files, or that of Python; both are shorter.
MOST_VERSION_CHARS = 64

UnfitReason: TypeAlias = Literal[
    "version", "python", "unreachable", "confinement", "bots", "cannot-run", "bad-matches"
]
"""Why a worker is left out, as the event `worker_left_out` says it."""


class SiteTerms(Struct, frozen=True):
    """All that a worker must know of a league besides its bots."""

    league: str  # tells one league from another; nothing secret
    version: str  # of the runner's program, as in WorkerFacts
    processes: int  # the most of each bot that one referee process starts
    start_ms: int
    wish: Wish
    read: tuple[Path, ...]  # further paths that bots may read
    build_network: bool
    before: str  # the weakest way in which its bots were confined until now; "": none yet
    keeps_output: bool  # the output of bots comes back


class TravellingBot(Struct, frozen=True):
    """A bot of a set: its description, and the hash of the parcel with its files."""

    name: str
    parcel: str
    command: tuple[str, ...]
    build: tuple[str, ...] | None
    connect: tuple[Connect, ...]
    env: Mapping[str, str]
    limits: Limits
    written_in: str  # for messages

    def unpacked(self) -> Bot:
        """Return the bot, with a folder that is still to be set."""
        return Bot(
            self.name,
            self.command,
            Path(),
            build=self.build,
            connect=self.connect,
            env=self.env,
            written_in=self.written_in,
        )


class SetTask(Struct, frozen=True):
    """Play a set. `bots`: those of its line-up."""

    terms: SiteTerms
    bots: tuple[TravellingBot, ...]
    order: PlaySet


class Delivery(Struct, frozen=True):
    """A part of a parcel. `part`: its index from 0; `parts`: their number."""

    parcel: str
    part: int
    parts: int
    data: bytes


class PrintedPiece(Struct, frozen=True):
    """A file with the output of a bot in a match, as `arena.bots.logs` names it."""

    name: str
    data: bytes


class SetPlayed(Struct, frozen=True, tag=True):
    """The matches of an order, with the messages and the output of its bots."""

    news: tuple[MatchOver | Said, ...]
    pieces: tuple[PrintedPiece, ...] = ()


class Lacks(Struct, frozen=True, tag=True):
    """The machine has not got these parcels."""

    parcels: tuple[str, ...]


class Unfit(Struct, frozen=True, tag=True):
    """The worker cannot play this league, now or later.

    `reason`: for the event, which everybody may read; `why` is for people.
    """

    why: str
    reason: UnfitReason = "bots"


class Broke(Struct, frozen=True, tag=True):
    """The set was not played to its end; the worker may be able to play others.

    `began`: its bots were started, so that it may be the set that does it.
    """

    why: str
    began: bool


class Received(Struct, frozen=True, tag=True):
    """A part of a parcel has come."""


Reply: TypeAlias = SetPlayed | Lacks | Unfit | Broke | Received


class SetInSlot(Struct, frozen=True):
    """A set that a slot of a worker is busy with, and for how long it has been."""

    league: str  # as in SiteTerms
    number: int
    lease: int
    seconds: float


class WorkerDoing(Struct, frozen=True):
    """The sets in the slots of a worker; others wait for one."""

    sets: tuple[SetInSlot, ...]


class WorkerFacts(Struct, frozen=True):
    """Facts that a worker tells of itself."""

    # The name that its matches are recorded under.
    machine: Annotated[str, Meta(max_length=MOST_MACHINE_CHARS)]
    version: Annotated[str, Meta(max_length=MOST_VERSION_CHARS)]  # of the program, and of its files
    python: Annotated[str, Meta(max_length=MOST_VERSION_CHARS)]
    cores: int
    clock: float = field(default=0.0)  # seconds since 1970, when it was asked


def sealed(message: Struct) -> Sealed:
    """Pack and seal a message."""
    return Sealed(msgspec.msgpack.encode(message, enc_hook=text_of))


def opened(message: Sealed, type_: Any) -> Any:
    """Unpack a sealed message of this type."""
    return msgspec.msgpack.decode(message.open(), type=type_, dec_hook=path_of)
