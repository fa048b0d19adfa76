"""What the table costs: `python -m benchmarks.ratings`.

100 bots, 100,000 matches of four seats in 25,000 sets. The promise is about ratings with their
bars from the rows that are kept of each set and pair; below it, for the record, what it takes to
make these rows from places, and a whole table with everything in it. CPU time on one core.
"""

from __future__ import annotations

import os
import sys

# Before numpy loads its BLAS: on one core more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from arena.league.table.ratings import Scored, ratings
from arena.league.table.ratings.group import rate_groups
from arena.league.table.ratings.pairs import pairs_of
from arena.league.table.ratings.results import Floats, Ints, tables_of
from benchmarks.measure import Line, interleaved, report

BOTS = 100
SETS = 25_000
REPEATS = 15


def league() -> list[Scored]:
    """Places by skill and luck, half of it shared by the matches of a set."""
    rng = np.random.default_rng(1)
    skills = rng.normal(0, 0.5, BOTS)
    matches = []
    for number in range(SETS):
        line_up, luck = rng.permutation(BOTS)[:4], rng.normal(0, 1, 4)
        for turn in range(4):
            bots = np.roll(line_up, -turn)
            results = skills[bots] + luck + rng.normal(0, 1, 4)
            places = (-results).argsort().argsort() + 1
            points = tuple(results.round(1).tolist())
            matches.append(
                Scored(number, turn, tuple(bots.tolist()), tuple(places.tolist()), points)
            )
    return matches


def nobody_pinned(bots: Ints) -> Floats:
    return np.zeros(len(bots))


def main() -> int:
    """Print the table; 1 if the line does not hold."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    names = [f"bot {number}" for number in range(BOTS)]
    matches = league()
    pairs = pairs_of(BOTS, tables_of(BOTS, matches))

    def rate() -> int:
        rate_groups(pairs, nobody_pinned)
        return 1

    def read() -> int:
        pairs_of(BOTS, tables_of(BOTS, matches))
        return 1

    def whole_table() -> int:
        ratings(names, matches)
        return 1

    cpu = interleaved({"rate": rate, "read": read, "table": whole_table}, REPEATS)
    line = Line(
        f"ratings with bars by set, {BOTS} bots, {len(matches):,} matches",
        1e3 * cpu["rate"],
        "ms",
        20,
        10,
    )
    notes = [
        f"rows of sets and pairs from places: {1e3 * cpu['read']:.0f} ms",
        f"a whole table from places, with rank intervals and means: {1e3 * cpu['table']:.0f} ms",
    ]
    return report("ratings", [line], notes)


if __name__ == "__main__":
    sys.exit(main())
