"""The child that serves a running league on the web; no match notices if it dies."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from arena.children import end_child, start_child
from arena.serve.options import ServeOptions


@asynccontextmanager
async def open_server(
    options: ServeOptions | None, tell: Callable[[str], None]
) -> AsyncIterator[None]:
    """Serve as long as the block runs; None: serve nothing. `tell` takes lines for people."""
    if options is None:
        yield
        return
    command = [sys.executable, "-m", "arena.serve.supervisor", str(os.getpid()), options.to_json()]
    child = await start_child(command)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_pass_on, child, tell)
        try:
            yield
        finally:
            nursery.cancel_scope.cancel()
            await end_child(child)


async def _pass_on(child: trio.Process, tell: Callable[[str], None]) -> None:
    """Tell the child's lines, and its end if it comes before that of the league."""
    assert child.stdout is not None
    rest = b""
    async for data in child.stdout:
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            tell(f"web: {line.decode('utf-8', 'replace')}")
    tell("web: the server has ended; the league is played on without it")
