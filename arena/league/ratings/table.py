"""The table as a value: one row for each bot, and what lies behind the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.league.ratings.anchor import Anchor
from arena.league.ratings.group import PRIOR, Group, rate_groups
from arena.league.ratings.order import SEPARATED
from arena.league.ratings.pairs import Pairs, pairs_of
from arena.league.ratings.provisional import Lack, lacks
from arena.league.ratings.results import Floats, Ints, Match, Tables, tables_of
from arena.league.ratings.seats import Seats, seats_of
from arena.referee.sets import Mean


@dataclass(frozen=True)
class Row:
    """One bot. Shares are between 0 and 1; a `Mean` carries its 95 % bar, by set.

    What compares it with others, rank and Elo too, is about its own group only.
    """

    bot: str
    group: int  # from 0, the largest first
    rank: int
    rank_interval: tuple[int, int] | None  # 95 %; None: the results alone do not limit it
    elo: float
    half_width: float | None  # of the 95 % bar; None: the results alone do not limit it
    plain_half_width: float  # by the model of luck instead: to debug with, not to publish
    los_to_next: float | None  # likelihood of being better than the next; None: none, or unknown
    is_separated: bool | None  # from the next row; None: there is none
    sets: int
    games: int
    ahead: Mean | None  # share of opponents behind it, ties half; None: no opponent
    ties: Mean | None  # share of opponents level with it
    wins: Mean | None  # share of matches won; a shared first place is divided
    place: Mean | None
    points: Mean | None  # per game; None: the game has none
    gain: Mean | None  # of share ahead, from having met the cards before; None: no repetition
    lacks: tuple[Lack, ...]

    @property
    def is_provisional(self) -> bool:
        return bool(self.lacks)


@dataclass(frozen=True, eq=False)
class Ratings:
    """The rows, group by group, best first; and the covariances for other comparisons."""

    rows: tuple[Row, ...]
    names: tuple[str, ...]
    groups: tuple[Group, ...]
    pairs: Pairs  # who met whom, and the points, by the numbers of `names`

    def superiority(self, better: str, worse: str) -> float | None:
        """The likelihood that the one is better than the other; None where nothing tells."""
        a, b = self.names.index(better), self.names.index(worse)
        for group in self.groups:
            if a in group.bots and b in group.bots:
                at = group.bots.tolist()
                return group.superiority(at.index(a), at.index(b))
        return None


def ratings(
    names: Sequence[str],
    matches: Sequence[Match],
    *,
    owners: Sequence[str] | None = None,
    anchor: Anchor | None = None,
    tau: float = PRIOR,
) -> Ratings:
    """Everything the table says about these bots after these matches, in whatever order.

    `names` and `owners` by bot. Two of one owner are not compared with each other.
    """
    anchor = anchor or Anchor()
    tables = tables_of(len(names), matches, owners)
    pairs, groups = _rated(names, tables, anchor, tau)
    counted = _Counted(seats_of(len(names), tables))
    rows = [
        row
        for number, group in enumerate(groups)
        for row in _rows(number, group, names, anchor.elo, counted)
    ]
    return Ratings(tuple(rows), tuple(names), tuple(groups), pairs)


def elos(
    names: Sequence[str], matches: Sequence[Match], *, anchor: Anchor | None = None
) -> dict[str, tuple[float, float | None]]:
    """Elo and half its bar of each bot in these matches, in the order of its row.

    For a history, which asks this of many moments: the ranks of a row, drawn ten thousand times,
    and its counts would be worked out for nothing.
    """
    anchor = anchor or Anchor()
    tables = tables_of(len(names), matches)
    _, groups = _rated(names, tables, anchor, PRIOR)
    played = {int(bot) for table in tables for bot in np.unique(table.bots)}
    return {
        names[group.bots[at]]: (anchor.elo + float(group.elo[at]), group.half_width(at))
        for group in groups
        for at in _best_first(group, names)
        if group.bots[at] in played
    }


def _rated(
    names: Sequence[str], tables: Sequence[Tables], anchor: Anchor, tau: float
) -> tuple[Pairs, list[Group]]:
    weights = anchor.by_bot(names)

    def weights_of(bots: Ints) -> Floats:
        return weights[bots]

    pairs = pairs_of(len(names), tables)
    return pairs, rate_groups(pairs, weights_of, tau)


def _best_first(group: Group, names: Sequence[str]) -> list[int]:
    # Equal ratings are equal only up to rounding; the name then decides, not the last bit.
    return sorted(
        range(len(group.bots)),
        key=lambda at: (-round(float(group.elo[at]), 6), names[int(group.bots[at])]),
    )


class _Counted:
    """By bot, what its row says without the model."""

    def __init__(self, seats: Seats):
        self.sets = seats.sets()
        self.games = seats.games()
        self.ahead = seats.mean_of_each(seats.ahead)
        self.ties = seats.mean_of_each(seats.level)
        self.wins = seats.mean_of_each(seats.win)
        self.place = seats.mean_of_each(seats.place)
        self.points = seats.mean_of_each(seats.points)
        self.gain = seats.gain_from_repetition()


def _rows(
    number: int, group: Group, names: Sequence[str], anchor_elo: float, counted: _Counted
) -> list[Row]:
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
            Row(
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
