"""Figures counted without a model: finishing ahead, ties, places, points, gain from repetition.

Bars are by set here too. With the sum y_c over the n_c games of set c, the mean per game is
m = sum of y_c / sum of n_c; the surprise of set c is y_c - m*n_c, and the variance is C/(C-1)
times the sum of the squared surprises, divided by the square of the sum of n_c. With sets of
equal length that is the plain mean of set means and its usual error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar

import numpy as np

from arena.league.table.ratings.results import Flags, Floats, Ints, Tables, sums
from arena.stats import Mean, quantile


@dataclass(frozen=True, eq=False)
class Seats:
    """One row for each seat of each match. A stay is all the rows of one bot in one set."""

    bots: int
    stay_bot: Ints  # by stay
    stay: Ints  # by row, as all that follows: the number of its stay
    is_early: Flags  # in the first half of its set's matches
    is_late: Flags  # in the second; the middle one of an odd number is in neither
    place: Floats  # nan in a match that never began, for a bot that came
    win: Floats  # 1 for the first place, divided if it is shared; nan as above
    points: Floats  # nan where the match has none
    ahead: Floats  # share of the opponents behind it, ties half; nan without an opponent
    level: Floats  # share of the opponents level with it; nan without an opponent

    def games(self) -> Ints:
        """Return by bot the number of its rows."""
        return np.bincount(self.stay_bot[self.stay], minlength=self.bots)

    def sets(self) -> Ints:
        """Return by bot the number of sets it sat in."""
        return np.bincount(self.stay_bot, minlength=self.bots)

    def mean_of_each(self, values: Floats) -> list[Mean | None]:
        """Return by bot the mean of a column per game; None if it has no value."""
        return self._means(self._over_stays(values))

    def gain_from_repetition(self) -> list[Mean | None]:
        """Return by bot the gain in share ahead in the later matches of a set.

        A set is dealt once and played in every seating. A bot that remembers the cards, by any
        channel, shows here: the gain is the mean share ahead in the second half of a set's
        matches minus that in the first half, with the bar over sets. None if no set was repeated.
        """
        return self._means(self._gains())

    def figures(self) -> list[tuple[Floats, Floats]]:
        """Return the sums of each figure of `SeatMeans.FIGURES` and their counts, by stay."""
        columns = self.ahead, self.level, self.win, self.place, self.points
        return [*map(self._over_stays, columns), self._gains()]

    def _over_stays(self, values: Floats) -> tuple[Floats, Floats]:
        """Return by stay the sum of a column, and the number of games with a value."""
        known = ~np.isnan(values)
        stays = len(self.stay_bot)
        games = sums(self.stay[known], np.ones(known.sum()), stays)
        return sums(self.stay[known], values[known], stays), games

    def _gains(self) -> tuple[Floats, Floats]:
        """Return by stay the gain from repetition, and 1 where there is one."""
        gain = self._share_ahead(self.is_late) - self._share_ahead(self.is_early)
        known = ~np.isnan(gain)
        return np.where(known, gain, 0.0), known.astype(np.float64)

    def _share_ahead(self, rows: Flags) -> Floats:
        """Return by stay the mean share ahead in these rows; nan where it has none of them."""
        rows = rows & ~np.isnan(self.ahead)
        stays = len(self.stay_bot)
        with np.errstate(invalid="ignore"):
            return sums(self.stay[rows], self.ahead[rows], stays) / sums(
                self.stay[rows], np.ones(rows.sum()), stays
            )

    def _means(self, figure: tuple[Floats, Floats]) -> list[Mean | None]:
        found = MeanOfEach(self.bots)
        found.add(self.stay_bot, *figure)
        found.add_squares(self.stay_bot, *figure)
        return found.means()


class MeanOfEach:
    """The mean of one figure by bot, over stays that come part by part, in the order of their sets.

    The bar is from distances to the mean, so the parts come twice: all to `add`, then all again to
    `add_squares`.
    """

    def __init__(self, bots: int):
        self._totals, self._counts, self._squares = np.zeros((3, bots))
        self._sets: Ints = np.zeros(bots, np.int64)

    def __repr__(self) -> str:
        return f"<MeanOfEach {len(self._sets)} bots>"

    def add(self, bot: Ints, total: Floats, count: Floats) -> None:
        """Take stays: by stay the bot, the sum and the number of values."""
        # One stay after the other, so that parts change no bit of a sum.
        np.add.at(self._totals, bot, total)
        np.add.at(self._counts, bot, count)
        self._sets += np.bincount(bot[count > 0], minlength=len(self._sets))

    def add_squares(self, bot: Ints, total: Floats, count: Floats) -> None:
        """Take the same stays again, after all of them."""
        np.add.at(self._squares, bot, (total - self._values()[bot] * count) ** 2)

    def means(self) -> list[Mean | None]:
        """Return by bot the mean; None if it has no value."""
        columns = self._values(), self._squares, self._counts, self._sets
        return [_mean(*row) for row in zip(*(each.tolist() for each in columns), strict=True)]

    def _values(self) -> Floats:
        return np.asarray(self._totals / np.maximum(self._counts, 1), np.float64)


@dataclass(frozen=True, eq=False)
class SeatMeans:
    """The figures of each bot's row that need no model, by bot."""

    FIGURES: ClassVar[Sequence[str]] = ("ahead", "ties", "wins", "place", "points", "gain")

    sets: Ints
    games: Ints
    ahead: Sequence[Mean | None]
    ties: Sequence[Mean | None]
    wins: Sequence[Mean | None]
    place: Sequence[Mean | None]
    points: Sequence[Mean | None]
    gain: Sequence[Mean | None]

    @classmethod
    def over(cls, bots: int, parts: Iterable[Sequence[Tables]]) -> SeatMeans:
        """Count the figures of matches. `parts`: they are gone through twice."""
        figures = {name: MeanOfEach(bots) for name in cls.FIGURES}
        sets, games = np.zeros((2, bots), np.int64)
        for tables in parts:
            seats = seats_of(bots, tables)
            sets += seats.sets()
            games += seats.games()
            for figure, values in zip(figures.values(), seats.figures(), strict=True):
                figure.add(seats.stay_bot, *values)
        for tables in parts:
            seats = seats_of(bots, tables)
            for figure, values in zip(figures.values(), seats.figures(), strict=True):
                figure.add_squares(seats.stay_bot, *values)
        return cls(sets, games, **{name: each.means() for name, each in figures.items()})


