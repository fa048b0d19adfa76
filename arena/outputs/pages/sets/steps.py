"""A match replayed for its page: what people read without scripts, and what the script reads.

One replay makes it, from views alone: the spectator's, and the differences of each seat's from
it. So a seat is never shown with cards it could not see, in any game. Where a game's drawing can
work views out from the moves, its matches have a form of their own (`sheet`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from arena.games import GAMES, Game, State
from arena.outputs.pages.sets.every_view import EveryView
from arena.outputs.pages.sets.sheet import Sheet
from arena.record import Move, Record
from arena.record.replay import Step, replay


@dataclass(frozen=True)
class Steps:
    """A replayed match, as its page needs it."""

    lines: tuple[str, ...]  # the moves, for people
    data: Mapping[str, Any]  # for the page's script, besides the lines
    legal: tuple[tuple[str, ...], ...]  # by fault, the actions its seat could have chosen; or ()


class Script(Protocol):
    """A match for its page, written state by state."""

    def take(self, move: Move | None, state: State) -> None:
        """Take the next state; `move` led to it, and none to the deal."""

    def lines(self) -> Sequence[str]: ...
    def data(self) -> Mapping[str, Any]: ...


def steps(record: Record) -> Steps:
    """Replay a match; raise RecordError if the rules do not allow it."""
    script = script_of(GAMES[record.game], record)
    legal: dict[int, tuple[str, ...]] = {}
    asked = {fault.move for fault in record.faults}
    for step in replay(record):
        script.take(step.move, step.state)
        if step.number + 1 in asked:
            legal.update(asked_after(step, record))
    legal_of_each = tuple(legal.get(number, ()) for number in range(len(record.faults)))
    return Steps(tuple(script.lines()), script.data(), legal_of_each)


def script_of(game: Game, record: Record) -> Script:
    stage = game.drawing.stage
    return EveryView(game, record) if stage is None else Sheet(stage, record.seats)


def asked_after(step: Step, record: Record) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the faults of requests made at this step: their numbers, and the legal actions."""
    for number, fault in enumerate(record.faults):
        if fault.move == step.number + 1:
            yield number, legal_for(record, step.state, fault.seat)


def legal_for(record: Record, state: State, seat: int) -> tuple[str, ...]:
    """Return the legal actions of a seat; () if it owes no decision."""
    if seat not in state.to_act():
        return ()
    name = GAMES[record.game].actions.name
    return tuple(map(name, state.legal(seat)))
