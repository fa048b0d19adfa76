"""How much of the machine one bot may use."""

from __future__ import annotations

import os
from dataclasses import dataclass

MEBIBYTE = 1_048_576

# Open files that a program may have by default on most systems.
OPEN_FILES = 1_024

# Before the address of a connection that was refused.
TRIED = "it tried to connect to "


@dataclass(frozen=True)
class Limits:
    """The bounds of one running bot, all its processes together unless a field says otherwise.

    With the defaults a JVM, Node and Python with numpy run on a machine of a few cores. A thread
    counts as a process, because the kernel counts so: a JVM has about 30.
    """

    memory_mb: int = 512
    """Mebibytes of memory. Without a memory cgroup: of private memory, for each process."""
    processes: int = 128
    """Processes and threads at one time."""
    scratch_mb: int = 256
    """Mebibytes of files in the scratch folder, which is the only place to write to."""
    open_files: int = OPEN_FILES
    """Descriptors, for each process."""
    cores: int = 1
    """Processor cores' worth of time; held to where the cpu cgroup is writable."""

    def words_for(self, reached: str) -> str:
        """Return words for a limit that was reached, or an address that was refused.

        `reached` is as the warden says it: "memory", "processes", "scratch", "connect ADDRESS".
        """
        said = {
            "memory": f"memory over {self.memory_mb} MB",
            "processes": f"more than {self.processes} processes and threads",
            "scratch": f"scratch is full: {self.scratch_mb} MB",
        }
        if reached in said:
            return said[reached]
        return TRIED + reached.removeprefix("connect ")


# A build compiles and links, with as many cores as there are; its scratch holds caches of packages.
BUILD_LIMITS = Limits(
    memory_mb=4_096,
    processes=2_048,
    scratch_mb=4_096,
    open_files=65_536,
    cores=os.cpu_count() or 1,
)
