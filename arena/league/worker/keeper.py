"""A worker kept running: its process is started, and again whenever it has ended.

It ends by itself when the scheduler is gone: Dask's workers do not connect again. So starting the
scheduler anew, or mending the network, brings all workers back without a word.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import IO

import trio

from arena.children import end_child, start_child
from arena.league.worker.folder import own_place
from arena.league.worker.plan import WorkerPlan

# Between the end of a process and the start of the next; twice as long each time, up to the most.
FIRST_PAUSE_SECONDS = 1.0
MOST_PAUSE_SECONDS = 30.0
# A process that ran for longer has done its work, and the next pause is the first again.
WELL_SECONDS = 60.0


async def keep(
    plan: WorkerPlan,
    tell: Callable[[str], None],
    stderr: IO[bytes] | None = None,
    ready: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Keep a worker running until cancelled. `tell`: takes lines for people. `stderr`: the output
    of Dask; ours unless given. `ready`: returns when the scheduler can be reached."""
    pause = FIRST_PAUSE_SECONDS
    while True:
        if ready is not None:
            await ready()
        began = trio.current_time()
        with own_place(plan.folder) as place:
            child = await start_child(plan.command(place), stderr, env=plan.environment(place))
            try:
                code = await child.wait()
            finally:
                await end_child(child)
        if trio.current_time() - began >= WELL_SECONDS:
            pause = FIRST_PAUSE_SECONDS
        tell(f"the worker's process ended with exit code {code}; another starts in {pause:.0f} s")
        await trio.sleep(pause)
        pause = min(MOST_PAUSE_SECONDS, 2 * pause)
