"""Kills the worker that it is played by, as often as it is told; then plays like anybody.

`kills_worker.py FILE TIMES`: the file counts. It must not be confined.
"""

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from protocol import run

file, times = Path(sys.argv[1]), int(sys.argv[2])
MODULE = b"arena.league.worker.process"


def worker() -> int:
    """The number of the worker's process: the nearest above this one."""
    pid = os.getpid()
    while MODULE not in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
        status = Path(f"/proc/{pid}/status").read_text()
        pid = int(status.split("PPid:")[1].split()[0])
    return pid


def choose(request: Mapping[str, Any]) -> str:
    done = int(file.read_text()) if file.exists() else 0
    if done < times:
        file.write_text(str(done + 1))
        os.kill(worker(), signal.SIGKILL)
    legal: list[str] = request["legal"]
    return legal[0]


run(choose, version="1")
