"""The values a record is made of.

On disk each is an array, not a map: a match of 700 moves takes some 8 KB as msgpack. New
fields are added at the end, with a default, and then old records are still read; anything
else is a new VERSION.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

FORMAT = "arena-record"
VERSION = 1


class Move(Struct, frozen=True, array_like=True, gc=False):
    """One decision: who, what, and how long it took."""

    seat: int
    action: str
    time_us: int = 0


class Note(Struct, frozen=True, array_like=True):
    """What a bot remarked with a move. A bot's text: never markup, never terminal text."""

    move: int
    text: str


class FaultEntry(Struct, frozen=True, array_like=True):
    """A breach of a bot's, and what it led to."""

    seat: int
    move: int  # how many moves had been played by then; where one was played for it, this one
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
    names: tuple[str, ...]  # by seat, who sat there
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

    @property
    def seed_bytes(self) -> bytes:
        return bytes.fromhex(self.seed)
