"""Recorded seats that repeat their actions in another match from the same deal.

A seat plays the earliest of its recorded actions of this round that it has not repeated yet and
that is legal now; where none is, one drawn from the match's seed. So a match in which nobody does
otherwise is the recorded one, and after a difference each seat still plays its own cards in about
its own order, as long as the rules let it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games.chance import draw
from arena.record.decisions import decisions
from arena.record.record import Record

# Of the lots in this module; none of a match has it (SPEC 13.1).
LABEL = "repeated seat"


class Repeated:
    """Chooses the actions of one recorded seat, in one match."""

    def __init__(self, record: Record, seat: int):
        """Read the record; raise DoesNotFit if it breaks the rules."""
        self._seed = record.seed_bytes + bytes([seat])
        self._drawn = 0
        # By round: the actions that are left, in the order in which they were played.
        self._left: dict[object, list[str]] = {}
        for each in decisions(record):
            if each.seat == seat:
                self._left.setdefault(round_of(each.view()), []).append(each.move.action)

    def __repr__(self) -> str:
        return f"<Repeated, {sum(map(len, self._left.values()))} actions left>"

    def pick(self, view: Mapping[str, Any], legal: Sequence[str]) -> str:
        """Return the action for a decision, from its view and its legal actions."""
        left = self._left.get(round_of(view), [])
        for at, action in enumerate(left):
            if action in legal:
                return left.pop(at)
        self._drawn += 1
        return legal[draw(len(legal), self._seed, LABEL, self._drawn - 1)]


def round_of(view: Mapping[str, Any]) -> object:
    """Return the number of the round; None in a game without rounds."""
    return view.get("round")


@dataclass(frozen=True)
class Departure:
    """A move that is not the recorded one. `recorded` is None if that is no move of this seat."""

    move: int
    seat: int
    played: str
    recorded: str | None


def first_departure(record: Record, again: Record) -> Departure | None:
    """Return the first move of another match from the same deal that is not the recorded one."""
    for number, move in enumerate(again.moves):
        before = record.moves[number] if number < len(record.moves) else None
        if before is None or before.seat != move.seat:
            return Departure(number, move.seat, move.action, None)
        if before.action != move.action:
            return Departure(number, move.seat, move.action, before.action)
    return None


def first_forced(record: Record, again: Record, seat: int) -> Departure | None:
    """Return the first move at which a seat other than this one, all of which repeat the record,
    could not play the next of its own recorded actions."""
    own = {
        other: iter([move.action for move in record.moves if move.seat == other])
        for other in range(record.seats)
    }
    for number, move in enumerate(again.moves):
        recorded = next(own[move.seat], None)
        if move.seat != seat and move.action != recorded:
            return Departure(number, move.seat, move.action, recorded)
    return None
