"""What every bot may read of the machine: its programs and libraries, and little of /etc.

No home folder, nothing of /var, /run, /srv, /sys, /tmp or /opt; and of /etc no more than what
the loader, the C library, TLS and a JVM read at their start. /etc/passwd is left out: it names
people.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_TOPS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_ETC = (
    "alternatives",  # Debian's links to the chosen java, cc, ...
    "ca-certificates",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "nsswitch.conf",
    "pki",  # certificates, where the system is Fedora's
    "ssl",
    "timezone",
)
_ETC_PATTERNS = ("java-*", "dotnet*", "mono*")

# What builds read besides, as far as every user of the machine may: Maven ends if it may not read
# its settings, and an operator's password may stand in them.
_ETC_OF_BUILDS = ("maven/m2.conf", "maven/logging", "maven/settings.xml", "maven/toolchains.xml")

DEVICES = ("null", "zero", "full", "random", "urandom")


@dataclass(frozen=True)
class System:
    """The parts of the file system that every bot may read, as they are on this machine."""

    folders: tuple[Path, ...] = ()
    """Files and folders."""
    links: tuple[tuple[Path, str], ...] = ()
    """Symbolic links at the top (/bin to usr/bin), each with its target."""
    devices: tuple[Path, ...] = tuple(Path("/dev", name) for name in DEVICES)


def find_system(root: Path = Path("/")) -> System:
    """Look at what there is below `root`."""
    folders: list[Path] = []
    links: list[tuple[Path, str]] = []
    for top in _TOPS:
        path = root / top.lstrip("/")
        if path.is_symlink():
            links.append((Path(top), os.readlink(path)))
        elif path.exists():
            folders.append(Path(top))
    etc = root / "etc"
    found = {etc / name for name in _ETC} | {
        path for pattern in _ETC_PATTERNS for path in etc.glob(pattern)
    }
    # `exists` follows links: one that leads nowhere is of no use.
    folders += sorted(Path("/", path.relative_to(root)) for path in found if path.exists())
    return System(tuple(folders), tuple(links))


def build_files(root: Path = Path("/")) -> tuple[Path, ...]:
    """Return what builds may read of /etc besides the rest of the system."""
    paths = (root / "etc" / name for name in _ETC_OF_BUILDS)
    return tuple(
        path for path in paths if os.path.exists(path) and path.stat().st_mode & stat.S_IROTH
    )


def ancestors(paths: Iterable[Path]) -> list[Path]:
    """Return the folders above these paths, the root left out, parents before children."""
    above = {parent for path in paths for parent in path.parents if parent != Path("/")}
    return sorted(above, key=lambda path: len(path.parts))


def is_within(path: Path, folders: Iterable[Path]) -> bool:
    """Whether a path is one of these or lies below one."""
    return any(path.is_relative_to(folder) for folder in folders)
