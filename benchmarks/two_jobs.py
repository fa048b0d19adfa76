"""A second job for bots that dial in and think: `python -m benchmarks.two_jobs`.

A league of 8 bots that dial in over TCP is played with one job and with two, turn and turn about;
matches a second are those that are entered in a window after a warm-up. The bots think without
processor time of this machine, as bots of other machines do. `at_once` is fixed, so that one job
plays no more matches at once in the place of the other. For information, the same with bots that
burn this machine's processor time, a process for each.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from arena.league.store.folder import DATABASE, folder_of
from arena.league.store.reader import Reader
from benchmarks.measure import Line, report

BOTS = 8
THINK_MS = 5.0
SETS = 5_000  # more than any window plays
WARM_UP_MATCHES = 8
WINDOW_SECONDS = 5.0
PATIENCE_SECONDS = 60.0
ARENA = (sys.executable, "-c", "from arena.cli import main; main()")
ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Kind:
    """One kind of league: tables of this size, bots that think in this way."""

    what: str
    seats: int
    think: str  # as benchmarks.thinkers takes it
    processes: int  # that the bots are spread over
    more: str = "at_once = 1"  # keys of league.toml


WAITING = Kind("bots that wait, tables of 2", 2, "wait", 1)
INFORMATION = (
    Kind("bots that wait, tables of 4", 4, "wait", 1),
    Kind("bots that wait, tables of 2, at_once = 2", 2, "wait", 1, "at_once = 2"),
    Kind("bots that burn, tables of 2", 2, "burn", BOTS),
)


def league_file(folder: Path, kind: Kind, jobs: int) -> Path:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    names = [f"bot-{number}" for number in range(BOTS)]
    file = folder / "league.toml"
    file.write_text(
        f'name = "Benchmark"\ngame = "nyet"\nseats = {kind.seats}\nsets = {SETS}\nseed = "7"\n'
        f'jobs = {jobs}\nlisten = "tcp:127.0.0.1:{port}"\n{kind.more}\n[options]\nrounds = 1\n'
        + "".join(f'[[bots]]\nname = "{name}"\ndials_in = true\n' for name in names)
    )
    return file


def thinkers(kind: Kind, files: Sequence[Path], think_ms: float) -> list[subprocess.Popen[bytes]]:
    """Start the bots, spread over as many processes as the kind says."""
    command = [sys.executable, "-m", "benchmarks.thinkers", kind.think, str(think_ms)]
    return [
        subprocess.Popen([*command, *map(str, files[first :: kind.processes])], cwd=ROOT)
        for first in range(kind.processes)
    ]


def wait_until(condition: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > until:
            raise SystemExit(f"{what} did not come in {PATIENCE_SECONDS:g} s")
        time.sleep(0.1)


def matches_in(database: Path) -> int:
    with Reader.read(database) as store:
        return sum(len(state.turns) for state in store.sets())


def matches_a_second(kind: Kind, jobs: int, think_ms: float, seconds: float) -> float:
    """Play a league until the window is over; the matches of the window, by its length."""
    with tempfile.TemporaryDirectory(prefix="arena-two-jobs-") as place, ExitStack() as held:
        file = league_file(Path(place), kind, jobs)
        home = folder_of(file)
        league = held.enter_context(
            subprocess.Popen([*ARENA, "league", str(file), "--no-pages"], stdout=subprocess.DEVNULL)
        )
        held.callback(league.kill)
        tokens = [home / "tokens" / f"bot-{number}.env" for number in range(BOTS)]
        wait_until(lambda: all(each.exists() for each in tokens), "the files of the bots")
        for process in thinkers(kind, tokens, think_ms):
            held.enter_context(process)
            held.callback(process.kill)
        database = home / DATABASE
        wait_until(lambda: matches_in(database) >= WARM_UP_MATCHES, "the first matches")
        before, began = matches_in(database), time.perf_counter()
        time.sleep(seconds)
        played, took = matches_in(database) - before, time.perf_counter() - began
        league.send_signal(signal.SIGINT)
        league.wait(PATIENCE_SECONDS)
        return played / took


def compared(kind: Kind, repeats: int, think_ms: float, seconds: float) -> tuple[float, float]:
    """Median matches a second with one job and with two."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repeats):
        for jobs, each in rates.items():
            each.append(matches_a_second(kind, jobs, think_ms, seconds))
    one, two = (statistics.median(each) for each in rates.values())
    return one, two


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--think-ms", type=float, default=THINK_MS)
    parser.add_argument("--seconds", type=float, default=WINDOW_SECONDS)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    one, two = compared(WAITING, options.repeats, options.think_ms, options.seconds)
    notes = [
        f"{BOTS} bots, {options.think_ms:g} ms a decision, {len(os.sched_getaffinity(0))} cores,"
        " 1 match at once in each job",
        f"{WAITING.what}: {one:.1f} matches/s with one job, {two:.1f} with two",
    ]
    for kind in INFORMATION:
        slow, fast = compared(kind, 1, options.think_ms, options.seconds)
        notes.append(
            f"for information, {kind.what}: {slow:.1f} matches/s with one job, {fast:.1f} with two:"
            f" {fast / slow:.2f} x"
        )
    what = f"two jobs against one, matches a second, {WAITING.what}"
    return report("two jobs", [Line(what, two / one, "x", 1.5, 1.8, at_least=True)], notes)


if __name__ == "__main__":
    sys.exit(main())
