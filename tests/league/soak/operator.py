"""The acts of an operator on a league that runs or rests, by the commands that people give."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.league.running import ARENA
from tests.league.soak.diary import (
    ADMITS,
    ADMITTED,
    INVITED,
    REFUSED,
    RENEWED,
    RENEWS,
    RETIRED,
    RETIRES,
    REVOKED,
    REVOKES,
)

Note = Callable[[str, str, str], object]
"""Writes down a bot, a kind of entry, and a detail."""

# A league that is just starting says so.
TRIES, AGAIN_SECONDS, NOT_NOW = 20, 0.5, "try again in a moment"


@dataclass(frozen=True)
class Operator:
    """Changes one league. `invited`: the folder for what is printed for authors."""

    file: Path
    invited: Path
    note: Note

    def revoke(self, name: str) -> None:
        """Take back the token of a bot."""
        self._act(name, (REVOKES, REVOKED), "tokens", str(self.file), "--revoke", name)

    def renew(self, name: str) -> None:
        """Draw another token for a bot, which stands in the file for its author."""
        self._act(name, (RENEWS, RENEWED), "tokens", str(self.file), "--renew", name)

    def retire(self, name: str) -> None:
        """Let a bot take no further part."""
        self._act(name, (RETIRES, RETIRED), "retire", str(self.file), name)

    def admit(self, name: str) -> None:
        """Take up a bot again that was retired."""
        self._act(name, (ADMITS, ADMITTED), "admit", str(self.file), name)

    def invite(self, name: str, owner: str) -> None:
        """Let another bot of an owner in, and keep the lines for its author."""
        words = ("invite", str(self.file), name, "--owner", owner)
        said = self._act(name, ("", INVITED), *words)
        lines = [line.strip() for line in said.splitlines() if line.strip().startswith("ARENA_")]
        self.invited.mkdir(exist_ok=True)
        (self.invited / f"{name}.env").write_text("".join(f"{line}\n" for line in lines))

    def _act(self, name: str, kinds: tuple[str, str], *words: str) -> str:
        """Give a command. `kinds`: of the entries before it, "" for none, and after it."""
        before, after = kinds
        if before:
            self.note(name, before, "")
        for _ in range(TRIES):
            ran = subprocess.run([*ARENA, *words], capture_output=True, text=True, check=False)
            if ran.returncode == 0:
                self.note(name, after, "")
                return ran.stdout
            if NOT_NOW not in ran.stderr:
                break
            time.sleep(AGAIN_SECONDS)
        self.note(name, REFUSED, f"arena {' '.join(words)}: {ran.stdout}{ran.stderr}")
        return ""
