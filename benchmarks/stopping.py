"""How often [stop] ends a league wrongly: `python -m benchmarks.stopping [--leagues N] [--only W]`.

Made-up leagues whose truth is known are played until a rule ends them, by the functions that the
product uses. For `separated`: the share of leagues that end with two neighbours in a wrong order,
which for bots of equal strength is any order. For `bars_below`: the share of bars that miss the
truth when the league ends, and beside it that of leagues whose number of sets was fixed before.
For `test`: the share of verdicts for the claim that is not true. All must be at most 6 %: one more
than what is promised, for 5 % measured in so many leagues.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from arena.compare.stop import Bounds, StopTest
from arena.league.plan.stop.looks import ERROR, are_narrow, are_separated, looks, rated
from arena.league.plan.stop.rules import first_rows
from arena.league.table.ratings.group import Group, rate_groups
from arena.league.table.ratings.pairs import Pairs
from arena.league.table.ratings.results import Floats, Ints
from benchmarks.measure import Line, report
from tests.compare.simulated import DEALS, HANDS, Luck, stopped

LEAGUES = 4000
MARGIN = 0.01
# In units of a seat's result: with luck 1.5 and noise 1 some 11 and 150 Elo for two bots.
CLOSE, FAR = 0.1, 1.4
SETS_FOR_TRUTH = 100_000


@dataclass(frozen=True)
class World:
    """Bots, and how luck comes about: a seat's result is the sum of skill and all these."""

    skills: tuple[float, ...]  # the best first
    seats: int
    noise: float = 1.0  # of each seat of each match
    luck: float = 1.5  # of each hand
    same_hands: bool = True  # in all seatings of a set
    shock: float = 0.0  # shared by every second seat
    bars: tuple[float, ...] = (50.0, 25.0)  # Elo
    most_sets: int = 1500

    def pairs(self, rng: np.random.Generator, sets: int) -> Pairs:
        """Play so many sets of bots drawn anew, each in all its cyclic seatings."""
        bots, seats = len(self.skills), self.seats
        line_up = rng.random((sets, bots)).argsort(axis=1)[:, :seats]
        seat_of = (np.arange(seats)[None, :] - np.arange(seats)[:, None]) % seats  # turn, position
        hands = rng.normal(0, self.luck, (sets, 1 if self.same_hands else seats, seats))
        sides = rng.normal(0, self.shock, (sets, seats, 2))[:, :, np.arange(seats) % 2]
        by_seat = hands + sides + rng.normal(0, self.noise, (sets, seats, seats))
        drawn = np.take_along_axis(by_seat, np.broadcast_to(seat_of, by_seat.shape), axis=2)
        results = drawn + np.array(self.skills)[line_up][:, None, :]
        one, other = np.array([*combinations(range(seats), 2)]).T
        share = (results[:, :, one] > results[:, :, other]).sum(axis=1) * 2 / seats
        first, second = line_up[:, one], line_up[:, other]
        return Pairs(
            bots,
            np.repeat(np.arange(sets), len(one)),
            np.minimum(first, second).ravel(),
            np.maximum(first, second).ravel(),
            np.full(sets * len(one), 2.0),
            np.where(first < second, share, 2.0 - share).ravel(),
        )


def steps(gaps: str) -> tuple[float, ...]:
    """Return skills with these gaps between them: = level, - close, > far apart."""
    below = {"=": 0.0, "-": CLOSE, ">": FAR}
    return tuple(-float(each) for each in np.cumsum([0.0, *(below[gap] for gap in gaps)]))


WORLDS = {
    "2 bots, level": World(steps("="), 2),
    "2 bots, level, 20,000 sets": World(steps("="), 2, bars=(), most_sets=20_000),
    "2 bots, close": World(steps("-"), 2),
    "2 bots, level, few level sets": World(steps("="), 2, luck=0.3),
    "2 bots, level, most sets level": World(steps("="), 2, noise=0.1),
    "2 bots, close, most sets level": World(steps("-"), 2, noise=0.1),
    "5 bots, level": World(steps("===="), 2),
    "5 bots, one pair level": World(steps(">=>>"), 2),
    "5 bots, two pairs level": World(steps("=>>="), 2),
    "5 bots, one pair close": World(steps(">->>"), 2),
    "8 bots, all close": World(steps("-------"), 2),
    "8 bots, one pair level": World(steps(">>>=>>>"), 2),
    "8 bots at 4, level": World(steps("======="), 4),
    "8 bots at 4, one pair level (a)": World(steps(">>>=>>>"), 4),
    "8 bots at 4, the same (b)": World(steps(">>>=>>>"), 4, same_hands=False),
    "8 bots at 4, the same (c)": World(steps(">>>=>>>"), 4, shock=1.0),
    "8 bots at 4, the same (d)": World(steps(">>>=>>>"), 4, noise=0.3),
    "8 bots at 4, top pair close": World(steps("->>>>>>"), 4),
    "8 bots at 4, all far": World(steps(">>>>>>>"), 4),
}


