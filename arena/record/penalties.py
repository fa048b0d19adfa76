"""The kinds of faults and their penalties (SPEC 7), and the places of forfeited seats.

Everything here follows from a record, so a match can be audited with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Penalty:
    """The consequences of a kind of fault."""

    settles: bool  # the open request is over, and an action is played for the bot
    forfeits: bool = False  # the seat is forfeited at once, by a first fault too


PENALTIES: Mapping[str, Penalty] = {
    "late": Penalty(settles=True),
    "unreadable": Penalty(settles=True),
    "illegal": Penalty(settles=True),
    "out-of-turn": Penalty(settles=False),
    "gone": Penalty(settles=True, forfeits=True),
    "never-started": Penalty(settles=False, forfeits=True),
}


def places_with_forfeits(places: Sequence[int], forfeits: Sequence[int]) -> tuple[int, ...]:
    """Return the places with forfeited seats last; the others keep the order they played out."""
    kept = [place for seat, place in enumerate(places) if seat not in forfeits]
    return tuple(
        len(kept) + 1 if seat in forfeits else 1 + sum(other < place for other in kept)
        for seat, place in enumerate(places)
    )
