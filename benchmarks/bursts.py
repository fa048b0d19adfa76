"""An hour of a served league in compressed time: `python -m benchmarks.bursts [--messages N]`.

A whole serving process over real sockets, whose seconds are short (`benchmarks.quick_server`). A
burst of events is written, and the next one as soon as a watcher was told of it, so 3,600 bursts
are the messages of an hour. Each tenth burst completes a set. Meanwhile watchers come and go, some
come back with the number of their last message, some never read, pages and figures are asked for,
and the broadcast and the events are followed. Compared is the memory of the process after a tenth
of the hour and at its end; what it knows of the sets that were completed in between is part of it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from arena.league.store import events
from arena.serve.options import READY, ServeOptions
from benchmarks.measure import Line, report
from tests.league.leagues import Simulated
from tests.serve.told import ToldLeague

HOUR_MESSAGES = 3_600
SET_EVERY = 10  # bursts
BOTS = tuple(f"bot-{number:02}" for number in range(12))
READERS, SLOW, PROGRAMS = 60, 20, 4
PATHS = ("/cup/", "/cup/matrix.html", "/cup/standings.json", "/cup/bots/bot-03.html", "/metrics")
READ_BYTES = 262_144
# For a message to come; a whole run takes some minutes.
PATIENCE_SECONDS = 60.0
_CURSOR = re.compile(rb'"cursor":(\d+)')
_NUMBER = re.compile(rb"^id: (\S+)$", re.MULTILINE)

Connection: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class HourOfBursts:
    """What the process had, in MB, and what it did."""

    early: float
    late: float
    most: float
    messages: int
    opened: int  # connections of watchers
    asked: int  # pages
    seconds: float

    @property
    def growth(self) -> float:
        return self.late - self.early


def resident(process: int, which: str = "VmRSS") -> float:
    """The memory of a process in MB: what it has, or with VmHWM the most that it had."""
    text = Path(f"/proc/{process}/status").read_text()
    return int(text.partition(f"{which}:")[2].split()[0]) / 1024


@contextmanager
def quick_server(folder: Path) -> Iterator[tuple[int, int]]:
    """Serve a league; yields the number of the process, and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        options = ServeOptions((str(folder),), f"127.0.0.1:{port}", log=str(folder / "serve.log"))
        descriptor = listener.fileno()
        command = [sys.executable, "-m", "benchmarks.quick_server", str(os.getpid())]
        process = subprocess.Popen(
            [*command, str(descriptor), options.to_json()],
            stdout=subprocess.PIPE,
            pass_fds=(descriptor,),
            text=True,
        )
    try:
        assert process.stdout is not None
        while (line := process.stdout.readline().strip()) != READY:
            assert line, "the server ended"
        yield process.pid, port
    finally:
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


