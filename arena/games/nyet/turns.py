"""Turns, each as one small int: a seat, or above the seats a set of them.

So a state can tell in one comparison whether a seat is to act alone, which is almost always.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

SEVERAL: Final = 5
"""The first turn that is no seat: from here on, a bit for each seat that owes a decision."""

TO_ACT: Final = (
    *((seat,) for seat in range(SEVERAL)),
    *(tuple(seat for seat in range(SEVERAL) if mask >> seat & 1) for mask in range(1 << SEVERAL)),
)
"""By turn, the seats that owe a decision."""


def together(seats: Iterable[int]) -> int:
    """The turn of seats that choose at the same time."""
    return SEVERAL + sum(1 << seat for seat in seats)


NOBODY: Final = together(())
