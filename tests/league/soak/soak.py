"""A ladder in real time, with all that can happen to it: `python -m tests.league.soak.soak`.

--minutes: how long. --seed: the same programs do the same things again, as far as time lets them.
--folder: where everything is kept; else it is removed. It prints what happened, how much was
played, memory and descriptors over time, and all that is wrong; the exit code is 1 if something is.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.league.store.folder import DATABASE, LOG
from arena.league.store.reader import Reader
from arena.utc import seconds
from tests.league.running import ARENA
from tests.league.soak.checks import findings
from tests.league.soak.course import CHANGING, SAMPLES, Course
from tests.league.soak.diary import entries_of
from tests.league.soak.soaked import KeptMatch, Seat, Soaked, lost_to_kills, never_begun
from tests.league.soak.watch import JOBS, RUNNER, growth

# The second and the last quarter of all the time.
EARLY, LATE = (0.25, 0.5), (0.75, 1.0)
PARTS = 12  # of the time, in the table
MOST_SHOWN = 100  # things that are wrong


@dataclass(frozen=True)
class Verdict:
    """What came out. `told`: the figures, for people."""

    wrong: Sequence[str]
    told: Sequence[str]


def soak(folder: Path, minutes: float, seed: str, tell: Callable[[str], object]) -> Verdict:
    """Run a soak in this folder, and look at what is left of it."""
    with Course(folder, minutes * 60, seed, tell) as course:
        course.run()
    soaked = soaked_in(course)
    wrong = [*findings(soaked), *wrong_events_file(course, soaked), *verified(course.file)]
    told = [*figures(course, soaked)]
    if wrong:
        told += said_by_the_league(course)
    return Verdict(wrong, told)


def soaked_in(course: Course) -> Soaked:
    """Read all that is known of a soak that is over."""
    with Reader.read(course.home / DATABASE) as store:
        matches = tuple(
            KeptMatch(
                str(played.place),
                played.record.match,
                played.record.ending,
                tuple(
                    Seat(
                        name,
                        tuple(each for each in played.record.faults if each.seat == seat),
                        seat in played.record.forfeits,
                    )
                    for seat, name in enumerate(played.record.names)
                ),
            )
            for one in store.complete_sets()
            for played in one.matches
        )
        events = [
            (number, {**event, "seconds": seconds(event["at"])}) for number, event in store.events()
        ]
    spans = [(begin * course.seconds, end * course.seconds) for begin, end in (EARLY, LATE)]
    return Soaked(
        entries_of(course.diaries),
        matches,
        events,
        frozenset({*SAMPLES, CHANGING, f"{CHANGING}+2"}),
        [growth(course.samples, role, *spans) for role in (RUNNER, JOBS)],
        sum("a referee process ended" in line for line in lines_of(course.said)),
        lines_of(course.home / LOG),
    )


def wrong_events_file(course: Course, soaked: Soaked) -> Iterator[str]:
    """The file of events has what the store has, however often the league was stopped."""
    lines = course.events_file.read_text().splitlines()
    numbers = [json.loads(line)["n"] for line in lines]
    if numbers != [number for number, _ in soaked.events]:
        yield f"{course.events_file.name} has {len(numbers)} events, not {len(soaked.events)}"


def verified(file: Path) -> Iterator[str]:
    """Have `arena verify` check everything that is kept."""
    ran = subprocess.run([*ARENA, "verify", str(file)], capture_output=True, text=True, check=False)
    if ran.returncode:
        yield f"arena verify: {ran.stdout}{ran.stderr}"


def figures(course: Course, soaked: Soaked) -> Iterator[str]:
    """Yield what was played, and memory and descriptors over time."""
    entries = Counter(f"{each.what} {each.detail}".strip() for each in soaked.entries)
    shown = (
        *("came", "end", "left", "lost", "bye", "killed", "revoked", "renewed", "retired"),
        *("admitted", "invited", "stop"),
    )
    for what in shown:
        counts = {
            name: number for name, number in sorted(entries.items()) if name.split()[0] == what
        }
        if what == "came":
            counts = {what: sum(counts.values())}
        yield ", ".join(f"{name}: {number}" for name, number in counts.items())
    kinds = Counter(event["event"] for _, event in soaked.events)
    yield "events: " + ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
    faults = Counter(
        f"{fault.kind}/{fault.code}"
        for match in soaked.matches
        for seat in match.seats
        for fault in seat.faults
    )
    yield f"faults of bots that left: {dict(faults)}"
    yield (
        f"{len(soaked.matches)} matches, {len(soaked.matches) / course.seconds:.1f} a second;"
        f" {never_begun(soaked)} did not begin, {lost_to_kills(soaked)} were lost to kills"
    )
    yield "part  runner MiB  descriptors   jobs MiB  descriptors"
    for part in range(PARTS):
        span = (part * course.seconds / PARTS, (part + 1) * course.seconds / PARTS)
        cells = []
        for role in (RUNNER, JOBS):
            seen = [each for each in course.samples if each.role == role and within(each.at, span)]
            if seen:
                memory = statistics.median(each.memory_kib for each in seen) / 1024
                open_now = statistics.median(each.descriptors for each in seen)
                cells.append(f"{memory:10.1f}  {open_now:11g}")
        yield f"{part + 1:4}  {'  '.join(cells)}"
    yield from map(str, soaked.growths)


def said_by_the_league(course: Course) -> Iterator[str]:
    """Yield the ends of what the league printed and logged: why something is wrong."""
    for file in (course.said, course.home / LOG):
        lines = lines_of(file)
        yield f"the end of {file.name}, of {len(lines)} lines:"
        yield from lines[-MOST_SHOWN:]


def lines_of(file: Path) -> Sequence[str]:
    return file.read_text(errors="replace").splitlines()


def within(at: float, span: tuple[float, float]) -> bool:
    return span[0] <= at < span[1]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", default="soak")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="arena-soak-") as place:
        folder = (options.folder or Path(place)).absolute()
        verdict = soak(folder, options.minutes, options.seed, tell=print)
    for line in (*verdict.told, *verdict.wrong[:MOST_SHOWN]):
        print(line)
    print(f"{len(verdict.wrong)} things are wrong")
    return 1 if verdict.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
