"""Matches of a league as they were played, alone and as complete sets."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from arena.league.model.sets import Place
from arena.record import Record
from arena.record.endings import NOT_BEGUN, VOID
from arena.record.evidence import Evidence


class LeagueMatch(Struct, frozen=True, array_like=True):
    """One match of a league; a job hands it back with the evidence of its faults."""

    set: int
    turn: int
    attempt: int
    record: Record  # its ending is NOT_BEGUN if a bot did not come, VOID if it is void
    processes: tuple[int, ...]  # by seat: the process that played, by a number of its own
    ended: str  # UTC, "2026-01-31T12:00:00Z"
    stood: bool  # a late ruling stood though this machine was slow
    evidence: tuple[Evidence, ...] = ()
    machine: str = ""  # that it was played on; "": the runner's own

    @property
    def place(self) -> Place:
        return Place(self.set, self.turn)

    @property
    def is_void(self) -> bool:
        return self.record.ending == VOID

    @property
    def annulled(self) -> str | None:
        """The bot that would have been late in a void match; None if no bot was."""
        seat = self.record.annulled
        return None if seat is None else self.record.names[seat]

    @property
    def is_begun(self) -> bool:
        return self.record.ending != NOT_BEGUN


@dataclass(frozen=True)
class PlayedSet:
    """A complete set: its matches count and may be shown."""

    number: int
    attempt: int
    matches: tuple[LeagueMatch, ...]  # by turn


@dataclass(frozen=True)
class StoredSet(PlayedSet):
    """A complete set with its records as they are stored, for telling whether a page of them is
    up to date without encoding them again."""

    packed: tuple[bytes, ...]  # by turn
