"""Run the real rules on a hostile program, and see if they hold here.

Versions of kernels and tools tell little: a container may forbid namespaces that its kernel has,
and a kernel may have Landlock switched off. So a rung counts only where its own flags were run.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from arena.bots.confine import probe
from arena.bots.confine.confiner import Confiner
from arena.bots.launch import Exit, Tails
from arena.bots.processes import Warden
from arena.bots.program import Program
from arena.bots.refused import ProcessError

# A start takes tens of milliseconds; a machine this slow would play no match either.
PROBE_SECONDS = 20.0

# The kernel's limit for the path of a Unix socket, 107 bytes, less the names in the folder.
MOST_FOLDER_BYTES = 96


@dataclass(frozen=True)
class Tried:
    """What a hostile program could do on one rung."""

    succeeded: tuple[str, ...] = ()
    """Names in `probe.ATTEMPTS`: nothing of this may be possible."""
    lacking: tuple[str, ...] = ()
    """Names in `probe.NEEDS` that failed: an honest bot could not play."""
    trouble: str = ""
    """Why the program did not even run; then nothing else is known."""

    @property
    def holds(self) -> bool:
        return not (self.succeeded or self.lacking or self.trouble)

    def __str__(self) -> str:
        if self.trouble:
            return self.trouble
        said = [f"a bot can {name}" for name in self.succeeded]
        said += [f"a bot cannot {name}" for name in self.lacking]
        return "; ".join(said) or "it holds"


async def try_out(warden: Warden, confiner: Confiner, uid: int | None = None) -> Tried:
    """Start the probe as a bot would be started, and return what it could do. `uid`: as whom."""
    with _surroundings(uid) as (folder, given):
        text = Path(probe.__file__).read_text()
        command = (sys.executable, "-I", "-S", "-c", text, json.dumps(given))
        program = Program("self-test", command, folder, uid=uid)
        door = f"unix:{folder.parent / 'door'}"
        try:
            launch = confiner.launch(program, {}, door)
            process = await warden.start(launch)
        except ProcessError as error:
            return Tried(trouble=str(error))
        end: Exit | None = None
        with trio.move_on_after(PROBE_SECONDS):
            end = await process.exited()
        if end is None:
            end = await process.end()
        return _told(end, await process.tails())


def _told(end: Exit, tails: Tails) -> Tried:
    try:
        said = json.loads(str(tails.stdout))
        lacking = tuple(name for name in probe.NEEDS if name not in said["needs"])
        return Tried(tuple(said["attempts"]), lacking)
    except (ValueError, KeyError):
        lines = str(tails.stderr).strip().splitlines()
        return Tried(trouble=lines[-1] if lines else f"the self-test ended with {end}")


@contextmanager
def _surroundings(uid: int | None) -> Iterator[tuple[Path, dict[str, object]]]:
    """Make what the probe tries to get at; yield its own folder and its argument."""
    top = _short_folder()
    try:
        own, elsewhere = top / "own", top / "elsewhere"
        own.mkdir()
        elsewhere.mkdir()
        (own / "readable").write_text("own")
        (elsewhere / "secret").write_text("secret")
        # Open to everybody: it is the rung that has to keep the probe out, not a mode.
        elsewhere.chmod(0o777)
        top.chmod(0o755)
        if uid is not None:
            os.chown(own, uid, uid)
        abstract = f"{top.name}-abstract"
        with (
            _listening(socket.AF_UNIX, str(top / "door")) as door,
            _listening(socket.AF_UNIX, str(top / "other")) as other,
            _listening(socket.AF_UNIX, f"\0{abstract}"),
            _listening(socket.AF_INET, ("127.0.0.1", 0)) as tcp,
        ):
            for sock in (door, other):
                os.chmod(sock.getsockname(), 0o666)
            yield (
                own,
                {
                    "secret": str(elsewhere / "secret"),
                    "elsewhere": str(elsewhere),
                    "own": str(own),
                    "door": str(top / "door"),
                    "referee": os.getpid(),
                    "pids": os.readlink("/proc/self/ns/pid"),
                    "tcp": tcp.getsockname()[1],
                    "unix": str(top / "other"),
                    "abstract": abstract,
                },
            )
    finally:
        shutil.rmtree(top, ignore_errors=True)


def _short_folder() -> Path:
    """Make a new folder in which a Unix socket can have its whole path."""
    top = Path(tempfile.mkdtemp(prefix="arena-"))
    if len(os.fsencode(top)) <= MOST_FOLDER_BYTES:
        return top
    top.rmdir()
    return Path(tempfile.mkdtemp(prefix="arena-", dir="/tmp"))


@contextmanager
def _listening(family: int, address: object) -> Iterator[socket.socket]:
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.bind(address)  # type: ignore[arg-type]  # of either family
        sock.listen(8)
        yield sock
