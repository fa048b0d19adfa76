"""Events as lines of a file or a pipe, from where it stopped: nothing twice, nothing left out."""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from threading import Lock

from arena.league.store.events import line
from arena.league.store.reader import Reader

STANDARD_OUTPUT = "-"
# Longer than any event: one of a set with hundreds of faults.
TAIL_BYTES = 1_048_576
FIRST = b'{"n":1,'
# Events that are read at once: a long league has hundreds of thousands.
MOST_AT_ONCE = 1_000


class BadEventFile(Exception):
    """Events cannot be written there; the text says why and what to do."""


class EventStream:
    """The file or pipe that gets the events of a league; `write` brings it up to date.

    The reader of a pipe may be slow, so `write` is called in a thread. If the caller gives one up,
    the next waits until it is done.
    """

    def __init__(self, where: str, store: Reader):
        self._where = where
        self._store = store
        self._one_at_a_time = Lock()
        with translated(where):
            self._out, self._last = _opened(where, store)

    def __repr__(self) -> str:
        return f"<EventStream to {self._where!r} up to {self._last}>"

    def write(self) -> None:
        """Write the new events; none any more once the reader of a pipe is gone."""
        with self._one_at_a_time, translated(self._where):
            while not self._out.closed:
                found = self._store.events(self._last, self._last + MOST_AT_ONCE)
                new = [line(number, event) for number, event in found]
                if not new:
                    return
                try:
                    self._write_all("".join(f"{each}\n" for each in new).encode())
                except BrokenPipeError:
                    self._out.close()
                self._last += len(new)

    def _write_all(self, data: bytes) -> None:
        """Write data, also to a pipe that whoever started this program made non-blocking."""
        left = memoryview(data)
        while left:
            count = self._out.write(left)
            if count is None:  # the pipe is full
                room = select.poll()
                room.register(self._out, select.POLLOUT)
                room.poll()
            else:
                left = left[count:]

    def close(self) -> None:
        """Close the file, unless a write that was given up still uses it."""
        if self._one_at_a_time.acquire(blocking=False):
            self._out.close()


def _opened(where: str, store: Reader) -> tuple[FileIO, int]:
    """Open the file, and return it with the number of the last event in it."""
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


def _cut_to_whole_lines(file: FileIO, where: str, store: Reader) -> int:
    """Cut the file after its last whole line, and return the number of its last event."""
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
    """Return the number of the last event; None if there is none."""
    try:
        event = json.loads(lines.splitlines()[-1])
    except (ValueError, IndexError):
        return None
    number = event.get("n") if isinstance(event, dict) else None
    return number if isinstance(number, int) else None


def _tells(store: Reader, number: int, lines: bytes) -> bool:
    """Return True if the last of these lines is the league's event of this number."""
    event = next((event for at, event in store.events(number - 1, number) if at == number), None)
    last = lines.splitlines()[-1]
    return event is not None and _unversioned(last) == _unversioned(line(number, event).encode())


def _unversioned(line: bytes) -> object:
    """Return a line of the file without the version, which older versions did not write."""
    return {key: value for key, value in json.loads(line).items() if key != "version"}


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Turn errors of the system into BadEventFile, in words for the operator of the league."""
    try:
        yield
    except OSError as error:
        raise BadEventFile(
            f"{where}: {error.strerror}; no events can be written there. Mend that, or name "
            "another file: what was played is kept, and the same command goes on"
        ) from error
