"""A file of the sets that were played, so that a comparison goes on after it was stopped or killed.

One line of JSON for what is compared, then one for each set as it ends. A line that a kill cut
short is dropped, and its set is played again. Sets that were void are noted as such. Whatever is
compared must stay the same: another version of a bot needs a comparison of its own.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arena.compare.play import Comparison, SeatedResult
from arena.compare.sets import seed_of_set
from arena.record import RecordError, from_json, to_json
from arena.referee.match import Result
from arena.text import plain

FORMAT = "arena-sets"
VERSION = 1
BEGINNING = f'{{"format":"{FORMAT}",'.encode()

# Sets end in another order than they began, but a number so much larger than the count of lines is
# none of ours.
FARTHEST_AHEAD = 10_000

# By key of the first line that is not told by itself: what it is, in words.
MEANINGS = {
    "game": "the game",
    "options": "the options of the game",
    "seed": "the seed",
    "clock": "the clock",
    "start_ms": "the time to start",
    "stop": "the bounds of the stop test",
    "alpha": "alpha",
    "beta": "beta",
    "sets": "the number of sets",
    "against": "the bot to compare with",
}


class CannotKeep(Exception):
    """The file cannot be used for this comparison, in words for people."""


class KeptSets:
    """A file of sets, held by this process alone.

    `kept`: what was compared when the file was begun, or None for a new file.
    """

    def __init__(self, path: Path):
        """Open the file, or make it. Raises CannotKeep."""
        self.path = path
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise CannotKeep(f"{path} cannot be written: {error.strerror}") from None
        try:
            # A device such as /dev/null keeps nothing, and one such as /dev/zero is read for ever.
            if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                raise CannotKeep(f"{path} is no regular file, and keeps no sets; name another file")
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._lines = self._whole_lines()
            self.kept = self._first_line() if self._lines else None
        except BlockingIOError:
            os.close(self._descriptor)
            raise CannotKeep(
                f"{path}: another arena match is writing to it; wait for it, or name another file"
            ) from None
        except BaseException:
            os.close(self._descriptor)
            raise

    def __repr__(self) -> str:
        return f"<KeptSets in {str(self.path)!r}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        is_empty = os.fstat(self._descriptor).st_size == 0
        os.close(self._descriptor)
        if is_empty:
            self.path.unlink(missing_ok=True)

    def _whole_lines(self) -> list[bytes]:
        """Return the lines that end; what follows the last of them is cut off."""
        with open(self._descriptor, "rb", closefd=False) as file:
            data = file.read()
        # A kill may have cut the first line short too.
        if data[: len(BEGINNING)] != BEGINNING[: len(data)]:
            raise CannotKeep(
                f"{self.path} is no file of arena match --keep; name another, which is made then"
            )
        whole = data.rfind(b"\n") + 1
        os.ftruncate(self._descriptor, whole)
        os.lseek(self._descriptor, 0, os.SEEK_END)
        return data[:whole].splitlines()

    def _first_line(self) -> Mapping[str, Any]:
        first: dict[str, Any] = self._read(0)
        if first.get("version") != VERSION:
            raise CannotKeep(
                f"{self.path} is of version {first.get('version')}, and this program reads version"
                f" {VERSION}: go on with the arena that wrote it, or name another file"
            )
        return first

    def _read(self, number: int) -> dict[str, Any]:
        try:
            found = json.loads(self._lines[number])
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise self._damaged(number)
        return found

    def _damaged(self, number: int) -> CannotKeep:
        return CannotKeep(
            f"{self.path}, line {number + 1}: this is no set; the file was changed. Take the lines"
            " from there on out, and their sets are played again"
        )

    def begin(self, compared: Mapping[str, Any]) -> None:
        """Write what is compared into a new file; raise CannotKeep if an old one compared
        something else. `compared`: values of JSON; `bots` are pairs of name and content."""
        if self.kept is None:
            self._write({"format": FORMAT, "version": VERSION, **compared})
            return
        problems = list(_differences(self.kept, compared))
        if problems:
            lines = "\n".join(f"  {problem}" for problem in problems)
            raise CannotKeep(
                f"{self.path} was begun for another comparison:\n{lines}\nRestore that to go on, or"
                " begin a new comparison with another file"
            )

    def load(self, comparison: Comparison) -> int:
        """Put the sets of the file into an empty comparison; return how many there were."""
        for at in range(1, len(self._lines)):
            line = self._read(at)
            number = line.get("set")
            if not isinstance(number, int) or not 0 <= number < len(self._lines) + FARTHEST_AHEAD:
                raise self._damaged(at)
            while len(comparison.played) <= number:
                comparison.played.append([])
            if line.get("void"):
                comparison.voided.add(number)
            else:
                found = _set_of(line, number, comparison)
                if found is None:
                    raise self._damaged(at)
                comparison.played[number] = found
        return max(0, len(self._lines) - 1)

    def add(self, number: int, comparison: Comparison) -> None:
        """Write a set that is over."""
        if comparison.is_void(number):
            self._write({"set": number, "void": True, "records": []})
            return
        matches = comparison.played[number]
        records = [json.loads(to_json(match.result.record)) for match in matches]
        self._write({"set": number, "records": records})

    def _write(self, value: Mapping[str, Any]) -> None:
        left = memoryview(f"{json.dumps(value, separators=(',', ':'))}\n".encode())
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            raise CannotKeep(
                f"{self.path}: {error.strerror}. The sets before this one are kept"
            ) from None


def _set_of(
    line: Mapping[str, Any], number: int, comparison: Comparison
) -> list[SeatedResult] | None:
    """Return the matches of a line, or None if they are not those of that set."""
    try:
        found = [from_json(json.dumps(record)) for record in line.get("records") or ()]
    except RecordError:
        return None
    every = comparison.seatings
    seated = [tuple(comparison.line_up[bot] for bot in seating) for seating in every]
    if [record.names for record in found] != seated:
        return None
    if {record.seed_bytes for record in found} != {seed_of_set(comparison.plan.seed, number)}:
        return None
    return [
        SeatedResult(seating, Result(record, (), None))
        for seating, record in zip(every, found, strict=True)
    ]


def _differences(kept: Mapping[str, Any], compared: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words what is not as it was when the file was begun."""
    now = json.loads(json.dumps(compared))
    names, names_now = ([name for name, _ in each["bots"]] for each in (kept, now))
    if names != names_now:
        before, after = (", ".join(map(plain, each)) for each in (names, names_now))
        yield f"the bots were {before}; now they are {after}"
    else:
        for (name, content), (_, content_now) in zip(kept["bots"], now["bots"], strict=True):
            if content != content_now:
                yield f"{plain(name)} has changed since: it is another version"
    for key, meaning in MEANINGS.items():
        if kept.get(key) != now.get(key):
            yield f"{meaning}: before {_told(kept.get(key))}, now {_told(now.get(key))}"


def _told(value: object) -> str:
    return (
        "not set"
        if value is None
        else plain(value if isinstance(value, str) else json.dumps(value))
    )
