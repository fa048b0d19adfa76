"""The toolchains of this machine: what the sample bots lack, and what lies out of bots' sight."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bots.confine.needs import folders_to_read, out_of_sight, python_needs, without_inner
from arena.bots.confine.system import find_system
from arena.doctor.sample_needs import NEEDS, missing

# Programs that bots are often written for, besides those of the sample bots.
_OTHERS = ("python3", "deno", "bun", "dotnet", "ghc", "julia", "lua", "perl", "zig")


@dataclass(frozen=True)
class SampleBot:
    """One sample bot that needs more than Python."""

    name: str
    lacks: Mapping[str, str]
    """Programs or files that are not here, each with its Debian package."""


@dataclass(frozen=True)
class Hidden:
    """A program that is installed where bots cannot see it."""

    program: str
    found: Path
    """What PATH finds."""
    read: tuple[Path, ...]
    """The folders that bots must be let read so that it runs."""


def sample_bots() -> list[SampleBot]:
    return [SampleBot(name, missing(name)) for name in NEEDS]


def packages(bots: Sequence[SampleBot]) -> list[str]:
    """Return the Debian packages that are missing."""
    return sorted({package for bot in bots for package in bot.lacks.values()})


def hidden(
    read: Sequence[Path], env: Mapping[str, str] = os.environ, system: Sequence[Path] | None = None
) -> list[Hidden]:
    """Return the programs on PATH that no bot can see.

    `read`: what the operator lets bots read already. `system`: what every bot may read, found
    where it is left out.
    """
    visible = (*(_visible() if system is None else system), *read)
    names = dict.fromkeys(
        [need for needs in NEEDS.values() for need in needs if not need.startswith("/")]
    )
    found = []
    for name in [*names, *_OTHERS]:
        path = shutil.which(name, path=env.get("PATH", os.defpath))
        if path is None:
            continue
        unseen = out_of_sight((path,), env, Path("/"), visible)
        if unseen is not None:
            found.append(Hidden(name, Path(path), folders_to_read(unseen, env)))
    return found


def to_read(tools: Sequence[Hidden]) -> tuple[Path, ...]:
    """Return all folders that bots must be let read, each once."""
    return without_inner(folder for tool in tools for folder in tool.read)


def _visible() -> tuple[Path, ...]:
    system = find_system()
    return (*system.folders, *(path for path, _ in system.links), *python_needs())
