"""Bots of other languages, each built once in a run of the tests, whichever process asks first."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import trio

from arena import data
from arena.bots.botfile import FILE_NAME, read_bot, runnable
from arena.bots.confine.choose import NotConfined, choose
from arena.bots.confine.confinement import Wish
from arena.bots.contents import content_hash, prepare_scratch
from arena.bots.processes import open_warden
from tests.sample_bots.languages import ROWS, Row


def league_file(
    file: Path, bots: Sequence[str], confined: Sequence[str], *, seats: int, sets: int
) -> Path:
    """Write a league of nyet, one round a match, of bots that are each a line of TOML; confined as
    the options of a command say."""
    by, reads = confined[1], list(confined[3::2])
    file.write_text(
        f'game = "nyet"\nseats = {seats}\nsets = {sets}\n[options]\nrounds = 1\n'
        f'[confine]\nby = "{by}"\nread = {json.dumps(reads)}\n'
        + "".join(f"[[bots]]\n{bot}\n" for bot in bots)
    )
    return file


@dataclass(frozen=True)
class Built:
    """A sample bot that was built, twice on disk."""

    work: Path
    """Where it was built. The tests of its language run here, one after the other, and write."""
    bot: Path
    """A copy that nothing writes to, with no `build` in its bot.toml: it plays as it lies there."""


def done(command: Sequence[str], folder: Path, **env: str) -> None:
    """Run a command that must succeed; what it printed is shown if it does not."""
    result = subprocess.run(
        command, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"


@pytest.fixture(scope="session")
def confined() -> tuple[str, ...]:
    """Options that confine bots as strictly as this machine can, and show them the toolchains."""
    reads = [Path.home() / folder for row in ROWS for folder in row.reads]
    options = [word for path in reads if path.is_dir() for word in ("--read", str(path))]

    async def wish() -> Wish:
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            async with open_warden() as warden:
                try:
                    await choose(warden, Wish.STRICT, Path(folder))
                except NotConfined:
                    return Wish.NONE
        return Wish.STRICT

    return ("--confine", trio.run(wish).value, *options)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Row], Built]:
    """The built copy of a bot; the first call builds it, and skips where the toolchain is not."""
    base = tmp_path_factory.getbasetemp()
    # A worker's folder lies in the one that all workers of a run share.
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "built"
    shared.mkdir(exist_ok=True)

    def built_of(row: Row) -> Built:
        if missing := row.missing():
            pytest.skip(
                f"{row.folder} needs {', '.join(missing)}: apt-get install "
                + " ".join(sorted(set(missing.values())))
            )
        bot = read_bot(data.sample_bots() / row.folder)
        place = shared / content_hash(bot)
        found = Built(place / "work", place / "bot")
        with (shared / f"{place.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not found.bot.exists():
                # What a build that failed has left would be in the way.
                shutil.rmtree(place, ignore_errors=True)
                prepare_scratch(bot, found.work)
                assert bot.build is not None
                done(runnable(bot.build), found.work)
                finished = replace(bot, folder=found.work, build=None)
                copy = prepare_scratch(finished, place / "copy")
                file = copy / FILE_NAME
                # Files that it includes lie there already.
                in_place = re.sub(r"(?m)^build = .*\n", "", file.read_text())
                file.write_text(re.sub(r"(?ms)^include = \[.*?^\]\n", "", in_place))
                copy.rename(found.bot)
        return found

    return built_of
