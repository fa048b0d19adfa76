"""The sheet of a match of a game of tricks: every move in a text that people read without scripts.

    Round 1. Seat 0 deals, seat 2 begins.
    Hand of 0: R1 R5 B3 Y7
    ...
    Tokens: [2] discard:1 points:-2 [1] trump:G
    Team: [1] team:13
    Trick 1: [1] G13 G7 R1 G2 to 1
    Time: 3 12 -
    Scores: 4 27 27 35

A number in brackets is the seat that comes next; the others follow in turn. A trick goes to the
seat after `to`. `Time` has a tenth of a millisecond for each move, - for one played for its bot. A
round that was not played to its end has no scores.

The page's script works out every view of every seat from it (`static/sheet.js`, `rounds.js`). It
is a fifth of the size of every view's changes, and hardly a view has to be made for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from arena.games import State, View
from arena.outputs.pages.sets.changes import own_part, public_part
from arena.record import Move

PLAY, OVER = "play", "over"


class Sheet:
    """Written round by round, while a match is replayed."""

    def __init__(self, stage: Callable[[State], tuple[int, str]], seats: int):
        """`stage`: that of the game's `Drawing`."""
        self._stage = stage
        self._seats = seats
        self._lines: list[str] = []
        self._moves: list[tuple[str, Move]] = []  # of the round being played, each with its phase
        self._now = (0, "")  # the round and the phase
        self._state: State | None = None
        self._first: View = {}  # what a spectator saw at the deal

    def take(self, move: Move | None, state: State) -> None:
        before, self._now = self._now, self._stage(state)
        self._state = state
        if move is not None:
            self._moves.append((before[1], move))
        if self._now[1] == OVER:
            self._end_round(state.view(None))
        elif self._now[0] != before[0]:
            public = state.view(None)
            self._end_round(public)
            self._first = self._first or public_part(public)
            self._lines += opening(public, state, self._seats)

    def lines(self) -> Sequence[str]:
        if self._moves and self._state is not None:  # the match was cut short
            public = self._state.view(None)
            self._lines += played(self._moves, self._seats, public["leaders"][-1:])
        return self._lines

    def data(self) -> Mapping[str, Any]:
        return {"view": self._first}

    def _end_round(self, public: View) -> None:
        if self._moves:
            self._lines += played(self._moves, self._seats, [public["previous"]["last_winner"]])
            self._lines.append(f"Scores: {' '.join(map(str, public['scores']))}")
            self._moves = []


def opening(public: View, state: State, seats: int) -> Iterator[str]:
    """Yield the lines before the first move of a round."""
    yield (
        f"Round {public['round']}. Seat {public['dealer']} deals, "
        f"seat {public['first_token']} begins."
    )
    for seat in range(seats):
        yield f"Hand of {seat}: {' '.join(own_part(public, state.view(seat))['hand'])}"


def played(moves: Sequence[tuple[str, Move]], seats: int, winner: Sequence[int]) -> Iterator[str]:
    """Yield the lines of a round's moves. `winner`: of its last trick, if that is complete."""
    for phase, group in groupby(moves, key=lambda each: each[0]):
        if phase == PLAY:
            yield from tricks([move for _, move in group], seats, winner)
        else:
            yield f"{phase.capitalize()}: {in_turn([move for _, move in group], seats)}"
    yield f"Time: {' '.join(tenths(move.time_us) for _, move in moves)}"


def tricks(moves: Sequence[Move], seats: int, winner: Sequence[int]) -> Iterator[str]:
    """Yield a line for each trick. It goes to the seat that leads the next."""
    all_tricks = [moves[start : start + seats] for start in range(0, len(moves), seats)]
    winners = [*(trick[0].seat for trick in all_tricks[1:]), *winner]
    for number, trick in enumerate(all_tricks):
        end = f" to {winners[number]}" if len(trick) == seats else ""
        yield f"Trick {number + 1}: {in_turn(trick, seats)}{end}"


def in_turn(moves: Sequence[Move], seats: int) -> str:
    """Return the actions, with a seat in brackets wherever it is not the next one."""
    words = []
    due = -1
    for move in moves:
        if move.seat != due:
            words.append(f"[{move.seat}]")
        words.append(move.action)
        due = (move.seat + 1) % seats
    return " ".join(words)


def tenths(time_us: int) -> str:
    """Return a time in tenths of a millisecond, at least one."""
    return str(max(1, round(time_us / 100))) if time_us else "-"
