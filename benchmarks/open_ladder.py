"""The ladder by simulation: `python -m benchmarks.open_ladder [--leagues N]`.

100 bots of known strength, in Elo normal with a deviation of SPREAD; every 1,000 sets ten of a new
owner each enter and the ten that are longest there leave. The same bots and lots are paired by the
ladder, by lot, and in a round robin. Tables of four, each line-up in all seatings. What a seat
makes of its hand is the strength of its bot and luck: half of it lies in the hand, which all
matches of the set share. The luck has Gumbel's distribution, with which the chance to finish ahead
is that of the published table's model.

Sets take time: 20 s on average, and 200 s where one of the slow bots (every twentieth) sits.
Ratings and bars are those of the published table.
"""

from __future__ import annotations

import argparse
import heapq
import math
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean

# Before numpy loads its BLAS: on one core more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import MatchResult, Past, Play, SetResult, Table, Wait
from arena.league.plan.ladder import OpenLadder
from arena.league.plan.ladder.choosing import LONG_WAIT, FreeBots, best, seated
from arena.league.plan.seating import SeatsTaken
from arena.league.plan.seating import seated as in_order
from arena.league.table.ratings.bars import half_width
from arena.league.table.ratings.group import Group, rate_groups
from arena.league.table.ratings.model import ELO
from arena.league.table.ratings.pairs import Pairs
from benchmarks.measure import Line, report

SEATS = 4
BOTS = 100
SPREAD = 300.0
SPREADS = (150.0, 500.0, 700.0)
SETS = 6_000
LONG = 20_000
CHURN, CHANGE = 10, 1_000
LANES = 8
SECONDS, SLOW = 20.0, 10.0
CURVE = (250, 500, 750, 1_000, 1_500, 2_500, 3_500, 4_500, 5_500)
NARROW = 50.0

TERMS = LeagueTerms("ladder", SEATS, None)


class ByLot(OpenLadder):
    """Random pairing."""

    def choose(self, free: FreeBots) -> Table:
        bots = seated(free, int(free.draws.argmin()), lambda table: -free.draws)
        return tuple(free.names[bot] for bot in bots)


class InRounds(OpenLadder):
    """A round robin: fewest sets first, then fewest meetings with those at the table."""

    def choose(self, free: FreeBots) -> Table:
        sets = free.met.sum(1) // (SEATS - 1)
        met = free.met[:, free.at]
        # Newcomers count as level with the field, or they would meet each other again and again.
        level = np.maximum(sets, int(np.median(sets)))
        bots = seated(
            free, best(-sets, free.draws), lambda table: -(met[table].sum(0) * 1000 + level)
        )
        return tuple(free.names[bot] for bot in bots)


class Knowing(OpenLadder):
    """The ladder, told the true strengths: no other knowledge could find closer neighbours."""

    truth: Mapping[str, float]

    def choose(self, free: FreeBots) -> Table:
        strengths = free.strengths.copy()
        for bot, name in enumerate(self._history.names):
            strengths[bot] = round(self.truth[name])
        return super().choose(replace(free, strengths=strengths))


@dataclass
class World:
    """The bots, and what comes out when they play."""

    rng: np.random.Generator
    spread: float = SPREAD
    quitters: int = 0  # the first so many leave a set in which they are behind
    erased: bool = False  # and the set then counts for nobody
    truth: dict[str, float] = field(default_factory=dict)  # in Elo
    slow: set[str] = field(default_factory=set)
    quits: set[str] = field(default_factory=set)

    def enter(self) -> str:
        number = len(self.truth)
        name = f"bot{number:04}"
        self.truth[name] = float(self.rng.normal(0, self.spread))
        if number % 20 == 19:
            self.slow.add(name)
        if number < self.quitters:
            self.quits.add(name)
        return name

    def seconds(self, planned: PlannedSet) -> float:
        slow = SLOW if self.slow.intersection(planned.line_up) else 1.0
        return slow * SECONDS * float(self.rng.uniform(0.5, 1.5))

    def play(self, planned: PlannedSet) -> SetResult | None:
        """Return what comes out; None if it is erased."""
        seats = len(planned.line_up)
        hand = self.rng.normal(size=seats)
        share = math.sqrt(0.5)
        left: list[str] = []
        points = dict.fromkeys(planned.line_up, 0.0)
        matches = []
        for turn in range(seats):
            bots = planned.seating(turn)
            luck = share * hand + share * self.rng.normal(size=seats)
            made = {}
            for name, each in zip(bots, luck.tolist(), strict=True):
                gumbel = -math.log(-math.log(0.5 * math.erfc(-each / math.sqrt(2))))
                made[name] = self.truth[name] / ELO + gumbel
            order = sorted((name for name in bots if name not in left), key=lambda n: -made[n])
            order += left[::-1]  # the first to leave is last
            places = {name: place for place, name in enumerate(order, 1)}
            matches.append(MatchResult(bots, tuple(places[name] for name in bots), ()))
            for name in bots:
                points[name] += seats - places[name]
            for name in bots:
                behind = points[name] < (turn + 1) * (seats - 1) / 2
                if name in self.quits and name not in left and behind and turn + 1 < seats:
                    if self.erased:
                        return None
                    left.append(name)
        return SetResult(planned.number, tuple(matches))


