"""What a format of a league is: a planner, asked again and again which sets are to be played next.

A planner is pure: it sees what was planned, the results so far, the bots that are here, the time
and lots, and nothing else. What it answers is stored before it is played, beside the events that
tell all it was based on, so that `arena verify` asks it again and gets the same answer.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise
from typing import ClassVar, Protocol, TypeAlias

from arena.league.model.course import CourseTable
from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms

Table: TypeAlias = tuple[str, ...]
"""The bots of one set, in any order: `arena.league.plan.seating` draws their circular order, so
that the past does not have this one. A meaning of it must be worked out from the past again."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of one match, as its event tells it."""

    bots: tuple[str, ...]  # by seat
    places: tuple[int, ...]  # by seat, from 1; those that tie share the best place of theirs
    scores: tuple[int, ...]  # by seat; empty where the match was not played out


@dataclass(frozen=True)
class SetResult:
    """The results of a complete set: one match, or one for each seating."""

    number: int
    matches: tuple[MatchResult, ...]

    @cached_property
    def points(self) -> Mapping[str, float]:
        """By bot the share of the others at its table that it finished ahead of, from 0 to 1; a tie
        is half. The mean over the matches of the set."""
        points = dict.fromkeys(self.matches[0].bots, 0.0)
        for match in self.matches:
            seats = list(zip(match.bots, match.places, strict=True))
            for (one, its), (other, theirs) in combinations(seats, 2):
                points[one] += (its < theirs) + (its == theirs) / 2
                points[other] += (theirs < its) + (its == theirs) / 2
        games = len(self.matches) * (len(points) - 1)
        return {name: each / games for name, each in points.items()}


Results: TypeAlias = Mapping[int, SetResult]
"""The results of all complete sets that count, by number. A result that is there stays; where the
format says that it `reads_results`, each has its matches."""


@dataclass(frozen=True)
class Basis:
    """The basis of a decision that planned sets.

    `first`: the number of the first set that it planned; its sets end where those of the next
    decision begin. `bots` and `present`: the bots that took part, and the names of those that were
    here.
    """

    first: int
    bots: Sequence[tuple[str, str]]
    present: frozenset[str]


@dataclass(frozen=True)
class Past:
    """What was planned, and who takes part.

    `bots`: the names and owners of those that further sets are planned for, in the order in which
    they entered. `sets`: every set ever planned; that with number n is `sets[n - 1]`. `left_out`:
    the numbers of sets that count for nobody, as a bot of them was benched or left, or they were
    withdrawn. `decisions`: those that planned `sets`, for the formats whose sets come in rounds.
    `busy_most`: by bot the number of unfinished sets that it may sit in at once; 1 for a bot that
    is not in it. `idle_since`: by bot, in seconds since 1970 (UTC), when it last came or the last
    set of its was over, whichever is later; a bot that is not in it has waited long.
    """

    bots: Sequence[tuple[str, str]] = ()
    sets: Sequence[PlannedSet] = ()
    left_out: Set[int] = frozenset()
    decisions: Sequence[Basis] = ()
    busy_most: Mapping[str, int] = field(default_factory=dict)
    idle_since: Mapping[str, int] = field(default_factory=dict)

    def counting(self) -> list[PlannedSet]:
        """Return the sets that count, or will when they are complete."""
        return [planned for planned in self.sets if planned.number not in self.left_out]

    @property
    def to_count(self) -> int:
        """The number of sets that count, or will when they are complete."""
        return len(self.sets) - len(self.left_out)

    def by_decision(self) -> list[tuple[Basis, Sequence[PlannedSet]]]:
        """Return each decision with the sets that it planned."""
        ends = [*(basis.first - 1 for basis in self.decisions), len(self.sets)]
        return [
            (basis, self.sets[begin:end])
            for basis, (begin, end) in zip(self.decisions, pairwise(ends), strict=True)
        ]

    def unfinished(self, results: Results) -> list[PlannedSet]:
        """Return the sets that are being played, or are still to be played."""
        return [planned for planned in self.counting() if planned.number not in results]


@dataclass(frozen=True)
class Play:
    """These tables are to be played next, a set each."""

    tables: tuple[Table, ...]


@dataclass(frozen=True)
class Wait:
    """Nothing can be planned now; `why` in words. Asked again after each result, arrival and
    departure, and at `until`, in seconds since 1970 (UTC), if there is one."""

    why: str
    until: int | None = None


@dataclass(frozen=True)
class Done:
    """The league is over; `why` in words."""

    why: str


Next: TypeAlias = Play | Wait | Done


class Format(Protocol):
    """A planner for one league. A class of `arena.league.plan.formats.FORMATS`."""

    keys: ClassVar[Sequence[str]]
    """The keys of league.toml that it has, of those that not every format has."""

    endless: ClassVar[bool]
    """True if it goes on without end where the file does not say `sets`."""

    pairing: ClassVar[int]
    """The number of its newest rules for finding opponents, which new leagues begin with; the terms
    of a league have the number of its own. 1 for a format whose rules have never changed."""

    reads_results: ClassVar[bool]
    """True if it looks at who won; False if only at which sets are over."""

    has_course: ClassVar[bool]
    """True if its `course`, or its `sets_in_all`, looks at who won or at its decisions; False if a
    table can be made without them."""

    counts_at_once: ClassVar[bool]
    """True if a set counts when it is complete; False if it waits for those planned before it."""

    ignores_order: ClassVar[bool]
    """True if the order in which results arrive changes no decision, so that a league that was
    stopped or killed ends with the same table as one that was not."""

    withdraws: ClassVar[bool]
    """True if it plans for those alone that are connected, and a set that has not begun is
    withdrawn when one of its bots loses its connection; False if such a set waits for the bot, and
    a bot is absent from planning only when it has been away for a minute."""

    def __init__(self, terms: LeagueTerms) -> None: ...

    def why_not(self, bots: Sequence[tuple[str, str]]) -> str | None:
        """Return the reason why no set can be planned with these bots (names and owners), and the
        remedy; None if one can."""

    def next(
        self, past: Past, results: Results, present: Container[str], now: int, lots: bytes
    ) -> Next:
        """Return what is to be played next.

        `present`: the names of the bots that are here; those that the league starts always are.
        `now`: seconds since 1970, UTC. `lots`: secret bytes that tell nothing about any deal.
        """

    def course(self, past: Past, results: Results) -> Sequence[CourseTable]:
        """Return the tables that outputs show beside the ratings; none, if the ratings are all."""

    def sets_in_all(self, past: Past, results: Results) -> int | None:
        """Return the number of sets that will have counted at the end; None if nobody can know."""
