"""The decisions of a recorded match, each as the seat was asked for it.

A move has one number, and every command, page, fault and note means the same by it: how many
moves all seats together had played before it, so the first move of a match is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.games import GAMES, State, View
from arena.record.errors import NoSuchMove
from arena.record.penalties import PENALTIES
from arena.record.record import FaultEntry, Move, Record
from arena.record.replay import replay


class RecordedDecision(NamedTuple):
    """One decision, before its action is applied."""

    number: int  # of the move, from 0
    move: Move
    state: State  # before the move; all decisions share one state object: copy it to keep it
    legal: tuple[str, ...]  # the actions that the seat might choose, in the game's order
    note: str  # the bot's remark, or ""; a bot chose the text
    faults: tuple[FaultEntry, ...]  # faults of any seat that came after the move before
    is_own: bool  # the bot chose the action; else the referee played it in its place

    @property
    def seat(self) -> int:
        return self.move.seat

    def view(self) -> View:
        """Return all that the seat knew when it was asked."""
        return self.state.view(self.move.seat)


def decisions(record: Record) -> Iterator[RecordedDecision]:
    """Yield every decision of the match in order; raise DoesNotFit at the first misfit."""
    names = GAMES[record.game].actions.names if record.game in GAMES else ()
    notes = {note.move: note.text for note in record.notes}
    faults: dict[int, list[FaultEntry]] = {}
    for fault in record.faults:
        faults.setdefault(fault.move, []).append(fault)
    forfeited: set[int] = set()
    for step in replay(record):
        number = step.number + 1
        if number == len(record.moves):
            continue  # the replay compares the end with the record's
        move = record.moves[number]
        legal = legal_names(step.state, move.seat, names)
        if move.action not in legal:
            continue  # the replay says what is wrong with it
        here = tuple(faults.get(number, ()))
        forfeited |= {fault.seat for fault in here if fault.forfeit}
        yield RecordedDecision(
            number,
            move,
            step.state,
            legal,
            notes.get(number, ""),
            here,
            is_own=move.seat not in forfeited and not is_settled(here, move.seat),
        )


def decision(record: Record, number: int) -> RecordedDecision:
    """Return the decision with this number, with a state of its own.

    Raise NoSuchMove if the match has no such move, DoesNotFit if the record breaks the rules up
    to its next move.
    """
    check_number(record, number)
    for each in decisions(record):
        if each.number == number:
            return each._replace(state=each.state.copy())
    raise AssertionError("the replay ends with an error or with all moves: this is a bug in arena")


def check_number(record: Record, number: int) -> None:
    """Raise NoSuchMove unless the match has a move with this number."""
    if not 0 <= number < len(record.moves):
        raise NoSuchMove(number, len(record.moves))


def legal_names(state: State, seat: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of the actions that a seat may choose now; none if it owes no decision."""
    if seat not in state.to_act():
        return ()
    return tuple(names[code] for code in state.legal(seat))


def is_settled(faults: tuple[FaultEntry, ...], seat: int) -> bool:
    """Return True if one of these faults had an action played in the place of this seat's bot."""
    settling = {kind for kind, penalty in PENALTIES.items() if penalty.settles}
    return any(fault.seat == seat and fault.kind in settling for fault in faults)
