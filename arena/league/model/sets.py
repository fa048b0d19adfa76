"""The sets of a league's schedule, and the places of their matches.

A **set** has a number, from 1, and a line-up in its circular order; it is played once in each
cyclic seating, a **turn** each. When this machine was too slow to judge fairly, the whole set
is void and is played anew from another seed: its next **attempt**.
"""

from __future__ import annotations

from dataclasses import dataclass

# The most voids of one set: its next result stands, even if this machine is slow (SPEC 6.5).
MOST_VOIDS = 3


@dataclass(frozen=True, slots=True)
class PlannedSet:
    """A set as the schedule has it: its number, and its bots in circular order."""

    number: int
    line_up: tuple[str, ...]

    def seating(self, turn: int) -> tuple[str, ...]:
        """Return the bots by seat in a turn."""
        seats = len(self.line_up)
        return tuple(self.line_up[(seat + turn) % seats] for seat in range(seats))


@dataclass(frozen=True)
class SetState:
    """A set of the schedule with its progress."""

    planned: PlannedSet
    attempt: int
    is_complete: bool
    turns: tuple[int, ...]  # of this attempt, those already played


@dataclass(frozen=True, order=True)
class Place:
    """One match of the schedule."""

    set: int
    turn: int  # from 0

    def __str__(self) -> str:
        """Write the place as people do: the fourth match of set 17 is 17.4."""
        return f"{self.set}.{self.turn + 1}"

    @classmethod
    def parse(cls, text: str) -> Place | None:
        """Return the place that a text names; None if it names none."""
        number, dot, turn = text.partition(".")
        if not (dot and number.isascii() and turn.isascii()):
            return None
        if not (number.isdecimal() and turn.isdecimal()) or int(turn) < 1:
            return None
        return cls(int(number), int(turn) - 1)
