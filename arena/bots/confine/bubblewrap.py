"""The first rung: a file system, a network and a process table of its own, by bubblewrap.

An ordinary user gets these inside a user namespace. Root makes them without one, because that
works also where user namespaces are switched off and where the interpreter is in a folder that
only root may enter; then `setpriv` becomes the bot's own user inside.

Three things that bubblewrap is often told are left out on purpose. A new session: the warden
has made one, which the door knows the bot by, and no terminal is attached to it.
`--clearenv`: the warden executes bubblewrap with the variables that arena sets, and nothing else.
`--disable-userns`: the filter refuses new namespaces, and this one costs another namespace.
"""

from __future__ import annotations

import resource
from dataclasses import dataclass
from pathlib import Path

from arena.bots.confine.confinement import Confinement
from arena.bots.confine.filters import Filter, program
from arena.bots.confine.limits import MEBIBYTE
from arena.bots.confine.system import System, ancestors
from arena.bots.warden.rules import Rules

# Variables by which the loader and the C library read, write or run files (the C library ignores
# them in a program with more rights than its user). The programs that run inside before the bot's
# get none of them.
_OF_LIBRARIES = ("LD_", "MALLOC_")
_OF_LIBRARY = (
    *("GCONV_PATH", "GETCONF_DIR", "GLIBC_TUNABLES", "HOSTALIASES", "LOCALDOMAIN", "LOCPATH"),
    *("NIS_PATH", "NLSPATH", "RESOLV_HOST_CONF", "RES_OPTIONS", "TZDIR"),
)

# The scratch folder inside: where every program looks first, and a JVM nowhere else.
SCRATCH = Path("/tmp")

# Zero load, of a machine that has just started.
_LOADAVG = b"0.00 0.00 0.00 1/1 1\n"

_NAMESPACES = ("ipc", "pid", "uts", "cgroup-try")  # and, but for builds, the network

# What bubblewrap needs to enter the bot's folder, which its user alone may enter, and setpriv to
# become that user and to give up the rest.
_KEPT_FOR_SETPRIV = ("CAP_DAC_READ_SEARCH", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")


@dataclass(frozen=True)
class Tools:
    """Absolute paths of the programs that this rung is made of."""

    bwrap: str
    prlimit: str
    setpriv: str
    env: str = "/usr/bin/env"


def rules(bot: Confinement, system: System, tools: Tools, *, memory_cgroup: bool) -> Rules:
    """Return what the warden does to start this bot in a bubblewrap."""
    is_relayed = bot.is_build or bot.door.startswith("tcp:")
    files = {
        "refuse": program(Filter.REFUSE_BUILD if bot.is_build else Filter.REFUSE),
        "allow": program(Filter.BUILD if bot.is_build else Filter.ALONE),
        "loadavg": _LOADAVG,
        "options": "\0".join(options(bot, system)).encode("utf-8", "surrogateescape"),
    }
    words = [tools.bwrap, "--args", "{options}"]
    # The stricter answer counts, whatever the order.
    words += ["--add-seccomp-fd", "{refuse}", "--add-seccomp-fd", "{allow}"]
    words += ["--perms", "0444", "--ro-bind-data", "{loadavg}", "/proc/loadavg"]
    words += ["--remount-ro", "/", "--"]
    words += _inner(bot, tools)
    return Rules(
        words=tuple(words),
        files=files,
        rlimits=rlimits(bot, data=not memory_cgroup),
        filters=(program(Filter.CONNECT),) if is_relayed else (),
        reach=reach(bot) if is_relayed else None,
        scratch=str(SCRATCH),
    )


def reach(bot: Confinement) -> tuple[str, ...]:
    """Return the addresses that the warden connects its sockets to."""
    return bot.servers if bot.is_build else (bot.door,)


def options(bot: Confinement, system: System) -> list[str]:
    """Return bubblewrap's arguments but for those that name a descriptor, and the command."""
    alone = (*_NAMESPACES, *(() if bot.is_build else ("net",)))
    words = [f"--unshare-{name}" for name in alone]
    words += ["--hostname", "bot", "--die-with-parent", "--cap-drop", "ALL"]
    if bot.uid is None:
        words += ["--unshare-user"]
    else:
        for capability in _KEPT_FOR_SETPRIV:
            words += ["--cap-add", capability]
    words += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    words += ["--perms", "1777", "--size", str(bot.limits.scratch_mb * MEBIBYTE)]
    words += ["--tmpfs", str(SCRATCH)]
    for path, target in system.links:
        words += ["--symlink", target, str(path)]
    bound = visible(bot, system)
    shown = [*bound, *bot.write]
    door = bot.door.removeprefix("unix:") if bot.door.startswith("unix:") else ""
    # Otherwise bubblewrap gives them the modes they have outside, and a home folder is closed.
    for folder in ancestors([*shown, bot.folder / "in it", *([Path(door)] if door else [])]):
        if folder not in shown:
            words += ["--dir", str(folder)]
    for path in bound:
        words += ["--ro-bind", str(path), str(path)]
    for path in bot.write:
        words += ["--bind", str(path), str(path)]
    if door:
        # Read-only, because its owner may change the mode and the times of what is bound to be
        # written to; a socket is connected to all the same.
        words += ["--ro-bind", door, door]
    for name, value in bot.env:
        if not _is_of_library(name):
            words += ["--setenv", name, value]
    return [*words, "--chdir", str(bot.folder)]


def _is_of_library(name: str) -> bool:
    return name in _OF_LIBRARY or name.startswith(_OF_LIBRARIES)


def visible(bot: Confinement, system: System) -> list[Path]:
    """Return all that is bound in to be read, outer folders before what lies in them."""
    paths = {*system.folders, *bot.read, *bot.files}
    return sorted(paths, key=lambda path: (len(path.parts), path))


def rlimits(bot: Confinement, *, data: bool) -> tuple[tuple[int, int], ...]:
    """Return the kernel's own limits, for each process; soft and hard are the same.

    `data`: bound private memory too, for want of a memory cgroup; never the address space, of
    which a JVM and Node reserve gigabytes. The processes of a user are bounded only for a user who
    runs nothing else.
    """
    limits = bot.limits
    found = [
        (resource.RLIMIT_FSIZE, limits.scratch_mb * MEBIBYTE),
        (resource.RLIMIT_MSGQUEUE, 0),
    ]
    if data:
        found.append((resource.RLIMIT_DATA, limits.memory_mb * MEBIBYTE))
    if bot.uid is not None:
        found.append((resource.RLIMIT_NPROC, limits.processes))
    return tuple(found)


def _inner(bot: Confinement, tools: Tools) -> list[str]:
    """Return the programs that run inside before the bot: they do what bubblewrap cannot."""
    words = [f"{name}={value}" for name, value in bot.env if _is_of_library(name)]
    last = [tools.env, "--", *words] if words else []
    if bot.uid is None:
        # In the user namespace: there a process counts those of this namespace only.
        processes = f"{bot.limits.processes}:{bot.limits.processes}"
        return [tools.prlimit, f"--nproc={processes}", "--", *last]
    user = str(bot.uid)
    become = [tools.setpriv, "--reuid", user, "--regid", user, "--clear-groups"]
    return [*become, "--inh-caps=-all", "--bounding-set=-all", "--", *last]
