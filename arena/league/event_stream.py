"""Events as lines of a file or a pipe, from where it stopped: nothing twice, nothing left out."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from threading import Lock

from arena.league.events import line
from arena.league.store import Store

STANDARD_OUTPUT = "-"
# Longer than any event: one of a set with hundreds of faults.
TAIL_BYTES = 1_048_576
FIRST = b'{"n":1,'


class BadEventFile(Exception):
    """Events cannot be written there; the text says why and what to do."""


class EventStream:
    """Where the events of a league go; `write` brings it up to date.

    A write may take as long as whoever reads a pipe, so it is called in a thread. If it is given
    up, the next waits until it is done.
    """

    def __init__(self, where: str, store: Store):
        self._where = where
        self._store = store
        self._one_at_a_time = Lock()
        with translated(where):
            self._out, self._last = _opened(where, store)

    def __repr__(self) -> str:
        return f"<EventStream to {self._where!r} up to {self._last}>"

    def write(self) -> None:
        """Whatever is new; nothing more once nobody reads a pipe."""
        with self._one_at_a_time, translated(self._where):
            if self._out.closed:
                return
            new = [line(number, event) for number, event in self._store.events(self._last)]
            left = memoryview("".join(f"{each}\n" for each in new).encode())
            try:
                while left:
                    left = left[self._out.write(left) :]
            except BrokenPipeError:
                self._out.close()
            self._last += len(new)

    def close(self) -> None:
        """What a given up write still waits with is left to it."""
        if self._one_at_a_time.acquire(blocking=False):
            self._out.close()


def _opened(where: str, store: Store) -> tuple[FileIO, int]:
    """What to write to, and the number of the last event that is there."""
    if where == STANDARD_OUTPUT:
        return FileIO(os.dup(sys.stdout.fileno()), "w"), 0
    if os.path.exists(where) and not os.path.isfile(where):
        return FileIO(where, "w"), 0
    file = FileIO(where, "r+" if os.path.exists(where) else "x+")
    try:
        return file, _cut_to_whole_lines(file, where, store)
    except BaseException:
        file.close()
        raise


def _cut_to_whole_lines(file: FileIO, where: str, store: Store) -> int:
    """The number of its last event; the file is then at its end, after a whole line."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - TAIL_BYTES))
    tail = file.read()
    whole = tail[: tail.rfind(b"\n") + 1]
    # Without a whole line it is empty, or holds the beginning of the very first event.
    is_begun = not whole and (tail.startswith(FIRST) or FIRST.startswith(tail))
    number = 0 if is_begun else _number_of(whole)
    if number is None:
        raise BadEventFile(f"{where}: is no file of events; name another, or move it away")
    if number and not _tells(store, number, whole):
        raise BadEventFile(
            f"{where}: its events are not those of this league; name another file, or move it away"
        )
    file.seek(size - len(tail) + len(whole))
    file.truncate()
    return number


def _number_of(lines: bytes) -> int | None:
    """The number of the last event; None if there is none."""
    try:
        event = json.loads(lines.splitlines()[-1])
    except (ValueError, IndexError):
        return None
    number = event.get("n") if isinstance(event, dict) else None
    return number if isinstance(number, int) else None


def _tells(store: Store, number: int, lines: bytes) -> bool:
    """Whether the last of these lines is what the league's event of this number says."""
    event = next((event for at, event in store.events(number - 1) if at == number), None)
    return event is not None and lines.endswith(f"{line(number, event)}\n".encode())


@contextmanager
def translated(where: str) -> Iterator[None]:
    """What the system has against it, in the words of whoever runs the league."""
    try:
        yield
    except OSError as error:
        raise BadEventFile(
            f"{where}: {error.strerror}; no events can be written there. Mend that, or name "
            "another file: what was played is kept, and the same command goes on"
        ) from error
