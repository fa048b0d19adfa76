"""Replay a match from its record: its states again, and a check of every move by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.games import GAMES, Game, GameError, State
from arena.record.errors import DoesNotFit
from arena.record.record import Move, Record


class Step(NamedTuple):
    """The state after a move. All steps share one state object: copy it to keep it."""

    number: int  # of the move, from 0; -1 for the deal
    move: Move | None
    state: State


def replay(record: Record) -> Iterator[Step]:
    """Yield the deal, then the state after each move; raise DoesNotFit at the first misfit."""
    game, state = deal(record)
    yield Step(-1, None, state)
    for number, move in enumerate(record.moves):
        try:
            state.apply(move.seat, game.actions.code(move.action))
        except GameError as error:
            raise DoesNotFit(
                f"move {number} (seat {move.seat}, {move.action!r}) does not fit the rules: "
                f"{error}",
                number,
            ) from error
        yield Step(number, move, state)
    check_end(record, state)


def deal(record: Record) -> tuple[Game, State]:
    """Return the game and its first state."""
    try:
        game = GAMES[record.game]
        return game, game.deal(record.seats, record.seed_bytes, record.options)
    except (GameError, TypeError) as error:
        raise DoesNotFit(f"this match cannot have been dealt: {error}", None) from error


def check_end(record: Record, state: State) -> None:
    """Raise DoesNotFit unless the moves lead to the end that the record has.

    The places of forfeited seats come from the referee, not from the game: with a forfeit only
    scores and ending are compared.
    """
    outcome = state.outcome()
    if outcome is None:
        if record.ending == "forfeit" and len(record.forfeits) >= record.seats - 1:
            return
        raise DoesNotFit(
            f"after its last move ({len(record.moves)} in all) the match is not over: seats "
            f"{', '.join(map(str, state.to_act()))} are to act",
            None,
        )
    told: tuple[object, ...] = (record.scores, record.ending)
    is_so: tuple[object, ...] = (outcome.scores, outcome.ending)
    if not record.forfeits:
        told, is_so = (*told, record.places), (*is_so, outcome.places)
    if told != is_so:
        raise DoesNotFit(f"the record tells the end {told}, its moves lead to {is_so}", None)