class Rows:
    """Results as the published table reads them."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.at: dict[str, int] = {}
        self.sets: dict[str, int] = {}
        self._rows: list[tuple[float, ...]] = []
        self._count = 0

    def add(self, result: SetResult) -> None:
        sums: dict[tuple[int, int], list[float]] = {}
        for match in result.matches:
            seats = [
                (self.known(name), place)
                for name, place in zip(match.bots, match.places, strict=True)
            ]
            for (one, its), (other, theirs) in combinations(sorted(seats), 2):
                cell = sums.setdefault((one, other), [0.0, 0.0])
                cell[0] += 2 / len(seats)
                cell[1] += 2 / len(seats) * ((its < theirs) + (its == theirs) / 2)
        for name in result.matches[0].bots:
            self.sets[name] = self.sets.get(name, 0) + 1
        self._rows += [(self._count, *pair, *sums[pair]) for pair in sorted(sums)]
        self._count += 1

    def known(self, name: str) -> int:
        if name not in self.at:
            self.at[name] = len(self.names)
            self.names.append(name)
        return self.at[name]

    def rated(self) -> Group:
        """Return the largest group of the table."""
        columns = np.array(self._rows)
        ints = columns[:, :3].astype(np.int64)
        pairs = Pairs(
            len(self.names), ints[:, 0], ints[:, 1], ints[:, 2], columns[:, 3], columns[:, 4]
        )
        return rate_groups(pairs, lambda bots: np.zeros(len(bots)))[0]


@dataclass
class Told:
    """What one simulated ladder told."""

    correlation: dict[int, float] = field(default_factory=dict)  # by number of sets
    own_sets: dict[str, int] = field(default_factory=dict)  # by newcomer, when its bar was narrow
    first_wait: list[float] = field(default_factory=list)  # s, of newcomers
    longest_turns: float = 0.0  # turns of all from one set of a bot to its next
    longest_wait: float = 0.0  # s, from a bot being free to its next set
    decision_ms: list[float] = field(default_factory=list)


class Simulation:
    """One ladder in simulated time."""

    def __init__(
        self, planner: OpenLadder, world: World, lots: bytes, churn: bool = True, lanes: int = LANES
    ):
        if isinstance(planner, Knowing):
            planner.truth = world.truth
        self.planner, self.world, self.lots, self.churn = planner, world, lots, churn
        self.lanes = lanes
        self.asked_at = math.inf  # the planner wants to be asked again
        self.bots = [world.enter() for _ in range(BOTS)]
        self.sets: list[PlannedSet] = []
        self.results: dict[int, SetResult] = {}
        self.left_out: set[int] = set()
        self.seats_taken = SeatsTaken()
        self.rows = Rows()
        self.played_last: Sequence[str] = ()
        self.now = 1e9
        self.idle_since = dict.fromkeys(self.bots, self.now)
        self.last: dict[str, int] = {}
        self.newcomers: dict[str, int] = {}
        self.told = Told()

    def run(self, sets: int, look: Callable[[Simulation], None] | None = None) -> Told:
        playing: list[tuple[float, int]] = []
        while len(self.results) < sets:
            while len(playing) < self.lanes and (planned := self.decide()):
                heapq.heappush(playing, (self.now + self.world.seconds(planned), planned.number))
            if len(playing) < self.lanes and self.asked_at < playing[0][0]:
                self.now = self.asked_at
                continue
            self.now, number = heapq.heappop(playing)
            planned = self.sets[number - 1]
            for name in planned.line_up:
                self.idle_since[name] = self.now
            if (result := self.world.play(planned)) is None:
                self.left_out.add(number)
                continue
            self.results[number] = result
            self.rows.add(result)
            self.played_last = planned.line_up
            if look is not None:
                look(self)
        return self.told

    def decide(self) -> PlannedSet | None:
        past = Past(
            [(name, name) for name in self.bots],
            self.sets,
            self.left_out,
            idle_since={name: int(self.idle_since[name]) for name in self.bots},
        )
        began = time.process_time()
        answer = self.planner.next(past, self.results, {*self.bots}, int(self.now), self.lots)
        self.told.decision_ms.append(1e3 * (time.process_time() - began))
        if not isinstance(answer, Play):
            until = answer.until if isinstance(answer, Wait) else None
            self.asked_at = math.inf if until is None else float(until)
            return None
        (planned,) = in_order(answer.tables, past, TERMS, self.lots, self.seats_taken)
        self.sets.append(planned)
        for name in planned.line_up:
            self.seat(name, planned.number)
        if self.churn and planned.number % CHANGE == 0:
            self.change(planned.number)
        return planned

    def seat(self, name: str, number: int) -> None:
        told, wait = self.told, self.now - self.idle_since[name]
        told.longest_wait = max(told.longest_wait, wait)
        if name in self.last:
            turns = (number - self.last[name]) * SEATS / len(self.bots)
            if name not in self.world.slow:  # their own sets are long
                told.longest_turns = max(told.longest_turns, turns)
        elif name in self.newcomers:
            told.first_wait.append(wait)
        self.last[name] = number

    def change(self, number: int) -> None:
        del self.bots[:CHURN]
        for _ in range(CHURN):
            name = self.world.enter()
            self.bots.append(name)
            self.newcomers[name] = number
            self.idle_since[name] = self.now


def watched(simulation: Simulation) -> None:
    """Note the correlation at the points of the curve, and the newcomers whose bars are narrow."""
    count, told = len(simulation.results), simulation.told
    waiting = [
        name
        for name in simulation.played_last
        if name in simulation.newcomers and name not in told.own_sets
    ]
    if count not in CURVE and not waiting:
        return
    rows = simulation.rows
    group = rows.rated()
    place = {rows.names[bot]: at for at, bot in enumerate(group.bots.tolist())}
    if count in CURVE:
        bots = [name for name in simulation.bots if name in place]
        told.correlation[count] = spearman(
            [simulation.world.truth[name] for name in bots],
            [float(group.elo[place[name]]) for name in bots],
        )
    for name in waiting:
        width = group.half_width(place[name]) if name in place else None
        if width is not None and width < NARROW:
            told.own_sets[name] = rows.sets[name]


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    ranks = [np.argsort(np.argsort(values)) for values in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def errors_of(simulation: Simulation) -> dict[str, tuple[float, float]]:
    """Return by bot with a bar its rating minus the truth, and half its bar."""
    rows, truth = simulation.rows, simulation.world.truth
    group = rows.rated()
    names = [rows.names[bot] for bot in group.bots.tolist()]
    zero = fmean(
        truth[name] for name, main in zip(names, group.is_main.tolist(), strict=True) if main
    )
    return {
        name: (float(group.elo[at]) - (truth[name] - zero), width)
        for at, name in enumerate(names)
        if (width := group.half_width(at)) is not None
    }


def world(seed: int, spread: float = SPREAD, quitters: int = 0, erased: bool = False) -> World:
    return World(np.random.default_rng(seed), spread, quitters, erased)


def lots(seed: int) -> bytes:
    return seed.to_bytes(32, "big")


PLANNERS: Mapping[str, type[OpenLadder]] = {
    "ladder": OpenLadder,
    "round robin": InRounds,
    "random": ByLot,
    "true strengths": Knowing,
}


def compared(
    leagues: int, spread: float, planners: Mapping[str, type[OpenLadder]] = PLANNERS
) -> dict[str, list[Simulation]]:
    """Run the pairings on the same bots."""
    found: dict[str, list[Simulation]] = {name: [] for name in planners}
    for name, planner in planners.items():
        for seed in range(leagues):
            found[name].append(Simulation(planner(TERMS), world(seed, spread), lots(seed)))
            found[name][-1].run(SETS, watched)
    return found


def own_sets(found: Mapping[str, Sequence[Simulation]]) -> dict[str, float]:
    """Return by pairing the mean number of sets of a newcomer until its bar is narrow. Where it
    never was, its sets so far count, so the mean is too low."""
    return {
        name: fmean(
            each.told.own_sets.get(bot, each.rows.sets.get(bot, 0))
            for each in leagues
            for bot, entered in each.newcomers.items()
            if entered <= SETS / 2
        )
        for name, leagues in found.items()
    }


def floor(newcomers: int) -> float:
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
    return fmean(needed)


def coverage(planner: type[OpenLadder], leagues: int, sets: int) -> tuple[float, int]:
    """Return the share of bars in percent that hold the truth, and their number."""
    held = []
    for seed in range(100, 100 + leagues):
        simulation = Simulation(planner(TERMS), world(seed), lots(seed))
        simulation.run(sets)
        held += [abs(error) <= width for error, width in errors_of(simulation).values()]
    return 100 * fmean(held), len(held)


def gain(leagues: int, sets: int, erased: bool) -> tuple[float, float]:
    """Return what quitters gain in Elo, and the 95 % bar, over leagues: their mean error minus
    that of the same bots where none of them quits."""
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
    return fmean(gains), 1.96 * float(np.std(gains, ddof=1)) / math.sqrt(leagues)


def printed_curves(found: Mapping[str, Sequence[Simulation]]) -> None:
    print("| sets | " + " | ".join(found) + " |\n|---:|" + "---:|" * len(found))
    for count in CURVE:
        means = [fmean(each.told.correlation[count] for each in runs) for runs in found.values()]
        print(f"| {count:,} | " + " | ".join(f"{mean:.4f}" for mean in means) + " |", flush=True)


def main() -> int:
    """Print the curves and the promises; 1 if one does not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.open_ladder")
    parser.add_argument("--leagues", type=int, default=2, help="compared with other pairings")
    parser.add_argument("--covered", type=int, default=12, help="leagues for the bars")
    arguments = parser.parse_args()
    found = compared(arguments.leagues, SPREAD)
    printed_curves(found)
    needed = {SPREAD: own_sets(found)}
    two = {name: PLANNERS[name] for name in ("ladder", "random")}
    needed |= {spread: own_sets(compared(1, spread, two)) for spread in SPREADS}
    held, bars = coverage(OpenLadder, arguments.covered, 3_000)
    held_by_lot, _ = coverage(ByLot, arguments.covered, 3_000)
    quit_gain, quit_bar = gain(6, 2_000, False)
    erase_gain, erase_bar = gain(6, 2_000, True)
    roomy = Simulation(OpenLadder(TERMS), world(0), lots(0), lanes=BOTS // SEATS).run(3_500)
    long = Simulation(OpenLadder(TERMS), world(0), lots(0)).run(LONG).decision_ms[-1_000:]
    told = [each.told for each in found["ladder"]]
    at_end = {
        name: fmean(each.told.correlation[CURVE[-1]] for each in runs)
        for name, runs in found.items()
    }
    shares = {spread: each["ladder"] / each["random"] for spread, each in needed.items()}
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
        Line("gain of a quitter, with its bar", quit_gain + quit_bar, "Elo", 0, -10),
        Line(f"a decision, the last 1,000 of {LONG:,} sets", fmean(long), "ms", 2, 1),
    ]
    first_wait = max(max(each.first_wait) for each in told)
    notes = [
        *(
            f"sets of a newcomer's own until its bar is below {NARROW:.0f}, strengths spread by "
            f"{spread:.0f}: " + ", ".join(f"{name} {sets:.1f}" for name, sets in each.items())
            for spread, each in needed.items()
        ),
        f"a newcomer that meets only bots exactly as strong as itself, whose strengths are known: "
        f"{floor(1_000):.1f} sets",
        f"{bars} bars; with random pairing {held_by_lot:.1f} % hold the truth",
        f"quitters: {quit_gain:+.1f} ±{quit_bar:.1f} Elo; if their sets were erased: "
        f"{erase_gain:+.1f} ±{erase_bar:.1f} Elo",
        f"{CHURN} newcomers at once at {LANES} lanes, all busy: the last has its first set after "
        f"{first_wait:.0f} s",
        f"longest wait of a bot that is free: {max(each.longest_wait for each in told):.0f} s; "
        f"all take a turn in {BOTS * SECONDS / SEATS / LANES:.0f} s at the quickest",
        f"slowest of the last 1,000 decisions: {max(long):.1f} ms",
    ]
    return report("ladder", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
