"""One thread beside an event loop."""

from __future__ import annotations

import asyncio
import threading

import pytest

from arena.serve.thread import OneThread, ThreadBusy


def test_calls_are_done_in_order_in_one_other_thread() -> None:
    async def main() -> None:
        thread = OneThread("test", 10)
        done: list[int] = []

        def call(number: int) -> int:
            done.append(number)
            return threading.get_ident()

        found = await asyncio.gather(*(thread.run(lambda n=n: call(n)) for n in range(5)))  # type: ignore[misc]  # a default binds it now
        assert done == [0, 1, 2, 3, 4]
        assert len({*found}) == 1
        assert threading.get_ident() not in found

    asyncio.run(main())


def test_an_error_comes_back_to_the_caller() -> None:
    async def main() -> None:
        thread = OneThread("test", 1)
        with pytest.raises(ZeroDivisionError):
            await thread.run(lambda: 1 // 0)
        assert await thread.run(lambda: 7) == 7

    asyncio.run(main())


def test_more_calls_than_may_wait_are_refused_but_for_those_that_must_be_done() -> None:
    async def main() -> None:
        thread = OneThread("test", 1)
        gate = threading.Event()
        waiting = asyncio.create_task(thread.run(gate.wait))
        await asyncio.sleep(0)
        with pytest.raises(ThreadBusy):
            await thread.run(lambda: 1)
        must = asyncio.create_task(thread.run(lambda: 2, always=True))
        gate.set()
        assert (await waiting, await must) == (True, 2)
        assert await thread.run(lambda: 3) == 3

    asyncio.run(main())


def test_a_caller_that_gives_up_holds_up_nobody() -> None:
    async def main() -> None:
        thread = OneThread("test", 2)
        gate = threading.Event()
        waiting = asyncio.create_task(thread.run(gate.wait))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        gate.set()
        assert await thread.run(lambda: 3) == 3

    asyncio.run(main())
