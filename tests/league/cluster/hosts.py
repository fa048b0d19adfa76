"""Two hosts on one machine: network namespaces with a cable between them, and folders of their own.

Each host has a network of its own and nothing of the other's folders in its environment; files and
processes are those of the one machine, so a test can look at them and end them.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.bots.programs import Family
from tests.league.running import ARENA, ROOT

DOCUMENT = ROOT / "docs" / "cluster.md"
PORT = 8786


def why_not() -> str:
    """Why this machine may not have such hosts; "" if it may."""
    if shutil.which("ip") is None or shutil.which("openssl") is None:
        return "the programs ip and openssl are needed (apt install iproute2 openssl)"
    name = f"arena-{uuid.uuid4().hex[:6]}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        return f"no network namespaces here: {made.stderr.strip()}"
    subprocess.run(["ip", "netns", "del", name], check=True)
    return ""


@dataclass(frozen=True)
class Host:
    """A host: its namespace, its address, the end of its cable, its folder."""

    name: str
    space: str
    address: str
    cable: str
    folder: Path
    family: Family

    @property
    def env(self) -> dict[str, str]:
        """The environment of its programs: everything that they keep is in its folder."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return {
            **kept,
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder / "tmp"),
            "FAMILY": self.family.name,
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "15s",
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",
        }

    def start(self, log: str, *command: str) -> subprocess.Popen[bytes]:
        """Start a program here; what it says is appended to a file of its folder."""
        with (self.folder / log).open("ab") as out:
            return subprocess.Popen(
                ["ip", "netns", "exec", self.space, *command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=self.env,
                cwd=self.folder,
                start_new_session=True,
            )

    def plug(self, *, is_in: bool) -> None:
        """Pull its cable out, or put it in."""
        state = "up" if is_in else "down"
        command = ["ip", "-n", self.space, "link", "set", self.cable, state]
        subprocess.run(command, check=True)

    def left(self) -> list[Path]:
        """Files of runs that are over: scratch folders, sockets, folders of Dask's workers.

        Dask keeps two empty files for locks.
        """
        worker = self.folder / ".cache" / "arena" / "worker"
        found = []
        for place in (self.folder / "tmp", worker / "running"):
            found += [path for path in place.rglob("*") if path.is_file() or path.is_socket()]
        return [path for path in found if path.name not in ("global.lock", "purge.lock")]


@contextmanager
def two_hosts(folder: Path) -> Iterator[tuple[Host, Host]]:
    """Two hosts, `one` and `two`, with a cable between them; everything ends with the block."""
    tag = uuid.uuid4().hex[:6]
    family = Family()
    hosts = []
    with ExitStack() as stack:
        for number, name in enumerate(("one", "two"), 1):
            home = folder / name
            (home / "tmp").mkdir(parents=True)
            host = Host(
                name, f"arena-{tag}-{name}", f"10.77.0.{number}", f"a{tag}{number}", home, family
            )
            _ip("netns", "add", host.space)
            stack.callback(_ip, "netns", "del", host.space)
            hosts.append(host)
        one, two = hosts
        _ip("link", "add", one.cable, "type", "veth", "peer", "name", two.cable)
        for host in hosts:
            _ip("link", "set", host.cable, "netns", host.space)
            _ip("-n", host.space, "addr", "add", f"{host.address}/24", "dev", host.cable)
            _ip("-n", host.space, "link", "set", host.cable, "up")
            _ip("-n", host.space, "link", "set", "lo", "up")
        yield one, two


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


def make_certificates(folder: Path) -> None:
    """The certificates of docs/cluster.md, by the commands that stand there."""
    block = re.search(r"```sh\n(openssl req -x509.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert block is not None
    folder.mkdir()
    subprocess.run(
        ["bash", "-euc", block[1]],
        cwd=folder,
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )


@dataclass
class Cluster:
    """The programs of a cluster on two hosts: scheduler and runner on `one`, workers on both."""

    one: Host
    two: Host
    certificates: Path
    is_plain: bool = False  # without TLS
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"{'tcp' if self.is_plain else 'tls'}://{self.one.address}:{PORT}"

    def tls(self, name: str) -> list[str]:
        """The options that name the certificate of this name."""
        if self.is_plain:
            return []
        files = {"ca-file": "ca.pem", "cert": f"{name}.pem", "key": f"{name}.key"}
        return [
            word
            for key, file in files.items()
            for word in (f"--tls-{key}", str(self.certificates / file))
        ]

    def start_scheduler(self) -> None:
        command = [str(Path(sys.executable).with_name("dask")), "scheduler"]
        command += ["--protocol", "tcp" if self.is_plain else "tls"]
        command += ["--host", self.one.address, "--port", str(PORT), *self.tls("scheduler")]
        command += ["--no-dashboard", "--dashboard-address", "127.0.0.1:8787"]
        self.processes["scheduler"] = self.one.start("scheduler.log", *command)

    def start_worker(
        self, name: str, host: Host, *more: str, variables: Mapping[str, str] | None = None
    ) -> None:
        """A worker of one slot, as a machine of its own name. `variables`: of its environment."""
        env = [f"{key}={value}" for key, value in (variables or {}).items()]
        tls = [word.replace("--tls-ca-file", "--tls-ca") for word in self.tls("worker")]
        command = [
            "env",
            *env,
            *ARENA,
            "worker",
            self.address,
            "--slots",
            "1",
            "--name",
            name,
            *tls,
            *more,
        ]
        self.processes[name] = host.start(f"{name}.log", *command)

    def start_runner(self, file: Path, *more: str) -> subprocess.Popen[bytes]:
        runner = self.one.start("runner.log", *ARENA, "league", str(file), *more)
        self.processes["runner"] = runner
        return runner

    def kill(self, name: str) -> None:
        """Kill -9 a program, as it was started."""
        process = self.processes.pop(name)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """End all programs, in order."""
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def league_keys(self) -> str:
        """The lines of a league.toml for this cluster."""
        keys = f'engine = "dask"\nscheduler = "{self.address}"\n'
        if self.is_plain:
            return keys
        files = {
            key: str(self.certificates / f"runner.{end}")
            for key, end in (("cert", "pem"), ("key", "key"))
        }
        ca = self.certificates / "ca.pem"
        return keys + (
            f'tls = {{ ca = "{ca}", cert = "{files["cert"]}", key = "{files["key"]}" }}\n'
        )


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [int(word) for word in (task / "children").read_text().split()]
    return found


def tree_of(pid: int) -> list[int]:
    """A process and all that it and its children have started."""
    return [pid, *(each for child in children_of(pid) for each in tree_of(child))]
