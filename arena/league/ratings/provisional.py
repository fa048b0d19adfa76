"""When a row of the table can be relied on, and what it lacks until then."""

from __future__ import annotations

from enum import Enum

ENOUGH_SETS = 30
"""Complete sets: below, the error of a bar is itself too large to believe the bar."""

NARROW_ENOUGH = 50.0
"""Elo, half a bar: a wider one does not tell bots apart that people would call unequal."""


class Lack(Enum):
    """A condition that fails; a row without any is established."""

    SETS = "sets"  # fewer complete sets than ENOUGH_SETS
    BAR = "bar"  # no bar, or one that reaches NARROW_ENOUGH
    CONNECTION = "connection"  # the results alone, without the prior, give it no finite rating


def lacks(sets: int, half_width: float | None, is_connected: bool) -> tuple[Lack, ...]:
    """Why a row is provisional."""
    conditions = {
        Lack.SETS: sets >= ENOUGH_SETS,
        Lack.BAR: half_width is not None and half_width < NARROW_ENOUGH,
        Lack.CONNECTION: is_connected,
    }
    return tuple(lack for lack, holds in conditions.items() if not holds)
