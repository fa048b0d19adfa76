"""Say which control groups can be used here, and how to get the others."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from pathlib import Path

from arena.bots.confine.controllers import CONTROLLERS, Controllers
from arena.text import listed

MOUNTS = Path("/proc/self/mountinfo")
MANUAL = 'docs/confinement.md, "Control groups"'


def in_words(controllers: Controllers) -> str:
    """Return the controllers that can be used, with the version of their tree."""
    if not controllers.names:
        return "none"
    return f"{', '.join(controllers.names)} (version {2 if controllers.is_unified else 1})"


def missing(controllers: Controllers) -> tuple[str, ...]:
    return tuple(name for name in CONTROLLERS if name not in controllers.names)


def how_to_get(names: Sequence[str], uid: int, mounts: Path = MOUNTS) -> str:
    """Return how this user gets groups of these controllers; a command is a line of its own.

    `uid`: the user. `mounts`: the file that lists mounts.
    """
    trees = [str(tree) for name in names if (tree := mounted(name, mounts)) is not None]
    if not trees:
        return (
            "Version 2 of cgroups lets no groups be made below one that holds processes, as that"
            f" of arena does; see {MANUAL}."
        )
    if uid == 0:
        return f"{listed(trees)} cannot be written to, even by root; see {MANUAL}."
    return (
        "Run arena as root, or let your shell have groups of its own:\n"
        # A cpuset can be entered only if it was made as a clone of the one above.
        f"for g in {' '.join(trees)}; do echo 1 | sudo tee $g/cgroup.clone_children && sudo mkdir"
        f" -p $g/arena && sudo chown {getpass.getuser()} $g/arena && echo $$ | sudo tee"
        " $g/arena/cgroup.procs; done"
    )


def mounted(name: str, mounts: Path) -> Path | None:
    """Return where the tree of a controller of version 1 is mounted."""
    try:
        lines = mounts.read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        before, _, after = line.partition(" - ")
        kind, _, options = after.partition(" ")
        if kind == "cgroup" and name in options.split()[-1].split(","):
            return Path(before.split()[4])
    return None