class Crowd:
    """All who watch, in this process."""

    def __init__(self, port: int, rng: random.Random):
        self._port = port
        self._rng = rng
        self._tasks: set[asyncio.Task[None]] = set()
        self.opened = self.asked = 0
        self.cursor = 0  # that the watcher was told who paces the bursts
        self.news = asyncio.Event()
        self._last = ""

    async def _open(self, path: str, last: str = "") -> Connection:
        sock = socket.socket()
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self._port))
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
        head += f"Last-Event-ID: {last}\r\n" if last else ""
        reader, writer = await asyncio.open_connection(sock=sock, limit=READ_BYTES)
        writer.write(f"{head}\r\n".encode())
        self.opened += 1
        return reader, writer  # a writer that nobody keeps ends its connection

    async def pace(self) -> None:
        """Watch, and note what was told last."""
        reader, writer = await self._open("/cup/live")
        while data := await reader.read(READ_BYTES):
            if found := _CURSOR.findall(data):
                self.cursor = max(self.cursor, *map(int, found))
                self.news.set()
            if numbers := _NUMBER.findall(data):
                self._last = numbers[-1].decode()
        writer.close()
        raise AssertionError("the server ended a stream")

    async def _read(self, path: str, last: str = "", *, is_slow: bool = False) -> None:
        writer = None
        try:
            reader, writer = await self._open(path, last)
            if is_slow:
                writer.transport.pause_reading()  # type: ignore[attr-defined]  # of a socket
                await asyncio.Event().wait()  # its buffers fill up, and the server leaves it
            while await reader.read(READ_BYTES):
                pass
        except OSError:
            pass  # the server has left a slow one
        finally:
            if writer is not None:
                writer.transport.abort()

    async def ask(self, path: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=READ_BYTES)
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        answer = await reader.read(-1)
        writer.close()
        assert answer.startswith(b"HTTP/1.1 200"), answer[:100]
        self.asked += 1

    def come(self) -> None:
        """Let one watcher go, and another come."""
        if len(self._tasks) >= READERS + SLOW + PROGRAMS:
            self._rng.choice(sorted(self._tasks, key=id)).cancel()
        path = self._rng.choices(
            ("/cup/live", "/cup/tv/live", "/cup/events"), (READERS, READERS / 4, PROGRAMS)
        )[0]
        is_slow = self._rng.random() < SLOW / (READERS + SLOW)
        last = self._last if path == "/cup/live" and self._rng.random() < 0.5 else ""
        task = asyncio.create_task(self._read(path, last, is_slow=is_slow))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def told(self, cursor: int) -> None:
        """Wait until the watcher who paces has heard of an event."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self.cursor < cursor:
                self.news.clear()
                await self.news.wait()

    async def go(self) -> None:
        for each in list(self._tasks):
            each.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def burst(league: ToldLeague, number: int) -> None:
    """Write the events of a second."""
    if number % SET_EVERY == 0:
        league.play()
    names = [BOTS[(number + each) % len(BOTS)] for each in range(5)]
    league.store.add_events(
        [told for name in names for told in (events.away(name, ()), events.here(name))][
            : 9 + number % 2
        ]
    )


async def bursts(league: ToldLeague, process: int, port: int, messages: int) -> HourOfBursts:
    crowd = Crowd(port, random.Random(7))
    pacer = asyncio.create_task(crowd.pace())
    for _ in range(READERS + SLOW + PROGRAMS):
        crowd.come()
    began, early = time.monotonic(), 0.0
    for number in range(messages):
        burst(league, number)
        await crowd.told(league.store.last_event())
        crowd.come()
        await crowd.ask(PATHS[number % len(PATHS)])
        if number == messages // 10:
            early = resident(process)
        assert not pacer.done(), pacer
    result = HourOfBursts(
        early,
        resident(process),
        resident(process, "VmHWM"),
        messages,
        crowd.opened,
        crowd.asked,
        time.monotonic() - began,
    )
    pacer.cancel()
    await crowd.go()
    return result


def hour(messages: int = HOUR_MESSAGES) -> HourOfBursts:
    """Serve an hour of bursts."""
    with tempfile.TemporaryDirectory(prefix="arena-bursts-") as place:
        simulated = Simulated(bots=BOTS, sets=messages // SET_EVERY + 2, seats=2)
        with closing(ToldLeague(Path(place) / "cup.arena", simulated, 1)) as league:
            (league.folder / "lock").touch()
            with quick_server(league.folder) as (process, port):
                return asyncio.run(bursts(league, process, port, messages))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=HOUR_MESSAGES)
    options = parser.parse_args(arguments)
    found = hour(options.messages)
    lines = [Line("growth of a whole server in an hour of bursts", found.growth, "MB", 5, 3)]
    return report("bursts", lines, [told(found)])


def told(found: HourOfBursts) -> str:
    """Tell the figures of an hour in a line."""
    return (
        f"{found.messages:,} messages in {found.seconds:.0f} s, {found.opened:,} streams opened,"
        f" {found.asked:,} pages: {found.early:.1f} MB after a tenth, {found.late:.1f} MB at the"
        f" end, {found.most:.1f} MB at most"
    )


if __name__ == "__main__":
    sys.exit(main())
