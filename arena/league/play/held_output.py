"""The output of bots in a league: held until no card in it is of a set in play, then in `logs/`.

A bot may print what it sees, at once or later. So what it printed in a match is released when its
set is complete, and so are all other sets of that bot that had begun by then: a process may print
the cards of one set while it plays the next. Both folders are the owner's alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from arena.bots.logs import OutputPiece, collect
from arena.league.store.folder import HELD, LOGS

# For each bot, as much as its logs keep. Only beside a very long set does more wait.
MOST_HELD_BYTES = 8_388_608


class HeldOutput:
    """The pieces of a league that wait, and the logs that they go to. `folder`: the league's."""

    def __init__(self, folder: Path):
        self.pieces = folder / HELD
        self._logs = folder / LOGS
        self._waits: dict[str, frozenset[int]] = {}  # by name of a piece: sets to be complete
        for each in (self.pieces, self._logs):
            each.mkdir(mode=0o700, exist_ok=True)
            each.chmod(0o700)

    def __repr__(self) -> str:
        return f"<HeldOutput, {len(self._waits)} pieces wait>"

    def found(self) -> Sequence[OutputPiece]:
        """Return the pieces that are there, the oldest first."""
        files = sorted(self.pieces.iterdir(), key=lambda file: file.name)
        return [piece for file in files if (piece := OutputPiece.of(file)) is not None]

    def drop(self, sets: Collection[int]) -> None:
        """Remove pieces of these sets: those left out, which will never be complete."""
        for piece in self.found():
            if set_of(piece) in sets:
                piece.file.unlink()

    def release(self, found: Sequence[OutputPiece], begun: Mapping[int, Sequence[str]]) -> None:
        """Append pieces to the logs of their bots when no set is in play that they may tell of.

        `begun`: the sets that have begun and are not complete, with their bots, read after the
        pieces were found: a bot may have played in any of its sets before it printed a piece.
        Raises OSError when the logs cannot be written.
        """
        waiting: dict[str, list[OutputPiece]] = {}
        for piece in found:
            known = self._waits.get(piece.file.name)
            sets = begun.keys() if known is None else known & begun.keys()
            waits = frozenset(number for number in sets if piece.bot in begun[number])
            if waits:
                self._waits[piece.file.name] = waits
                waiting.setdefault(piece.bot, []).append(piece)
                continue
            folder = self._logs / piece.bot
            folder.mkdir(mode=0o700, exist_ok=True)
            collect(piece, heading(piece), folder)
            self._waits.pop(piece.file.name, None)
        for pieces in waiting.values():
            self._drop_oldest(pieces)

    def _drop_oldest(self, pieces: Sequence[OutputPiece]) -> None:
        """Remove the oldest pieces of a bot until the others are not too much."""
        room = MOST_HELD_BYTES
        for piece in reversed(pieces):
            room -= piece.file.stat().st_size
            if room < 0:
                piece.file.unlink()
                del self._waits[piece.file.name]


def set_of(piece: OutputPiece) -> int:
    """Return the number of its set, from a word such as 17.4.0."""
    return int(piece.match.partition(".")[0])


def word_of(place: object, attempt: int) -> str:
    """Return the word for a match in the names of pieces: place and attempt."""
    return f"{place}.{attempt}"


def heading(piece: OutputPiece) -> str:
    """Return the line above a piece in the logs."""
    place, _, attempt = piece.match.rpartition(".")
    again = f", attempt {int(attempt) + 1}" if attempt != "0" else ""
    return f"== match {place}{again}, {piece.ended} =="
