"""The measure of a judgement, and the interface to take it in one imagined world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.games import State


@dataclass(frozen=True)
class Measure:
    """The value of an action, in words. More is always better."""

    unit: str  # of a difference of values: "points"
    negligible: float  # a difference of so many units is not looked for
    meaning: str
    policy: str  # how an imagined world is played on
    trust: str  # what it leaves out


class Values(Protocol):
    """The values of actions in imagined worlds of one game."""

    @property
    def measure(self) -> Measure: ...

    def value(self, world: State, seat: int, action: int, seed: int) -> float:
        """Return what the action leads to in this world, which is not changed.

        `seed`: for the lots of playing on; the same for all actions in one world, so that they
        share as much luck as they can.
        """
