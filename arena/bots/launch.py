"""Values for a start, an end and an output of a process, with words for people."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots.confine.limits import OPEN_FILES, Limits
from arena.bots.warden.rules import Rules
from arena.text import listed


@dataclass(frozen=True)
class KeepPieces:
    """An existing folder that gets what a bot prints in each match as files of their own.

    `word`: of the match that it plays now, with the bot; the names of its files have it.
    """

    folder: Path
    word: str


@dataclass(frozen=True)
class Launch:
    """A program to start as a bot.

    `env`: the whole environment; the warden adds only its mark. `open_files`: its limit of open
    files. `logs`: an existing folder that gets its output as it comes, in stdout.txt and
    stderr.txt; what is too much for these two goes, and the older half with it.
    """

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]
    folder: Path
    open_files: int = OPEN_FILES
    logs: Path | None = None
    rules: Rules = field(default_factory=Rules)
    """What the warden does to its process before it becomes the program."""
    limits: Limits = field(default_factory=Limits)
    """The limits that `rules` enforce, for words about one that was reached."""
    pieces: KeepPieces | None = None
    is_shown: bool = False
    """Its output goes to the `on_printed` of its warden as it comes, if that has one."""


@dataclass(frozen=True)
class Exit:
    """The end of a bot's first process: an exit code, or the signal that killed it."""

    code: int | None
    signal: int | None
    asked: bool
    """The referee had asked it to end, or killed it, before it ended."""
    left: int = 0
    """Processes of its tree that could not be killed: of another user, or held by the kernel."""
    reached: tuple[str, ...] = ()
    """Limits that it reached and connections that it was refused, in words."""

    @classmethod
    def from_status(
        cls, status: int, *, asked: bool, left: int = 0, reached: tuple[str, ...] = ()
    ) -> Exit:
        """Make it from a status in the form of `subprocess`: negative for a signal."""
        if status < 0:
            return cls(None, -status, asked, left, reached)
        return cls(status, None, asked, left, reached)

    def __str__(self) -> str:
        words = f"exit code {self.code}"
        reached = self.reached
        if self.signal == signal.SIGKILL and "".join(reached).startswith("memory over"):
            # The kernel keeps this limit by killing.
            return f"killed: {listed(reached)}"
        if self.signal is not None:
            words = f"killed by signal {self.signal} ({_signal_name(self.signal)})"
        if self.asked:
            words += ", ended by the referee"
        if reached:
            words += f"; {listed(reached)}"
        if self.left:
            words += f"; {self.left} of the processes it started could not be killed"
        return words


@dataclass(frozen=True)
class Tail:
    """The beginning and the end of one output stream of a bot."""

    first: bytes
    last: bytes
    """The last bytes of those after `first`: all of them, unless `dropped_bytes` is more than 0."""
    total_bytes: int
    """Number of bytes that the bot has printed, kept or not."""

    @property
    def dropped_bytes(self) -> int:
        """Number of bytes between `first` and `last` that were not kept."""
        return self.total_bytes - len(self.first) - len(self.last)

    def __str__(self) -> str:
        """Decode it; bytes that are not UTF-8 are replaced. Not safe as markup or on a terminal."""
        if not self.dropped_bytes:
            return (self.first + self.last).decode("utf-8", "replace")
        first, last = (part.decode("utf-8", "replace") for part in (self.first, self.last))
        left_out = f"[{self.dropped_bytes} bytes are left out here]"
        return "\n".join((first.removesuffix("\n"), left_out, last))


@dataclass(frozen=True)
class Tails:
    """Both output streams of one bot, and what it ran into so far."""

    stdout: Tail
    stderr: Tail
    reached: tuple[str, ...] = ()
    """As in `Exit`."""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal has no name
        return "a real-time signal"
