"""Counts of the sets planned so far, from which the next sets are chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]


class Counts:
    """Counts by bot: its sets, and its meetings with each other bot."""

    def __init__(self, names: Sequence[str], seats: int):
        self.names = names
        self.seats = seats
        self.at = {name: bot for bot, name in enumerate(names)}
        self.sets = np.zeros(len(names), np.int64)
        self.met = np.zeros((len(names), len(names)), np.int64)  # itself: its sets
        self.times: Counter[tuple[int, ...]] = Counter()  # by line-up, its bots in ascending order

    def __repr__(self) -> str:
        return f"<Counts of {len(self.names)} bots, {self.times.total()} sets>"

    def count(self, line_up: Sequence[int | None]) -> None:
        """Count one more set. None in the line-up: a bot that has left."""
        bots = sorted(bot for bot in line_up if bot is not None)
        self.times[tuple(bots)] += 1
        self.sets[bots] += 1
        for bot in bots:
            self.met[bot, bots] += 1
