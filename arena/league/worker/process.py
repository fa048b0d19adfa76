"""The process of a worker: `dask worker`, which ends when its standard input does.

`python -m arena.league.worker.process PARENT ...`: the parent's process, then the arguments
of `dask worker`.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from arena.parent import end_after


def end_with_input() -> None:
    """Close the worker in order when standard input ends."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    from distributed.cli.dask_worker import main

    parent, *arguments = sys.argv[1:]
    end_after(int(parent))
    threading.Thread(target=end_with_input, daemon=True).start()
    main(arguments, prog_name="dask worker")
