"""Coroutines of an asyncio loop, awaited in Trio."""

from __future__ import annotations

import asyncio
import threading

import pytest
import trio

from arena.league.cluster.bridge import open_bridge


class Oops(Exception):
    """An error of the other side."""


async def double(number: int, *, is_bad: bool = False) -> int:
    await asyncio.sleep(0)
    if is_bad:
        raise Oops("bad")
    return 2 * number


async def test_a_result_comes_back() -> None:
    async with open_bridge() as bridge:
        assert await bridge.call(double, 21) == 42


async def test_an_error_comes_back() -> None:
    async with open_bridge() as bridge:
        with pytest.raises(Oops, match="bad"):
            await bridge.call(double, 21, is_bad=True)


async def test_a_cancelled_call_is_cancelled_on_the_other_side() -> None:
    began, ended = threading.Event(), threading.Event()

    async def for_ever() -> None:
        began.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    async with open_bridge() as bridge:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bridge.call, for_ever)
            await trio.to_thread.run_sync(began.wait)
            nursery.cancel_scope.cancel()
        await trio.to_thread.run_sync(ended.wait)


async def test_several_calls_wait_side_by_side() -> None:
    found: list[int] = []

    async def keep(number: int) -> None:
        found.append(await bridge.call(double, number))

    async with open_bridge() as bridge, trio.open_nursery() as nursery:
        for number in range(10):
            nursery.start_soon(keep, number)
    assert sorted(found) == [2 * number for number in range(10)]


async def test_its_thread_ends_with_it() -> None:
    before = threading.active_count()
    async with open_bridge() as bridge:
        assert "running" in repr(bridge)
    assert "closed" in repr(bridge)
    assert threading.active_count() <= before + 1  # Trio keeps its own for a while
