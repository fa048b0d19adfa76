"""What the serving process can open."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.bots.warden.landlock import abi
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.serve.files import public_files
from tests.league.leagues import Simulated
from tests.serve.told import ToldLeague

pytestmark = pytest.mark.skipif(not abi(), reason="this kernel has no Landlock")

# Confines itself as the serving process does, then tries; prints what it could do.
TRIES = """
import json, os, socket, subprocess, sys
from pathlib import Path
from arena.serve.confine import confine, load_all
from arena.serve.live.moment import at_one_moment
folder, port = Path(sys.argv[1]), int(sys.argv[2])
names = [path for path in folder.rglob("*") if path.is_file()]
load_all()
confine([folder])

def could(what):
    try:
        what()
    except OSError:
        return False
    return True

def read(path):
    return could(lambda: open(path, "rb").close())

with at_one_moment(folder) as reader:
    events = reader.last_event()
tries = {
    "files": {path.name: read(path) for path in names},
    "listed": could(lambda: os.listdir(folder)),
    "passwd": read("/etc/passwd"),
    "its own environment elsewhere": read("/proc/1/environ"),
    "link to a secret": read("/proc/self/root" + str(folder / "league.db")),
    "written": could(lambda: open(folder / "complete.db", "ab").close()),
    "made": could(lambda: open("/tmp/made-by-server", "wb").close()),
    "removed": could(lambda: os.unlink(folder / "lock")),
    "connected": could(lambda: socket.create_connection(("127.0.0.1", port), 5).close()),
    "listened": could(lambda: socket.create_server(("127.0.0.1", 0)).close()),
    "started": could(lambda: subprocess.run(["/bin/true"])),
    "signalled": could(lambda: os.kill(os.getppid(), 0)),
    "events": events,
}
print(json.dumps(tries))
"""


@pytest.fixture
def told(tmp_path: Path) -> Iterator[ToldLeague]:
    """A league that is being written, with a set that is begun."""
    with closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=3), 1)) as told:
        told.begin()
        (told.folder / "lock").touch()
        yield told


def test_it_reads_the_public_files_of_its_leagues_and_nothing_else(told: ToldLeague) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        ran = subprocess.run(
            [sys.executable, "-c", TRIES, str(told.folder), str(port)],
            capture_output=True,
            text=True,
            check=True,
        )
    tries = json.loads(ran.stdout)
    files = tries.pop("files")
    public = {path.name for path in public_files(told.folder)}
    assert {DATABASE, "secrets.toml", COMPLETE_SETS, "lock"} <= files.keys()
    assert {name for name, could in files.items() if could} == files.keys() & public
    assert tries.pop("events") == told.store.last_event()
    if abi() < 6:
        tries.pop("signalled")  # older kernels cannot forbid that
    if abi() < 4:
        tries.pop("connected"), tries.pop("listened")
    assert not any(tries.values()), tries
