"""Events as lines of a file or a pipe, from where it stopped: nothing twice, nothing left out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import BinaryIO, Protocol

from arena.league.events import line
from arena.league.store import Store

# Longer than any event: one of a set with hundreds of faults.
TAIL_BYTES = 1_048_576
FIRST = b'{"n":1,'


class BadEventFile(Exception):
    """A file that holds something else; the text says what to do."""


class EventStream(Protocol):
    """Where events go: `write` brings it up to date with the store."""

    def write(self, store: Store) -> None: ...
    def close(self) -> None: ...


class EventFile:
    """Appended to, whatever run wrote before; a line that a kill cut short is written anew."""

    def __init__(self, path: Path):
        self._file: BinaryIO = path.open("r+b" if path.exists() else "w+b")
        try:
            self._last = self._cut_to_whole_lines(path)
        except BaseException:
            self._file.close()
            raise

    def __repr__(self) -> str:
        return f"<EventFile up to {self._last}>"

    def write(self, store: Store) -> None:
        new = [line(number, event) for number, event in store.events(self._last)]
        if new:
            self._file.write("".join(f"{each}\n" for each in new).encode())
            self._file.flush()
            self._last += len(new)

    def close(self) -> None:
        self._file.close()

    def _cut_to_whole_lines(self, path: Path) -> int:
        """The number of its last event; the file is then at its end, after a whole line."""
        size = self._file.seek(0, os.SEEK_END)
        self._file.seek(max(0, size - TAIL_BYTES))
        tail = self._file.read()
        whole = tail[: tail.rfind(b"\n") + 1]
        # Without a whole line it is empty, or holds the beginning of the very first event.
        is_begun = not whole and (tail.startswith(FIRST) or FIRST.startswith(tail))
        number = 0 if is_begun else _number_of(whole)
        if number is None:
            raise BadEventFile(f"{path}: is no file of events; name another, or move it away")
        self._file.seek(size - len(tail) + len(whole))
        self._file.truncate()
        return number


def _number_of(lines: bytes) -> int | None:
    """The number of the last event; None if there is none."""
    try:
        event = json.loads(lines.splitlines()[-1])
    except (ValueError, IndexError):
        return None
    number = event.get("n") if isinstance(event, dict) else None
    return number if isinstance(number, int) else None


class NoEvents:
    """Nobody wants them."""

    def write(self, store: Store) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class EventPipe:
    """All events from the first on, to a pipe or terminal."""

    def __init__(self, out: BinaryIO):
        self._out = out
        self._last = 0

    def write(self, store: Store) -> None:
        for number, event in store.events(self._last):
            self._out.write(f"{line(number, event)}\n".encode())
            self._last = number
        self._out.flush()

    def close(self) -> None:
        """It is not ours."""
