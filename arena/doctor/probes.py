"""The attempts besides the self-test, each with the promise it would break and how it is judged."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import trio

from arena.bots.confine.limits import Limits
from arena.bots.warden.cgroups.groups import processes_in
from arena.doctor.promises import Promise
from arena.doctor.stage import ATTEMPT_SECONDS, NotTried, Stage

# Small, so that reaching them takes moments and harms nobody, also where nothing holds them.
TRIAL_LIMITS = Limits(memory_mb=96, processes=24, scratch_mb=8, open_files=64, cores=1)

Judge: TypeAlias = "Callable[[Stage, Probe], Awaitable[bool]]"


async def by_itself(stage: Stage, probe: Probe) -> bool:
    """The attempt says itself whether it succeeded."""
    return (await stage.attempt(probe.name, TRIAL_LIMITS, probe.given))[0]


async def by_what_is_left(stage: Stage, probe: Probe) -> bool:
    """It succeeded if a process of it is there after its end was reported."""
    _, end = await stage.attempt(probe.name, TRIAL_LIMITS)
    left = _processes_with(stage.name)
    for process in left:
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)
    return bool(left) or end.left > 0


async def by_what_arrives(stage: Stage, probe: Probe) -> bool:
    """It succeeded if a datagram arrives here."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.setblocking(False)
        await stage.attempt(probe.name, TRIAL_LIMITS, {"port": sock.getsockname()[1]})
        try:
            return sock.recv(64) == stage.name.encode()
        except BlockingIOError:
            return False


def by_its_next_process(first: str) -> Judge:
    """It succeeded if a second process of the bot finds what the attempt `first` has left."""

    async def judge(stage: Stage, probe: Probe) -> bool:
        await stage.attempt(first, TRIAL_LIMITS)
        return (await stage.attempt(probe.name, TRIAL_LIMITS))[0]

    return judge


async def by_being_held_up(stage: Stage, probe: Probe) -> bool:
    """It succeeded unless the kernel holds it up, or would: a busy machine leaves nothing to hold.

    Then what it has used says if it was held to its limit.
    """
    if (os.cpu_count() or 1) <= TRIAL_LIMITS.cores:
        await trio.lowlevel.checkpoint()
        return False  # there is no second core to use
    launch = stage.launch(probe.name, TRIAL_LIMITS)
    groups = [
        folder
        for folder, settings, _ in launch.rules.cgroups
        if any(file.startswith("cpu.") for file, _ in settings)
    ]
    process = await stage.warden.start(launch)
    with trio.move_on_after(ATTEMPT_SECONDS):
        while "began" not in str((await process.tails()).stdout):
            if process.exit is not None:
                raise NotTried(str(process.exit))
            await trio.sleep(0.01)
    is_held = False
    if groups:
        began, before = trio.current_time(), _cpu_seconds(groups)
        with trio.move_on_after(ATTEMPT_SECONDS / 4):
            while not (is_held := any(_throttled(Path(each, "cpu.stat")) for each in groups)):
                await trio.sleep(0.02)
        used = (_cpu_seconds(groups) - before) / (trio.current_time() - began)
        is_held = is_held or used <= TRIAL_LIMITS.cores
    await process.end()
    return not is_held


def _cpu_seconds(groups: list[str]) -> float:
    """Return the processor time that the processes in these control groups have used."""
    ticks = 0
    for process in processes_in(groups):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _throttled(counter: Path) -> bool:
    """Tell if a file of lines "name number" counts times of waiting for a next period."""
    with contextlib.suppress(OSError):
        for line in counter.read_text().splitlines():
            name, _, number = line.partition(" ")
            if name == "nr_throttled":
                return int(number) > 0
    return False


def _processes_with(word: str) -> list[int]:
    """Return the processes that have a word on their command line, on the whole machine."""
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            words = Path("/proc", name, "cmdline").read_bytes() if name.isdecimal() else b""
            if word.encode() in words.split(b"\0"):
                found.append(int(name))
    return found


@dataclass(frozen=True)
class Probe:
    """One attempt of `attempts.ATTEMPTS`."""

    name: str
    promises: tuple[Promise, ...]
    given: Mapping[str, object] = field(default_factory=dict)
    judge: Judge = by_itself
    limit: str = ""
    """The limit that it goes beyond, in words."""
    cgroup: str = ""
    """The only thing that holds it: a cgroup of this controller."""

    @property
    def words(self) -> str:
        return f"{self.name} (limit: {self.limit})" if self.limit else self.name


_MEMORY, _SCRATCH = f"{TRIAL_LIMITS.memory_mb} MB", f"{TRIAL_LIMITS.scratch_mb} MB"

PROBES = (
    Probe("read another bot's token", (Promise.IDENTITY,)),
    Probe("read another bot's memory", (Promise.DEALS, Promise.IDENTITY)),
    Probe("attach to another bot", (Promise.DEALS, Promise.IDENTITY)),
    Probe("send another bot a signal", (Promise.OTHERS,)),
    Probe("change another bot's priority", (Promise.OTHERS,)),
    Probe("send the warden a signal", (Promise.OTHERS, Promise.END)),
    Probe("change the warden's priority", (Promise.OTHERS,)),
    Probe("lock a file that all bots can read", (Promise.OTHERS,)),
    Probe("read another bot's folder", (Promise.FILES,)),
    Probe("write into another bot's folder", (Promise.FILES,)),
    Probe("read another bot's scratch folder", (Promise.FILES,)),
    Probe("ask whether another bot has a file", (Promise.FILES, Promise.MEMORY)),
    Probe("leave a process behind", (Promise.END,), judge=by_what_is_left),
    Probe(
        "find a file of its last process",
        (Promise.MEMORY,),
        judge=by_its_next_process("keep a file"),
    ),
    Probe(
        "find shared memory of its last process",
        (Promise.MEMORY,),
        judge=by_its_next_process("keep shared memory"),
    ),
    Probe("use more memory", (Promise.LIMITS,), {"large_mb": 160}, limit=_MEMORY, cgroup="memory"),
    Probe(
        "use more memory in several processes together",
        (Promise.LIMITS,),
        {"each_mb": 60},
        limit=_MEMORY,
        cgroup="memory",
    ),
    Probe(
        "use more shared memory",
        (Promise.LIMITS,),
        {"large_mb": 160},
        limit=_MEMORY,
        cgroup="memory",
    ),
    Probe(
        "start more processes",
        (Promise.LIMITS,),
        {"most": TRIAL_LIMITS.processes},
        limit=str(TRIAL_LIMITS.processes),
    ),
    Probe("write a larger file", (Promise.LIMITS,), {"large_mb": 12}, limit=_SCRATCH),
    Probe("write larger files together", (Promise.LIMITS,), {"each_mb": 5}, limit=_SCRATCH),
    Probe(
        "open more files",
        (Promise.LIMITS,),
        {"files": TRIAL_LIMITS.open_files},
        limit=str(TRIAL_LIMITS.open_files),
    ),
    Probe("raise its limit of open files", (Promise.LIMITS,), {"files": TRIAL_LIMITS.open_files}),
    Probe(
        "use more cores",
        (Promise.LIMITS,),
        judge=by_being_held_up,
        limit=str(TRIAL_LIMITS.cores),
        cgroup="cpu",
    ),
    Probe("send a datagram to this machine", (Promise.NETWORK,), judge=by_what_arrives),
)
"""In the order in which they are shown."""
