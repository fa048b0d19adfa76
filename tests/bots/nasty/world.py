"""What hostile programs try to get at: an operator with secrets, sockets and a process, and bots.

All files are open to every user, because it is the confinement that has to keep a bot out, and
not a mode.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.bots.confine.confinement import free_uids
from arena.bots.warden.folders import remove
from arena.bots.warden.tree import look_up

VICTIM = Path(__file__).with_name("victim.py")
WHOSE = 12_345  # a user that the program with a set-user-ID bit belongs to

# As they are called below /run/user and /tmp: of D-Bus, tmux and Docker.
SOCKETS = ("bus", "tmux-default", "docker.sock")


def word() -> str:
    """A secret that no program can know before it has read it."""
    return f"nasty-{secrets.token_hex(8)}"


@dataclass
class World:
    """One operator, with all that a program may try to get at."""

    top: Path
    victim: subprocess.Popen[str]
    told: dict[str, Any]
    """What the programs are told, as JSON."""
    words: dict[str, str]
    """Secrets, by what holds them."""
    tcp: socket.socket
    udp: socket.socket
    datagrams: socket.socket
    servers: list[socket.socket]
    """The operator's Unix sockets; the last has an abstract name."""
    before: dict[str, Any] = field(default_factory=dict)
    uid: int = field(default_factory=free_uids)
    """Where each bot is a user of its own: that of the hostile bot, and the next is another's. Its
    processes are counted by user, and other tests run beside this one."""

    @property
    def own(self) -> Path:
        """The folder of the hostile bot."""
        return self.top / "bot"

    @property
    def operator(self) -> Path:
        return self.top / "operator"

    @property
    def other(self) -> Path:
        """The folder of another bot."""
        return self.top / "other"

    @property
    def place(self) -> Path:
        """Where scratch folders are made."""
        return self.top / "place"

    @property
    def scratch(self) -> Path:
        """The scratch folder of a bot that is not confined."""
        return self.top / "scratch"

    def state(self, pid: int | None = None) -> str:
        """The letter of a process in /proc: T for one that is stopped; empty if it has ended."""
        process = look_up(self.victim.pid if pid is None else pid)
        return "" if process is None or process.is_zombie else process.state


@contextmanager
def a_world() -> Iterator[World]:
    top = Path(tempfile.mkdtemp(prefix="arena-nasty-", dir="/tmp"))
    try:
        top.chmod(0o755)
        with _furnished(top) as world:
            yield world
    finally:
        remove((str(top),))


@contextmanager
def _furnished(top: Path) -> Iterator[World]:
    words = {name: word() for name in ("key", "hand", "sources", "notes", "token", "called")}
    operator, other, scratch = top / "operator", top / "other", top / "scratch"
    for folder in (operator, other, scratch, top / "bot"):
        folder.mkdir()
        folder.chmod(0o777)
    (top / "place").mkdir(mode=0o711)
    for path, text in (
        (operator / "league.key", words["key"]),
        (other / "sources", words["sources"]),
        (top / "bot" / "sources", "its own"),
    ):
        path.write_text(text)
        path.chmod(0o666)
    _store(operator / "league.arena")
    set_uid = _program_of_another_user(top / "id")
    with ExitStack() as stack:
        servers = [_unix(stack, str(operator / name)) for name in SOCKETS]
        abstract = f"{top.name}-abstract"
        servers.append(_unix(stack, f"\0{abstract}"))
        _unix(stack, str(top / "door"))
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = _datagrams(stack, socket.AF_INET, ("127.0.0.1", 0))
        datagrams = _datagrams(stack, socket.AF_UNIX, str(operator / "datagrams"))
        victim = stack.enter_context(_victim(operator, words))
        assert victim.stdout is not None
        told = json.loads(victim.stdout.readline()) | {
            "key": str(operator / "league.key"),
            "inode": (operator / "league.key").stat().st_ino,
            "operator": str(operator),
            "store": str(operator / "league.arena"),
            "sources": str(other / "sources"),
            "door": str(top / "door"),
            "referee": victim.pid,
            "called": words["called"],
            "set_uid": set_uid,
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "unix_datagrams": str(operator / "datagrams"),
            "sockets": [str(operator / name) for name in SOCKETS],
            "abstract": abstract,
            "free_port": _free_port(),
            "mark": word(),
            "word": word(),
        }
        yield World(top, victim, told, words, tcp, udp, datagrams, servers)


def _store(path: Path) -> None:
    store = sqlite3.connect(path)
    store.execute("CREATE TABLE sets (number)")
    store.commit()
    store.close()
    path.chmod(0o666)


def is_locked(path: Path) -> bool:
    """Whether the operator's own runner could not write into its store."""
    store = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        store.execute("BEGIN IMMEDIATE")
        store.execute("ROLLBACK")
    except sqlite3.OperationalError:
        return True
    finally:
        store.close()
    return False


def _program_of_another_user(path: Path) -> str:
    """A copy of `id` with the set-user-ID bit; only root can make one."""
    found = shutil.which("id")
    assert found is not None
    shutil.copy(found, path)
    with suppress(PermissionError):
        os.chown(path, WHOSE, WHOSE)
        path.chmod(0o4755)
    return str(path)


@contextmanager
def _victim(operator: Path, words: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-I", "-S", str(VICTIM), str(operator / "league.key")]
    victim = subprocess.Popen(
        [*command, words["called"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=operator,
        env={"ARENA_TOKEN": words["token"]},
        start_new_session=True,
    )
    try:
        assert victim.stdin is not None
        victim.stdin.write(words["hand"] + "\n")
        victim.stdin.flush()
        yield victim
    finally:
        victim.send_signal(signal.SIGCONT)
        victim.kill()
        victim.communicate()


def _unix(stack: ExitStack, name: str) -> socket.socket:
    sock = stack.enter_context(socket.socket(socket.AF_UNIX))
    sock.bind(name)
    sock.listen(8)
    if not name.startswith("\0"):
        os.chmod(name, 0o666)
    return sock


def _datagrams(stack: ExitStack, family: int, name: Any) -> socket.socket:
    sock = stack.enter_context(socket.socket(family, socket.SOCK_DGRAM))
    sock.bind(name)
    if family == socket.AF_UNIX:
        os.chmod(name, 0o666)
    return sock


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])
