"""Choose the strongest rung that works on this machine, and say so where none does."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bots.confine.bubblewrap import Tools
from arena.bots.confine.confinement import FIRST_UID, UIDS, Rung, Wish, free_uids
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.confine.controllers import find_controllers
from arena.bots.confine.filters import Filter, NoFilters, program
from arena.bots.confine.needs import folders_to_list, python_needs
from arena.bots.confine.selftest import Tried, try_out
from arena.bots.confine.system import find_system
from arena.bots.processes import Warden
from arena.bots.warden import landlock

# Landlock without these says less than is promised: TCP (4) and signals (6).
LEAST_ABI = 6


@dataclass(frozen=True)
class Rejected:
    """A rung that does not work here."""

    rung: Rung
    why: str
    remedy: str
    result: Tried | None = None
    """What the self-test has found, if it was run."""


class NotConfined(Exception):
    """No rung that the operator wants works here."""

    def __init__(self, rejected: Sequence[Rejected]) -> None:
        lines = ["bots cannot be confined here as you want it:"]
        lines += [f"  {each.rung}: {each.why}. {each.remedy}" for each in rejected]
        lines.append("`arena doctor` tells more.")
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class Choice:
    """The means that were chosen, and the stronger rungs that do not work here."""

    means: Means
    rejected: tuple[Rejected, ...] = ()

    @property
    def warning(self) -> str | None:
        """Say that bots run unconfined although they should not; None if all is well."""
        if self.means.rung is not Rung.NONE or not self.rejected:
            return None
        first = self.rejected[0]
        return (
            "bots run unconfined: they can read and change whatever this user can."
            f" {first.remedy} `arena doctor` tells more; --confine none says that you trust them."
        )


async def choose(warden: Warden, wish: Wish, place: Path, read: Sequence[Path] = ()) -> Choice:
    """Try the rungs, the strongest first. Raises NotConfined for a wish that cannot be met.

    `place`: a private folder for scratches. `read`: what the operator lets all bots read.
    """
    rejected: list[Rejected] = []
    for rung in wish.rungs:
        found = await tried(warden, rung, place, read)
        if isinstance(found, Means):
            return Choice(found, tuple(rejected))
        rejected.append(found)
    if wish not in (Wish.AUTO, Wish.NONE):
        raise NotConfined(rejected)
    return Choice(Means(controllers=find_controllers()), tuple(rejected))


async def tried(warden: Warden, rung: Rung, place: Path, read: Sequence[Path]) -> Means | Rejected:
    """Return the means of a rung that works here, or why it does not."""
    try:
        program(Filter.REFUSE)
    except NoFilters as error:
        return Rejected(rung, str(error), "Install libseccomp: `apt install libseccomp2`.")
    means = means_of(rung, read)
    if isinstance(means, Rejected):
        return means
    uid = free_uids() if means.uids else None
    result = await try_out(warden, Confiner(means, place), uid)
    if result.holds:
        return means
    return Rejected(rung, str(result), _remedy(rung, result), result)


def means_of(rung: Rung, read: Sequence[Path]) -> Means | Rejected:
    """Return what a rung is made of here, before it is tried."""
    means = Means(
        rung,
        read=(*python_needs(), *read),
        listed=folders_to_list(),
        system=find_system(),
        controllers=find_controllers(),
        # Landlock keeps bots of one user apart, and another user could not reach a toolchain in
        # root's home.
        uids=rung is Rung.BUBBLEWRAP and gives_users(),
    )
    if rung is Rung.LANDLOCK:
        abi = landlock.abi()
        if abi < LEAST_ABI:
            why = f"this kernel has Landlock ABI {abi}, and {LEAST_ABI} is needed (Linux 6.12)"
            return Rejected(rung, why, "Use a newer kernel, or install bubblewrap.")
        return replace(means, abi=abi)
    needed = ("bwrap", "prlimit", "setpriv")
    paths = {name: shutil.which(name) for name in needed}
    missing = [name for name, path in paths.items() if path is None]
    if missing:
        package = "bubblewrap" if "bwrap" in missing else "util-linux"
        return Rejected(
            rung, f"{', '.join(missing)} is not installed", f"Try: apt install {package}."
        )
    return replace(means, tools=Tools(**{name: str(path) for name, path in paths.items()}))


# By capability (capabilities(7)) its number: what root needs to give each bot a user of its own.
_CAPABILITIES = {
    "CAP_CHOWN": 0,
    "CAP_DAC_OVERRIDE": 1,
    "CAP_DAC_READ_SEARCH": 2,
    "CAP_FOWNER": 3,
    "CAP_KILL": 5,
    "CAP_SETGID": 6,
    "CAP_SETUID": 7,
    "CAP_SETPCAP": 8,
    "CAP_NET_ADMIN": 12,
    "CAP_SYS_PTRACE": 19,
    "CAP_SYS_ADMIN": 21,
}


def gives_users(proc: Path = Path("/proc/self")) -> bool:
    """Tell if this process can give each bot a user of its own.

    Root of a container often cannot: it lacks rights, or there are few users. Then it confines
    bots as an ordinary user does. `proc`: the folder with `status` and `uid_map`, which has lines
    of a first number here, its number outside, and how many follow each other.
    """
    ranges = [tuple(map(int, line.split())) for line in (proc / "uid_map").read_text().splitlines()]
    last = FIRST_UID + UIDS
    if not any(first <= FIRST_UID and last < first + count for first, _, count in ranges):
        return False
    held = next(
        int(line.split()[1], 16)
        for line in (proc / "status").read_text().splitlines()
        if line.startswith("CapEff:")
    )
    return all(held >> number & 1 for number in _CAPABILITIES.values())


# By file: what it has where user namespaces are switched off by it, and the command for root.
_SWITCHES = {
    "kernel/unprivileged_userns_clone": ("0", "kernel.unprivileged_userns_clone=1"),
    "kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    "user/max_user_namespaces": ("0", "user.max_user_namespaces=10000"),
}


def namespaces_remedy(settings: Path = Path("/proc/sys")) -> str:
    """Return how to switch on user namespaces here. `settings`: the folder of sysctl."""
    commands = []
    for name, (off, command) in _SWITCHES.items():
        with contextlib.suppress(OSError):
            if (settings / name).read_text().strip() == off:
                commands.append(f"`sudo sysctl -w {command}`")
    if commands:
        return f"User namespaces are switched off here. Try: {' and '.join(commands)}."
    return (
        "User namespaces are refused here, as most container engines do: see"
        ' docs/confinement.md, "How to get bubblewrap".'
    )


def _remedy(rung: Rung, result: Tried) -> str:
    if rung is Rung.LANDLOCK:
        if shutil.which("bwrap"):
            return "Bubblewrap is installed: see what keeps it from working."
        return "Install bubblewrap: `apt install bubblewrap`."
    if "namespace" in result.trouble or "uid map" in result.trouble:
        return namespaces_remedy()
    return "Bubblewrap does not hold here."
