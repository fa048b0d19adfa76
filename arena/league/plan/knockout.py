"""Knockout: a bracket in which the better half of each table goes on.

The seeds are the order of entry. The sets of a round come in waves: each undecided tie whose bots
are all here plays `sets_per_table` sets, and the next wave is planned when all of them are over, so
the order in which results arrive changes nothing. Who leaves for good loses the place: to the next
of its tie, while the next round is not drawn.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import ClassVar

from arena.league.model.course import BOT_COLUMN, CourseTable, Value
from arena.league.model.terms import FIRST_PAIRING, LeagueTerms
from arena.league.plan.brackets.bracket import BracketTie, bracket_of
from arena.league.plan.format import Done, Next, Past, Play, Results, Wait
from arena.league.plan.owners import why_no_table

TIES = ("tie", BOT_COLUMN, "seed", "sets", "points", "sets won", "result")


NOTE = (
    "Points are the shares of the others that a bot finished ahead of, added up over the sets of"
    " the tie. Then sets count in which nobody at the table had more points, then the better seed."
)


class Knockout:
    """The planner of a knockout."""

    keys: ClassVar[Sequence[str]] = ("sets_per_table", "most_sets_per_tie")
    endless: ClassVar[bool] = False
    pairing: ClassVar[int] = FIRST_PAIRING
    reads_results: ClassVar[bool] = True
    has_course: ClassVar[bool] = True
    counts_at_once: ClassVar[bool] = False
    ignores_order: ClassVar[bool] = True
    withdraws: ClassVar[bool] = False

    def __init__(self, terms: LeagueTerms):
        self._terms = terms

    def __repr__(self) -> str:
        return f"<Knockout at tables of {self._terms.seats}>"

    def why_not(self, bots: Sequence[tuple[str, str]]) -> str | None:
        if reason := why_no_table(bots, self._terms.seats, self._terms.owners_may_meet):
            return reason
        owners = [owner for _, owner in bots]
        shared = sorted({owner for owner in owners if owners.count(owner) > 1})
        if shared and not self._terms.owners_may_meet:
            return (
                "a knockout cannot keep the bots of one owner apart up to the final, and "
                f"{', '.join(shared)} has several; enter one bot of each owner, or set "
                "owners_may_meet = true"
            )
        return None

    def next(
        self, past: Past, results: Results, present: Container[str], now: int, lots: bytes
    ) -> Next:
        if not past.decisions and (reason := self.why_not(past.bots)):
            return Done(f"the bracket cannot be drawn: {reason}")
        bracket = bracket_of(past, results, self._terms)
        if bracket.current is None:
            if bracket.champion is None:
                return Done("no bot is left")
            return Done(f"the final is decided: {bracket.champion} has won")
        number, current = bracket.current
        if past.unfinished(results):
            return Wait(f"round {number} of {len(bracket.rounds)} is being played")
        undecided = [tie for tie in current.ties if tie.why is None]
        ready = [tie for tie in undecided if all(name in present for name in tie.names)]
        if not ready:
            away = [name for tie in undecided for name in tie.names if name not in present]
            return Wait(f"round {number} waits for bots that are away: {', '.join(away)}")
        return Play(
            tuple(tuple(tie.names) for tie in ready for _ in range(self._sets_of_wave(tie)))
        )

    def course(self, past: Past, results: Results) -> Sequence[CourseTable]:
        """Return the bracket, a table for each round."""
        if not past.decisions and self.why_not(past.bots):
            return ()
        bracket = bracket_of(past, results, self._terms)
        rounds = bracket.rounds
        tables = []
        for number, each in enumerate(rounds, 1):
            title = "the final" if number == len(rounds) else f"round {number} of {len(rounds)}"
            wins = "has won" if number == len(rounds) else "goes on"
            byes = [("bye", name, *(None,) * 4, "goes on") for name in each.byes]
            ties = [row for at, tie in enumerate(each.ties, 1) for row in _rows(at, tie, wins)]
            champion = (bracket.champion,) if bracket.champion and number == len(rounds) else ()
            tables.append(CourseTable(f"Knockout: {title}", TIES, [*byes, *ties], NOTE, champion))
        return tables

    def sets_in_all(self, past: Past, results: Results) -> int | None:
        if not past.decisions and self.why_not(past.bots):
            return 0
        over = bracket_of(past, results, self._terms).current is None
        return len(past.counting()) if over else None

    def _sets_of_wave(self, tie: BracketTie) -> int:
        return min(self._terms.sets_per_table, self._terms.most_sets_per_tie - tie.played)


def _rows(number: int, tie: BracketTie, wins: str) -> Iterator[Sequence[Value]]:
    """Yield the rows of a tie: its bots, best first. `wins`: of those that go on, in words."""
    for bot in tie.bots:
        result = {None: "", True: wins, False: "is out"}[bot.goes_on]
        if bot.is_out:
            result = "has left"
        elif bot.goes_on and tie.why is not None:
            result = f"{wins}: {tie.why}"
        known = bot.name is not None
        yield (
            number,
            bot.name if known else f"place {bot.place} of this round",
            bot.seed,
            tie.played if known else None,
            bot.points if known else None,
            bot.sets_won if known else None,
            result,
        )
