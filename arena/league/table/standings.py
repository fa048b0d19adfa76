"""The table as one value, from which every output is made.

Nothing in it comes from a set that is not complete. Names are chosen by bots: every output
escapes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from arena.league.model.course import CourseTable
from arena.league.model.entrants import Presence
from arena.league.table.ratings import Rating, Ratings
from arena.record.timing import BotClock
from arena.stats import Mean

State: TypeAlias = Literal["running", "stopped", "finished"]
"""Of a league: its lock is held by a runner, by none, or there is nothing left to play."""


@dataclass(frozen=True)
class Facts:
    """The league as a whole; outputs show it above the table."""

    name: str
    game: str
    seats: int
    options: Mapping[str, object]
    format: str
    duplicate: bool
    clock: Mapping[str, int]  # decision_ms, bank_ms, hang_ms, faults_to_forfeit, start_ms
    are_deals_predictable: bool
    anchor: str  # in words: "the mean of all bots is 0"
    points_of: str  # "round" or "match": the unit of a row's points
    state: State
    sets: int  # counted: the complete ones from the first on, without a gap
    sets_in_all: int | None  # that are to count when it is finished; None: nobody can know yet
    sets_planned: int  # in the schedule
    sets_left_out: int  # of the schedule: a bot in them is benched or retired; they do not count
    matches: int  # of the counted sets
    voids: int  # sets that were played anew because this machine was slow
    annulled: Mapping[str, int]  # by bot: in how many of the voids it would have been late
    confinement: str  # the weakest way that bots were confined in its matches; "": none yet
    stood: int  # matches whose late rulings stood because three sets were void before
    ended: str  # the rule of [stop] that ended it early, in words; "": none
    first: str  # UTC, when the first and the last counted match ended: "2026-01-31T12:00:00Z"
    last: str
    winners: tuple[str, ...] = ()  # of a finished league whose format has a winner; tied if several

    @property
    def is_finished(self) -> bool:
        return self.state == "finished"


@dataclass(frozen=True)
class Standing:
    """One row: a bot with its rating, and all that is counted of it besides."""

    rating: Rating
    owner: str
    version: str  # as its hello said, or ""
    author: str
    language: str
    part: int  # bots that never met, not even through others, stand in separate parts
    places: tuple[int, ...]  # times it was first, second ...; one number for each seat
    points: Mean | None  # by `points_of`; None: no match was played to its end
    think_ms: float | None  # mean of a decision it made itself
    slowest_ms: float | None
    faults: Mapping[str, int]  # by kind, all kinds
    forfeits: int
    clock: BotClock | None = None  # its own; None: that of the league

    @property
    def name(self) -> str:
        return self.rating.bot


@dataclass(frozen=True)
class Benched:
    """A bot that takes no further part. It has no rating; its pairs count for nobody."""

    name: str
    owner: str
    reason: str
    after_set: int  # the number of the set in which it was benched
    sets: int
    matches: int
    faults: Mapping[str, int]
    forfeits: int


@dataclass(frozen=True)
class Versus:
    """One bot against another, over all tables where they met."""

    ahead: float  # share of meetings in which the first finished ahead, ties half
    meetings: int
    superiority: float | None  # the likelihood that the first is the better one


class VersusOfRatings(Mapping[tuple[str, str], Versus]):
    """By ordered pair of bots that met: how often the first finished ahead.

    Of 100 bots there are 9,900 such pairs, and their likelihoods take longer than all ratings; a
    table in a terminal shows none of them.
    """

    def __init__(self, found: Ratings, names: Sequence[str], seats: int):
        """`names`: the bots of the table, in its order. `seats`: of each match."""
        self._found = found
        self._seats = seats
        self._at = {name: found.names.index(name) for name in names}
        self._pairs = found.pairs
        self._known: dict[tuple[str, str], Versus] = {}

    def __repr__(self) -> str:
        return f"<VersusOfRatings of {len(self._at)} bots>"

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for one, a in self._at.items():
            for other, b in self._at.items():
                if a != b and self._pairs.weights[a, b]:
                    yield one, other

    def __getitem__(self, pair: tuple[str, str]) -> Versus:
        known = self._known.get(pair)
        return self._work_out(pair) if known is None else known

    def _work_out(self, pair: tuple[str, str]) -> Versus:
        a, b = (self._at[name] for name in pair)
        weight = float(self._pairs.weights[a, b])
        if a == b or not weight:
            raise KeyError(pair)
        known = self._known[pair] = Versus(
            ahead=float(self._pairs.scores[a, b]) / weight,
            meetings=round(weight * self._seats / 2),
            superiority=self._found.superiority(*pair),
        )
        return known


@dataclass(frozen=True)
class Moment:
    """The ratings after `sets` counted sets."""

    sets: int
    elo: Mapping[str, tuple[float, float | None]]  # by bot: Elo and half its bar


@dataclass(frozen=True)
class SeatEdge:
    """The worth of a seat, in Elo; only where seats do not turn."""

    seat: int
    elo: float
    half_width: float | None


@dataclass(frozen=True)
class Standings:
    """The whole table: rows part by part, best first."""

    facts: Facts
    rows: tuple[Standing, ...]
    benched: tuple[Benched, ...]
    waiting: tuple[str, ...]  # entrants without a counted set yet
    versus: Mapping[tuple[str, str], Versus]
    history: tuple[Moment, ...]
    seat_edges: tuple[SeatEdge, ...]
    course: tuple[CourseTable, ...]  # what the format shows beside the ratings
    retired: tuple[str, ...] = ()  # entrants that take no further part; their results count
    presence: tuple[Presence, ...] = ()  # of bots that dial in and came, while the league runs

    @property
    def parts(self) -> int:
        return 1 + max((row.part for row in self.rows), default=-1)
