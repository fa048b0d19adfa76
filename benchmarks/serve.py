"""A league on the web: `python -m benchmarks.serve [--watchers N] [--seconds S]`.

Bots that dial in and wait (no processor time of this machine) play a league fast enough for ten
events a second; `arena league --serve` serves it, and N streams are read by a process of their
own. Measured are the processor time of the serving processes, from the end of a set (its event is
in `complete.db`, asked for every 10 ms) to each watcher, the memory, and N streams opened anew
within 5 s. Beside it the same watchers ask for the published page every 5 s, from Python's own
server of files. Then the delay in a league with little news, of the sets that end after a quiet
moment. Last, an hour of bursts in compressed time, once through the stream of a league, with
watchers that never read among the others, and once through a whole server (`benchmarks.bursts`).

Under constant news a message a second leaves each set waiting for up to a second, whatever the
server does: of delays that are spread evenly over it, 95 % are below 0.95 s. What is above that is
the server's part.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from arena.league.store.folder import COMPLETE_SETS, PUBLIC, folder_of
from arena.serve.live.hub import Hub
from benchmarks import bursts
from benchmarks.measure import Line, report
from benchmarks.two_jobs import ARENA, BOTS, Kind, league_file, thinkers, wait_until

THINKING = Kind("bots that wait, tables of 2", 2, "wait", 1, "at_once = 4")
THINK_MS = 8.0
# So that seconds pass without news, and the time that makes a moment a quiet one.
CALM_THINK_MS, QUIET_SECONDS = 250.0, 1.5
POLL_SECONDS = 0.01
TICKS = os.sysconf("SC_CLK_TCK")
# An hour of messages, one a second, and how much each tells.
HOUR_MESSAGES = 3_600
BURST_LINES = 60


@dataclass
class Played:
    """A league that is played, seen from outside."""

    home: Path
    port: int
    ended: dict[int, float] = field(default_factory=dict)  # by event of a set, when it was there
    sets: dict[int, float] = field(default_factory=dict)  # the same by number of the set
    quiet: set[int] = field(default_factory=set)  # events of sets after a quiet moment
    events: int = 0
    last: float = 0.0  # when the last event was there
    voids: int = 0

    def processes(self) -> list[int]:
        """The numbers of the serving processes."""
        return processes_with(b"arena.serve.", str(self.home).encode())

    def cpu(self, processes: Sequence[int]) -> float:
        return sum(cpu_of(each) for each in processes)

    def watch_store(self, over: threading.Event) -> None:
        """Note when the event of each set is there."""
        store = sqlite3.connect(f"{(self.home / COMPLETE_SETS).as_uri()}?mode=ro", uri=True)
        while not over.is_set():
            now = time.monotonic()
            rows = store.execute(
                "SELECT number, json_extract(body, '$.event'), json_extract(body, '$.set')"
                " FROM events WHERE number > ?",
                (self.events,),
            ).fetchall()
            for number, kind, set_number in rows:
                self.events = number
                self.voids += kind == "void"
                if kind == "set":
                    self.ended[number] = self.sets[set_number] = now
                    if now - self.last > QUIET_SECONDS:
                        self.quiet.add(number)
            if rows:
                self.last = now
            over.wait(POLL_SECONDS)
        store.close()


def processes_with(*words: bytes) -> list[int]:
    """The numbers of the processes whose command lines have all of these words."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = each.read_bytes()
        except OSError:
            continue  # it has ended
        if all(word in line for word in words):
            found.append(int(each.parent.name))
    return found


def cpu_of(process: int) -> float:
    values = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(values[11]) + int(values[12])) / TICKS


