"""What a bot printed in one match, and the files that collect it over many.

The warden writes a piece for each match (`arena.bots.warden.printing`); a collector appends it to
the file of its bot and stream, with a line that names the match.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from arena.bots.warden.outputs import append

STREAMS = ("stderr", "stdout")
NANOSECONDS = 10**9


@dataclass(frozen=True)
class OutputPiece:
    """The file of what a bot printed in a match, as its name tells."""

    file: Path
    at_ns: int  # when it was written, in nanoseconds since 1970
    match: str  # the word that the referee chose
    bot: str
    stream: str

    @classmethod
    def of(cls, file: Path) -> OutputPiece | None:
        """Read the name of a file; None if it is no piece, or one that is being written."""
        at, _, rest = file.name.partition("~")
        match, _, rest = rest.partition("~")
        bot, _, stream = rest.rpartition(".")
        if not (at.isdecimal() and match and bot and stream in STREAMS):
            return None
        return cls(file, int(at), match, bot, stream)

    @property
    def ended(self) -> str:
        """The time of its writing, as "2026-01-31T12:00:00Z"."""
        return datetime.fromtimestamp(self.at_ns // NANOSECONDS, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def collect(piece: OutputPiece, heading: str, folder: Path) -> None:
    """Append a piece to the file of its stream in the folder of its bot, and remove it.

    `heading`: a line that tells the match. Raises OSError, and then the piece stays.
    """
    data = piece.file.read_bytes()
    end = b"" if data.endswith(b"\n") else b"\n"
    append(str(folder), piece.stream, heading.encode() + b"\n" + data + end)
    piece.file.unlink()
