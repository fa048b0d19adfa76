"""The ways of the output of a bot: copied, kept in pieces, or passed on.

A piece is a file with what a bot printed in one match, written when the match is over or the bot:

    01768...0042~17.4.0~fox.stderr

Its name tells the time in nanoseconds, so that the pieces of a bot are in order, then the word that
the referee chose for match and bot, and the stream. It is there as a whole or not at all, and no
later one takes its place.
"""

from __future__ import annotations

import contextlib
import os
import time


class Printing:
    """The ways of the output of one bot, besides the ends of it that are always kept.

    `logs`: a folder that gets stdout.txt and stderr.txt as they come, or None. `pieces`: a folder
    that gets its pieces, or None. `word`: of the match that it now plays, for their names.
    `is_shown`: pass it on to the referee as it comes.
    """

    __slots__ = ("is_shown", "logs", "pieces", "word")

    def __init__(
        self,
        logs: str | None = None,
        pieces: str | None = None,
        word: str = "",
        is_shown: bool = False,
    ) -> None:
        self.logs = logs
        self.pieces = pieces
        self.word = word
        self.is_shown = is_shown

    def write_piece(self, stream: str, data: bytes) -> None:
        """Write a piece, unless there is nothing to write.

        A full disk loses it, and does not hurt the bot.
        """
        if self.pieces is None or not data:
            return
        name = f"{time.time_ns():020}~{self.word}.{stream}"
        path = os.path.join(self.pieces, f".{name}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        try:
            file = os.open(path, flags, 0o600)
            try:
                os.write(file, data)
            finally:
                os.close(file)
            os.rename(path, os.path.join(self.pieces, name))
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(path)
