"""Results as the ratings read them: matches in, arrays out.

Ratings come from the places of a match; its points are only counted. This module decides which
pairs of seats are compared; `pairs` and `seats` add the comparisons up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def sums(cells: Ints, values: Floats, size: int) -> Floats:
    """Return by cell, from 0 to size - 1, the sum of the values with that cell's number."""
    return np.asarray(np.bincount(cells, values, size), np.float64)


@dataclass(frozen=True)
class Scored:
    """The result of one match. Bots are numbers: their index in the league.

    `set` is the unit of every bar: all matches dealt from the same seed have the same number.
    Only complete sets belong here.
    """

    set: int
    turn: int  # the number of the match in its set, in the order played, from 0
    bots: tuple[int, ...]  # by seat, as all that follows
    places: tuple[int, ...]
    points: tuple[float, ...] = ()  # none for a match that was cut short
    forfeits: tuple[int, ...] = ()  # seats
    is_begun: bool = True  # False: only the forfeited seats, whose bots did not come, lose by it
    left_out: tuple[int, ...] = ()  # seats that make no pair: their bots are not rated


@dataclass(frozen=True, eq=False)
class Tables:
    """The matches of one table size: a row for each match, a column for each seat."""

    seats: int
    set: Ints  # by match, as `turn` and `begun`
    turn: Ints
    bots: Ints  # by match and seat, as all that follows
    places: Floats
    points: Floats  # nan where the match has none
    owner: Ints
    forfeited: Flags
    left_out: Flags  # such a seat makes no pair
    begun: Flags

    @classmethod
    def of(cls, matches: Sequence[Scored], owners: Ints) -> Tables:
        """Return matches of one table size. `owners`: by bot a number of its owner."""
        seats = len(matches[0].bots)
        none = (np.nan,) * seats
        bots = _by_seat([match.bots for match in matches]).astype(np.int64)
        forfeited, left_out = np.zeros((2, *bots.shape), np.bool_)
        for row, match in enumerate(matches):
            forfeited[row, list(match.forfeits)] = True
            left_out[row, list(match.left_out)] = True
        return cls(
            seats,
            np.array([match.set for match in matches], np.int64),
            np.array([match.turn for match in matches], np.int64),
            bots,
            _by_seat([match.places for match in matches]),
            _by_seat([match.points or none for match in matches]),
            owners[bots],
            forfeited,
            left_out,
            np.array([match.is_begun for match in matches], np.bool_),
        )

    def __repr__(self) -> str:
        return f"<Tables {len(self.set)} matches of {self.seats} seats>"

    def counts(self, a: int, b: int) -> Flags:
        """Return by match True if these two seats are compared.

        A forfeited seat has the last place and so loses its comparisons; two forfeited seats that
        share a place are not compared. A place earned before the forfeit counts like any other. In
        a match that never began, two seats whose bots came are not compared.
        """
        same_owner = self.owner[:, a] == self.owner[:, b]
        both_forfeited = self.forfeited[:, a] & self.forfeited[:, b]
        level = self.places[:, a] == self.places[:, b]
        both_came = ~(self.begun | self.forfeited[:, a] | self.forfeited[:, b])
        left_out = self.left_out[:, a] | self.left_out[:, b]
        none = same_owner | (both_forfeited & level) | both_came | left_out
        return np.asarray(~none, np.bool_)

    def takes_part(self) -> Flags:
        """Return by match and seat True if its place counts.

        In a match that never began only the places of forfeited seats do.
        """
        return np.asarray(self.begun[:, None] | self.forfeited, np.bool_)

    def score(self, a: int, b: int) -> Floats:
        """Return by match s of seat a against seat b: 1 ahead, 0 behind, 1/2 level."""
        return np.asarray(np.sign(self.places[:, b] - self.places[:, a]) + 1, np.float64) / 2


class Matches(Protocol):
    """Results that are columns already."""

    def tables(self, numbers: Ints) -> list[Tables]:
        """Return them by table size. `numbers`: by bot the number of its owner."""

    def parts(self, numbers: Ints) -> Iterator[list[Tables]]:
        """Yield them part by part: whole sets, in ascending order."""


@dataclass(frozen=True)
class MatchParts:
    """Many matches as tables, part by part: whole sets, in ascending order.

    Each iteration makes them anew, so that only one part is in memory, however many matches
    there are. What is added up over the parts is added up in the order of the sets, so sums of
    floats are the same to the last bit as over all matches at once.
    """

    matches: Matches
    numbers: Ints  # by bot that of its owner

    def __iter__(self) -> Iterator[list[Tables]]:
        return self.matches.parts(self.numbers)


def parts_of(
    bots: int, matches: Sequence[Scored] | Matches, owners: Sequence[str] | None = None
) -> Iterable[Sequence[Tables]]:
    """Return the matches part by part, to be gone through several times; arguments as for
    `tables_of`. Results that are no columns are a single part."""
    if isinstance(matches, Sequence):
        return [tables_of(bots, matches, owners)]
    return MatchParts(matches, _numbers(bots, owners))


def tables_of(
    bots: int, matches: Sequence[Scored] | Matches, owners: Sequence[str] | None = None
) -> list[Tables]:
    """Return the matches by table size. `owners`, by bot: two bots of one owner are not compared.

    Without `owners` each bot has its own, and only a bot against itself is not compared.
    """
    numbers = _numbers(bots, owners)
    if not isinstance(matches, Sequence):
        return matches.tables(numbers)
    by_size = defaultdict(list)
    for match in matches:
        by_size[len(match.bots)].append(match)
    return [Tables.of(by_size[size], numbers) for size in sorted(by_size)]


def _numbers(bots: int, owners: Sequence[str] | None) -> Ints:
    """Return by bot the number of its owner: that of the owner's first bot."""
    first_bot: dict[str, int] = {}
    numbers = np.arange(bots)
    for bot, owner in enumerate(owners or ()):
        numbers[bot] = first_bot.setdefault(owner, bot)
    return numbers


def _by_seat(rows: Sequence[Sequence[float]]) -> Floats:
    """Return a row for each match and a column for each seat."""
    size = len(rows) * len(rows[0])
    return np.fromiter(chain.from_iterable(rows), np.float64, size).reshape(len(rows), -1)
