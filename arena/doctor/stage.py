"""A place to run attempts in: two bots on one rung, one that plays and one that tries things."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from arena.bots.builds.builder import give
from arena.bots.confine.confinement import free_uids
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.confine.limits import Limits
from arena.bots.launch import Exit, Launch, Tails
from arena.bots.processes import BotProcess, Warden
from arena.bots.program import Program
from arena.doctor import attempts

# One that takes longer hangs: a start takes tens of milliseconds.
ATTEMPT_SECONDS = 20.0

# Nobody listens there, and nobody needs to: what a door lets in, the self-test has tried.
_DOOR = "tcp:127.0.0.1:1"

_SECRET = "secret"

# Another bot, which has a token, a word on its command line, and a file in its scratch folder.
_NEIGHBOUR = """
import os, sys, time
open(os.path.join(os.environ.get("TMPDIR", "/tmp"), sys.argv[2]), "w").write("hands")
print("here", flush=True)
time.sleep(600)
"""


class NotTried(Exception):
    """An attempt did not even begin; the message says why."""


class Stage:
    """Runs attempts as one bot while another one runs; made by `open_stage`.

    `top`: a folder for the folders of both bots.
    """

    def __init__(self, warden: Warden, confiner: Confiner, top: Path) -> None:
        self.warden = warden
        self.confiner = confiner
        tag = secrets.token_hex(8)
        self.name = f".arena-doctor-{tag}"
        """A word that nothing else on this machine has."""
        self._key = secrets.randbits(31)
        self._mark = f"another-{tag}"
        self._secret = f"arena-doctor-{tag}-scratch"
        self._first_uid = free_uids()
        self._own, self._other = top / f"own-{tag}", top / f"other-{tag}"

    def __repr__(self) -> str:
        return f"<Stage {self.confiner.means.rung}>"

    @property
    def means(self) -> Means:
        return self.confiner.means

    async def attempt(
        self, name: str, limits: Limits, more: Mapping[str, object] | None = None
    ) -> tuple[bool, Exit]:
        """Run one of `attempts.ATTEMPTS` to its end; tell if it succeeded. Raises NotTried."""
        process = await self.warden.start(self.launch(name, limits, more))
        with trio.move_on_after(ATTEMPT_SECONDS) as scope:
            await process.exited()
        end = await process.end()
        tails = await process.tails()
        if scope.cancelled_caught:
            raise NotTried(f"it was not done after {ATTEMPT_SECONDS:g} s")
        return _succeeded(end, tails), end

    def launch(self, name: str, limits: Limits, more: Mapping[str, object] | None = None) -> Launch:
        """Return the start of an attempt. `more`: what its argument has besides."""
        given = {
            "attempt": name,
            "name": self.name,
            "key": self._key,
            "mark": self._mark[::-1],
            "folder": str(self._other),
            "secret": self._secret,
            "warden": self.warden.pid,
            "pids": os.readlink("/proc/self/ns/pid"),
            **(more or {}),
        }
        text = Path(attempts.__file__).read_text()
        command = (sys.executable, "-I", "-S", "-c", text, json.dumps(given))
        program = Program("doctor", command, self._own, limits=limits, uid=self._uid(0))
        return self.confiner.launch(program, {}, _DOOR)

    async def start_neighbour(self) -> BotProcess:
        """Make the folders of both bots, and start the other one."""
        for number, folder in enumerate((self._own, self._other)):
            folder.mkdir()
            (folder / _SECRET).write_text("secret")
            uid = self._uid(number)
            if uid is not None:
                give(folder, uid)
        words = (sys.executable, "-I", "-S", "-c", _NEIGHBOUR, self._mark, self._secret)
        program = Program("neighbour", words, self._other, uid=self._uid(1))
        process = await self.warden.start(
            self.confiner.launch(program, {"ARENA_TOKEN": "x" * 32}, _DOOR)
        )
        with trio.move_on_after(ATTEMPT_SECONDS):
            while process.exit is None:
                if str((await process.tails()).stdout):
                    return process
                await trio.sleep(0.005)
        end = await process.end()
        said = str((await process.tails()).stderr).strip()
        raise NotTried(f"a second bot did not start: {said.splitlines()[-1] if said else end}")

    def clean_up(self) -> None:
        """Remove what an unconfined bot has left outside its folders."""
        scratch = os.environ.get("TMPDIR", "/tmp")
        for folder in {scratch, os.environ.get("HOME", "/"), "/tmp", "/var/tmp", "/dev/shm"}:
            for name in (self.name, self._secret):
                Path(folder, name).unlink(missing_ok=True)

    def _uid(self, number: int) -> int | None:
        return self._first_uid + number if self.means.uids else None


def _succeeded(end: Exit, tails: Tails) -> bool:
    """Read what an attempt has printed; a signal that ended it before that has refused it."""
    lines = str(tails.stdout).splitlines()
    if "succeeded" in lines:
        return True
    if "refused" in lines or ("began" in lines and end.signal is not None):
        return False
    said = str(tails.stderr).strip().splitlines()
    raise NotTried(said[-1] if said else str(end))


@asynccontextmanager
async def open_stage(warden: Warden, confiner: Confiner, top: Path) -> AsyncIterator[Stage]:
    """Open a scope in which attempts are run on one rung. Raises NotTried, ProcessError."""
    stage = Stage(warden, confiner, top)
    process = await stage.start_neighbour()
    try:
        yield stage
    finally:
        process.end_soon()
        stage.clean_up()
