"""Whether bots are charged what they took: `python -m benchmarks.fair_time` (needs cc).

Each bot measures its own decisions, on the same clock, from the return of its read to the
call of its write. What it is charged beyond that is the way there and back, waking up on both
sides, and whatever the referee does badly. Below the table it is told without the time for
which the kernel let a woken bot wait for a processor, which is nobody's to measure or to
forgive, and most of it on a busy machine. One match of four bots that think up to 2 ms, asleep, on
all cores, as a league plays it; then the same while another bot's process spins. Medians over
repeats that take turns; the exit code is 1 where a line does not hold.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import trio

from benchmarks.measure import Line, report
from benchmarks.null_bots import Family, built_null_bot, open_bots, plans_for

SEATS = 4
THINK_US = 2_000


@dataclass(frozen=True)
class Condition:
    """How matches are played."""

    family: Family
    spinning: bool = False
    at_once: int = 1
    think_us: int = THINK_US

    def __str__(self) -> str:
        words = str(self.family)
        if self.at_once > 1:
            words += f", {self.at_once} matches at once"
        return words + (", another bot spins" if self.spinning else "")


@dataclass(frozen=True)
class Excess:
    """What was charged beyond the bots' own times, in milliseconds."""

    median: float
    most: float  # of 99 in a hundred
    most_awake: float  # the same without the bots' waiting for a processor


BOUND = [
    Condition("unix"),
    Condition("tcp"),
    Condition("unix", spinning=True),
    Condition("tcp", spinning=True),
]
# More bots than cores: that they wait for a core to run on is charged to them too, and is
# nothing that a referee could measure.
FOR_INFORMATION = [Condition("unix", at_once=8), Condition("tcp", at_once=8)]


@contextmanager
def spinner() -> Iterator[None]:
    """A process that never rests, in a session of its own, as the warden starts bots."""
    command = [sys.executable, "-c", "while True: pass"]
    with subprocess.Popen(command, start_new_session=True) as process:
        try:
            yield
        finally:
            process.kill()


def excess(program: str, condition: Condition) -> Excess:
    """Of the decisions of one match, or of several at once."""
    plans = plans_for("nyet", SEATS, condition.at_once)
    with tempfile.TemporaryDirectory() as folder:
        count = condition.at_once * SEATS
        reports = [Path(folder) / str(number) for number in range(count)]
        with (
            spinner() if condition.spinning else nullcontext(),
            open_bots(condition.family) as bots,
        ):
            for number, path in enumerate(reports):
                command = [program, "-r", str(path), "-t", str(condition.think_us)]
                bots.start(command, [f"bot-{number}"], in_arguments=True)
            played = trio.run(bots.play, plans)
        own_us = [
            [tuple(int(each) / 1000 for each in line.split()) for line in lines]
            for lines in (path.read_text().splitlines() for path in reports)
        ]
    over_ms, over_awake_ms = [], []
    for table, each in enumerate(played):
        for seat in range(SEATS):
            charged_us = [move.time_us for move in each.record.moves if move.seat == seat]
            took_us = own_us[table * SEATS + seat]
            for charged, (took, waited) in zip(charged_us, took_us, strict=True):
                over_ms.append((charged - took) / 1000)
                over_awake_ms.append((charged - took - waited) / 1000)
    return Excess(statistics.median(over_ms), most(over_ms), most(over_awake_ms))


def most(values: Sequence[float]) -> float:
    """Of 99 in a hundred."""
    return statistics.quantiles(values, n=100)[98]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    conditions = [*BOUND, *FOR_INFORMATION]
    found: dict[Condition, list[Excess]] = {condition: [] for condition in conditions}
    with built_null_bot() as program:
        for _ in range(options.repeats):
            for condition in conditions:
                found[condition].append(excess(program, condition))
    typical = {
        condition: Excess(
            statistics.median(each.median for each in several),
            statistics.median(each.most for each in several),
            statistics.median(each.most_awake for each in several),
        )
        for condition, several in found.items()
    }
    lines = []
    for condition in BOUND:
        each = typical[condition]
        lines.append(Line(f"{condition}: median", each.median, "ms", 0.5, 0.1))
        lines.append(Line(f"{condition}: 99 in a hundred", each.most, "ms", 2, 0.5))
    notes = [
        f"{condition}: median {each.median:.2f}, 99 in a hundred {each.most:.2f},"
        f" of bots that had a processor {each.most_awake:.2f} ms"
        for condition, each in typical.items()
    ]
    return report("charged beyond what the bot itself measured", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
