"""A cluster on this machine alone, to try one: a scheduler, and workers as processes of their own.

Also here the scheduler lets in nobody without a certificate: other users of this machine could
reach its port.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from arena.bots.contents import remove_scratch
from arena.league.cluster.bridge import open_bridge
from arena.league.cluster.security import own_authority, security_of
from arena.league.model.config import Tls
from arena.league.worker.facts import machine_name
from arena.league.worker.keeper import keep
from arena.league.worker.plan import WorkerPlan

if TYPE_CHECKING:
    from distributed import Scheduler


@asynccontextmanager
async def open_local(
    workers: int, slots: int, log: Path, tell: Callable[[str], None]
) -> AsyncIterator[tuple[str, Tls]]:
    """Start a cluster of so many workers with so many slots each; yields its address, and its TLS
    files. `log`: the file for the output of its processes. `tell`: takes lines for people."""
    folder = Path(tempfile.mkdtemp(prefix="arena-cluster-"))
    async with AsyncExitStack() as stack:
        stack.callback(remove_scratch, folder)
        stderr = stack.enter_context(log.open("ab"))
        tls = own_authority(folder)
        bridge = await stack.enter_async_context(open_bridge())
        scheduler = await bridge.call(_started, tls)
        stack.push_async_callback(bridge.call, scheduler.close)
        async with trio.open_nursery() as nursery:
            for _ in range(workers):
                plan = WorkerPlan(scheduler.address, machine_name(), slots, folder, tls)
                nursery.start_soon(keep, plan, tell, stderr)
            yield scheduler.address, tls
            nursery.cancel_scope.cancel()


async def _started(tls: Tls) -> Scheduler:
    from distributed import Scheduler

    return await Scheduler(
        host="127.0.0.1",
        port=0,
        protocol="tls://",
        security=security_of(tls),
        dashboard_address="127.0.0.1:0",
        dashboard=False,
    )
