"""The ladder by simulation: `python -m benchmarks.open_ladder [--leagues N]`.

100 bots of known strength, in Elo normal with a deviation of SPREAD; every 1,000 sets ten of a new
owner each enter and the ten that are longest there leave. The same bots and lots are paired by the
ladder, by lot, and in a round robin. Tables of four, each line-up in all seatings. How luck is
drawn and what sets take is told in benchmarks/ladders.py; ratings and bars are those of the
published table.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from statistics import fmean

# Before numpy loads its BLAS: on one core more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from arena.league.model.sets import PlannedSet
from arena.league.plan.ladder import OpenLadder
from arena.league.plan.ladder.choosing import LONG_WAIT
from arena.league.table.ratings.bars import half_width
from arena.league.table.ratings.model import ELO
from benchmarks.ladders import (
    BOTS,
    CHURN,
    CURVE,
    LANES,
    NARROW,
    SEATS,
    SECONDS,
    SPREAD,
    TERMS,
    ByLot,
    InRounds,
    Knowing,
    Simulation,
    Told,
    errors_of,
    lots,
    watched,
    world,
)
from benchmarks.measure import Line, report

SPREADS = (150.0, 500.0, 700.0)
SETS = 6_000
LONG = 20_000
# The ladder's parameters were chosen with lower seeds.
FIRST_SEED = 20

PLANNERS: Mapping[str, type[OpenLadder]] = {
    "ladder": OpenLadder,
    "round robin": InRounds,
    "random": ByLot,
    "true strengths": Knowing,
}


@dataclass(frozen=True)
class League:
    """What one league told, and how many sets of its own each newcomer of its first half needed
    until its bar was narrow. Of one whose bar never was, its sets so far: too few."""

    told: Told
    own_sets: Sequence[int]


def played(name: str, spread: float, seed: int) -> League:
    simulation = Simulation(PLANNERS[name](TERMS), world(seed, spread), lots(seed))
    told = simulation.run(SETS, watched)
    return League(
        told,
        [
            told.own_sets.get(bot, simulation.rows.sets.get(bot, 0))
            for bot, entered in simulation.newcomers.items()
            if entered <= SETS / 2
        ],
    )


def compared(
    names: Sequence[str], spread: float, leagues: int, processes: Executor
) -> dict[str, list[League]]:
    """Play leagues of the same bots by each of the pairings."""
    playing = {
        name: [
            processes.submit(played, name, spread, seed)
            for seed in range(FIRST_SEED, FIRST_SEED + leagues)
        ]
        for name in names
    }
    return {name: [league.result() for league in runs] for name, runs in playing.items()}


@dataclass(frozen=True)
class Mean:
    """A mean of numbers that were drawn independently, and half its 95 % bar."""

    value: float
    bar: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Mean:
        error = float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers))
        return cls(fmean(numbers), 1.96 * error)

    def __str__(self) -> str:
        return f"{self.value:.1f} ±{self.bar:.1f}"


def own_sets(found: Mapping[str, Sequence[League]]) -> dict[str, Mean]:
    """Return by pairing how many sets of its own a newcomer needs."""
    return {
        name: Mean.of([sets for each in leagues for sets in each.own_sets])
        for name, leagues in found.items()
    }


def floor(newcomers: int) -> Mean:
    """Return the mean number of sets that a newcomer needs until its bar is narrow if it meets only
    bots exactly as strong as itself, whose strengths are known. A pairing has to find such bots
    first, and the best and worst have none, so hardly any can do with less."""
    needed = []
    line_up = ("newcomer", *(f"equal{number}" for number in range(1, SEATS)))
    for seed in range(newcomers):
        equals = world(seed)
        equals.truth = dict.fromkeys(line_up, 0.0)
        points: list[float] = []  # of the newcomer by set, half of them expected
        width = math.inf
        while width >= NARROW:
            result = equals.play(PlannedSet(len(points) + 1, line_up))
            assert result is not None
            places = [
                dict(zip(match.bots, match.places, strict=True))["newcomer"]
                for match in result.matches
            ]
            points.append(sum((SEATS - place) * 2 / SEATS for place in places))
            sets, most = len(points), 2 * (SEATS - 1)
            share = sum(points) / sets / most
            if sets < 2 or not 0 < share < 1:
                continue
            information = sets * most * share * (1 - share)
            variance = sum((each - most * share) ** 2 for each in points) / information**2
            width = ELO * (half_width(variance, sets) or math.inf)
        needed.append(sets)
    return Mean.of(needed)


def coverage(planner: type[OpenLadder], leagues: int, sets: int) -> tuple[float, int]:
    """Return the share of bars in percent that hold the truth, and their number."""
    held = []
    for seed in range(100, 100 + leagues):
        simulation = Simulation(planner(TERMS), world(seed), lots(seed))
        simulation.run(sets)
        held += [abs(error) <= width for error, width in errors_of(simulation).values()]
    return 100 * fmean(held), len(held)


def gain(leagues: int, sets: int, erased: bool) -> Mean:
    """Return what quitters gain in Elo, over leagues: their mean error minus that of the same bots
    where none of them quits."""
    gains = []
    for seed in range(200, 200 + leagues):
        means = []
        for quitters in (10, 0):
            simulation = Simulation(
                OpenLadder(TERMS), world(seed, SPREAD, quitters, erased), lots(seed), churn=False
            )
            simulation.run(sets)
            errors = errors_of(simulation)
            ten = [f"bot{number:04}" for number in range(10)]
            means.append(fmean(errors[name][0] for name in ten if name in errors))
        gains.append(means[0] - means[1])
    return Mean.of(gains)


def printed_curves(found: Mapping[str, Sequence[League]]) -> None:
    print("| sets | " + " | ".join(found) + " |\n|---:|" + "---:|" * len(found))
    for count in CURVE:
        means = [fmean(each.told.correlation[count] for each in runs) for runs in found.values()]
        print(f"| {count:,} | " + " | ".join(f"{mean:.4f}" for mean in means) + " |", flush=True)


def main() -> int:
    """Print the curves and the promises; 1 if one does not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.open_ladder")
    parser.add_argument("--leagues", type=int, default=4, help="compared with other pairings")
    parser.add_argument("--covered", type=int, default=12, help="leagues for the bars")
    arguments = parser.parse_args()
    with ProcessPoolExecutor() as processes:
        found = compared([*PLANNERS], SPREAD, arguments.leagues, processes)
        printed_curves(found)
        needed = {SPREAD: own_sets(found)}
        for spread in SPREADS:
            two = compared(["ladder", "random"], spread, arguments.leagues, processes)
            needed[spread] = own_sets(two)
    held, bars = coverage(OpenLadder, arguments.covered, 3_000)
    held_by_lot, _ = coverage(ByLot, arguments.covered, 3_000)
    quits = gain(6, 2_000, erased=False)
    erased = gain(6, 2_000, erased=True)
    roomy = Simulation(OpenLadder(TERMS), world(0), lots(0), lanes=BOTS // SEATS).run(3_500)
    long = Simulation(OpenLadder(TERMS), world(0), lots(0)).run(LONG).decision_ms[-1_000:]
    told = [each.told for each in found["ladder"]]
    at_end = {
        name: fmean(each.told.correlation[CURVE[-1]] for each in runs)
        for name, runs in found.items()
    }
    shares = {
        spread: each["ladder"].value / each["random"].value for spread, each in needed.items()
    }
    others = max(at_end["random"], at_end["round robin"])
    turns = max(each.longest_turns for each in told)
    lines = [
        *(
            Line(f"sets of its own, of random's, at {spread:.0f} Elo", share, "", 0.5, 0.4)
            for spread, share in shares.items()
        ),
        Line("rank correlation at the end", at_end["ladder"], "", at_end["random"], others, True),
        Line("a newcomer's wait, free lanes", max(roomy.first_wait), "s", 60, 30),
        Line("from set to set, in turns of all", turns, "", LONG_WAIT + SEATS, 4),
        Line("95 % bars that hold the truth", held, "%", 93, 94, at_least=True),
        Line("95 % bars that hold the truth", held, "%", 97, 96),
        Line("gain of a quitter, with its bar", quits.value + quits.bar, "Elo", 0, -10),
        Line(f"a decision, the last 1,000 of {LONG:,} sets", fmean(long), "ms", 2, 1),
    ]
    first_wait = max(max(each.first_wait) for each in told)
    notes = [
        *(
            f"sets of a newcomer's own until its bar is below {NARROW:.0f}, strengths spread by "
            f"{spread:.0f}: " + ", ".join(f"{name} {sets}" for name, sets in each.items())
            for spread, each in needed.items()
        ),
        f"a newcomer that meets only bots exactly as strong as itself, whose strengths are known: "
        f"{floor(1_000)} sets",
        f"{bars} bars; with random pairing {held_by_lot:.1f} % hold the truth",
        f"quitters gain {quits} Elo; if their sets were erased, {erased} Elo",
        f"{CHURN} newcomers at once at {LANES} lanes, all busy: the last has its first set after "
        f"{first_wait:.0f} s",
        f"longest wait of a bot that is free: {max(each.longest_wait for each in told):.0f} s; "
        f"all take a turn in {BOTS * SECONDS / SEATS / LANES:.0f} s at the quickest",
        f"slowest of the last 1,000 decisions: {max(long):.1f} ms",
    ]
    return report("ladder", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
