"""The stop test errs as rarely as it says, and is shorter than one of fixed length: measured over
thousands of comparisons that were looked at after every set."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.compare.stop import Bounds, StopTest, Trial, expected_sets
from arena.likelihood import Cells, Spread, share_of
from tests.compare.simulated import (
    DEALS,
    HANDS,
    LEVEL,
    Luck,
    ratio_of_cells,
    ratio_of_spread,
    results_of_sets,
    stopped,
)

CASES = [
    (2, "0:20", HANDS),
    (2, "0:50", DEALS),
    (4, "0:20", HANDS),
    (4, "0:50", DEALS),
    (6, "0:20", HANDS),
    (6, "-20:20", DEALS),
]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "bounds", "luck"), CASES)
def test_errors_are_as_rare_as_told_and_fewer_sets_are_played(
    seats: int, bounds: str, luck: Luck
) -> None:
    test = StopTest(Bounds.of(bounds))
    low, high = test.bounds.low, test.bounds.high
    worse, better = (stopped(test, seats, luck, elo) for elo in (low, high))
    assert worse.accepted <= test.alpha + 0.01
    assert better.rejected <= test.beta + 0.01
    drawn = results_of_sets(np.random.default_rng(2), (1, 20_000), seats, luck, high)
    fixed = expected_sets(test, seats, float(drawn.var())).fixed
    assert max(worse.sets, better.sets) < 0.9 * fixed


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "bounds"), [(2, "0:50"), (4, "0:20"), (6, "0:20")])
def test_errors_are_as_rare_where_most_sets_are_level(seats: int, bounds: str) -> None:
    """It takes care there, and more sets than a test of fixed length that knew the variance."""
    test = StopTest(Bounds.of(bounds))
    assert stopped(test, seats, LEVEL, test.bounds.low).accepted <= test.alpha + 0.01
    assert stopped(test, seats, LEVEL, test.bounds.high).rejected <= test.beta + 0.01


@pytest.mark.slow
def test_other_chances_of_an_error_are_kept_too() -> None:
    test = StopTest(Bounds.of("0:30"), alpha=0.01, beta=0.1)
    assert stopped(test, 4, HANDS, 0).accepted <= 0.01 + 0.005
    assert 0.02 < stopped(test, 4, HANDS, 30).rejected <= 0.1 + 0.01


@pytest.mark.slow
def test_errors_are_as_rare_with_normalised_bounds() -> None:
    """The Elo at which a mean is so many spreads from 1/2 is found by drawing sets."""
    test = StopTest(Bounds.of("0:30nelo"))
    _, t = test.claims(4)
    elo = 30.0
    for _ in range(5):
        drawn = results_of_sets(np.random.default_rng(2), (1, 100_000), 4, DEALS, elo)
        elo *= t / float((drawn.mean() - 0.5) / drawn.std())
    assert stopped(test, 4, DEALS, 0).accepted <= 0.06
    assert stopped(test, 4, DEALS, elo).rejected <= 0.06


def test_sets_are_drawn_at_the_strength_that_was_asked_for() -> None:
    for seats, luck in ((2, DEALS), (4, HANDS), (6, LEVEL)):
        drawn = results_of_sets(np.random.default_rng(5), (40, 1_000), seats, luck, 60)
        error = drawn.std() / math.sqrt(drawn.size)
        assert drawn.mean() == pytest.approx(share_of(60), abs=4 * error)


def test_the_formulas_for_arrays_are_those_of_the_product() -> None:
    random = np.random.default_rng(4)
    for cells, bounds in ((5, "0:20"), (33, "-5:40"), (109, "0:10")):
        test = StopTest(Bounds.of(bounds))
        rows = np.vstack([random.poisson(random.random(cells) * 20 / cells) for _ in range(40)])
        rows[0] = 0
        rows[:, cells // 2] += 20
        found = ratio_of_cells(rows.astype(float), test.claims(2))
        told = [test.ratio(Cells(tuple(map(float, row))), 2) for row in rows]
        assert found == pytest.approx(told, abs=1e-6)
    for bounds in ("0:20", "0:20nelo"):
        test = StopTest(Bounds.of(bounds))
        mean, variance = random.random(20), random.random(20) / 10
        found = ratio_of_spread(
            50, mean, variance, test.claims(4), is_normalised=test.bounds.is_normalised
        )
        told = [
            test.ratio(Spread(50, *map(float, each)), 4)
            for each in zip(mean, variance, strict=True)
        ]
        assert found == pytest.approx(told, rel=1e-9)


@pytest.mark.parametrize(("seats", "luck"), [(2, HANDS), (4, DEALS), (4, LEVEL), (6, HANDS)])
def test_the_product_stops_where_the_simulation_does(seats: int, luck: Luck) -> None:
    test = StopTest(Bounds.of("0:60"))
    ended = stopped(test, seats, luck, 60, runs=1, seed=9)
    trial = Trial(test, seats // 2, seats - seats // 2)
    random = np.random.default_rng(9)
    while trial.sets < ended.sets:
        for result in results_of_sets(random, (1, 50), seats, luck, 60)[0]:
            trial.add(float(result))
    assert trial.sets == ended.sets
    assert trial.verdict.value == ("accepted" if ended.accepted else "rejected")
