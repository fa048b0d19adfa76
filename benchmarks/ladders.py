"""Ladders in simulated time: bots of known strength, the pairings, and results as the published
table reads them.

What a seat makes of its hand is the strength of its bot and luck: half of it lies in the hand,
which all matches of the set share. The luck has Gumbel's distribution, with which the chance to
finish ahead is that of the published table's model.

Sets take time: 20 s on average, and 200 s where one of the slow bots (every twentieth) sits.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean

import numpy as np

from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import MatchResult, Past, Play, SetResult, Table, Wait
from arena.league.plan.ladder import OpenLadder
from arena.league.plan.ladder.choosing import FreeBots, best, seated
from arena.league.plan.seating import SeatsTaken
from arena.league.plan.seating import seated as in_order
from arena.league.table.ratings.group import Group, rate_groups
from arena.league.table.ratings.model import ELO
from arena.league.table.ratings.pairs import Pairs

SEATS = 4
BOTS = 100
SPREAD = 300.0
CHURN, CHANGE = 10, 1_000
LANES = 8
SECONDS, SLOW = 20.0, 10.0
CURVE = (250, 500, 750, 1_000, 1_500, 2_500, 3_500, 4_500, 5_500)
NARROW = 50.0

TERMS = LeagueTerms("ladder", SEATS, None, pairing=OpenLadder.pairing)


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
