"""What a league costs beside its bots: `python -m benchmarks.league` (needs cc and make).

Leagues as a person runs them, by `arena league` in processes of their own: first 8 C bots at
tables of four, 1,000 matches of nyet: which part of the cores' time is used, what a decision costs
runner, referee and publisher together, which part of all processor time is each one's, what memory
they have early and late, how long the pages take. Then Python bots with one job and with two, each
on a core of its own: matches a second, turn and turn about.

`--fastchess PATH` names a checkout of fastchess, a runner of chess engines in C++. It is built
there by its own Makefile, and plays quick engines turn and turn about with leagues of the same C
bots: plies a second against decisions a second, from the start of the command to its end.
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
from arena.league.store.folder import DATABASE, folder_of
from arena.league.store.reader import Reader
from benchmarks import fastchess
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
    decisions: int
    voids: int

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.wall

    @property
    def used(self) -> float:
        """The part of the cores' time that its processes used."""
        return self.cpu / self.wall / len(os.sched_getaffinity(0))

    @property
    def decision_us(self) -> float:
        """The processor time of runner, referee and publisher for one decision."""
        return 1e6 * sum(one.cpu for one in self.seen.values()) / self.decisions


def league_file(folder: Path, sample: str, sets: int, jobs: int | None, more: str = "") -> Path:
    """A league of that many sets. `jobs`: None leaves it to the default."""
    bots = "\n".join(
        f'[[bots]]\nsample = "{sample}"\nname = "bot-{number}"' for number in range(BOTS)
    )
    file = folder / "league.toml"
    file.write_text(
        f'name = "Benchmark"\ngame = "nyet"\nseats = {SEATS}\nsets = {sets}\nseed = "7"\n'
        + ("" if jobs is None else f"jobs = {jobs}\n")
        + f"{more}\n{bots}\n"
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
    wall = time.perf_counter() - began
    return Ran(wall, cpu, seen, *counted(folder_of(file) / DATABASE))


def counted(database: Path) -> tuple[int, int]:
    """The decisions of all matches that count, and the matches that were void."""
    with Reader.read(database) as store:
        decisions = sum(
            len(match.record.moves) for one in store.complete_sets() for match in one.matches
        )
        return decisions, sum(store.voids().values())


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


def quick_league(sample: str, matches: int) -> Ran:
    """A league of quick bots with nothing fixed: jobs, matches at once and pages by default."""
    with folder() as place:
        return run(league_file(place, sample, matches // SEATS, None))


def against_peer(
    peer: fastchess.Peer, sample: str, matches: int, games: int, repeats: int
) -> tuple[float, list[str]]:
    """The median of decisions a second over plies a second, turn and turn about; notes."""
    ours: list[Ran] = []
    theirs: list[fastchess.Played] = []
    for _ in range(repeats):
        ours.append(quick_league(sample, matches))
        theirs.append(fastchess.play(peer, games))
    ratios = [
        one.rate / (other.plies / other.wall) for one, other in zip(ours, theirs, strict=True)
    ]
    rate = statistics.median(one.rate for one in ours)
    peer_rate = statistics.median(other.plies / other.wall for other in theirs)
    cores = len(os.sched_getaffinity(0))
    used = statistics.median(other.cpu / other.wall / cores for other in theirs)
    return statistics.median(ratios), [
        f"{rate:,.0f} decisions/s against {peer_rate:,.0f} plies/s of fastchess, medians of"
        f" {repeats}; ratios {', '.join(f'{each:.2f}' for each in sorted(ratios))}",
        f"fastchess with its engines used {used:.0%} of the cores' time, the league"
        f" {statistics.median(one.used for one in ours):.0%}",
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--fastchess", type=Path, help="a checkout of it, to be built there")
    parser.add_argument("--games", type=int, default=1_000, help="of fastchess, in each run")
    parser.add_argument("--peer-repeats", type=int, default=7)
    options = parser.parse_args(arguments)
    sample = "c-random" if (data.sample_bots() / "c-random").is_dir() else "python-random"
    peer = fastchess.built(options.fastchess) if options.fastchess is not None else None
    ran = quick_league(sample, options.matches)
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
        Line("use of the cores' time, C bots", ran.used, "x", 0.85, 0.95, at_least=True),
        Line("runner, referee and publisher, a decision", ran.decision_us, "us", 45, 40),
        Line("void matches", ran.voids, "", 0, 0),
    ]
    notes = [
        f"{options.matches} matches of nyet, {BOTS} {sample}, {ran.wall:.0f} s,"
        f" {options.matches / ran.wall:.1f} matches/s, {ran.rate:,.0f} decisions/s;"
        f" all processes {ran.cpu:.0f} s of CPU",
        *(
            f"{role}: {share:.0%} of it, {1e6 * ran.seen[role].cpu / ran.decisions:.1f} us a"
            f" decision; {early:.0f} MiB early, {late:.0f} MiB at the end"
            for role, share in shares.items()
            for early, late in [growth(ran.seen[role], ran.wall)]
        ),
        f"Python bots, 2 rounds: {one:.1f} matches/s with one job, {two:.1f} with two",
    ]
    if peer is None:
        notes.append("no checkout of fastchess was given (--fastchess PATH): not compared with it")
    else:
        ratio, more = against_peer(
            peer, sample, options.matches, options.games, options.peer_repeats
        )
        what = "decisions a second against plies a second of fastchess"
        lines.append(Line(what, ratio, "x", 1.0, 1.5, at_least=True))
        notes += more
    return report("league", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
