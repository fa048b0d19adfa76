"""A low priority for this process, for both ways in which Linux shares out processors."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

# Where the kernel shares processors between sessions first ("autogroup"), a nice value counts only
# among the processes of one session. This file holds that of the whole session.
AUTOGROUP = Path("/proc/self/autogroup")
# The kernel takes one value in a tenth of a second, from whichever process.
TRIES = 5
AGAIN_SECONDS = 0.1


def lower_priority(nice: int, autogroup: Path = AUTOGROUP) -> None:
    """Make this process `nice` steps nicer (1 to 19), and its session too if it leads one.

    Where the system has no autogroups, or forbids it, the nice value alone must do.
    """
    os.nice(nice)
    nice_session(nice, autogroup)


def nice_session(nice: int, autogroup: Path = AUTOGROUP) -> None:
    """Set the nice value of the session that this process leads, if the system lets us.

    The session of somebody else, such as that of a terminal, is left alone.
    """
    if os.getsid(0) != os.getpid():
        return
    with contextlib.suppress(OSError):
        for _ in range(TRIES):
            try:
                autogroup.write_text(str(nice))
            except BlockingIOError:
                time.sleep(AGAIN_SECONDS)
            else:
                return
