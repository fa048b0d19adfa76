"""The results of many matches in little memory: rows of bytes that numpy reads as columns.

A match of four seats takes 31 bytes here, and some 700 as a `Scored`. Results go into a checkpoint
(`arena.league.table.checkpoint`) as wide rows of 59 bytes, which hold any result: they are the same
on every machine, little-endian, without gaps.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from struct import Struct
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from arena.league.table.ratings.results import Ints, Scored, Tables

MOST_SEATS = 32
"""As many as the forfeited seats of a row have bits."""

ROWS_AT_ONCE = 4096
"""The rows that are looked through at a time, without a copy of all."""

COMPARED_AT_ONCE = 25_000
"""The pairs of seats of one part: arrays of some 200 KB. From larger ones the memory allocator
learns to keep what is freed, tens of megabytes for good."""


NO_POINTS = -(2**15)
"""In a narrow row: the match has no points."""


@dataclass(frozen=True)
class RowForm:
    """The layout of a row. `set` and `points`: their types, as `struct` and numpy name them."""

    seats: int
    set: str
    points: str

    @classmethod
    def wide(cls, seats: int) -> RowForm:
        """Return the form that holds every result."""
        return cls(seats, "q", "d")

    @classmethod
    def narrow(cls, seats: int) -> RowForm:
        """Return the form for sets below 2**32 and points that are small whole numbers."""
        return cls(seats, "I", "h")

    @cached_property
    def row(self) -> Struct:
        """The form for one row: set, turn, begun, forfeits, then by seat bots, places, points."""
        return Struct(f"<{self.set}HBI{self.seats}H{self.seats}B{self.seats}{self.points}")

    @cached_property
    def kind(self) -> np.dtype[Any]:
        """The form for arrays of rows."""
        each = (self.seats,)
        return np.dtype(
            [
                *(("set", f"<{self.set}"), ("turn", "<u2"), ("begun", "u1"), ("forfeits", "<u4")),
                *(("bots", "<u2", each), ("places", "u1", each)),
                ("points", f"<{self.points}", each),
            ]
        )


def fits_narrow(wide: NDArray[Any]) -> bool:
    """Tell whether narrow rows hold these results to the last bit."""
    points = wide["points"]
    known = points[~np.isnan(points)]
    is_whole = (known == np.rint(known)) & (np.abs(known) < -NO_POINTS)
    is_minus_zero = (known == 0) & np.signbit(known)
    in_range = (wide["set"] >= 0) & (wide["set"] < 2**32)
    return bool(in_range.all() and (is_whole & ~is_minus_zero).all())


def in_form(rows: NDArray[Any], form: RowForm) -> NDArray[Any]:
    """Return rows in another form; narrow ones must fit."""
    if rows.dtype == form.kind:
        return rows
    found = np.empty(len(rows), form.kind)
    for name in ("set", "turn", "begun", "forfeits", "bots", "places"):
        found[name] = rows[name]
    if form.points == "d":
        found["points"] = np.where(rows["points"] == NO_POINTS, np.nan, rows["points"])
    else:
        found["points"] = np.where(np.isnan(rows["points"]), NO_POINTS, rows["points"])
    return found


class Columns(Sequence[Scored]):
    """Results in the order of (set, turn), all of one table size."""

    def __init__(self, matches: Iterable[Scored] = ()) -> None:
        self.seats = 0  # until the first match
        self._wide = self._form = RowForm.wide(0)
        self._rows = bytearray()  # in `_form`: narrow until a match does not fit
        for each in matches:
            self.add(each)

    def __repr__(self) -> str:
        return f"<Columns of {len(self)} matches of {self.seats} seats>"

    def __len__(self) -> int:
        return len(self._rows) // self._form.row.size if self.seats else 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Columns):
            return NotImplemented
        return (self._form, self._rows) == (other._form, other._rows)

    __hash__ = None  # type: ignore[assignment]  # it changes

    @overload
    def __getitem__(self, at: int) -> Scored: ...
    @overload
    def __getitem__(self, at: slice) -> list[Scored]: ...
    def __getitem__(self, at: int | slice) -> Scored | list[Scored]:
        if isinstance(at, slice):
            return [self._at(each) for each in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        return self._at(at % len(self))

    def add(self, match: Scored) -> bytes:
        """Take a match, and return its wide row. Raises ValueError if it has other seats than those
        before it."""
        if not self.seats:
            self._begin(len(match.bots))
        if len(match.bots) != self.seats:
            raise ValueError(f"a match of {len(match.bots)} seats among those of {self.seats}")
        row = self._wide.row.pack(
            *(match.set, match.turn, match.is_begun, sum(1 << seat for seat in match.forfeits)),
            *(*match.bots, *match.places),
            *(match.points or (math.nan,) * self.seats),
        )
        # Most come in order, so this looks at the last row alone.
        at, key = len(self), (match.set, match.turn)
        if at and self._key(at - 1) > key:
            at = bisect_left(range(at), key, key=self._key)
        kept = self._kept(np.frombuffer(row, self._wide.kind))
        at *= len(kept)
        self._rows[at:at] = kept
        return row

    def add_rows(self, seats: int, rows: bytes) -> None:
        """Take rows that `add` returned, of matches of so many seats. Raises ValueError if they are
        not whole."""
        if not rows:
            return
        if not self.seats:
            self._begin(seats)
        size = self._wide.row.size
        if seats != self.seats or len(rows) % size:
            raise ValueError("these rows are of other columns")
        for begin in range(0, len(rows), ROWS_AT_ONCE * size):
            some = rows[begin : begin + ROWS_AT_ONCE * size]
            self._rows += self._kept(np.frombuffer(some, self._wide.kind))
        if not self._is_in_order():
            found = self._read(0, len(self))
            order = np.lexsort((found["turn"], found["set"]))
            self._rows = bytearray(in_form(found[order], self._form).tobytes())

    def tables(
        self, numbers: Ints, left_out: Collection[int] = (), last_set: int | None = None
    ) -> list[Tables]:
        """Return the matches as the ratings take them, as `results.tables_of` does.

        `numbers`: by bot the number of its owner. `left_out`: bots with seats that make no pair.
        `last_set`: leave out all matches of later sets.
        """
        end = self._end(last_set)
        return [self._tables(0, end, numbers, left_out)] if end else []

    def parts(
        self, numbers: Ints, left_out: Collection[int] = (), last_set: int | None = None
    ) -> Iterator[list[Tables]]:
        """Yield the same part by part: whole sets, in ascending order."""
        begin, end = 0, self._end(last_set)
        while begin < end:
            after = begin + max(1, COMPARED_AT_ONCE // math.comb(max(2, self.seats), 2))
            if after < end:
                after = self._after(self._key(after - 1)[0])
            yield [self._tables(begin, min(after, end), numbers, left_out)]
            begin = after

    def _tables(self, begin: int, end: int, numbers: Ints, left_out: Collection[int]) -> Tables:
        """Return a range of the matches."""
        found = self._read(begin, end)
        bots = found["bots"].astype(np.int64)
        seats = np.arange(self.seats, dtype=np.uint32)
        return Tables(
            self.seats,
            found["set"].astype(np.int64),
            found["turn"].astype(np.int64),
            bots,
            found["places"].astype(np.float64),
            found["points"].astype(np.float64),
            numbers[bots],
            (found["forfeits"][:, None] >> seats & 1).astype(np.bool_),
            np.isin(bots, [*left_out]) if left_out else np.zeros(bots.shape, np.bool_),
            found["begun"].astype(np.bool_),
        )

    def sets(self) -> Ints:
        """Return the numbers of the sets, in ascending order."""
        if not self:
            return np.zeros(0, np.int64)
        found = np.concatenate(
            [
                np.unique(self._read(begin, begin + ROWS_AT_ONCE)["set"])
                for begin in range(0, len(self), ROWS_AT_ONCE)
            ]
        )
        return np.unique(found)  # a set may lie in two of these ranges

    def without(self, bots: Iterable[int]) -> Selection:
        """Return all matches, with the seats of these bots making no pair."""
        return Selection(self, frozenset(bots))

    def _begin(self, seats: int) -> None:
        if not 0 < seats <= MOST_SEATS:
            raise ValueError(f"a match of {seats} seats")
        self.seats = seats
        self._wide, self._form = RowForm.wide(seats), RowForm.narrow(seats)

    def _kept(self, wide: NDArray[Any]) -> bytes:
        """Return wide rows as they are kept; where they do not fit, all become wide."""
        if self._form != self._wide and not fits_narrow(wide):
            all_rows = self._read(0, len(self))
            self._form, self._rows = self._wide, bytearray(all_rows.tobytes())
        return in_form(wide, self._form).tobytes()

    def _end(self, last_set: int | None) -> int:
        """Return the number of the matches up to this set; None: of all."""
        return len(self) if last_set is None else self._after(last_set)

    def _after(self, last_set: int) -> int:
        """Return the number of the matches up to this set."""
        return bisect_right(range(len(self)), last_set, key=lambda at: self._key(at)[0])

    def _read(self, begin: int, end: int) -> NDArray[Any]:
        """Return some rows, wide, as an array with a name for each column."""
        size = self._form.row.size
        # A slice is a copy: a bytearray cannot grow while an array reads it.
        found = np.frombuffer(self._rows[begin * size : end * size], self._form.kind)
        return in_form(found, self._wide)

    def _is_in_order(self) -> bool:
        """Tell whether all rows are in the order of (set, turn)."""
        for begin in range(0, len(self), ROWS_AT_ONCE):
            found = self._read(begin, begin + ROWS_AT_ONCE + 1)  # with the first of the next range
            set_, turn = found["set"], found["turn"]
            ahead = np.diff(set_)
            if ((ahead < 0) | ((ahead == 0) & (turn[:-1] > turn[1:]))).any():
                return False
        return True

    def _key(self, at: int) -> tuple[int, int]:
        set_, turn, *_ = self._form.row.unpack_from(self._rows, at * self._form.row.size)
        return set_, turn

    def _at(self, at: int) -> Scored:
        found = self._wide.row.unpack(self._read(at, at + 1).tobytes())
        set_, turn, is_begun, forfeits = found[:4]
        seats = self.seats
        points = found[4 + 2 * seats :]
        return Scored(
            *(set_, turn, found[4 : 4 + seats], found[4 + seats : 4 + 2 * seats]),
            () if math.isnan(points[0]) else points,
            tuple(seat for seat in range(seats) if forfeits >> seat & 1),
            bool(is_begun),
        )


@dataclass(frozen=True)
class Selection:
    """Some matches of columns. `left_out`: bots with seats that make no pair. `last_set`: the last
    of the sets; None: all."""

    columns: Columns
    left_out: frozenset[int] = frozenset()
    last_set: int | None = None

    def tables(self, numbers: Ints) -> list[Tables]:
        """Return the matches as the ratings take them. `numbers`: by bot that of its owner."""
        return self.columns.tables(numbers, self.left_out, self.last_set)

    def parts(self, numbers: Ints) -> Iterator[list[Tables]]:
        """Yield the same part by part: whole sets, in ascending order."""
        return self.columns.parts(numbers, self.left_out, self.last_set)

    def until(self, last_set: int) -> Selection:
        """Return the matches up to this set."""
        return Selection(self.columns, self.left_out, last_set)
