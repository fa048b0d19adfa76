"""Real processes for tests: the programs of tests/bots/misbehaving, and who is alive in /proc."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

import trio

from arena.bots.launch import Launch
from arena.bots.processes import BotProcess

BOTS = Path(__file__).parent / "misbehaving"

# Nothing here takes as long; a test that hangs ends with the names of its waiting tasks.
SAFETY_SECONDS = 20


class Family:
    """Programs that can be told from all others: by a variable in their environment."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name or uuid.uuid4().hex

    def launch(self, file: str, *arguments: str) -> Launch:
        """One of tests/bots/misbehaving."""
        command = (sys.executable, "-I", "-S", str(BOTS / file), *arguments)
        return Launch(file, command, self.env, BOTS)

    def command(self, *command: str, folder: Path = BOTS) -> Launch:
        """Any command."""
        return Launch(command[0], command, self.env, folder)

    @property
    def env(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "FAMILY": self.name}

    def alive(self) -> set[int]:
        """Numbers of its processes that run now; who is dead but not reaped is not alive."""
        found = set()
        for name in os.listdir("/proc"):
            if name.isdecimal():
                try:
                    with open(f"/proc/{name}/environ", "rb") as file:
                        if f"FAMILY={self.name}".encode() in file.read().split(b"\0"):
                            found.add(int(name))
                except OSError:
                    pass
        return found


def processes_called(command: str) -> set[int]:
    """Numbers of the processes with this whole command line, blanks between its words."""
    found = set()
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    line = file.read().rstrip(b"\0").replace(b"\0", b" ")
            except OSError:
                continue
            if line == command.encode():
                found.add(int(name))
    return found


async def until(condition: Callable[[], bool]) -> float:
    """Look again and again; the seconds it took."""
    began = trio.current_time()
    with trio.fail_after(SAFETY_SECONDS):
        while not condition():
            await trio.sleep(0.001)
    return trio.current_time() - began


async def until_says(bot: BotProcess, words: bytes = b"ready") -> None:
    """Wait until a bot has printed this on one of its streams."""
    with trio.fail_after(SAFETY_SECONDS):
        while True:
            tails = await bot.tails()
            if words.decode() in f"{tails.stdout}{tails.stderr}":
                return
            assert bot.exit is None, f"{bot} said only {tails}"
