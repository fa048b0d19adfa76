"""One stream for many watchers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from arena.serve.live.hub import KEPT, MOST_WAITING, Hub


def whole(count: int) -> dict[str, int]:
    return {"all": count}


def published(hub: Hub, *counts: int) -> None:
    for count in counts:
        hub.publish({"new": count}, lambda count=count: whole(count))  # type: ignore[misc]  # a default binds it now


async def first(stream: AsyncIterator[bytes], count: int) -> list[tuple[str, str, object]]:
    """The first messages: kind, number, data."""
    found = []
    async with asyncio.timeout(10):
        for _ in range(count):
            lines = (await anext(stream)).decode().splitlines()
            kind, number, data = (line.partition(": ")[2] for line in lines[:3])
            found.append((kind, number, json.loads(data)))
    return found


def test_a_watcher_gets_a_snapshot_and_then_what_is_new() -> None:
    async def main() -> None:
        hub = Hub("b", 9)
        published(hub, 1, 2)
        stream = hub.stream("")
        assert await first(stream, 1) == [("snapshot", "b-2", {"all": 2})]
        published(hub, 3)
        assert await first(stream, 1) == [("news", "b-3", {"new": 3})]

    asyncio.run(main())


def test_whoever_comes_back_gets_what_was_missed_and_nothing_twice() -> None:
    async def main() -> None:
        hub = Hub("b", 9)
        published(hub, 1, 2, 3)
        assert await first(hub.stream("b-1"), 2) == [
            ("news", "b-2", {"new": 2}),
            ("news", "b-3", {"new": 3}),
        ]

    asyncio.run(main())


def test_whoever_was_away_too_long_or_was_elsewhere_begins_anew() -> None:
    async def main() -> None:
        hub = Hub("b", 9)
        published(hub, *range(KEPT + 5))
        for last in ("b-2", "other-64", "b-999", "b--1", "b-x", "b-" + "9" * 500, "-", "b"):
            (message,) = await first(hub.stream(last), 1)
            assert message[0] == "snapshot", last

    asyncio.run(main())


def test_a_watcher_that_falls_behind_gets_one_new_snapshot() -> None:
    async def main() -> None:
        hub = Hub("b", 9)
        slow, quick = hub.stream(""), hub.stream("")
        await first(slow, 1)
        await first(quick, 1)
        for count in range(1, MOST_WAITING + 3):
            published(hub, count)
            await first(quick, 1)
        ((kind, _, data),) = await first(slow, 1)
        assert (kind, data) == ("snapshot", {"all": MOST_WAITING + 2})
        published(hub, 99)
        assert await first(slow, 1) == [("news", f"b-{MOST_WAITING + 3}", {"new": 99})]

    asyncio.run(main())


def test_a_watcher_that_never_reads_holds_a_queue_of_bounded_length() -> None:
    async def main() -> None:
        hub = Hub("b", 9)
        stream = hub.stream("")
        await first(stream, 1)
        (watcher,) = hub._watchers
        for count in range(1000):
            published(hub, count)
            assert len(watcher._queue) <= MOST_WAITING

    asyncio.run(main())


def test_a_hub_that_is_closed_ends_every_stream_and_those_that_come_after() -> None:
    async def main() -> None:
        hub = Hub("b", 9)
        stream = hub.stream("")
        await first(stream, 1)
        hub.close()
        async with asyncio.timeout(10):
            assert [each async for each in stream] == []
            assert len([each async for each in hub.stream("")]) == 1
        assert len(hub) == 0

    asyncio.run(main())


def test_a_place_is_free_again_when_its_watcher_leaves() -> None:
    async def main() -> None:
        hub = Hub("b", 1)
        stream = hub.stream("")
        await first(stream, 1)
        assert hub.is_full
        await stream.aclose()  # type: ignore[attr-defined]  # a generator, as all streams here
        assert not hub.is_full

    asyncio.run(main())
