"""The start of a worker: the arguments of `dask worker`, and its environment."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bots.confine.confinement import Wish
from arena.league.model.config import Tls
from arena.league.worker.facts import MACHINE
from arena.league.worker.folder import CONFINE, FOLDER, READ

# The resource that a worker offers to Dask, one for each slot.
RESOURCE = "arena"

MOST_SLOTS = 1024
"""Of one worker: more than any machine has cores. For each of them the league opens a lane."""

# Besides those that play: a thread for bots that come and for questions, which would else wait
# until a set is over.
MORE_THREADS = 1


@dataclass(frozen=True)
class WorkerPlan:
    """A worker to be started. `more`: further arguments for `dask worker`.

    `wish`: how bots are confined at least, besides the wish of the league; None: as it wants.
    `read`: further paths that they may read here.
    """

    scheduler: str
    machine: str  # its name in the records of matches
    slots: int
    folder: Path
    tls: Tls | None = None
    wish: Wish | None = None
    read: tuple[Path, ...] = ()
    more: Sequence[str] = ()

    def command(self, place: Path) -> list[str]:
        """Return the command for one process, which ends with the process that calls this.

        `place`: a folder for all that it writes for now.
        """
        module = "arena.league.worker.process"
        return [sys.executable, "-m", module, str(os.getpid()), *self.arguments(place)]

    def arguments(self, place: Path) -> list[str]:
        """Return the arguments of `dask worker`."""
        tls = self.tls
        files = [] if tls is None else ["--tls-ca-file", str(tls.ca)]
        if tls is not None:
            files += ["--tls-cert", str(tls.cert), "--tls-key", str(tls.key)]
        return [
            self.scheduler,
            *("--name", f"{self.machine}-{secrets.token_hex(3)}"),
            *("--nthreads", str(self.slots + MORE_THREADS)),
            *("--resources", f"{RESOURCE}={self.slots}"),
            *("--local-directory", str(place)),
            # The process that starts it looks after it, and starts it anew.
            "--no-nanny",
            # Bots use the memory, and they are no part of this process; without a limit no result
            # is ever written to the disk.
            *("--memory-limit", "0"),
            # Its pages tell of tasks: for this machine alone, on any port.
            "--no-dashboard",
            *("--dashboard-address", "127.0.0.1:0"),
            *files,
            *self.more,
        ]

    def environment(self, place: Path) -> Mapping[str, str]:
        """Return the environment of its process. `place`: for all that it writes for now."""
        return {
            **os.environ,
            "TMPDIR": str(place),
            MACHINE: self.machine,
            FOLDER: str(self.folder),
            CONFINE: self.wish or "",
            READ: os.pathsep.join(map(str, self.read)),
        }
