"""The table of docs/comparing.md: `python -m tests.compare.error_table` measures it in minutes."""

from __future__ import annotations

import numpy as np

from arena.compare.stop import Bounds, StopTest, expected_sets
from tests.compare.simulated import DEALS, HANDS, LEVEL, results_of_sets, stopped

KINDS = {"hands": HANDS, "deals": DEALS, "level": LEVEL}
CASES = [
    *((2, "0:20", "hands"), (2, "0:50", "deals"), (2, "0:50", "level")),
    *((4, "0:20", "hands"), (4, "0:50", "deals"), (4, "0:20", "level")),
    *((6, "0:20", "hands"), (6, "0:50", "deals"), (6, "0:20", "level")),
]


def row(seats: int, bounds: str, kind: str) -> str:
    test, luck = StopTest(Bounds.of(bounds)), KINDS[kind]
    low, high = test.bounds.low, test.bounds.high
    at_low, between, at_high = (
        stopped(test, seats, luck, elo, seed=11) for elo in (low, (low + high) / 2, high)
    )
    drawn = results_of_sets(np.random.default_rng(2), (1, 20_000), seats, luck, high)
    fixed = expected_sets(test, seats, float(drawn.var())).fixed
    lengths = ", ".join(f"{each.sets:,.0f}" for each in (at_low, between, at_high))
    errors = f"{at_low.accepted:.1%} | {at_high.rejected:.1%}".replace("%", " %")
    return f"| {seats} | {bounds} | {kind} | {errors} | {lengths} | {fixed} |"


if __name__ == "__main__":
    for case in CASES:
        print(row(*case), flush=True)