def memory_of(process: int, which: str = "VmHWM") -> float:
    """The memory of a process in MB: the most that it had, or `VmRSS`, what it has."""
    text = Path(f"/proc/{process}/status").read_text()
    return int(text.partition(f"{which}:")[2].split()[0]) / 1024


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def played(*more: str, think_ms: float = THINK_MS, warm_up: int = 60) -> Iterator[Played]:
    """Play a league of thinking bots. `more`: options of `arena league`; `warm_up`: events."""
    with tempfile.TemporaryDirectory(prefix="arena-serve-") as place, ExitStack() as held:
        file = league_file(Path(place), THINKING, 1)
        home, port = folder_of(file), free_port()
        command = [*ARENA, "league", str(file), "--serve", f"127.0.0.1:{port}", *more]
        league = held.enter_context(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        held.callback(league.kill)
        tokens = [home / "tokens" / f"bot-{number}.env" for number in range(BOTS)]
        wait_until(lambda: all(each.exists() for each in tokens), "the files of the bots")
        for process in thinkers(THINKING, tokens, think_ms):
            held.enter_context(process)
            held.callback(process.kill)
        wait_until((home / COMPLETE_SETS).exists, "the copy for readers")
        one = Played(home, port)
        over = threading.Event()
        thread = threading.Thread(target=one.watch_store, args=(over,))
        thread.start()
        held.callback(thread.join)
        held.callback(over.set)
        wait_until(lambda: one.events > warm_up, "the first events")
        yield one
        league.send_signal(signal.SIGINT)
        league.wait(60)


def watchers(kind: str, port: int, path: str, count: int, seconds: float) -> Mapping[str, Any]:
    """Watch in a process of its own, and return what it saw."""
    words = [kind, str(port), path, str(count), str(seconds)]
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.watchers", *words], capture_output=True, check=True
    )
    found: Mapping[str, Any] = json.loads(ran.stdout)
    return found


def percentile(values: Sequence[float], share: float) -> float:
    return (
        sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("inf")
    )


def delays(seen: Mapping[str, Any], ended: Mapping[int, float], since: float) -> list[float]:
    """Seconds from the end of each set to each message that is the first to tell it.

    `since`: sets that ended before are left out, because snapshots tell them too.
    """
    found = []
    known = sorted(number for number, at in ended.items() if at >= since)
    first: dict[int, list[float]] = {}
    for cursor, came in seen["came"]:
        first.setdefault(cursor, []).append(came)
    cursors = sorted(first)
    for number in known:
        cursor = next((each for each in cursors if each >= number), None)
        if cursor is not None:
            found += [came - ended[number] for came in first[cursor]]
    return [each for each in found if each >= 0]


@dataclass(frozen=True)
class Watched:
    """What one window of watching cost."""

    core: float  # of the serving processes, in per cent of one
    events: float  # a second
    delays: Sequence[float]
    memory: float
    voids: int
    bytes: float  # a second
    failed: int


def live(count: int, seconds: float) -> tuple[Watched, Sequence[float]]:
    """Watch a served league; then open all streams anew. The second: from asking to an answer."""
    with played("--no-pages") as one:
        processes = one.processes()
        result: list[Mapping[str, Any]] = []
        thread = threading.Thread(
            target=lambda: result.append(
                watchers("live", one.port, "/league/live", count, seconds + 6)
            )
        )
        thread.start()
        time.sleep(5)  # all streams are open
        before, events, began = one.cpu(processes), one.events, time.monotonic()
        time.sleep(seconds)
        took = time.monotonic() - began
        core = 100 * (one.cpu(processes) - before) / took
        made = (one.events - events) / took
        thread.join()
        (seen,) = result
        again = watchers("reconnect", one.port, "/league/live", count, 7)
        memory = sum(map(memory_of, processes))
        watched = Watched(
            core,
            made,
            delays(seen, one.ended, began),
            memory,
            one.voids,
            seen["bytes"] / (seconds + 6),
            seen["failed"] + again["failed"],
        )
        return watched, again["opened"]


def calm(count: int, seconds: float) -> list[float]:
    """Watch a league with little news; return the delays of sets after a quiet moment."""
    with played("--no-pages", think_ms=CALM_THINK_MS, warm_up=20) as one:
        began = time.monotonic() + 3  # all streams are open by then
        seen = watchers("live", one.port, "/league/live", count, seconds + 4)
        ended = {number: at for number, at in one.ended.items() if number in one.quiet}
        return delays(seen, ended, began)


