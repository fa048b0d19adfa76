"""The places of a league's schedule, and what is secret about them.

A **set** has a number, from 1, and a line-up in its circular order; it is played once in each
cyclic seating, a **turn** each. When this machine was too slow to judge fairly, the whole set
is void and is played anew from another seed: its next **attempt**.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256

# After so many voids of one set its result stands, whatever this machine does (SPEC 6.5).
MOST_VOIDS = 3


@dataclass(frozen=True)
class PlannedSet:
    """A set as the schedule has it: who plays, in which circular order."""

    number: int
    line_up: tuple[str, ...]

    def seating(self, turn: int) -> tuple[str, ...]:
        """Who sits where in a turn, by seat."""
        seats = len(self.line_up)
        return tuple(self.line_up[(seat + turn) % seats] for seat in range(seats))


@dataclass(frozen=True, order=True)
class Place:
    """One match of the schedule."""

    set: int
    turn: int  # from 0

    def __str__(self) -> str:
        """As people write it: the fourth match of set 17 is 17.4."""
        return f"{self.set}.{self.turn + 1}"

    @classmethod
    def parse(cls, text: str) -> Place | None:
        """The place that a text names; None if it names none."""
        number, dot, turn = text.partition(".")
        if not (dot and number.isascii() and turn.isascii()):
            return None
        if not (number.isdecimal() and turn.isdecimal()) or int(turn) < 1:
            return None
        return cls(int(number), int(turn) - 1)


def key_from_seed(seed: str) -> bytes:
    """The key of a league whose file fixes it: anybody can work out its deals."""
    return sha256(b"arena league key\0" + seed.encode()).digest()


def seed_of_set(key: bytes, number: int, attempt: int) -> bytes:
    """The seed of a set: to whoever has not the key, as good as drawn by lot."""
    message = b"arena set\0" + number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
    return hmac.digest(key, message, "sha256")
