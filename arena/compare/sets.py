"""The results of sets: one seed and one line-up each, played once in every cyclic seating.

Each bot holds each hand, so the luck of the deal falls out of a set's result. The unit of every bar
is therefore the set, never the match.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias

from arena.likelihood import ELO_PER_LOGIT, elo_of
from arena.record import Record
from arena.stats import FEWEST_FOR_A_BAR, Mean, has_bar, mean_of


def seatings(bots: int) -> list[tuple[int, ...]]:
    """Return the seatings of a set, one for each match: by seat, the index of the bot there."""
    return [tuple((seat + turn) % bots for seat in range(bots)) for turn in range(bots)]


def seatings_against(bots: int) -> list[tuple[int, ...]]:
    """Return the seatings of a set in which the first bot and a rival never meet: each seating of
    the line-up, and then the same with the rival, whose index is `bots`, in the first bot's seat.
    """
    return [
        tuple(first if bot == 0 else bot for bot in seating)
        for seating in seatings(bots)
        for first in (0, bots)
    ]


def seed_of_set(seed: bytes, number: int) -> bytes:
    """Return the seed of the set with this number, from the seed of them all."""
    return sha256(b"arena match set\0" + number.to_bytes(4, "big") + seed).digest()


def share_of_pairs(places: Sequence[int], seats: Sequence[int]) -> float:
    """Return the share of pairs that these seats won, each with one of the others; a tie counts
    half. Pairs among these seats, which belong to one bot, do not count."""
    others = [place for seat, place in enumerate(places) if seat not in seats]
    won = sum(
        (places[seat] < place) + 0.5 * (places[seat] == place) for seat in seats for place in others
    )
    return won / (len(seats) * len(others))


@dataclass(frozen=True)
class ComparedBot:
    """The results of one bot over all sets."""

    bot: int
    ahead: Mean  # share of opponents finished behind it
    points: Mean


@dataclass(frozen=True)
class Gap:
    """The distance between two neighbours of the table, in shares ahead."""

    gap: Mean
    sets: int  # the number that the gap is a mean over
    sets_to_separate: int | None  # None: they are level, or too few sets to tell

    @property
    def is_separated(self) -> bool:
        """True if the gap is larger than its bar; False without a bar that can be believed.

        This errs in one case of twenty only where the number of sets was fixed before: evaluated
        after every set, it calls equal bots different in about half of all long comparisons.
        """
        return has_bar(self.gap, self.sets) and self.gap.value > (self.gap.bar or 0.0)


# A smaller gap, in shares of opponents, counts as none: it is rounding, or takes a million sets.
LEVEL = 0.002

OneSet: TypeAlias = Sequence[tuple[tuple[int, ...], Record]]
"""By match: the seating, as `seatings` gives it, and the record."""
Sets: TypeAlias = Sequence[OneSet]


Rows: TypeAlias = Sequence[Sequence[int]]
"""By bot: its places in the line-up, several where copies of it play."""


def results(rows: Rows, sets: Sets) -> tuple[list[ComparedBot], list[Gap]]:
    """Return the table, best first, and the gap between each row and the next."""
    ahead = [[mean_in_set(one, row, ahead_in) for one in sets] for row in rows]
    points = [[mean_in_set(one, row, points_in) for one in sets] for row in rows]
    table = [
        ComparedBot(bot, mean_of(ahead[bot]), mean_of(points[bot])) for bot in range(len(rows))
    ]
    table.sort(key=lambda row: (-row.ahead.value, -row.points.value, row.bot))
    gaps = []
    for better, worse in pairwise(table):
        differences = [a - b for a, b in zip(ahead[better.bot], ahead[worse.bot], strict=True)]
        gaps.append(Gap(mean_of(differences), len(sets), sets_to_separate(differences)))
    return table, gaps


def ahead_in(record: Record, seats: Sequence[int]) -> float:
    return share_of_pairs(record.places, seats)


def points_in(record: Record, seats: Sequence[int]) -> float:
    return statistics.fmean(record.scores[seat] for seat in seats) if record.scores else 0.0


def mean_in_set(
    one: OneSet,
    row: Sequence[int],
    value: Callable[[Record, Sequence[int]], float],
) -> float:
    """Return a bot's mean over those matches of a set in which it plays. `row`: its places in the
    line-up. `value`: of a record and the bot's seats in it."""
    return statistics.fmean(
        value(record, [seating.index(place) for place in row])
        for seating, record in one
        if row[0] in seating
    )


def elo_between(rows: tuple[Sequence[int], Sequence[int]], sets: Sets) -> Mean | None:
    """Return by how many Elo the first of two bots stands above the second, each from its share of
    the pairs with the others, with a bar over sets; None where a bot has won all or none.

    The bar takes the share as a straight line of Elo near the means (delta method).
    """
    shares = [[mean_in_set(one, row, ahead_in) for one in sets] for row in rows]
    means = [statistics.fmean(each) for each in shares]
    if not all(0 < mean < 1 for mean in means):
        return None
    slopes = [ELO_PER_LOGIT / (mean * (1 - mean)) for mean in means]
    bar = mean_of([slopes[0] * a - slopes[1] * b for a, b in zip(*shares, strict=True)]).bar
    return Mean(elo_of(means[0]) - elo_of(means[1]), bar)


# A test of this many sets finds a gap as large as the one seen in 95 of 100 cases: 1.960 standard
# errors for the bar, and 1.645 more, by which a mean falls short in 5 of 100 cases.
DISTANCE = 1.960 + 1.645


def sets_to_separate(differences: Sequence[float]) -> int | None:
    """Estimate the number of such sets that separates the two bots in 95 of 100 cases, if the mean
    difference is the true one; at least FEWEST_FOR_A_BAR.

    None if the difference is about 0, or with fewer than two sets.
    """
    if len(differences) < 2 or abs(statistics.fmean(differences)) < LEVEL:
        return None
    ratio = statistics.stdev(differences) / statistics.fmean(differences)
    return max(FEWEST_FOR_A_BAR, math.ceil((DISTANCE * ratio) ** 2))
