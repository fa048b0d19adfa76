"""What this machine gives a league, as a list of facts, each with what to do where it is wrong."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arena.bots.confine.choose import LEAST_ABI, gives_users, namespaces_remedy
from arena.bots.confine.controllers import find_controllers
from arena.bots.confine.filters import Filter, NoFilters, program
from arena.bots.warden import landlock
from arena.doctor import cgroups
from arena.referee.door.addresses import MOST_PATH_BYTES
from arena.referee.door.descriptors import KEPT, too_few
from arena.referee.door.folder import LONGEST

# A referee's folder below the temporary one, which ends in eight drawn characters.
_REFEREE = "arena-12345678"

# With four bots in each match, and as many strangers as may wait at a door, this serves a large
# league.
GOOD_FILES = 4_096
# Copies of bots, their builds and scratches.
LITTLE_SPACE = 2 << 30

# Read without a system call; another one costs each look at the clock a microsecond or more.
QUICK_CLOCKS = ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter")

# What bubblewrap needs of the kernel as an ordinary user: a namespace of users, and rights in it.
# Some systems give the first and refuse the second.
_USER_NAMESPACE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
uid, gid = os.geteuid(), os.getegid()
def call(result):
    if result != 0:
        sys.exit(os.strerror(ctypes.get_errno()))
call(libc.unshare(0x10000000))
try:
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
except OSError as error:
    sys.exit(error.strerror)
call(libc.unshare(0x00020000 | 0x40000000))
"""
_SECONDS = 10


@dataclass(frozen=True)
class Fact:
    """One property of the machine."""

    name: str
    value: str
    advice: str = ""
    """What to do about it; empty where nothing needs doing."""


def facts() -> list[Fact]:
    return [find() for find in _FACTS]


def cores() -> Fact:
    usable, there = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    value = f"{usable}" if usable == there else f"{usable} of {there}"
    alone = "With one core a bot that thinks takes time from the referee." if usable == 1 else ""
    return Fact("cores", value, alone)


def user() -> Fact:
    if gives_users():
        return Fact("user", "root: each bot becomes a user of its own (bubblewrap)")
    if os.geteuid() == 0:
        return Fact("user", "root, without the rights to give each bot a user of its own")
    return Fact("user", f"an ordinary user, number {os.geteuid()}")


def clock_source(
    file: Path = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
) -> Fact:
    try:
        name = file.read_text().strip()
    except OSError:
        return Fact("clock source", "not told here")
    slow = f"{name} is slow to read, which every decision pays for; {', '.join(QUICK_CLOCKS[:2])}"
    return Fact("clock source", name, "" if name in QUICK_CLOCKS else f"{slow} are quick.")


def open_files() -> Fact:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    advice = ""
    if hard < GOOD_FILES:
        need = f"A referee needs {KEPT}" if too_few(hard) else "Many matches at once need more"
        advice = f"{need}: ulimit -Hn {GOOD_FILES}, as root, or `nofile` in limits.conf."
    return Fact("open files", f"{hard} (hard limit)", advice)


def temporary_folder() -> Fact:
    folder = Path(tempfile.gettempdir())
    free = shutil.disk_usage(folder).free
    value = f"{folder}: {kind_of(folder)}, {free / (1 << 30):.1f} GB free"
    little = "Copies and builds of bots lie there; set TMPDIR to a folder with more space."
    return Fact("temporary", value, little if free < LITTLE_SPACE else "")


def kind_of(folder: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """Return the kind of file system that a folder is on: ext4, tmpfs, overlay."""
    best, kind = -1, "unknown"
    for line in mounts.read_text().splitlines():
        before, _, after = line.partition(" - ")
        point = Path(before.split()[4])
        if folder.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), after.split()[0]
    return kind


def socket_path() -> Fact:
    size = len(os.fsencode(Path(tempfile.gettempdir(), _REFEREE, LONGEST)))
    value = f"{size} bytes of at most {MOST_PATH_BYTES}"
    if size <= MOST_PATH_BYTES:
        return Fact("socket path", value)
    return Fact("socket path", f"{value}: sockets get a folder in /tmp instead")


def control_groups() -> Fact:
    found = find_controllers()
    lacking = cgroups.missing(found)
    advice = ""
    if lacking:
        advice = cgroups.how_to_get(lacking, os.geteuid())
    return Fact("control groups", cgroups.in_words(found), advice)


def user_namespaces() -> Fact:
    words = [sys.executable, "-I", "-S", "-c", _USER_NAMESPACE]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS)
    if ran.returncode == 0:
        return Fact("user namespaces", "work")
    said = ran.stderr.strip().splitlines()
    value = f"do not work: {said[-1] if said else 'unknown'}"
    if gives_users():
        return Fact("user namespaces", f"{value} (root needs none)")
    return Fact("user namespaces", value, namespaces_remedy())


def landlock_abi() -> Fact:
    abi = landlock.abi()
    if abi >= LEAST_ABI:
        return Fact("Landlock", f"ABI {abi}")
    advice = f"The second way to confine bots needs ABI {LEAST_ABI} (Linux 6.12)."
    return Fact("Landlock", f"ABI {abi}" if abi else "not in this kernel, or switched off", advice)


def bubblewrap() -> Fact:
    path = shutil.which("bwrap")
    if path is None:
        return Fact("bubblewrap", "not installed", "Try: apt install bubblewrap.")
    ran = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=_SECONDS)
    return Fact("bubblewrap", f"{ran.stdout.strip().removeprefix('bubblewrap ')} ({path})")


def libseccomp() -> Fact:
    try:
        program(Filter.REFUSE)
    except NoFilters:
        return Fact("libseccomp", "not installed", "Try: apt install libseccomp2.")
    return Fact("libseccomp", "found")


_FACTS: tuple[Callable[[], Fact], ...] = (
    user,
    cores,
    clock_source,
    open_files,
    temporary_folder,
    socket_path,
    bubblewrap,
    user_namespaces,
    landlock_abi,
    libseccomp,
    control_groups,
)
"""In the order in which they are shown."""
