"""A match of a league as it was played, and the evidence of its faults."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from arena.league.sets import Place
from arena.record import Record
from arena.referee.absence import NOT_BEGUN
from arena.referee.match import VOID


class Evidence(Struct, frozen=True, array_like=True):
    """Everything the author of a bot needs after a fault of it; for him and the league's host."""

    seat: int
    move: int
    kind: str
    code: str
    text: str
    came: str
    expected: str
    request: bytes  # the frame it was asked with
    reply: bytes  # the body that came, if one did
    legal: tuple[str, ...]
    played: str  # in its place, or ""
    allowed_us: int
    took_us: int
    stdout: str  # the ends of what it had printed
    stderr: str
    exit: str  # how its process ended, or ""


class Played(Struct, frozen=True, array_like=True):
    """What came of one match; with its evidence it is what a job hands back."""

    set: int
    turn: int
    attempt: int
    record: Record  # its ending is NOT_BEGUN where somebody did not come, VOID where it is void
    processes: tuple[int, ...]  # by seat: the process that played, by a number of its own
    ended: str  # UTC, "2026-01-31T12:00:00Z"
    stood: bool = False  # a late ruling stood though this machine was slow
    evidence: tuple[Evidence, ...] = ()

    @property
    def place(self) -> Place:
        return Place(self.set, self.turn)

    @property
    def is_void(self) -> bool:
        return self.record.ending == VOID

    @property
    def annulled(self) -> str | None:
        """Of a void one: the bot that would have been late in it."""
        seat = self.record.annulled
        return None if seat is None else self.record.names[seat]

    @property
    def is_begun(self) -> bool:
        return self.record.ending != NOT_BEGUN


@dataclass(frozen=True)
class PlayedSet:
    """A complete set: what it says counts, and may be shown."""

    number: int
    attempt: int
    matches: tuple[Played, ...]  # by turn
