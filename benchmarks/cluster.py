"""The cost and the gain of Dask: `python -m benchmarks.cluster` (needs cc, make, the extra dask).

Gain: a league of bots that wait 20 ms for each decision, and use no processor time, is played by
one worker of one slot and by two, turn and turn about; matches a second are those that are entered
in a window after a warm-up.

Cost: leagues of quick C bots are played by one job and by one worker of one slot, each in two
lengths. The difference of the two is what its further sets have cost, without all that a start
costs. All processes count, also those that outlive their parents: this one is their reaper. Sets of
quick bots are far shorter than a second, so that the difference shows; what Dask adds to each set
is then compared with a second. A set of bots that think makes no larger messages.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from arena.league.store.folder import COMPLETE_SETS, DATABASE, folder_of
from benchmarks.league import SEATS, league_file
from benchmarks.measure import Line, report
from benchmarks.two_jobs import (
    ARENA,
    PATIENCE_SECONDS,
    ROOT,
    matches_in,
    wait_until,
)

THINK_MS = 20
WARM_UP_MATCHES = 12
WINDOW_SECONDS = 10.0
FEW, MANY = 20, 80
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER

WAITING_BOT = """
import sys, time
from protocol import run

def choose(request):
    time.sleep({seconds})
    return request["legal"][0]

run(choose, version="1")
"""


def waiting_league(folder: Path, think_ms: int) -> Path:
    """A league of 6 bots that wait, at tables of 2; longer than any window."""
    lines = [
        'name = "Benchmark"\ngame = "nyet"\nseats = 2\nsets = 5000\nseed = "7"\nat_once = 1',
        "[options]\nrounds = 1",
    ]
    for number in range(6):
        bot = folder / "bots" / f"bot-{number}"
        bot.mkdir(parents=True)
        (bot / "bot.py").write_text(WAITING_BOT.format(seconds=think_ms / 1000))
        words = json.dumps(["{python}", "bot.py"])
        (bot / "bot.toml").write_text(
            f'name = "bot-{number}"\ncommand = {words}\ngames = ["nyet"]\n'
            f'env = {{ PYTHONPATH = "{ROOT}" }}\n'
        )
        lines.append(f'[[bots]]\npath = "bots/bot-{number}"')
    file = folder / "league.toml"
    file.write_text("\n".join(lines))
    return file


def matches_a_second(workers: int, think_ms: int, seconds: float) -> float:
    """Play by so many workers until the window is over; the matches of the window, by its
    length."""
    with tempfile.TemporaryDirectory(prefix="arena-cluster-") as place:
        file = waiting_league(Path(place), think_ms)
        command = [*ARENA, "league", str(file), "--no-pages", "--dask", "--jobs", str(workers)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as league:
            database = folder_of(file) / DATABASE
            try:
                # Made after the league's own file, which is whole by then.
                wait_until((folder_of(file) / COMPLETE_SETS).exists, "the league")
                warm = WARM_UP_MATCHES * workers
                wait_until(lambda: matches_in(database) >= warm, "the first matches")
                before, began = matches_in(database), time.perf_counter()
                wait_until(lambda: time.perf_counter() - began >= seconds, "the end of the window")
                rate = (matches_in(database) - before) / (time.perf_counter() - began)
            finally:
                league.send_signal(signal.SIGINT)
                league.wait(PATIENCE_SECONDS)
        reap()
        return rate


def cpu_of(sets: int, *arguments: str) -> float:
    """The processor time of all processes of a league of this many sets."""
    with tempfile.TemporaryDirectory(prefix="arena-cluster-") as place:
        file = league_file(Path(place), "c-random", sets, 1, "at_once = 1")
        before = used()
        command = [*ARENA, "league", str(file), "--no-pages", *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        reap()
        return used() - before


def used() -> float:
    """The processor time of all processes that were reaped here, or by those."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def reap() -> None:
    """Wait for what has outlived its parents."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def set_ms(*arguments: str) -> float:
    """The processor time of a further set, in milliseconds."""
    return 1000 * (cpu_of(MANY, *arguments) - cpu_of(FEW, *arguments)) / (MANY - FEW)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--think-ms", type=int, default=THINK_MS)
    parser.add_argument("--seconds", type=float, default=WINDOW_SECONDS)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    # What a worker leaves behind comes to this process, and its processor time with it.
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(options.repeats):
        for workers, each in rates.items():
            each.append(matches_a_second(workers, options.think_ms, options.seconds))
    one, two = (statistics.median(each) for each in rates.values())
    costs: dict[str, list[float]] = {"jobs": [], "dask": []}
    for _ in range(options.repeats):
        costs["jobs"].append(set_ms())
        costs["dask"].append(set_ms("--dask"))
    jobs, dask = (statistics.median(each) for each in costs.values())
    notes = [
        f"bots that wait {options.think_ms} ms: {one:.2f} matches/s with one worker, {two:.2f} with"
        " two",
        f"a set of {SEATS} matches of quick C bots: {jobs:.1f} ms of processor time by a job,"
        f" {dask:.1f} ms by a worker; medians of {options.repeats}",
        "each pair: "
        + ", ".join(
            f"{by_job:.1f} and {by_worker:.1f}"
            for by_job, by_worker in zip(*costs.values(), strict=True)
        ),
    ]
    lines = [
        Line("two workers against one, bots that wait", two / one, "x", 1.8, 1.95, at_least=True),
        Line("Dask, more processor time for a set of a second", (dask - jobs) / 10, "%", 3.0, 1.0),
    ]
    return report("cluster", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
