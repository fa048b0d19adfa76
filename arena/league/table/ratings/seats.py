"""Figures counted without a model: finishing ahead, ties, places, points, gain from repetition.

Bars are by set here too. With the sum y_c over the n_c games of set c, the mean per game is
m = sum of y_c / sum of n_c; the surprise of set c is y_c - m*n_c, and the variance is C/(C-1)
times the sum of the squared surprises, divided by the square of the sum of n_c. With sets of
equal length that is the plain mean of set means and its usual error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

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
        known = ~np.isnan(values)
        stays = len(self.stay_bot)
        games = sums(self.stay[known], np.ones(known.sum()), stays)
        return self._means(sums(self.stay[known], values[known], stays), games)

    def gain_from_repetition(self) -> list[Mean | None]:
        """Return by bot the gain in share ahead in the later matches of a set.

        A set is dealt once and played in every seating. A bot that remembers the cards, by any
        channel, shows here: the gain is the mean share ahead in the second half of a set's
        matches minus that in the first half, with the bar over sets. None if no set was repeated.
        """
        gain = self._share_ahead(self.is_late) - self._share_ahead(self.is_early)
        known = ~np.isnan(gain)
        return self._means(np.where(known, gain, 0.0), known.astype(np.float64))

    def _share_ahead(self, rows: Flags) -> Floats:
        """Return by stay the mean share ahead in these rows; nan where it has none of them."""
        rows = rows & ~np.isnan(self.ahead)
        stays = len(self.stay_bot)
        with np.errstate(invalid="ignore"):
            return sums(self.stay[rows], self.ahead[rows], stays) / sums(
                self.stay[rows], np.ones(rows.sum()), stays
            )

    def _means(self, total: Floats, count: Floats) -> list[Mean | None]:
        """Return by bot the mean: total over count, which are both by stay."""
        counts = sums(self.stay_bot, count, self.bots)
        means = sums(self.stay_bot, total, self.bots) / np.maximum(counts, 1)
        squares = sums(self.stay_bot, (total - means[self.stay_bot] * count) ** 2, self.bots)
        sets = np.bincount(self.stay_bot[count > 0], minlength=self.bots)
        return [
            _mean(*row)
            for row in zip(
                means.tolist(), squares.tolist(), counts.tolist(), sets.tolist(), strict=True
            )
        ]


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
