"""All that was planned and played on a ladder, added up set by set.

A past that has only grown since the last time costs only what is new. All sums are of whole
numbers: whether they were added up over a year or all at once, they are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_

import numpy as np

from arena.league.model.sets import PlannedSet
from arena.league.plan.counts import Ints
from arena.league.plan.format import Past, Results, SetResult
from arena.league.plan.ladder.strengths import fitted, own

LAGGING = 5
"""The common fit reaches up to the set of this place among the unfinished, without it. A slow bot
that sits in a few sets for an hour does not hold the fit up, and each of the few that end later
costs one more fit."""

STEPS = 6
FIRST_STEP = 3
"""The common fit is made anew after every 8th set, and 64 times while the number of sets doubles
where that is less often; in between, each bot's own results move its strength."""


class Meetings:
    """By bot and bot the number of their meetings, and the row's half points in them."""

    def __init__(self) -> None:
        self.games: Ints = np.zeros((0, 0), np.int64)
        self.halves: Ints = np.zeros((0, 0), np.int64)

    def __repr__(self) -> str:
        return f"<Meetings of {len(self.games)} bots>"

    def grow(self, size: int) -> None:
        self.games = grown(self.games, size)
        self.halves = grown(self.halves, size)

    def add(self, bots: Sequence[int], games: Ints, halves: Ints) -> None:
        """Add the meetings and half points of one set, matrices in the order of `bots`."""
        cells = np.ix_(bots, bots)
        self.games[cells] += games
        self.halves[cells] += halves