def _mean(mean: float, squares: float, count: float, sets: int) -> Mean | None:
    if sets == 0:
        return None
    if sets == 1:
        return Mean(mean, None)
    error = math.sqrt(sets / (sets - 1) * squares) / count
    return Mean(mean, quantile(0.975, sets - 1) * error)


def seats_of(bots: int, tables: Sequence[Tables]) -> Seats:
    """Return the rows of these matches; the order of the matches makes no difference."""
    set_, turn, bot = (np.zeros(0, np.int64),) * 3
    columns = np.zeros((5, 0))
    for table in tables:
        set_ = np.append(set_, np.repeat(table.set, table.seats))
        turn = np.append(turn, np.repeat(table.turn, table.seats))
        bot = np.append(bot, table.bots.ravel())
        columns = np.hstack([columns, _columns(table)])
    stays, stay = np.unique(set_ * bots + bot, return_inverse=True)
    last_turn = np.zeros(len(stays), np.int64)
    np.maximum.at(last_turn, stay, turn)
    length = last_turn[stay] + 1
    is_early, is_late = turn < length // 2, turn >= length - length // 2
    return Seats(bots, stays % max(bots, 1), stay, is_early, is_late, *columns)


def _columns(table: Tables) -> Floats:
    """Return place, win, points, ahead and level, by seat of each match."""
    opponents, ahead, level = np.zeros((3, *table.bots.shape))
    for a, b in permutations(range(table.seats), 2):
        counts, score = table.counts(a, b), table.score(a, b)
        opponents[:, a] += counts
        ahead[:, a] += counts * score
        level[:, a] += counts & (score == 0.5)
    first = table.places == 1
    with np.errstate(invalid="ignore"):
        shares = [ahead / opponents, level / opponents]
    win = first / first.sum(axis=1, keepdims=True)
    seen = table.takes_part()
    place, win = np.where(seen, table.places, np.nan), np.where(seen, win, np.nan)
    return np.array([place, win, table.points, *shares]).reshape(5, -1)
