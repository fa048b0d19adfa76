"""The conditions under which a row of the table is established; else it is provisional."""

from __future__ import annotations

from enum import Enum

ENOUGH_SETS = 30
"""Least number of complete sets: with fewer, the error of a bar is too large to believe it."""

NARROW_ENOUGH = 50.0
"""Limit of half a bar, in Elo: a wider bar does not separate bots that people call unequal."""


class Lack(Enum):
    """A condition that fails; a row without any is established."""

    SETS = "sets"  # fewer complete sets than ENOUGH_SETS
    BAR = "bar"  # no bar, or one that reaches NARROW_ENOUGH
    CONNECTION = "connection"  # the results alone, without the prior, give it no finite rating


def lacks(sets: int, half_width: float | None, is_connected: bool) -> tuple[Lack, ...]:
    """Return the conditions that fail; a row with any is provisional."""
    conditions = {
        Lack.SETS: sets >= ENOUGH_SETS,
        Lack.BAR: half_width is not None and half_width < NARROW_ENOUGH,
        Lack.CONNECTION: is_connected,
    }
    return tuple(lack for lack, holds in conditions.items() if not holds)