class LadderHistory:
    """The sums of one ladder's past. Bots are numbers, in the order in which they came up here."""

    def __init__(self) -> None:
        self._forget()

    def __repr__(self) -> str:
        return f"<LadderHistory of {len(self.names)} bots, {len(self._planned)} sets>"

    def _forget(self) -> None:
        self.at: dict[str, int] = {}
        self.names: list[str] = []
        self.sat: list[list[int]] = []  # by bot, the numbers of its sets that count, ascending
        self.met: Ints = np.zeros((0, 0), np.int64)  # by bot and bot, in sets that count
        self.unfinished: dict[int, PlannedSet] = {}
        self._planned: list[PlannedSet] = []  # all that were told
        self._left_out: set[int] = set()
        self._over: dict[int, SetResult] = {}
        # The objects told last, to know them again, and the number of results.
        self._told: tuple[object, object, object, int] = (None, None, None, 0)
        self._all, self._common = Meetings(), Meetings()
        self._common_to = 0  # the number of the last set whose results are in the common fit
        self._fit: Ints | None = None  # by bot; None: to be made anew
        self._moved: Ints = np.zeros(0, np.int64)  # by bot, with its own results since
        self._stale: set[int] = set()  # bots with results that are not in `_moved`

    def tell(self, past: Past, results: Results) -> None:
        """Take over all that is new; add up everything anew if this is not the past told before."""
        if not self._continues(past, results):
            self._forget()
        for planned in past.sets[len(self._planned) :]:
            self._plan(planned)
        if len(past.left_out) > len(self._left_out):
            for number in sorted(past.left_out - self._left_out):
                if number <= len(self._planned):
                    self._leave_out(self._planned[number - 1])
        for number in [number for number in self.unfinished if number in results]:
            del self.unfinished[number]
            self._over[number] = results[number]
            self._add(results[number], 1)
        self._told = past.sets, past.left_out, results, len(results)

    def known(self, name: str) -> int:
        """Return the number of a bot."""
        if name not in self.at:
            self.at[name] = len(self.names)
            self.names.append(name)
            self.sat.append([])
            if len(self.names) > len(self.met):
                # Doubled, as each copy costs the square of the number of bots.
                size = 2 * len(self.names)
                self.met = grown(self.met, size)
                self._all.grow(size)
                self._common.grow(size)
                more = np.zeros(size - len(self._moved), np.int64)
                self._moved = np.append(self._moved, more)
                self._fit = None if self._fit is None else np.append(self._fit, more)
        return self.at[name]

    def strengths(self) -> Ints:
        """Return by bot its strength in Elo; 0 for a bot without results."""
        self._advance()
        if self._fit is None:
            self._fit = self._common_fit()
            self._moved = self._fit.copy()
            self._stale = {*np.flatnonzero((self._all.games != self._common.games).any(1)).tolist()}
        if self._stale:
            bots = sorted(self._stale)
            self._moved[bots] = own(
                self._all.games[bots], self._all.halves[bots], self._fit[bots], self._fit
            )
            self._stale.clear()
        return self._moved

    def _continues(self, past: Past, results: Results) -> bool:
        """Tell whether this past has grown out of that told before.

        Objects that were seen before are taken to have grown only; others are compared.
        """
        told = len(self._planned)
        sets, left_out, known_results, results_seen = self._told
        if len(past.sets) < told or len(past.left_out) < len(self._left_out):
            return False
        if past.sets is sets:
            same = not told or past.sets[told - 1] == self._planned[-1]
        else:
            same = list(past.sets[:told]) == self._planned
        if past.left_out is not left_out:
            same &= past.left_out >= self._left_out
        if results is known_results:
            return same and len(results) >= results_seen
        return same and all(map(is_, map(results.get, self._over), self._over.values()))

    def _plan(self, planned: PlannedSet) -> None:
        self._planned.append(planned)
        self.unfinished[planned.number] = planned
        bots = [self.known(name) for name in planned.line_up]
        self._meet(bots, 1)
        for bot in bots:
            self.sat[bot].append(planned.number)

    def _leave_out(self, planned: PlannedSet) -> None:
        self._left_out.add(planned.number)
        self.unfinished.pop(planned.number, None)
        if (result := self._over.pop(planned.number, None)) is not None:
            self._add(result, -1)
        bots = [self.at[name] for name in planned.line_up]
        self._meet(bots, -1)
        for bot in bots:
            self.sat[bot].remove(planned.number)

    def _meet(self, bots: Sequence[int], sets: int) -> None:
        self.met[np.ix_(bots, bots)] += sets
        self.met[bots, bots] = 0  # nobody meets itself

    def _add(self, result: SetResult, times: int) -> None:
        """Add a result, or with -1 take it out again."""
        bots, games, halves = self._points_of(result)
        self._all.add(bots, times * games, times * halves)
        self._stale.update(bots)
        if result.number <= self._common_to:
            self._common.add(bots, times * games, times * halves)
            self._fit = None

    def _points_of(self, result: SetResult) -> tuple[list[int], Ints, Ints]:
        names = result.matches[0].bots
        halves = np.zeros((len(names), len(names)), np.int64)
        for match in result.matches:
            placed = dict(zip(match.bots, match.places, strict=True))
            places = np.array([placed[name] for name in names])
            halves += np.sign(places - places[:, None]) + 1
        np.fill_diagonal(halves, 0)
        return [self.known(name) for name in names], halves + halves.T >> 1, halves

    def _advance(self) -> None:
        """Take further sets into the common fit."""
        lagging = sorted(self.unfinished)[LAGGING - 1 : LAGGING]
        last = common_to(lagging[0] - 1 if lagging else len(self._planned))
        if last == self._common_to:
            return
        if last < self._common_to:  # only where a set that was left out counts again
            self._common, self._common_to = Meetings(), 0
            self._common.grow(len(self.met))
        for number in range(self._common_to + 1, last + 1):
            if number in self._over:
                self._common.add(*self._points_of(self._over[number]))
        self._common_to, self._fit = last, None

    def _common_fit(self) -> Ints:
        # In the order of names: that in which bots came up differs between a ladder that was
        # watched from its first set and one that is looked at later.
        played = np.flatnonzero(self._common.games.any(1)).tolist()
        played.sort(key=lambda bot: self.names[bot])
        found = np.zeros(len(self.met), np.int64)
        if not played:
            return found
        cells = np.ix_(played, played)
        found[played] = fitted(self._common.games[cells], self._common.halves[cells])
        return found


def common_to(sets: int) -> int:
    """Return the number of the last set in the common fit, where so many could be in it."""
    step = 1 << max(FIRST_STEP, sets.bit_length() - 1 - STEPS)
    return sets // step * step


def grown(matrix: Ints, size: int) -> Ints:
    """Return the matrix with rows and columns of 0 added."""
    larger = np.zeros((size, size), np.int64)
    larger[: len(matrix), : len(matrix)] = matrix
    return larger
