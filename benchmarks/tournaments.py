"""How often the best bot wins: `python -m benchmarks.tournaments [--tournaments N]`.

Swiss and knockout by their planners, and round robin with the same number of sets beside each.
Strengths are drawn anew for each tournament, from a normal distribution of 100 Elo; seeds are lots.
In a match the order is that of strength plus luck (Gumbel's distribution, so that one bot finishes
ahead of another as their Elo say), drawn anew for each of the matches of a set. Round robin is won
by the highest mean share of opponents finished ahead of. Last, the error rate of the test that ends
a tie of a knockout early, for bots of equal strength, where it is highest. The exit code is 1 where
that is more than is promised.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms
from arena.league.plan.brackets.tie import ERROR, Tie
from arena.league.plan.format import Basis, Done, Format, MatchResult, Past, Play, SetResult
from arena.league.plan.knockout import Knockout
from arena.league.plan.round_robin import RoundRobin
from arena.league.plan.rounds.score_sheet import ScoreSheet
from arena.league.plan.swiss import Swiss
from arena.likelihood import ELO_PER_LOGIT
from benchmarks.measure import Line, report

SPREAD_ELO = 100
TOURNAMENTS = 10_000
CELLS = ((16, 2), (12, 4))  # bots and seats
SETS_PER_TABLE = 4
MOST_SETS_PER_TIE = 16


@dataclass
class Luck:
    """Plays sets. `strengths`: by name, in logits."""

    rng: np.random.Generator
    strengths: Mapping[str, float] = field(default_factory=dict)

    def play(self, number: int, bots: Sequence[str]) -> SetResult:
        seats = len(bots)
        strengths = np.array([self.strengths[name] for name in bots])
        levels = strengths + self.rng.gumbel(size=(seats, seats))
        places = (1 + (-levels).argsort(1).argsort(1)).tolist()
        return SetResult(
            number, tuple(MatchResult(tuple(bots), tuple(each), ()) for each in places)
        )


def played(
    planner: Format, names: Sequence[str], luck: Luck, lots: bytes
) -> tuple[Past, dict[int, SetResult]]:
    """Play one league to its end. Seats change nothing here, so tables are played as they come."""
    bots = [(name, name) for name in names]
    here = frozenset(names)
    past = Past(bots)
    results: dict[int, SetResult] = {}
    while not isinstance(answer := planner.next(past, results, here, 0, lots), Done):
        assert isinstance(answer, Play)
        first = len(past.sets) + 1
        added = [PlannedSet(number, table) for number, table in enumerate(answer.tables, first)]
        for planned in added:
            results[planned.number] = luck.play(planned.number, planned.line_up)
        decisions = [*past.decisions, Basis(first, bots, here)]
        past = Past(bots, [*past.sets, *added], frozenset(), decisions)
    return past, results


def best_of_round_robin(plan: Sequence[PlannedSet], luck: Luck) -> str:
    points: dict[str, list[float]] = {}
    for planned in plan:
        for name, each in luck.play(planned.number, planned.line_up).points.items():
            points.setdefault(name, []).append(each)
    return max(points, key=lambda name: sum(points[name]) / len(points[name]))


def cell(bots: int, seats: int, tournaments: int) -> list[str]:
    """Return the lines of one cell."""
    names = [f"bot {number:02}" for number in range(bots)]
    luck = Luck(np.random.default_rng(bots * seats))
    terms = {
        name: LeagueTerms(
            name,
            seats,
            None,
            sets_per_table=SETS_PER_TABLE,
            most_sets_per_tie=MOST_SETS_PER_TIE,
        )
        for name in ("swiss", "knockout")
    }
    most = SETS_PER_TABLE * MOST_SETS_PER_TIE * bots
    every = RoundRobin(LeagueTerms("round-robin", seats, most))
    play = every.next(Past([(name, name) for name in names]), {}, names, 0, bytes(32))
    assert isinstance(play, Play)
    plan = [PlannedSet(number, table) for number, table in enumerate(play.tables, 1)]
    won: dict[str, list[bool]] = {}
    sets: dict[str, list[int]] = {"swiss": [], "knockout": []}
    for number in range(tournaments):
        strengths = luck.rng.normal(0, SPREAD_ELO / ELO_PER_LOGIT, bots)
        luck.strengths = dict(zip(names, strengths.tolist(), strict=True))
        best = max(names, key=luck.strengths.__getitem__)
        lots = number.to_bytes(32, "big")
        past, results = played(Swiss(terms["swiss"]), names, luck, lots)
        won.setdefault("swiss", []).append(ScoreSheet(past, results).standing()[0].name == best)
        sets["swiss"].append(len(past.sets))
        past, results = played(Knockout(terms["knockout"]), names, luck, lots)
        end = Knockout(terms["knockout"]).next(past, results, frozenset(names), 0, lots)
        assert isinstance(end, Done)
        won.setdefault("knockout", []).append(f": {best} has won" in end.why)
        sets["knockout"].append(len(past.sets))
        for name in ("swiss", "knockout"):
            winner = best_of_round_robin(plan[: sets[name][-1]], luck)
            won.setdefault(f"round robin, as many sets as {name}", []).append(winner == best)
    lines = [f"{bots} bots at tables of {seats}, {tournaments:,} tournaments"]
    for name, each in won.items():
        share = sum(each) / len(each)
        bar = 1.96 * sqrt(share * (1 - share) / len(each))
        count = np.mean(sets[name.split()[-1]])
        lines.append(f"  {name:<40} {count:6.1f} sets  best wins {share:.1%} ±{bar:.1%}")
    return lines


def errors_of_test(seats: int, ties: int) -> tuple[float, float]:
    """Return, in percent of ties of equal bots, how often the test ends one in which a certain bot
    goes on in place of a certain other, as if one were the better; and how often one ends early."""
    names = [chr(65 + bot) for bot in range(seats)]
    luck = Luck(np.random.default_rng(seats), dict.fromkeys(names, 0.0))
    seeds = {name: seed for seed, name in enumerate(names, 1)}
    goes_on = seats // 2
    wrong = early = 0
    for _ in range(ties):
        played: tuple[SetResult, ...] = ()
        while True:
            played += (luck.play(len(played) + 1, names),)
            tie = Tie(seeds, names, played, seats, goes_on, MOST_SETS_PER_TIE)
            if tie.decided is not None:
                break
        early += len(played) < MOST_SETS_PER_TIE
        through = {bot.name for bot in tie.order[:goes_on]}
        wrong += "confidence" in tie.decided and through != set(names[:goes_on])
    return 100 * wrong / ties, 100 * early / ties


def main() -> int:
    """Print the figures; 1 if the test errs too often."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS)
    tournaments: int = parser.parse_args().tournaments
    notes = [line for bots, seats in CELLS for line in cell(bots, seats, tournaments)]
    lines = []
    for _, seats in CELLS:
        wrong, early = errors_of_test(seats, tournaments)
        lines.append(Line(f"wrong ends of a tie, {seats} seats", wrong, "%", 100 * ERROR, 1))
        notes.append(f"equal bots, {seats} seats: {early:.1f} % of ties end before the last set")
    return report("tournaments", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
