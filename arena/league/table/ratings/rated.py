"""The ratings as a value: one row for each bot, and the pairs and groups they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arena.league.model.anchor import Anchor
from arena.league.table.ratings.anchor import weights_of
from arena.league.table.ratings.group import PRIOR, Group, rate_groups
from arena.league.table.ratings.pairs import PairsInParts, PairTotals
from arena.league.table.ratings.provisional import Lack, lacks
from arena.league.table.ratings.ranks import SEPARATED
from arena.league.table.ratings.results import Matches, Scored, Tables, parts_of
from arena.league.table.ratings.seats import SeatMeans
from arena.stats import Mean


@dataclass(frozen=True)
class Rating:
    """The row of one bot. Shares are between 0 and 1; a `Mean` has its 95 % bar, from the spread
    between sets.

    Rank, Elo and LOS compare it with the bots of its own group only.
    """

    bot: str
    group: int  # from 0, the largest first
    rank: int
    rank_interval: tuple[int, int] | None  # 95 %; None: the results alone do not limit it
    elo: float
    half_width: float | None  # of the 95 % bar; None: the results alone do not limit it
    plain_half_width: float  # from the model of luck instead: for debugging, not published
    los_to_next: float | None  # likelihood of being better than the next; None: none, or unknown
    is_separated: bool | None  # from the next row; None: there is none
    sets: int
    games: int
    ahead: Mean | None  # share of opponents behind it, ties half; None: no opponent
    ties: Mean | None  # share of opponents level with it
    wins: Mean | None  # share of matches won; a shared first place is divided
    place: Mean | None
    points: Mean | None  # per game; None: the game has none
    gain: Mean | None  # share ahead in later matches of a set minus earlier; None: no repetition
    lacks: tuple[Lack, ...]

    @property
    def is_provisional(self) -> bool:
        return bool(self.lacks)


@dataclass(frozen=True, eq=False)
class Ratings:
    """The rows, group by group, best first; and the covariances for other comparisons."""

    rows: tuple[Rating, ...]
    names: tuple[str, ...]
    groups: tuple[Group, ...]
    pairs: PairTotals  # the meetings of each two bots, and the points, by the numbers of `names`

    def superiority(self, better: str, worse: str) -> float | None:
        """Return the likelihood that the one is better than the other; None if it is unknown."""
        group, a = self._places_in_groups.get(better, (None, 0))
        other, b = self._places_in_groups.get(worse, (None, 0))
        return None if group is None or group is not other else group.superiority(a, b)

    @cached_property
    def _places_in_groups(self) -> Mapping[str, tuple[Group, int]]:
        """By bot its group, and its place in the arrays of the group."""
        return {
            self.names[bot]: (group, at)
            for group in self.groups
            for at, bot in enumerate(group.bots.tolist())
        }

    def elos(self) -> dict[str, tuple[float, float | None]]:
        """Return Elo and half its bar of each bot that played, in the order of the rows: what
        `elos` works out of the same matches."""
        return {row.bot: (row.elo, row.half_width) for row in self.rows if row.sets}


def ratings(
    names: Sequence[str],
    matches: Sequence[Scored] | Matches,
    *,
    owners: Sequence[str] | None = None,
    anchor: Anchor | None = None,
    tau: float = PRIOR,
) -> Ratings:
    """Rate these bots by these matches; the order of the matches makes no difference.

    `owners`: of the bots in `names`; two bots of one owner are not compared with each other.
    `anchor`: the zero of the scale; None: the mean of all bots. `tau`: the prior, in imagined ties.
    """
    anchor = anchor or Anchor()
    parts = parts_of(len(names), matches, owners)
    pairs, groups = _rated(names, parts, anchor, tau)
    counted = SeatMeans.over(len(names), parts)
    rows = [
        row
        for number, group in enumerate(groups)
        for row in _rows(number, group, names, anchor.elo, counted)
    ]
    return Ratings(tuple(rows), tuple(names), tuple(groups), pairs)


def elos(
    names: Sequence[str], matches: Sequence[Scored] | Matches, *, anchor: Anchor | None = None
) -> dict[str, tuple[float, float | None]]:
    """Return Elo and half its bar of each bot in these matches, in the order of the rows.

    A history needs only these, for many moments: the intervals of ranks, from ten thousand draws,
    and the counts of a row would be worked out for nothing.
    """
    anchor = anchor or Anchor()
    parts = parts_of(len(names), matches)
    _, groups = _rated(names, parts, anchor, PRIOR)
    played = {int(bot) for tables in parts for table in tables for bot in np.unique(table.bots)}
    return {
        names[group.bots[at]]: (anchor.elo + float(group.elo[at]), group.half_width(at))
        for group in groups
        for at in _best_first(group, names)
        if group.bots[at] in played
    }


def _rated(
    names: Sequence[str], parts: Iterable[Sequence[Tables]], anchor: Anchor, tau: float
) -> tuple[PairTotals, list[Group]]:
    weights = weights_of(anchor, names)
    pairs = PairsInParts(len(names), parts)
    groups = rate_groups(pairs, lambda bots: weights[bots], tau)
    return pairs.totals, groups


def _best_first(group: Group, names: Sequence[str]) -> list[int]:
    # Ratings that should be equal differ by rounding; then the name decides, not the last bit.
    return sorted(
        range(len(group.bots)),
        key=lambda at: (-round(float(group.elo[at]), 6), names[int(group.bots[at])]),
    )


def _rows(
    number: int, group: Group, names: Sequence[str], anchor_elo: float, counted: SeatMeans
) -> list[Rating]:
    best_first = _best_first(group, names)
    intervals = group.rank_intervals()
    rows = []
    for rank, at in enumerate(best_first, 1):
        bot = int(group.bots[at])
        half_width = group.half_width(at)
        is_last = rank == len(best_first)
        los = None if is_last else group.superiority(at, best_first[rank])
        sets = int(counted.sets[bot])
        rows.append(
            Rating(
                bot=names[bot],
                group=number,
                rank=rank,
                rank_interval=intervals[at],
                elo=anchor_elo + float(group.elo[at]),
                half_width=half_width,
                plain_half_width=group.plain_half_width(at),
                los_to_next=los,
                is_separated=None if is_last else los is not None and los >= SEPARATED,
                sets=sets,
                games=int(counted.games[bot]),
                ahead=counted.ahead[bot],
                ties=counted.ties[bot],
                wins=counted.wins[bot],
                place=counted.place[bot],
                points=counted.points[bot],
                gain=counted.gain[bot],
                lacks=lacks(sets, half_width, bool(group.is_main[at])),
            )
        )
    return rows
