"""The small drawings in the table, as coordinates: bars of ratings, stacked bars of places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.league.table.standings import Standing

# Least distance from the outermost ratings to the ends of a scale, in Elo.
LEAST_MARGIN = 10.0


@dataclass(frozen=True)
class Bar:
    """One row's rating and bar, in units of the drawing."""

    dot: float
    left: float
    right: float
    is_cut_left: bool  # the bar goes on beyond the drawing
    is_cut_right: bool


@dataclass(frozen=True)
class Scale:
    """One scale for all rows that may be compared."""

    low: float
    high: float
    width: float = 150.0

    @classmethod
    def over(cls, rows: Sequence[Standing]) -> Scale:
        """Make a scale wide enough for every rating, and for all bars but the widest.

        The bar of a bot with two sets is so wide that all others would shrink to a dot.
        """
        widths = sorted(row.rating.half_width for row in rows if row.rating.half_width is not None)
        margin = max(LEAST_MARGIN, 1.5 * widths[len(widths) // 2]) if widths else LEAST_MARGIN
        elos = [row.rating.elo for row in rows]
        return cls(min(elos) - margin, max(elos) + margin)

    def x(self, elo: float) -> float:
        return round(self.width * (elo - self.low) / (self.high - self.low), 1)

    def bar(self, row: Standing) -> Bar:
        if row.rating.half_width is None:
            low, high = self.low, self.high
            return Bar(self.x(row.rating.elo), self.x(low), self.x(high), True, True)
        elo, half_width = row.rating.elo, row.rating.half_width
        low, high = elo - half_width, elo + half_width
        return Bar(
            self.x(row.rating.elo),
            self.x(max(low, self.low)),
            self.x(min(high, self.high)),
            low < self.low,
            high > self.high,
        )


@dataclass(frozen=True)
class Piece:
    """A piece of a stacked bar."""

    number: int  # the place it stands for, from 1
    count: int
    left: float
    width: float


def stacked(counts: Sequence[int], width: float = 90.0) -> list[Piece]:
    """Return the pieces that fill the width, in order; none if all counts are 0."""
    total, left, pieces = sum(counts), 0.0, []
    for number, count in enumerate(counts, 1):
        if count:
            piece = width * count / total
            pieces.append(Piece(number, count, round(left, 1), round(piece, 1)))
            left += piece
    return pieces
