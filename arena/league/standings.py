"""The table as one value, from which every output is made.

Nothing in it comes from a set that is not complete. Names are what bots chose: every output
escapes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.league.ratings import Lack
from arena.referee.sets import Mean


@dataclass(frozen=True)
class Facts:
    """What stands above the table."""

    name: str
    game: str
    seats: int
    options: Mapping[str, object]
    format: str
    duplicate: bool
    clock: Mapping[str, int]  # decision_ms, bank_ms, hang_ms, faults_to_forfeit, start_ms
    are_deals_predictable: bool
    anchor: str  # in words: "the mean of all bots is 0"
    points_of: str  # "round" or "match": what a row's points are counted by
    sets: int  # counted: the complete ones from the first on, without a gap
    sets_planned: int
    matches: int  # of the counted sets
    voids: int  # sets that were played anew because this machine was slow
    annulled: Mapping[str, int]  # by bot: in how many of the voids it would have been late
    stood: int  # matches whose late rulings stood because three sets were void before
    is_finished: bool
    first: str  # UTC, when the first and the last counted match ended: "2026-01-31T12:00:00Z"
    last: str


@dataclass(frozen=True)
class Standing:
    """One row. Shares are between 0 and 1; a `Mean` carries its 95 % bar, by set."""

    name: str
    owner: str
    version: str  # as its hello said, or ""
    author: str
    language: str
    part: int  # bots that never met, not even through others, stand in separate parts
    rank: int
    rank_interval: tuple[int, int] | None
    elo: float
    half_width: float | None
    los_to_next: float | None
    is_separated: bool | None  # from the next row; None: there is none
    sets: int
    matches: int
    ahead: Mean | None  # share of opponents behind it, ties half
    ties: Mean | None
    wins: Mean | None
    place: Mean | None
    places: tuple[int, ...]  # how often it was first, second ...; one number for each seat
    points: Mean | None  # see `points_of`; None: no match was played to its end
    think_ms: float | None  # mean of a decision it made itself
    slowest_ms: float | None
    faults: Mapping[str, int]  # by kind, all kinds
    forfeits: int
    gain: Mean | None  # of share ahead, in later matches of a set over earlier ones
    lacks: tuple[Lack, ...]  # why it is provisional


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


@dataclass(frozen=True)
class Moment:
    """Where the ratings stood after so many counted sets."""

    sets: int
    elo: Mapping[str, tuple[float, float | None]]  # by bot: Elo and half its bar


@dataclass(frozen=True)
class SeatEdge:
    """What a seat is worth, in Elo; only where seats do not turn."""

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

    @property
    def parts(self) -> int:
        return 1 + max((row.part for row in self.rows), default=-1)
