"""What each two bots did in the sets that they share, collected set by set.

A hundred bots make 4,950 pairs, so a pair is a few sums and three arrays of numbers.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from arena.league.model.played import PlayedSet
from arena.outputs.pages.names import file_of_bot
from arena.stats import Mean, mean_of_sums

PairNames: TypeAlias = tuple[str, str]
"""Two bots, in the order of the files of their pages."""

# In an array of differences of points: a match of the set was cut short, so it has none.
NO_POINTS = -(2**31)


def in_order(one: str, other: str) -> PairNames:
    return (one, other) if file_of_bot(one) < file_of_bot(other) else (other, one)


def file_of_pair(one: str, other: str) -> str:
    """Return the file of the page about two bots, in their folder; the same in either order.

    A folder for each first bot: no folder has more files than there are bots.
    """
    first, second = map(file_of_bot, in_order(one, other))
    return f"{first.removesuffix('.html')}/{second}"


@dataclass(frozen=True)
class SharedSet:
    """A set that two bots share, as the first of them did in it."""

    number: int
    halves: int  # two for each match in which it finished ahead, one for each tie
    matches: int
    points: int | None  # its points minus those of the other; None: a match was cut short


class Pair:
    """The sets that two bots share, in the order of their numbers, however they come."""

    __slots__ = "_halves", "_halves_sums", "_matches", "_numbers", "_points", "_points_sums"

    def __init__(self) -> None:
        self._numbers = array("I")
        self._halves = array("B")  # at most two for each of 32 seats
        self._points = array("q")
        self._matches = 0  # of each set
        # Sums of whole numbers, so that they are the same in whatever order sets come.
        self._halves_sums = [0, 0]  # and of their squares
        self._points_sums = [0, 0, 0]  # the number of sets with points, and as above

    def __repr__(self) -> str:
        return f"<Pair, {len(self)} sets>"

    def __len__(self) -> int:
        return len(self._numbers)

    def enter(self, shared: SharedSet) -> None:
        """Take a set, once."""
        at = bisect_left(self._numbers, shared.number)
        if at < len(self) and self._numbers[at] == shared.number:
            return
        self._matches = shared.matches
        points = NO_POINTS if shared.points is None else shared.points
        self._numbers.insert(at, shared.number)
        self._halves.insert(at, shared.halves)
        self._points.insert(at, points)
        self._halves_sums[0] += shared.halves
        self._halves_sums[1] += shared.halves**2
        if shared.points is not None:
            self._points_sums[0] += 1
            self._points_sums[1] += points
            self._points_sums[2] += points**2

    def has_any(self, sets: Set[int]) -> bool:
        return bool(sets) and not sets.isdisjoint(self._numbers)

    def ahead(self) -> Mean:
        """Return the share of matches in which the first finished ahead, ties half."""
        return _shared_out(mean_of_sums(len(self), *self._halves_sums), 2 * self._matches)

    def points(self) -> Mean | None:
        """Return by how many points a match the first is better; None: no set has points."""
        sets, *sums = self._points_sums
        return _shared_out(mean_of_sums(sets, *sums), self._matches) if sets else None

    def last(self, most: int) -> list[SharedSet]:
        """Return the last sets, the newest first."""
        return [self._at(at) for at in range(len(self) - 1, max(-1, len(self) - 1 - most), -1)]

    def extremes(self, most: int) -> tuple[list[SharedSet], list[SharedSet]]:
        """Return the best and the worst sets of the first: by points, else by finishing ahead."""
        by: Sequence[int] = self._points if self._points_sums[0] else self._halves
        order = sorted(
            (at for at in range(len(self)) if by[at] != NO_POINTS),
            key=lambda at: (by[at], self._halves[at], -self._numbers[at]),
        )
        return [self._at(at) for at in order[: -1 - most : -1]], [
            self._at(at) for at in order[:most]
        ]

    def _at(self, at: int) -> SharedSet:
        points = self._points[at]
        return SharedSet(
            self._numbers[at],
            self._halves[at],
            self._matches,
            None if points == NO_POINTS else points,
        )


class MetPairs:
    """All pairs that have met, and those with sets that are on no page yet."""

    def __init__(self) -> None:
        self.of: dict[PairNames, Pair] = {}
        self._changed: set[PairNames] = set()

    def __repr__(self) -> str:
        return f"<MetPairs, {len(self.of)}, {len(self._changed)} of them changed>"

    def enter(self, one: PlayedSet) -> None:
        for names, shared in shared_sets(one):
            self.of.setdefault(names, Pair()).enter(shared)
            self._changed.add(names)

    def touch(self, gone: Set[int]) -> None:
        """Count the pairs that share one of these sets as changed: their pages link to them."""
        self._changed |= {names for names, pair in self.of.items() if pair.has_any(gone)}

    def changed(self) -> list[PairNames]:
        return sorted(self._changed)

    def forget_changed(self) -> None:
        """Mark the pages of all pairs as written."""
        self._changed.clear()


def shared_sets(one: PlayedSet) -> Iterator[tuple[PairNames, SharedSet]]:
    """Yield each two bots of a set with what the first of them did in it."""
    records = [played.record for played in one.matches]
    seats = [{name: seat for seat, name in enumerate(each.names)} for each in records]
    for names in combinations(sorted(records[0].names, key=file_of_bot), 2):
        first, second = names
        halves, points = 0, 0
        for record, at in zip(records, seats, strict=True):
            places, scores = record.places, record.scores
            halves += 1 + (places[at[first]] < places[at[second]])
            halves -= places[at[first]] > places[at[second]]
            points += scores[at[first]] - scores[at[second]] if scores else 0
        have_points = all(record.scores for record in records)
        yield names, SharedSet(one.number, halves, len(records), points if have_points else None)


def _shared_out(mean: Mean, by: int) -> Mean:
    return Mean(mean.value / by, None if mean.bar is None else mean.bar / by)
