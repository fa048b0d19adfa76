"""The figures that decide how many matches are played at once: of the machine, and of matches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arena.league.model.played import LeagueMatch

# Decisions may become later by this part of `decision_ms`, because matches share the processors.
LATER = 0.05


@dataclass(frozen=True)
class Charged:
    """Counts of the matches that a job brought in some time, with the time charged."""

    decisions: int = 0
    time_us: int = 0  # charged for all of them
    slow: int = 0  # decisions that took longer than `LATER` of `decision_ms`
    slow_us: int = 0  # charged for these
    voids: int = 0


@dataclass(frozen=True)
class Used:
    """The use of the processors of a job in some time; the unit is one whole core."""

    seconds: float
    idle: float  # also what a process of low priority uses: it gives way
    refereeing: float  # by the process of the job
    thinking: float  # by everything else: mostly bots


@dataclass(frozen=True)
class Look:
    """All that is known about the time since the last look."""

    used: Used
    charged: Charged
    playing: int  # lanes that have a set


class JobTally:
    """Counts the matches of a job, from one look to the next."""

    def __init__(self, slow_from_us: int) -> None:
        """A decision that takes longer than `slow_from_us` is slow."""
        self.slow_from_us = slow_from_us
        self.playing = 0
        self.matches = 0  # in all
        self._charged = Charged()

    def __repr__(self) -> str:
        return f"<JobTally: {self.playing} sets in play, {self._charged.decisions} decisions>"

    @contextmanager
    def plays(self) -> Iterator[None]:
        """Count one more set in play, in this block."""
        self.playing += 1
        try:
            yield
        finally:
            self.playing -= 1

    def enter(self, played: LeagueMatch) -> None:
        """Count a match."""
        self.matches += 1
        so_far, bound = self._charged, self.slow_from_us
        times = [move.time_us for move in played.record.moves]
        slow = [each for each in times if each > bound]
        self._charged = Charged(
            so_far.decisions + len(times),
            so_far.time_us + sum(times),
            so_far.slow + len(slow),
            so_far.slow_us + sum(slow),
            so_far.voids + played.is_void,
        )

    def taken(self) -> Charged:
        """Return the counts since the last call."""
        charged, self._charged = self._charged, Charged()
        return charged
