"""The control groups that this process may make here, and the settings that bound one bot.

Version 1 has a tree of folders for each controller, version 2 one for all. A controller is used
where a folder can be made below this process's own group; nothing is ever moved or enabled that
other programs depend on.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots.confine.limits import MEBIBYTE, Limits
from arena.bots.warden.rules import Cgroup

# Throttled for at most so long at a time: a tenth of the time that a decision may take.
PERIOD_US = 10_000

CONTROLLERS = ("memory", "pids", "cpu", "cpuset")


def _own_processors() -> tuple[int, ...]:
    return tuple(sorted(os.sched_getaffinity(0)))


@dataclass(frozen=True)
class Controllers:
    """By controller the folder below which groups can be made; without an entry there is none."""

    folders: Mapping[str, Path] = field(default_factory=dict)
    is_unified: bool = False
    """Version 2: the folders are all the same."""
    nodes: str = ""
    """The memory nodes of this process, as a cpuset of version 1 must be told them."""
    processors: tuple[int, ...] = field(default_factory=_own_processors)
    """Those that this process may run on, and so its bots."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in CONTROLLERS if name in self.folders)

    def of(self, group: str, limits: Limits | None) -> tuple[Cgroup, ...]:
        """Return the groups of one bot; without limits they only hold its processes together.

        `group`: a path below the folder of each controller, of its own for each start.
        """
        made: dict[str, Cgroup] = {}
        above = () if limits is None else self._above()
        for name in self.names:
            folder = str(self.folders[name] / group)
            settings: tuple[tuple[str, str], ...] = ()
            gauges: tuple[tuple[str, str, str], ...] = ()
            if limits is not None:
                settings = self._settings(name, limits)
                gauges = _GAUGES[self.is_unified].get(name, ())
            elif name != "pids":
                continue
            _, others, more = made.get(folder, (folder, above, ()))
            made[folder] = (folder, (*others, *settings), (*more, *gauges))
        return tuple(made.values())

    def spread(self, group: str, limits: Limits) -> tuple[str, str, int] | None:
        """Return what the warden needs to keep a bot together (`Rules.spread`), if it can."""
        if not {"cpu", "cpuset"} <= self.folders.keys():
            return None
        counter, file = self.folders["cpu"] / group, self.folders["cpuset"] / group
        return str(counter / "cpu.stat"), str(file / "cpuset.cpus"), limits.cores

    def _above(self) -> tuple[tuple[str, str], ...]:
        """Return what is written into the group above that of a bot, which it shares with others.

        Version 2 lets a group have only the controllers that the one above hands on.
        """
        if not self.is_unified:
            return ()
        return (("../cgroup.subtree_control", " ".join(f"+{name}" for name in self.names)),)

    def _settings(self, name: str, limits: Limits) -> tuple[tuple[str, str], ...]:
        """Return what is written into a new group, in this order."""
        memory = str(limits.memory_mb * MEBIBYTE)
        quota = str(limits.cores * PERIOD_US)
        processors = ",".join(map(str, self.processors))
        if self.is_unified:
            return {
                "memory": (("memory.max", memory),),
                "pids": (("pids.max", str(limits.processes)),),
                "cpu": (("cpu.max", f"{quota} {PERIOD_US}"),),
                "cpuset": (("cpuset.cpus", processors),),
            }[name]
        return {
            "memory": (("memory.limit_in_bytes", memory),),
            "pids": (("pids.max", str(limits.processes)),),
            "cpu": (("cpu.cfs_period_us", str(PERIOD_US)), ("cpu.cfs_quota_us", quota)),
            # No process can enter a cpuset of version 1 before both are told, above it too.
            "cpuset": tuple(
                (f"{above}cpuset.{what}", value)
                for above in ("../", "")
                for what, value in (("cpus", processors), ("mems", self.nodes))
            ),
        }[name]


# By version and controller: file, key, and the word of the limit it counts.
_GAUGES: Mapping[bool, Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    False: {
        "memory": (("memory.oom_control", "oom_kill", "memory"),),
        "pids": (("pids.events", "max", "processes"),),
    },
    True: {
        "memory": (("memory.events", "oom_kill", "memory"),),
        "pids": (("pids.events", "max", "processes"),),
    },
}


def find_controllers(root: Path = Path("/")) -> Controllers:
    """Look for controllers that can be used; `root` is for tests."""
    try:
        mounts = (root / "proc/self/mountinfo").read_text()
        groups = (root / "proc/self/cgroup").read_text()
    except OSError:
        return Controllers()
    own = {names: path for _, names, path in (line.split(":", 2) for line in groups.splitlines())}
    found: dict[str, Path] = {}
    unified: dict[str, Path] = {}
    for mount in mounts.splitlines():
        before, _, after = mount.partition(" - ")
        top, point = before.split()[3:5]
        kind, _, options = after.split(maxsplit=2)
        here = root / _unescaped(point).lstrip("/")
        if kind == "cgroup":
            for name in CONTROLLERS:
                path = next((path for names, path in own.items() if name in names.split(",")), None)
                if path is not None and name in re.split(r"[ ,]", options):
                    found[name] = _below(here, top, path)
        elif kind == "cgroup2" and "" in own:
            folder = _below(here, top, own[""])
            with contextlib.suppress(OSError):
                enabled = (folder / "cgroup.subtree_control").read_text().split()
                unified |= {name: folder for name in CONTROLLERS if name in enabled}
    usable = {name: folder for name, folder in found.items() if _can_make_in(folder)}
    if usable:
        nodes = _memory_nodes(usable)
        if not nodes:
            usable.pop("cpuset", None)
        return Controllers(usable, nodes=nodes)
    usable = {name: folder for name, folder in unified.items() if _can_make_in(folder)}
    return Controllers(usable, is_unified=bool(usable))


def _below(mount: Path, top: str, path: str) -> Path:
    """Return the folder of a group; `top` is what of the tree is mounted there."""
    inside = os.path.relpath(path, top)
    return mount if inside.startswith("..") else mount / inside


def _memory_nodes(folders: Mapping[str, Path]) -> str:
    with contextlib.suppress(KeyError, OSError):
        return (folders["cpuset"] / "cpuset.mems").read_text().strip()
    return ""


def _can_make_in(folder: Path) -> bool:
    trial = folder / f"arena-trial-{os.getpid()}"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return False
    return True


def _unescaped(path: str) -> str:
    """Read a path of mountinfo, which has octal escapes for blanks."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), path)
