"""Whether more matches at once cost bots time: `python -m benchmarks.at_once`.

Leagues without `at_once`, where the runner chooses how many matches are played, against the same
ones with one match for each core but one, turn and turn about. With bots that think, always or in
one decision of fifty, decisions must not become later at the 99th percentile by more than 5 % of
`decision_ms`, and no more of them late, or matches void. For information, how many more matches
a second are played with bots that wait.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.league.play.lanes.cores import matches_at_once
from arena.league.play.lanes.looks import LATER
from arena.league.store.folder import DATABASE, folder_of
from arena.league.store.reader import Reader
from arena.record.timing import DECISION_MS
from benchmarks.confinement import percentile
from benchmarks.league import folder, run
from benchmarks.measure import Line, report

BOTS = 8
SEATS = 4
SETS = 10

# One file for all kinds: its arguments say what it does, how many milliseconds, in one of how many
# decisions.
PROGRAM = """
import os, sys, time
from protocol import run

kind, milliseconds, every = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
asked = os.getpid() % every  # or all processes would be quick at first

def decide(request):
    global asked
    asked += 1
    if asked % every == 0:
        if kind == "wait":
            time.sleep(milliseconds / 1000)
        else:
            until = time.process_time() + milliseconds / 1000
            while time.process_time() < until:
                pass
    return request["legal"][0]

run(decide)
"""


@dataclass(frozen=True)
class Kind:
    """Bots of one kind."""

    what: str
    think: str  # burn or wait
    milliseconds: float
    every: int = 1  # in one of so many decisions


THINKERS = (
    Kind("bots that think 10 ms", "burn", 10),
    Kind("bots that think 60 ms in one decision of fifty", "burn", 60, 50),
)
WAITING = Kind("bots that wait 10 ms", "wait", 10)


@dataclass(frozen=True)
class Outcome:
    """What became of a league."""

    times_us: list[int]
    late: int
    voids: int
    matches_a_second: float


def league_file(place: Path, kind: Kind, at_once: int | None) -> Path:
    bot = place / "bot"
    bot.mkdir()
    (bot / "bot.py").write_text(PROGRAM)
    arguments = f'"{kind.think}", "{kind.milliseconds:g}", "{kind.every}"'
    (bot / "bot.toml").write_text(
        f'name = "thinker"\ncommand = ["{{python}}", "bot.py", {arguments}]\ngames = "any"\n'
        'connect = ["unix"]\n'
    )
    file = place / "league.toml"
    file.write_text(
        f'name = "Benchmark"\ngame = "nyet"\nseats = {SEATS}\nsets = {SETS}\nseed = "7"\n'
        + ("" if at_once is None else f"at_once = {at_once}\n")
        + "[options]\nrounds = 1\n"
        + "".join(f'[[bots]]\npath = "bot"\nname = "bot-{number}"\n' for number in range(BOTS))
    )
    return file


def played(kind: Kind, at_once: int | None) -> Outcome:
    """Play a league to its end."""
    with folder() as place:
        file = league_file(place, kind, at_once)
        wall = run(file).wall
        with Reader.read(folder_of(file) / DATABASE) as store:
            matches = [match for one in store.complete_sets() for match in one.matches]
            voids = sum(store.voids().values())
    times = [move.time_us for match in matches for move in match.record.moves if move.time_us]
    late = sum(fault.kind == "late" for match in matches for fault in match.record.faults)
    return Outcome(times, late, voids, len(matches) / wall)


def compared(kind: Kind, repeats: int) -> tuple[list[Outcome], list[Outcome]]:
    """Outcomes with the fixed number, and with the number that the runner chooses."""
    fixed, chosen = [], []
    for _ in range(repeats):
        fixed.append(played(kind, matches_at_once(1)))
        chosen.append(played(kind, None))
    return fixed, chosen


def p99_ms(outcome: Outcome) -> float:
    return percentile(outcome.times_us, 0.99) / 1000


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    lines, notes = [], []
    for kind in THINKERS:
        fixed, chosen = compared(kind, options.repeats)
        before, after = (statistics.median(map(p99_ms, each)) for each in (fixed, chosen))
        lines.append(
            Line(f"{kind.what}: later at p99", after - before, "ms", LATER * DECISION_MS, 1)
        )
        harm = [sum(one.late + one.voids for one in each) for each in (fixed, chosen)]
        lines.append(Line(f"{kind.what}: more late or void", harm[1] - harm[0], "", 0, 0))
        notes.append(
            f"{kind.what}: p99 {before:.1f} ms, then {after:.1f} ms;"
            f" {len(chosen[0].times_us)} decisions, {harm[0]} late or void, then {harm[1]}"
        )
    fixed, chosen = compared(WAITING, options.repeats)
    rates = [statistics.median(one.matches_a_second for one in each) for each in (fixed, chosen)]
    notes.append(
        f"for information, {WAITING.what}: {rates[0]:.2f} matches/s, then {rates[1]:.2f}:"
        f" {rates[1] / rates[0]:.1f} x"
    )
    return report("matches at once", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
