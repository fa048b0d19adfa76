"""The results of many matches in little memory: rows of bytes that numpy reads as columns.

A match of four seats takes 59 bytes here, and some 700 as a `Scored`. The rows are also the form
in which results are kept in a checkpoint (`arena.league.table.checkpoint`), so they are the same
on every machine: little-endian, without gaps.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from arena.league.table.ratings.results import Ints, Scored, Tables

MOST_SEATS = 32
"""As many as the forfeited seats of a row have bits."""


class Columns(Sequence[Scored]):
    """Results in the order of (set, turn), all of one table size."""

    def __init__(self, matches: Iterable[Scored] = ()) -> None:
        self.seats = 0  # until the first match
        self._rows = bytearray()
        self._row = Struct("")
        for each in matches:
            self.add(each)

    def __repr__(self) -> str:
        return f"<Columns of {len(self)} matches of {self.seats} seats>"

    def __len__(self) -> int:
        return len(self._rows) // self._row.size if self.seats else 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Columns):
            return NotImplemented
        return (self.seats, self._rows) == (other.seats, other._rows)

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
        """Take a match, and return its row. Raises ValueError if it has other seats than those
        before it."""
        if not self.seats:
            self._begin(len(match.bots))
        if len(match.bots) != self.seats:
            raise ValueError(f"a match of {len(match.bots)} seats among those of {self.seats}")
        row = self._row.pack(
            *(match.set, match.turn, match.is_begun, sum(1 << seat for seat in match.forfeits)),
            *(*match.bots, *match.places),
            *(match.points or (math.nan,) * self.seats),
        )
        # Most come in order, so this looks at the last row alone.
        at, key = len(self), (match.set, match.turn)
        if at and self._key(at - 1) > key:
            at = bisect_left(range(at), key, key=self._key)
        at *= self._row.size
        self._rows[at:at] = row
        return row

    def add_rows(self, seats: int, rows: bytes) -> None:
        """Take rows that `add` returned, of matches of so many seats. Raises ValueError if they are
        not whole."""
        if not rows:
            return
        if not self.seats:
            self._begin(seats)
        if seats != self.seats or len(rows) % self._row.size:
            raise ValueError("these rows are of other columns")
        self._rows += rows
        found = self._read()
        order = np.lexsort((found["turn"], found["set"]))
        if not np.array_equal(order, np.arange(len(order))):
            self._rows = bytearray(found[order].tobytes())

    def tables(
        self, numbers: Ints, left_out: Collection[int] = (), last_set: int | None = None
    ) -> list[Tables]:
        """Return the matches as the ratings take them, as `results.tables_of` does.

        `numbers`: by bot the number of its owner. `left_out`: bots with seats that make no pair.
        `last_set`: leave out all matches of later sets.
        """
        found = self._read()
        if last_set is not None:
            found = found[: np.searchsorted(found["set"], last_set, "right")]
        if not len(found):
            return []
        bots = found["bots"].astype(np.int64)
        seats = np.arange(self.seats, dtype=np.uint32)
        return [
            Tables(
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
        ]

    def sets(self) -> list[int]:
        """Return the numbers of the sets, in ascending order."""
        found: list[int] = np.unique(self._read()["set"]).tolist()
        return found

    def without(self, bots: Iterable[int]) -> Selection:
        """Return all matches, with the seats of these bots making no pair."""
        return Selection(self, frozenset(bots))

    def _begin(self, seats: int) -> None:
        if not 0 < seats <= MOST_SEATS:
            raise ValueError(f"a match of {seats} seats")
        self.seats = seats
        self._row = Struct(f"<qHBI{seats}H{seats}B{seats}d")

    def _read(self) -> NDArray[Any]:
        """Return a copy of the rows as an array with a name for each column."""
        each = (self.seats,)
        kind = np.dtype(
            [
                *(("set", "<i8"), ("turn", "<u2"), ("begun", "u1"), ("forfeits", "<u4")),
                *(("bots", "<u2", each), ("places", "u1", each), ("points", "<f8", each)),
            ]
        )
        # A copy: a bytearray cannot grow while an array reads it.
        return np.frombuffer(bytes(self._rows), kind)

    def _key(self, at: int) -> tuple[int, int]:
        set_, turn, *_ = self._row.unpack_from(self._rows, at * self._row.size)
        return set_, turn

    def _at(self, at: int) -> Scored:
        found = self._row.unpack_from(self._rows, at * self._row.size)
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

    def until(self, last_set: int) -> Selection:
        """Return the matches up to this set."""
        return Selection(self.columns, self.left_out, last_set)
