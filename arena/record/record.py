"""The values a record is made of.

On disk each is an array, not a map: a match of 700 moves takes some 8 KB as msgpack. New
fields are added at the end, with a default, and then old records are still read; anything
else is a new VERSION.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from arena.record.timing import BotClock

FORMAT = "arena-record"
VERSION = 1


class Move(Struct, frozen=True, array_like=True, gc=False):
    """One decision: the seat, its action, and its time in microseconds."""

    seat: int
    action: str
    time_us: int = 0


class Note(Struct, frozen=True, array_like=True):
    """A bot's remark on its move. Bots choose the text: escape it for pages and terminals."""

    move: int
    text: str


class FaultEntry(Struct, frozen=True, array_like=True):
    """A fault of a bot, and its consequence."""

    seat: int
    move: int  # moves played before it; so also the number of a move played in the bot's place
    kind: str
    code: str
    text: str  # for people
    forfeit: bool = False


class Record(Struct, frozen=True, array_like=True):
    """A match as it was played."""

    format: str
    version: int
    game: str
    seats: int
    options: Mapping[str, Any]
    seed: str  # hexadecimal
    names: tuple[str, ...]  # of the bots, by seat
    moves: tuple[Move, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    ending: str  # one of the game's endings, or "forfeit": cut short with one seat left
    match: str = ""
    notes: tuple[Note, ...] = ()
    faults: tuple[FaultEntry, ...] = ()
    forfeits: tuple[int, ...] = ()  # seats, in the order in which they were forfeited
    nonce: str = ""  # hexadecimal; with match and seed it opens the commitment
    annulled: int | None = None  # of a void match: the seat that would have been late in it
    # How started bots were confined: a word of `arena.record.confinement`; "" in records of before.
    confinement: str = ""
    # By seat: the bot's own clock, None for that of the league; () if no seat had one of its own.
    clocks: tuple[BotClock | None, ...] = ()

    @property
    def seed_bytes(self) -> bytes:
        return bytes.fromhex(self.seed)

    def clock_of(self, seat: int) -> BotClock | None:
        """Return a seat's own clock; None if it had that of its league."""
        return self.clocks[seat] if self.clocks else None
