"""All that is known after a soak: what programs wrote, what the league kept, and what it used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.record import FaultEntry
from arena.record.endings import NOT_BEGUN, VOID
from tests.league.soak.diary import END, STOP, Entry
from tests.league.soak.watch import Growth


@dataclass(frozen=True)
class Seat:
    """One bot in one match."""

    name: str
    faults: tuple[FaultEntry, ...]
    is_out: bool  # it forfeited the match


@dataclass(frozen=True)
class KeptMatch:
    """A match as the store has it."""

    place: str
    match: str  # as the bots were told; "" where it did not begin
    ending: str
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Soaked:
    """All that is known after a soak."""

    entries: Sequence[Entry]  # in the order of time
    matches: Sequence[KeptMatch]
    events: Sequence[tuple[int, Mapping[str, Any]]]  # with their numbers
    started: frozenset[str]  # names of bots that the league starts
    growths: Sequence[Growth]
    jobs_ended: int = 0  # as the league told
    logged: Sequence[str] = ()  # lines

    def stops(self, *ways: str) -> list[float]:
        """Return the times at which something was stopped in one of these ways; all without."""
        return [
            each.at
            for each in self.entries
            if each.what == STOP and (not ways or each.detail in ways)
        ]

    @property
    def by_id(self) -> Mapping[str, KeptMatch]:
        """The matches that began."""
        return {each.match: each for each in self.matches if each.match}

    @property
    def void(self) -> set[str]:
        """The matches that bots were told to be void."""
        told = (each for each in self.entries if each.what == END and each.detail == VOID)
        return {each.match for each in told}


def never_begun(soaked: Soaked) -> int:
    """Return the number of matches that did not begin, as a bot had left."""
    return sum(each.ending == NOT_BEGUN for each in soaked.matches)


def lost_to_kills(soaked: Soaked) -> int:
    """Return the number of matches that bots saw end and that a kill came before."""
    kept, void = soaked.by_id, soaked.void
    ended = {each.match for each in soaked.entries if each.what == END}
    return len(ended - kept.keys() - void)
