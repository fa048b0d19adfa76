"""Real leagues of real processes, by the command as a person gives it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from tests.bots.programs import BOTS, Family

HERE = Path(__file__).parent / "bots"
ROOT = Path(__file__).parent.parent.parent
ARENA = (sys.executable, "-c", "from arena.cli import main; main()")


@dataclass
class RealLeague:
    """A league.toml and bot folders below `folder`; every process of it belongs to a family."""

    folder: Path
    bots: Mapping[
        str, str
    ]  # by name: a file of tests/league/bots or tests/bots/misbehaving, and arguments
    sets: int = 6
    more: str = ""
    tables: str = ""
    game: str = "nyet"
    seats: int = 4
    family: Family = field(default_factory=Family)
    said: str = ""

    def __post_init__(self) -> None:
        self.write()

    @property
    def file(self) -> Path:
        return self.folder / "league.toml"

    @property
    def home(self) -> Path:
        return self.folder / "league.arena"

    def write(self) -> None:
        """The files, as they now should be."""
        self.folder.mkdir(parents=True, exist_ok=True)
        options = "[options]\nrounds = 1\n" if self.game != "nope" else ""
        lines = [
            f'name = "Test"\ngame = "{self.game}"\nseats = {self.seats}\nsets = {self.sets}',
            'seed = "test"',
            self.more,
            options,
            self.tables,
        ]
        for name, command in self.bots.items():
            self._write_bot(name, command)
            lines.append(f'[[bots]]\npath = "bots/{name}"\n')
        self.file.write_text("\n".join(lines))

    def _write_bot(self, name: str, command: str) -> None:
        file, *arguments = command.split()
        source = HERE / file if (HERE / file).exists() else BOTS / file
        folder = self.folder / "bots" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bot.py").write_text(source.read_text())
        words = json.dumps(["{python}", "bot.py", *arguments])
        (folder / "bot.toml").write_text(
            f'name = "{name}"\ncommand = {words}\ngames = ["{self.game}"]\n'
            f'env = {{ FAMILY = "{self.family.name}", PYTHONPATH = "{ROOT}" }}\n'
        )

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, "FAMILY": self.family.name}

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """`arena league`, running."""
        return subprocess.Popen(
            [*ARENA, "league", str(self.file), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.env,
            start_new_session=True,
        )

    def run(self, *arguments: str, expect: int = 0) -> str:
        """`arena league` to its end; what it printed."""
        with self.start(*arguments) as process:
            said, _ = process.communicate(timeout=300)
        assert process.returncode == expect, said
        return said

    def store(self) -> Reader:
        return Reader.read(self.home / DATABASE)


def run_league(file: Path) -> str:
    """`arena league` on this file, to its end; what it printed."""
    ran = subprocess.run(
        [*ARENA, "league", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    return ran.stdout
