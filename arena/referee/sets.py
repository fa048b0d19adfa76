"""Sets: one seed and one line-up, played once in each cyclic seating; and what they tell.

Each bot holds each hand, so the luck of the deal falls out of a set's result. The unit of
every bar is therefore the set, never the match.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias

from arena.record import Record
from arena.referee.student import quantile


def seatings(bots: int) -> list[tuple[int, ...]]:
    """By match of a set: by seat, which of the bots sits there."""
    return [tuple((seat + turn) % bots for seat in range(bots)) for turn in range(bots)]


def seed_of_set(seed: bytes, number: int) -> bytes:
    """The seed of the set with this number, from the seed of them all."""
    return sha256(b"arena match set\0" + number.to_bytes(4, "big") + seed).digest()


def share_ahead(places: Sequence[int], seat: int) -> float:
    """The share of the others that finished behind a seat; a tie counts half."""
    mine = places[seat]
    others = [place for other, place in enumerate(places) if other != seat]
    return sum((mine < place) + 0.5 * (mine == place) for place in others) / len(others)


# A bar of fewer is hardly told: it may be wider than what it is about can differ at all.
FEWEST_FOR_A_BAR = 5


@dataclass(frozen=True)
class Mean:
    """A mean over sets, and half the width of its 95 % bar; None with a single set."""

    value: float
    bar: float | None


def with_bar(mean: Mean, sets: int) -> str:
    """A mean over so many sets in words, with its bar if that can be told."""
    value = round(mean.value, 3) or 0.0  # never -0.000
    if mean.bar is None or sets < FEWEST_FOR_A_BAR:
        return f"{value:.3f} ±?"
    return f"{value:.3f} ±{mean.bar:.3f}"


def mean_of(values: Sequence[float]) -> Mean:
    """Of one value for each set."""
    if len(values) < 2:
        return Mean(values[0], None)
    error = statistics.stdev(values) / math.sqrt(len(values))
    return Mean(statistics.fmean(values), quantile(0.975, len(values) - 1) * error)


@dataclass(frozen=True)
class Result:
    """How one bot did over all sets."""

    bot: int
    ahead: Mean  # share of opponents finished behind it
    points: Mean


@dataclass(frozen=True)
class Gap:
    """Between two neighbours of the table, in shares ahead."""

    gap: Mean
    sets_to_separate: int | None  # None: they are level, or too few sets to tell

    @property
    def is_separated(self) -> bool:
        return self.gap.bar is not None and self.gap.value > self.gap.bar


# A gap of less than this, in shares of opponents, is none: rounding, or not worth a million sets.
LEVEL = 0.002

OneSet: TypeAlias = Sequence[tuple[tuple[int, ...], Record]]
"""By match: which bot sat where, and the record."""
Sets: TypeAlias = Sequence[OneSet]


def results(bots: int, sets: Sets) -> tuple[list[Result], list[Gap]]:
    """The table, best first, and the gap between each row and the next."""
    ahead = [[mean_in_set(one, bot, ahead_in) for one in sets] for bot in range(bots)]
    points = [[mean_in_set(one, bot, points_in) for one in sets] for bot in range(bots)]
    rows = [Result(bot, mean_of(ahead[bot]), mean_of(points[bot])) for bot in range(bots)]
    rows.sort(key=lambda row: (-row.ahead.value, -row.points.value, row.bot))
    gaps = []
    for better, worse in pairwise(rows):
        differences = [a - b for a, b in zip(ahead[better.bot], ahead[worse.bot], strict=True)]
        gaps.append(Gap(mean_of(differences), sets_to_separate(differences)))
    return rows, gaps


def ahead_in(record: Record, seat: int) -> float:
    return share_ahead(record.places, seat)


def points_in(record: Record, seat: int) -> float:
    return float(record.scores[seat]) if record.scores else 0.0


def mean_in_set(
    one: OneSet,
    bot: int,
    value: Callable[[Record, int], float],
) -> float:
    """A bot's mean over the matches of a set."""
    return statistics.fmean(value(record, seating.index(bot)) for seating, record in one)


def sets_to_separate(differences: Sequence[float]) -> int | None:
    """How many sets like these would make the bar as small as the gap."""
    if len(differences) < 2 or abs(statistics.fmean(differences)) < LEVEL:
        return None
    ratio = statistics.stdev(differences) / statistics.fmean(differences)
    return max(2, math.ceil((1.96 * ratio) ** 2))
