"""The rules of [stop]: whether a league is over before its format would end it.

Results count in the order of the schedule up to the first set that is still to be completed, and
not in the order in which they arrive: quick sets end first, and may be quick because of who won
them. So the verdict is the same however the league was run, and the set at which a rule first holds
decides, even if others were completed before it was looked at.

Only bots that still take part are judged, by the matches between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arena.compare.stop import Bounds, StopTest, Trial, Verdict
from arena.league.model.anchor import Anchor
from arena.league.model.stopping import Stopping
from arena.league.plan.format import Past, Results, SetResult
from arena.league.plan.stop.looks import are_narrow, are_separated, looks, rated
from arena.league.table.ratings import ENOUGH_SETS, Scored
from arena.league.table.ratings.anchor import weights_of
from arena.league.table.ratings.group import Group
from arena.league.table.ratings.pairs import Pairs, pairs_of
from arena.league.table.ratings.results import tables_of


def why_stop(
    stopping: Stopping,
    past: Past,
    results: Results,
    *,
    began: int | None,
    now: int,
    anchor: Anchor | None = None,
) -> str | None:
    """Return in words why the league is over; None if it goes on.

    `began`: when its first match began; `now`: both in seconds since 1970 (UTC). `anchor`: of the
    table, whose bars are meant. Whoever asks again and again keeps a StopRules.
    """
    return StopRules(stopping, anchor).why(past, results, began=began, now=now)


class StopRules:
    """The rules of one league, asked after each complete set.

    What was counted is kept, so that an answer costs little; it is the same as a new StopRules
    would give. For that, sets before the first incomplete one must never change.
    """

    def __init__(self, stopping: Stopping, anchor: Anchor | None = None):
        self.stopping = stopping
        self._anchor = anchor or Anchor()
        self._planned = 0  # the sets of the schedule that were counted or left out
        self._counted = _CountedSets()
        self._judge = _Judge(stopping, self._anchor, ())

    def __repr__(self) -> str:
        return f"<StopRules {self.stopping}, {len(self._counted.sets)} sets>"

    def why(self, past: Past, results: Results, *, began: int | None, now: int) -> str | None:
        """Return in words why the league is over; None if it goes on. As `why_stop`."""
        while self._planned < len(past.sets):
            number = past.sets[self._planned].number
            if number not in past.left_out:
                if number not in results:
                    break
                self._counted.add(results[number])
            self._planned += 1
        bots = tuple(name for name, _ in past.bots)
        if bots != self._judge.bots:
            self._judge = _Judge(self.stopping, self._anchor, bots)
        return self._judge.after(self._counted) or self._hours(began, now)

    def _hours(self, began: int | None, now: int) -> str | None:
        hours = self.stopping.hours
        if hours is None or began is None or now - began < 3600 * hours:
            return None
        return f"{_in_words(hours, 'hour')} went by since the first match began"


class _CountedSets:
    """The sets that count so far, in the order of the schedule, and their pairs of bots."""

    def __init__(self) -> None:
        self.sets: list[SetResult] = []
        self.enough_after: dict[str, int] = {}  # by bot, the set that was its ENOUGH_SETS-th
        self._sets_of: dict[str, int] = {}
        self._numbers: dict[str, int] = {}  # by bot, its number in the pairs
        self._read = 0  # sets whose pairs are there
        self._pairs = pairs_of(0, [])

    def __repr__(self) -> str:
        return f"<_CountedSets {len(self.sets)} sets>"

    def add(self, one: SetResult) -> None:
        """Add the next set."""
        self.sets.append(one)
        for name in one.matches[0].bots:
            self._sets_of[name] = self._sets_of.get(name, 0) + 1
            if self._sets_of[name] == ENOUGH_SETS:
                self.enough_after[name] = len(self.sets)

    def rate(self, sets: int, bots: Sequence[str], anchor: Anchor) -> Group | None:
        """Rate these bots after so many sets; None while results say too little about one."""
        self._read_pairs()
        numbers = np.array(sorted(self._numbers[name] for name in bots))
        end = int(np.searchsorted(self._pairs.set, sets))
        pairs = first_rows(self._pairs, end).among(numbers)
        known = list(self._numbers)
        names = [known[number] for number in numbers]
        # As in the table, an anchor that no longer takes part is no part of the mean.
        kept = {name: weight for name, weight in anchor.weights.items() if name in names}
        weights = weights_of(Anchor(kept), names)
        return rated(pairs, lambda found: weights[found])

    def _read_pairs(self) -> None:
        """Add the pairs of the sets that came since the last time."""
        matches = []
        for number, one in enumerate(self.sets[self._read :]):
            for turn, match in enumerate(one.matches):
                seated = tuple(
                    self._numbers.setdefault(name, len(self._numbers)) for name in match.bots
                )
                matches.append(Scored(number, turn, seated, match.places))
        bots = len(self._numbers)
        # Every set has a pair, so that the numbers of sets have no gaps.
        self._pairs = joined(self._pairs, pairs_of(bots, tables_of(bots, matches)))
        self._read = len(self.sets)


class _Judge:
    """What the rules say about these bots; the first that holds stays."""

    def __init__(self, stopping: Stopping, anchor: Anchor, bots: tuple[str, ...]):
        self.bots = bots
        self._stopping = stopping
        self._anchor = anchor
        self._sets = 0  # that were judged
        self._looks = looks()
        self._look, self._chance = next(self._looks)
        self._trial: Trial | None = None
        if stopping.test is not None and len(bots) == 2:
            self._trial = Trial(StopTest(Bounds(*stopping.test)), 1, 1)
        self._why: str | None = None

    def __repr__(self) -> str:
        return f"<_Judge of {len(self.bots)} bots after {self._sets} sets: {self._why}>"

    def after(self, counted: _CountedSets) -> str | None:
        """Judge the sets that came since the last time, one after the other."""
        while self._why is None and self._sets < len(counted.sets):
            one = counted.sets[self._sets]
            self._sets += 1
            self._why = self._by_look(counted) or self._by_test(one) or self._by_number()
        return self._why

    def _by_look(self, counted: _CountedSets) -> str | None:
        if self._sets < self._look:
            return None
        chance = self._chance
        self._look, self._chance = next(self._looks)
        stopping = self._stopping
        if not (stopping.separated or stopping.bars_below is not None):
            return None
        if any(counted.enough_after.get(name, self._sets + 1) > self._sets for name in self.bots):
            return None
        group = counted.rate(self._sets, self.bots, self._anchor)
        if group is None:
            return None
        after = f"after {_in_words(self._sets, 'set')}"
        if stopping.separated and are_separated(group, chance):
            return f"every two neighbours are separated {after}"
        if stopping.bars_below is not None and are_narrow(group, stopping.bars_below):
            return f"every bar is below ±{stopping.bars_below:g} Elo {after}"
        return None

    def _by_test(self, one: SetResult) -> str | None:
        trial = self._trial
        if trial is None or {*one.points} != {*self.bots}:
            return None
        first, second = self.bots
        trial.add(one.points[first])
        if trial.verdict is Verdict.NOT_YET:
            return None
        low, high = trial.test.bounds.low, trial.test.bounds.high
        more = f"{high:g} Elo above {second}, or more, rather than {low:g}"
        less = f"{low:g} Elo above {second}, or less, rather than {high:g}"
        found = more if trial.verdict is Verdict.ACCEPTED else less
        return f"{first} is {found}: the stop test, after {_in_words(trial.sets, 'set')}"

    def _by_number(self) -> str | None:
        if self._stopping.sets is None or self._sets < self._stopping.sets:
            return None
        return f"{_in_words(self._stopping.sets, 'set')} counted"


def joined(pairs: Pairs, more: Pairs) -> Pairs:
    """Return the rows of both, the sets of the second numbered on from those of the first."""
    return Pairs(
        more.bots,
        np.concatenate([pairs.set, more.set + pairs.sets]),
        np.concatenate([pairs.first, more.first]),
        np.concatenate([pairs.second, more.second]),
        np.concatenate([pairs.weight, more.weight]),
        np.concatenate([pairs.score, more.score]),
    )


def first_rows(pairs: Pairs, rows: int) -> Pairs:
    """Return so many rows from the beginning."""
    return replace(
        pairs,
        set=pairs.set[:rows],
        first=pairs.first[:rows],
        second=pairs.second[:rows],
        weight=pairs.weight[:rows],
        score=pairs.score[:rows],
    )


def _in_words(count: float, unit: str) -> str:
    return f"{count:,g} {unit}{'' if count == 1 else 's'}"
