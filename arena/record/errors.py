"""What can be wrong with a record.

RecordError
├── BadRecord    not a record at all, or of a version this program does not read
└── DoesNotFit   a record of a match that cannot have been played so
"""

from __future__ import annotations


class RecordError(ValueError):
    """Something is wrong with a record."""


class BadRecord(RecordError):
    """Not a record at all, or of a version this program does not read."""


class DoesNotFit(RecordError):
    """The rules do not allow the match the record tells. `move` counts from 0; None where the
    match could not even begin, or where its moves fit and its end does not."""

    def __init__(self, message: str, move: int | None):
        self.move = move
        super().__init__(message)
