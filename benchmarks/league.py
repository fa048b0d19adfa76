"""What a league costs beside its bots: `python -m benchmarks.league` (needs cc and make).

Leagues as a person runs them, by `arena league` in processes of their own: first 8 C bots at
tables of four, 1,000 matches of nyet: which part of all processor time is the referee's and the
runner's, what memory they have early and late, how long the pages take. Then Python bots with
one job and with two, each on a core of its own: matches a second, turn and turn about.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from arena import data
from benchmarks.measure import Line, report

BOTS = 8
MATCHES = 1_000
SEATS = 4
LOOK_SECONDS = 0.25
# Memory is compared from this part of the league on: by then everything has been loaded.
EARLY = 0.1

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Seen:
    """What was seen of one process while it ran."""

    cpu: float = 0.0
    rss: list[tuple[float, int]] = field(default_factory=list)  # when, KiB


@dataclass(frozen=True)
class Ran:
    """One run of a league."""

    wall: float
    cpu: float  # of all processes
    seen: dict[str, Seen]  # runner, job, publisher


def league_file(folder: Path, sample: str, sets: int, jobs: int, more: str = "") -> Path:
    bots = "\n".join(
        f'[[bots]]\nsample = "{sample}"\nname = "bot-{number}"' for number in range(BOTS)
    )
    file = folder / "league.toml"
    file.write_text(
        f'name = "Benchmark"\ngame = "nyet"\nseats = {SEATS}\nsets = {sets}\nseed = "7"\n'
        f"jobs = {jobs}\n{more}\n{bots}\n"
    )
    return file


def run(file: Path, *arguments: str) -> Ran:
    """A league from its beginning to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    seen = {"runner": Seen(), "job": Seen(), "publisher": Seen()}
    command = [sys.executable, "-c", "from arena.cli import main; main()", "league", str(file)]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.DEVNULL) as process:
        while True:
            try:
                process.wait(LOOK_SECONDS)
                break
            except subprocess.TimeoutExpired:
                look(process.pid, seen, time.perf_counter() - began)
    assert process.returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Ran(time.perf_counter() - began, cpu, seen)


def look(runner: int, seen: dict[str, Seen], now: float) -> None:
    """At the runner and its children: their processor time so far, and their memory."""
    totals = dict.fromkeys(seen, 0.0)
    sizes = dict.fromkeys(seen, 0)
    for pid in [runner, *children(runner)]:
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        role = next(
            (role for mark, role in ROLES.items() if mark in words),
            "runner" if pid == runner else None,
        )
        if role is None:
            continue
        totals[role] += (int(fields[11]) + int(fields[12])) / TICKS
        sizes[role] += next(
            (int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0
        )
    for role, one in seen.items():
        one.cpu = max(one.cpu, totals[role])
        if sizes[role]:
            one.rss.append((now, sizes[role]))


ROLES = {b"arena.league.play.job": "job", b"arena.outputs.publish": "publisher"}


def children(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            yield from map(int, task.read_text().split())
        except OSError:
            continue


def growth(one: Seen, wall: float) -> tuple[float, float]:
    """MiB early and at the end."""
    early = next((size for when, size in one.rss if when > EARLY * wall), 0)
    return early / 1024, (one.rss[-1][1] if one.rss else 0) / 1024


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="arena-league-") as name:
        yield Path(name)


def matches_a_second(jobs: int, matches: int) -> float:
    with folder() as place:
        file = league_file(
            place, "python-random", matches // SEATS, jobs, "at_once = 1\n[options]\nrounds = 2"
        )
        return matches / run(file, "--no-pages").wall


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    sample = "c-random" if (data.sample_bots() / "c-random").is_dir() else "python-random"
    with folder() as place:
        ran = run(league_file(place, sample, options.matches // SEATS, 1))
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(options.repeats):
        for jobs, each in rates.items():
            each.append(matches_a_second(jobs, 200))
    one, two = (statistics.median(each) for each in rates.values())
    shares = {role: seen.cpu / ran.cpu for role, seen in ran.seen.items()}
    lines = [
        Line(
            "two jobs against one, matches a second, Python bots",
            two / one,
            "x",
            1.2,
            1.4,
            at_least=True,
        ),
        Line("publishing, of all processor time, C bots", shares["publisher"], "x", 0.2, 0.1),
    ]
    notes = [
        f"{options.matches} matches of nyet, {BOTS} {sample}, {ran.wall:.0f} s,"
        f" {options.matches / ran.wall:.1f} matches/s; all processes {ran.cpu:.0f} s of CPU",
        *(
            f"{role}: {share:.0%} of it; {early:.0f} MiB early, {late:.0f} MiB at the end"
            for role, share in shares.items()
            for early, late in [growth(ran.seen[role], ran.wall)]
        ),
        f"Python bots, 2 rounds: {one:.1f} matches/s with one job, {two:.1f} with two",
    ]
    return report("league", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
