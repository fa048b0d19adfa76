"""The errors of records.

RecordError
├── BadRecord    not a record at all, or of a version this program does not read
├── DoesNotFit   a record of a match that cannot have been played so
└── NoSuchMove   a number that none of the match's moves has
"""

from __future__ import annotations


class RecordError(ValueError):
    """Something is wrong with a record."""


class BadRecord(RecordError):
    """Not a record at all, or of a version this program does not read."""


class DoesNotFit(RecordError):
    """The rules do not allow the match of the record.

    `move`: the first move that does not fit, from 0; None if the deal or the end does not fit.
    """

    def __init__(self, message: str, move: int | None):
        self.move = move
        super().__init__(message)


class NoSuchMove(RecordError):
    """The match has no move with this number. `moves`: how many it has."""

    def __init__(self, number: int, moves: int):
        self.number = number
        self.moves = moves
        has = f"moves 0 to {moves - 1}" if moves else "no moves"
        super().__init__(f"this match has {has}; got {number}")
