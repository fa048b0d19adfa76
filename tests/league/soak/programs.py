"""Programs of a soak that can be killed and started again, and things to do later."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.league.running import ROOT

# A program ends within so many seconds when its standard input does.
ENDS_SECONDS = 60.0


@dataclass
class Program:
    """A program that plays some bots; it can be killed and started again."""

    names: Sequence[str]
    diary: Path
    command: Sequence[str]
    starts: int = 0
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.starts += 1
        seed, *rest = self.command
        command = [sys.executable, "-m", "tests.league.soak.crowd", f"{seed} {self.starts}"]
        self.process = subprocess.Popen([*command, *rest], cwd=ROOT, stdin=subprocess.PIPE)

    def kill(self) -> None:
        """End it by kill -9."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate()
        self.process = None

    def end(self) -> None:
        """Close its standard input and wait. Raises AssertionError if it failed."""
        if self.process is not None:
            self.process.communicate(timeout=ENDS_SECONDS)
            assert self.process.returncode == 0


class Later:
    """Things to do after some time, while the league is played."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, Callable[[], object]]] = []

    def add(self, at: float, what: Callable[[], object]) -> None:
        """Do this from a time on."""
        self._waiting.append((at, what))

    def do(self, now: float) -> None:
        """Do all that is due."""
        due = [entry for entry in self._waiting if entry[0] <= now]
        self._waiting = [entry for entry in self._waiting if entry[0] > now]
        for _, what in due:
            what()
