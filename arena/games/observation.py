"""Observations: the knowledge of one seat, as a flat array of numbers for programs that learn.

An `Observation` describes the array, part by part; `State.observe` writes it, and `Game.observe`
writes the same from a view. Arrays are anything with items that can be assigned: an array of numpy,
a tensor, an `array.array`, a list. Seats are relative in it: 0 is the observer, 1 the next to play,
and so on round the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Part:
    """A block of numbers in an observation; `shape` is row by row, the last index fastest."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: int = 0  # no number of the part is below this,
    high: int = 1  # and none above this

    @property
    def size(self) -> int:
        """The count of its numbers."""
        return prod(self.shape)


@dataclass(frozen=True)
class Observation:
    """The array that `observe` writes at tables of one size.

    `version` changes whenever a part does: its name, its place, its shape or its meaning.
    """

    game: str
    seats: int
    version: int
    parts: tuple[Part, ...]

    @cached_property
    def size(self) -> int:
        """The count of all numbers."""
        return sum(part.size for part in self.parts)

    @cached_property
    def slices(self) -> Mapping[str, slice]:
        """By the name of a part, its place in the array: `array[observation.slices["hand"]]`."""
        ends = [*accumulate(part.size for part in self.parts)]
        return MappingProxyType(
            {
                part.name: slice(end - part.size, end)
                for part, end in zip(self.parts, ends, strict=True)
            }
        )

    @property
    def low(self) -> int:
        """No number of the array is below this."""
        return min(part.low for part in self.parts)

    @property
    def high(self) -> int:
        """No number of the array is above this."""
        return max(part.high for part in self.parts)


Observed: TypeAlias = Sequence[Sequence[int]]
"""The numbers of an observation, in pieces that follow one another; a bytearray is fastest."""

Writable: TypeAlias = Any  # anything that has a length and takes `out[i] = number`


def write(pieces: Observed, out: Writable) -> None:
    """Write all numbers of these pieces to the array; they must fill it.

    Arrays of numpy and lists take a piece at a time; others, with slices that take only their own
    kind, take number after number.
    """
    size = sum([len(piece) for piece in pieces])
    if len(out) != size:
        raise ValueError(f"the array has room for {len(out)} numbers, but there are {size}")
    start = 0
    for piece in pieces:
        end = start + len(piece)
        try:
            out[start:end] = piece
        except TypeError:
            for place, number in enumerate(piece, start):
                out[place] = number
        start = end


def marked(places: Iterable[int], size: int) -> bytearray:
    """Return `size` numbers: 1 at each of these places, 0 elsewhere."""
    numbers = bytearray(size)
    for place in places:
        numbers[place] = 1
    return numbers


def counted(places: Iterable[int], size: int) -> bytearray:
    """Return `size` numbers: how often each place is named."""
    numbers = bytearray(size)
    for place in places:
        numbers[place] += 1
    return numbers


def from_seat(seat: int, by_seat: Sequence[T]) -> list[T]:
    """Turn a list by seat round, so that it begins with this seat."""
    return [*by_seat[seat:], *by_seat[:seat]]
