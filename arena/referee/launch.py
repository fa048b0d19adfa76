"""What is started, how it ended, and what it printed: values, with words for people."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# As many as a program may have open by default on most systems.
OPEN_FILES = 1_024


@dataclass(frozen=True)
class Launch:
    """A program to be started as somebody's bot.

    `env` is the whole environment; nothing is added but a mark of the warden's. `logs` is a
    folder, already there, that gets stdout.txt and stderr.txt, up to a mebibyte each.
    """

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]
    folder: Path
    open_files: int = OPEN_FILES
    logs: Path | None = None


@dataclass(frozen=True)
class Exit:
    """How a bot's first process ended: with an exit code, or by a signal."""

    code: int | None
    signal: int | None
    asked: bool
    """Whether we had asked it to end, or killed it, before it did."""
    left: int = 0
    """Processes of its tree that would not die: another user's, or held by the kernel."""

    @classmethod
    def from_status(cls, status: int, *, asked: bool, left: int = 0) -> Exit:
        """From a number as `subprocess` has it: negative for a signal."""
        if status < 0:
            return cls(None, -status, asked, left)
        return cls(status, None, asked, left)

    def __str__(self) -> str:
        words = f"exit code {self.code}"
        if self.signal is not None:
            words = f"killed by signal {self.signal} ({_signal_name(self.signal)})"
        if self.asked:
            words += ", ended by the referee"
        if self.left:
            words += f"; {self.left} of the processes it started could not be killed"
        return words


@dataclass(frozen=True)
class Tail:
    """The end of what a bot has printed on one stream, and how many bytes it was in all."""

    data: bytes
    total_bytes: int

    @property
    def text(self) -> str:
        """As text, what is not UTF-8 replaced; not to be trusted as markup or on a terminal."""
        return self.data.decode("utf-8", "replace")

    @property
    def dropped_bytes(self) -> int:
        """How much came before and was not kept."""
        return self.total_bytes - len(self.data)

    def __str__(self) -> str:
        if self.dropped_bytes:
            return f"[{self.dropped_bytes} earlier bytes were not kept]\n{self.text}"
        return self.text


@dataclass(frozen=True)
class Tails:
    """Both streams of one bot."""

    stdout: Tail
    stderr: Tail


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal has no name of its own
        return "a real-time signal"
