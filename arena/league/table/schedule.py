"""The schedule of a long league in few bytes, and numbers of its sets.

A set takes some 20 bytes here, and 250 as a `PlannedSet`; a number takes 8, and 60 in a Python set.
A league of 100,000 matches has 25,000 sets, and several places know all of them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from arena.league.model.sets import PlannedSet


class SortedNumbers:
    """Different whole numbers in ascending order, of 8 bytes each."""

    def __init__(self) -> None:
        self._numbers = array("q")

    def __repr__(self) -> str:
        return f"<SortedNumbers, {len(self)} of them>"

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __getitem__(self, at: int) -> int:
        return self._numbers[at]

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.find(number) is not None

    def find(self, number: int) -> int | None:
        """Return the place of a number in the order, from 0; None if it is not there."""
        at = number - 1  # as in a schedule, whose sets are numbered from 1 without a gap
        if not (0 <= at < len(self) and self._numbers[at] == number):
            at = bisect_left(self._numbers, number)
        return at if at < len(self) and self._numbers[at] == number else None

    def add(self, number: int) -> int | None:
        """Take a number; return its place in the order, None if it was there before."""
        if not self._numbers or number > self._numbers[-1]:
            self._numbers.append(number)
            return len(self) - 1
        at = bisect_left(self._numbers, number)
        if self._numbers[at] == number:
            return None
        self._numbers.insert(at, number)
        return at


class Schedule(Sequence[PlannedSet]):
    """The sets of a league by their numbers. Each is made when it is asked for."""

    def __init__(self, sets: Iterable[PlannedSet] = ()) -> None:
        self._numbers = SortedNumbers()
        self._ends = array("q", [0])  # by set, where its line-up ends in `_bots`; before it a 0
        self._bots = array("I")
        self._names: list[str] = []
        self._number_of: dict[str, int] = {}  # by name its place in `_names`
        self.grow(sets)

    def __repr__(self) -> str:
        return f"<Schedule of {len(self)} sets>"

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> PlannedSet: ...
    @overload
    def __getitem__(self, at: slice) -> list[PlannedSet]: ...
    def __getitem__(self, at: int | slice) -> PlannedSet | list[PlannedSet]:
        if isinstance(at, slice):
            return [self._at(each) for each in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        return self._at(at % len(self))

    def find(self, number: int) -> PlannedSet | None:
        """Return the set with this number; None if there is none."""
        at = self._numbers.find(number)
        return None if at is None else self._at(at)

    def grow(self, sets: Iterable[PlannedSet]) -> None:
        """Take further sets. One that is there already stays as it is."""
        for one in sets:
            at = self._numbers.add(one.number)
            if at is None:
                continue
            begin, seats = self._ends[at], len(one.line_up)
            self._bots[begin:begin] = array("I", map(self._number, one.line_up))
            self._ends.insert(at + 1, begin + seats)
            for later in range(at + 2, len(self._ends)):  # none, as sets come in order
                self._ends[later] += seats

    def _number(self, name: str) -> int:
        number = self._number_of.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number

    def _at(self, at: int) -> PlannedSet:
        begin, end = self._ends[at], self._ends[at + 1]
        return PlannedSet(
            self._numbers[at], tuple(self._names[bot] for bot in self._bots[begin:end])
        )