def rated_anyhow(pairs: Pairs) -> Group:
    """Rate the bots, even if a rule would find too few sets for it."""
    return rate_groups(pairs, nobody_pinned)[0]


def nobody_pinned(bots: Ints) -> Floats:
    return np.zeros(len(bots))


@dataclass
class Ends:
    """How the leagues of one world ended by one rule."""

    leagues: int = 0
    ended: int = 0
    sets: list[int] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)  # of the ended

    def add(self, sets: int, error: float) -> None:
        self.ended += 1
        self.sets.append(sets)
        self.errors.append(error)

    @property
    def mean_sets(self) -> str:
        return f"{np.mean(self.sets):,.0f}" if self.sets else "-"


def is_wrong(world: World, group: Group) -> bool:
    """Tell whether two neighbours are in a wrong order."""
    best_first = np.argsort(-group.elo, kind="stable").tolist()
    return any(world.skills[one] <= world.skills[other] for one, other in pairwise(best_first))


def missed(group: Group, truth: Floats) -> float:
    """Return the share of bars that do not hold the truth."""
    halves = np.array([group.half_width(bot) for bot in range(len(truth))], np.float64)
    return float((np.abs(group.elo - truth) > halves).mean())


def truth_of(world: World) -> Floats:
    if len({*world.skills}) == 1:
        return np.zeros(len(world.skills))
    return rated_anyhow(world.pairs(np.random.default_rng(0), SETS_FOR_TRUTH)).elo


def play(world: World, leagues: int) -> tuple[Ends, dict[float, Ends]]:
    """Play leagues until all rules have ended them, or all sets are played."""
    truth, rows = truth_of(world), world.seats * (world.seats - 1) // 2
    separated = Ends(leagues)
    narrow = {bar: Ends(leagues) for bar in world.bars}
    for seed in range(1, leagues + 1):
        pairs = world.pairs(np.random.default_rng(seed), world.most_sets)
        open_rules: set[float | None] = {None, *world.bars}
        for sets, chance in looks():
            if sets > world.most_sets or not open_rules:
                break
            group = rated(first_rows(pairs, sets * rows), nobody_pinned)
            if group is None:
                continue
            if None in open_rules and are_separated(group, chance):
                open_rules.remove(None)
                separated.add(sets, float(is_wrong(world, group)))
            for bar in world.bars:
                if bar in open_rules and are_narrow(group, bar):
                    open_rules.remove(bar)
                    narrow[bar].add(sets, missed(group, truth))
    return separated, narrow


def fixed(world: World, sets: int, leagues: int) -> float:
    """Return the share of bars that miss the truth after a number of sets fixed before."""
    truth = truth_of(world)
    groups = (
        rated_anyhow(world.pairs(np.random.default_rng(10_000 + seed), sets))
        for seed in range(leagues)
    )
    return float(np.mean([missed(group, truth) for group in groups]))


def measured(name: str, world: World, leagues: int) -> Iterator[Line]:
    """Play a world; print what came of it, and yield a line for each rule that ended leagues."""
    separated, narrow = play(world, leagues)
    wrong = sum(separated.errors) / leagues
    print(
        f"{name}: separated in {separated.ended / leagues:.1%} of {leagues} leagues, after"
        f" {separated.mean_sets} sets; wrongly in {wrong:.1%}",
        flush=True,
    )
    yield line(f"{name}: wrong order", wrong)
    for bar, ends in narrow.items():
        if not ends.ended:
            continue
        misses, sets = float(np.mean(ends.errors)), round(float(np.mean(ends.sets)))
        print(
            f"  ±{bar:g} in {ends.ended / leagues:.1%}, after {ends.mean_sets} sets; bars that"
            f" miss {misses:.1%}, after {sets} sets fixed before {fixed(world, sets, leagues):.1%}",
            flush=True,
        )
        yield line(f"{name}: bars below ±{bar:g}", misses)


def line(what: str, share: float) -> Line:
    return Line(what, 100 * share, "%", 100 * (ERROR + MARGIN), 100 * ERROR)


TESTS: tuple[tuple[str, Luck], ...] = (("0:20", HANDS), ("0:50", DEALS))


def stop_tests() -> Iterator[Line]:
    for bounds, luck in TESTS:
        test = StopTest(Bounds.of(bounds))
        low, high = (
            stopped(test, 2, luck, elo, seed=3) for elo in (test.bounds.low, test.bounds.high)
        )
        print(f"stop test {bounds}: {low.sets:,.0f} and {high.sets:,.0f} sets at its bounds")
        yield line(f"stop test {bounds}: accepted at the lower bound", low.accepted)
        yield line(f"stop test {bounds}: rejected at the upper bound", high.rejected)


def main() -> int:
    """Print the table; 1 if a line does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leagues", type=int, default=LEAGUES)
    parser.add_argument("--only", default="", help="worlds whose name contains this")
    given = parser.parse_args()
    lines = [
        each
        for name, world in WORLDS.items()
        if given.only in name
        for each in measured(name, world, given.leagues)
    ]
    if not given.only:
        lines += stop_tests()
    return report("stopping", lines)


if __name__ == "__main__":
    sys.exit(main())