def alone(seconds: float) -> tuple[int, int]:
    """Play without watchers as long; return the voids and the events."""
    with played("--no-pages") as one:
        time.sleep(seconds + 12)
        return one.voids, one.events


def static(count: int, seconds: float) -> Watched:
    """The same with files that are published and asked for."""
    with played() as one:
        public = one.home / PUBLIC
        wait_until((public / "index.html").exists, "the first page")
        port = free_port()
        command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
        server = subprocess.Popen(
            [*command, "--directory", str(public)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            time.sleep(1)
            publisher = processes_with(b"arena.outputs.publish", str(one.home).encode())
            both = [server.pid, *publisher]
            before, events, began = one.cpu(both), one.events, time.monotonic()
            seen = watchers("refresh", port, "/index.html", count, seconds)
            took = time.monotonic() - began
            found = [
                came - one.sets[number]
                for number, came in seen["came"]
                if one.sets.get(number, 0) >= began
            ]
            return Watched(
                100 * (one.cpu(both) - before) / took,
                (one.events - events) / took,
                [each for each in found if each >= 0],
                sum(map(memory_of, both)),
                one.voids,
                seen["bytes"] / took,
                0,
            )
        finally:
            server.kill()
            server.wait()


async def hour() -> float:
    """An hour of messages at once through one stream; how many MB the process grew by after the
    first tenth of it."""
    hub = Hub("boot", 1_000)
    streams = [hub.stream("") for _ in range(100)]
    for each in streams:
        await anext(each)
    readers = streams[: len(streams) // 2]  # the others never read
    grown = 0.0
    for number in range(HOUR_MESSAGES):
        lines = [f"<td>{number} {each}</td>" for each in range(BURST_LINES)]
        whole = {"cursor": number, "lines": lines}
        hub.publish({"cursor": number, "patch": [(0, BURST_LINES, lines)]}, partial(dict, whole))
        for each in readers:
            await anext(each)
        if number == HOUR_MESSAGES // 10:
            grown = memory_of(os.getpid(), "VmRSS")
    return memory_of(os.getpid(), "VmRSS") - grown


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--messages", type=int, default=bursts.HOUR_MESSAGES)
    options = parser.parse_args(arguments)
    count = options.watchers
    growth = asyncio.run(hour())
    watched, opened = live(count, options.seconds)
    quiet_voids, _ = alone(options.seconds)
    files = static(count, options.seconds)
    soon = calm(count, 2 * options.seconds)
    whole = bursts.hour(options.messages)
    late = percentile(watched.delays, 0.95)
    lines = [
        Line("events a second made", watched.events, "/s", 10, 20, at_least=True),
        Line("server, of a core", watched.core, "%", 30, 15),
        Line("from a set's end to the client, p95", late, "s", 1, 0.5),
        Line("streams opened anew within 5 s", len(opened), "", count, count, at_least=True),
        Line("memory of the serving processes", watched.memory, "MB", 120, 100),
        Line("voids more than without watchers", watched.voids - quiet_voids, "", 0, 0),
        Line("streams that failed", watched.failed, "", 0, 0),
        Line("growth in an hour of bursts", growth, "MB", 2, 1),
        Line("growth of a whole server in one", whole.growth, "MB", 5, 3),
        Line("after a quiet moment to the client, p95", percentile(soon, 0.95), "s", 0.5, 0.25),
    ]
    notes = [
        f"{count} watchers, {options.seconds:g} s, {len(os.sched_getaffinity(0))} cores",
        f"median delay {statistics.median(watched.delays):.2f} s, {len(watched.delays):,} told;"
        f" an answer to a stream opened anew: p95 {percentile(opened, 0.95):.2f} s",
        f"{len(soon):,} told after a quiet moment",
        f"an hour in a whole server: {bursts.told(whole)}",
        f"{watched.bytes / 1e6:.2f} MB/s to all watchers",
        f"beside it, files and refresh: {files.core:.0f} % of a core (server and page writer),"
        f" p95 {percentile(files.delays, 0.95):.1f} s, {files.bytes / 1e6:.2f} MB/s,"
        f" {files.memory:.0f} MB, {files.events:.1f} events/s",
    ]
    return report("serve", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
