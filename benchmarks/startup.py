"""The cost of starting a bot, and of starting `arena` itself: `python -m benchmarks.startup`.

For a bot: CPU time of this process from the request until the bot's process runs as itself; the
warden and the bot pay their own. Against the same with Trio's own `run_process` machinery, turn
and turn about in one run, medians. For `arena --help`: wall time from start to end. Prints a
table and whether each line holds; the exit code is 1 where one does not.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import trio

from arena.bots.launch import Launch
from arena.bots.processes import Warden, open_warden
from benchmarks.measure import Line, report

REPEATS = 15
BOTS = 20

COMMAND = ("sleep", "3600")


async def cpu_ms_by_the_warden(warden: Warden) -> tuple[float, float]:
    """CPU and wall milliseconds for each of some bots."""
    launch = Launch("bot", COMMAND, dict(os.environ), Path("/"))
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    bots = [await warden.start(launch) for _ in range(BOTS)]
    spent = time.process_time_ns() - cpu, time.perf_counter_ns() - wall
    async with trio.open_nursery() as nursery:
        for bot in bots:
            nursery.start_soon(bot.end)
    return spent[0] / BOTS / 1e6, spent[1] / BOTS / 1e6


async def cpu_ms_by_trio() -> float:
    """The same without a warden, and without any of its promises."""
    cpu = time.process_time_ns()
    processes = [
        await trio.lowlevel.open_process(
            COMMAND,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ,
            cwd="/",
        )
        for _ in range(BOTS)
    ]
    spent = time.process_time_ns() - cpu
    for process in processes:
        process.kill()
        await process.wait()
    return spent / BOTS / 1e6


async def main() -> int:
    cpu, wall, peer, ends = [], [], [], []
    async with open_warden() as warden:
        for repeat in range(REPEATS + 1):
            ours, waited = await cpu_ms_by_the_warden(warden)
            theirs = await cpu_ms_by_trio()
            if repeat:  # the first is for warming up
                cpu.append(ours)
                wall.append(waited)
                peer.append(theirs)
        await warden.start(Launch("bot", COMMAND, dict(os.environ), Path("/")))
        began = time.perf_counter()
    ends.append((time.perf_counter() - began) * 1e3)
    opened = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        async with open_warden() as warden:
            bot = await warden.start(Launch("bot", ("true",), dict(os.environ), Path("/")))
            opened.append((time.perf_counter() - began) * 1e3)
            await bot.exited()
            began = time.perf_counter()
        ends.append((time.perf_counter() - began) * 1e3)
    helped = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        command = [sys.executable, "-m", "arena", "--help"]
        subprocess.run(command, stdout=subprocess.PIPE, check=True)
        helped.append(time.perf_counter() - began)
    lines = [
        Line("referee CPU to start a bot", statistics.median(cpu), "ms", 2.0, 0.5),
        Line("`arena --help` from start to end", statistics.median(helped), "s", 0.25, 0.15),
    ]
    notes = [
        f"by trio.lowlevel.open_process: {statistics.median(peer):.2f} ms CPU",
        f"wall time until the bot runs: {statistics.median(wall):.2f} ms",
        f"wall time to open a warden and start the first bot: {statistics.median(opened):.0f} ms",
        f"wall time to leave the scope: {statistics.median(ends):.0f} ms",
    ]
    return report("starting bots", lines, notes)


if __name__ == "__main__":
    sys.exit(trio.run(main))
