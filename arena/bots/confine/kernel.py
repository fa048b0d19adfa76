"""The second rung: the kernel's own rules for one process, where bubblewrap cannot run.

Landlock for files, signals and abstract sockets; seccomp for what Landlock does not know; and
rlimits. The bot keeps the machine's process table, network and file system, and is refused what
it may not use of them. It may not connect to anything: `connect` is handed to the warden, who
puts a connection to the bot's own door in the place of its socket (`warden/relay.py`).
"""

from __future__ import annotations

from pathlib import Path

from arena.bots.confine.bubblewrap import reach, rlimits
from arena.bots.confine.confinement import Confinement
from arena.bots.confine.filters import Filter, program
from arena.bots.confine.system import System
from arena.bots.warden import landlock
from arena.bots.warden.rules import Rules

_READ = landlock.READ_FILE | landlock.READ_DIR
_RUN = _READ | landlock.EXECUTE
_USE = landlock.READ_FILE | landlock.WRITE_FILE | landlock.IOCTL_DEV
# No sockets and no devices: nobody could serve at one, and a bot has no use for the others.
_WRITE = (
    _RUN
    | landlock.WRITE_FILE
    | landlock.TRUNCATE
    | landlock.REMOVE_DIR
    | landlock.REMOVE_FILE
    | landlock.MAKE_DIR
    | landlock.MAKE_REG
    | landlock.MAKE_FIFO
    | landlock.MAKE_SYM
    | landlock.REFER
)


def rules(bot: Confinement, system: System, abi: int, *, memory_cgroup: bool) -> Rules:
    """Return what the warden does to start this bot under a Landlock of this ABI."""
    kinds = [Filter.REFUSE, Filter.SHARED]
    if bot.is_build:
        # Not three as under bubblewrap: BUILD refuses to install another filter after it.
        kinds = [Filter.REFUSE_BUILD, Filter.BUILD_SHARED]
    return Rules(
        rlimits=rlimits(bot, data=not memory_cgroup),
        folders=(str(bot.scratch),),
        landlock=(*landlock.rights_of(abi), paths(bot, system)),
        filters=tuple(map(program, kinds)),
        reach=reach(bot),
    )


def paths(bot: Confinement, system: System) -> tuple[tuple[str, int], ...]:
    """Return what the bot may do below which path; a right that is not here is refused."""
    found: list[tuple[Path, int]] = [(path, _RUN) for path in system.folders]
    found += [(path, _USE) for path in system.devices]
    # Landlock itself keeps what matters there, environments and memory, to one's own processes.
    found += [(Path("/proc"), _READ)]
    found += [(path, _RUN) for path in (*bot.read, *bot.files)]
    # Names only: Python looks through the folder of a script, too, for its modules.
    found += [(path, landlock.READ_DIR) for path in (bot.folder, *bot.listed)]
    found += [(path, _WRITE) for path in (bot.scratch, *bot.write)]
    return tuple((str(path), access) for path, access in found)
