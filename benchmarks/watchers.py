"""Watchers of a served league: `python -m benchmarks.watchers KIND PORT PATH COUNT SECONDS`.

KIND is `live`, each a stream of server-sent events; `reconnect`, streams that are all opened anew
within RECONNECT_SECONDS; or `refresh`, a page that is asked for every EVERY_SECONDS, as a page of
static files does. Prints JSON: for each message or page its event or its size, and when it came, in
seconds of the monotonic clock that all processes of a machine share.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

RECONNECT_SECONDS = 5.0
EVERY_SECONDS = 5.0
READ_BYTES = 262_144
_CURSOR = re.compile(rb'"cursor":(\d+)')
_SETS = re.compile(rb">Set (\d[\d,]*)<")


class Seen:
    """What all watchers of this process saw."""

    def __init__(self) -> None:
        self.came: list[tuple[int, float]] = []  # the event or the set, and when
        self.bytes = 0
        self.failed = 0
        self.opened: list[float] = []  # seconds from asking to the first byte

    def told(self) -> str:
        return json.dumps(
            {
                "came": self.came,
                "bytes": self.bytes,
                "failed": self.failed,
                "opened": self.opened,
            }
        )


async def ask(port: int, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=READ_BYTES)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return reader, writer


async def live(port: int, path: str, until: float, seen: Seen) -> None:
    """Read one stream until the time is over."""
    began = time.monotonic()
    try:
        reader, writer = await ask(port, path)
        first = True
        while (left := until - time.monotonic()) > 0:
            async with asyncio.timeout(left):
                data = await reader.read(READ_BYTES)
            now = time.monotonic()
            if not data:
                seen.failed += 1
                return
            if first:
                seen.opened.append(now - began)
                first = False
            seen.bytes += len(data)
            seen.came += [(int(found), now) for found in _CURSOR.findall(data)]
    except TimeoutError:
        pass
    except OSError:
        seen.failed += 1
    else:
        writer.close()


async def refresh(port: int, path: str, until: float, seen: Seen) -> None:
    """Ask for a page again and again; each set counts when it is first among the latest."""
    known: set[int] = set()
    while (left := until - time.monotonic()) > 0:
        try:
            async with asyncio.timeout(left):
                reader, writer = await ask(port, path)
                data = b""
                while b"</html>" not in data and (more := await reader.read(READ_BYTES)):
                    data += more
        except (TimeoutError, OSError):
            return
        writer.close()
        seen.bytes += len(data)
        now = time.monotonic()
        listed = {int(each.replace(b",", b"")) for each in _SETS.findall(data)}
        seen.came += [(each, now) for each in listed - known]
        known |= listed
        await asyncio.sleep(min(EVERY_SECONDS, max(0.0, until - time.monotonic())))


async def watch(kind: str, port: int, path: str, count: int, seconds: float) -> Seen:
    seen = Seen()
    until = time.monotonic() + seconds
    spread = {"live": 2.0, "refresh": EVERY_SECONDS, "reconnect": RECONNECT_SECONDS}[kind]

    async def one(number: int) -> None:
        await asyncio.sleep(spread * number / count)
        await WATCH[kind](port, path, until, seen)

    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(one(number))
    return seen


WATCH: Mapping[str, Callable[[int, str, float, Seen], Awaitable[None]]] = {
    "live": live,
    "reconnect": live,
    "refresh": refresh,
}


def main(arguments: Sequence[str]) -> None:
    kind, port, path, count, seconds = arguments
    seen = asyncio.run(watch(kind, int(port), path, int(count), float(seconds)))
    print(seen.told())


if __name__ == "__main__":
    main(sys.argv[1:])
