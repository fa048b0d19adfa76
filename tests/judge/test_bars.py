"""Bars of differences: how wide they are, and for what."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from arena.judge.bars import (
    CHANCE_OF_A_MISS,
    MOST_LOOKS,
    MOST_WORLDS,
    Differences,
    Level,
    swing_of,
    worlds_at,
)
from arena.judge.judgement import ActionValue, Decided
from arena.stats import quantile

LEVEL = Level(100)


def differences(*values: float) -> Differences:
    found = Differences()
    for value in values:
        found.add(value)
    return found


def test_mean_and_deviation_are_those_of_all_differences() -> None:
    values = [random.Random(1).gauss(2, 3) for _ in range(50)]
    found = differences(*values)
    assert found.worlds == 50
    assert found.mean == pytest.approx(statistics.fmean(values))
    assert found.deviation == pytest.approx(statistics.stdev(values))


def test_the_largest_difference_either_way_is_kept() -> None:
    assert differences(1, -7, 3, 0).largest == 7
    assert swing_of([differences(1, -7, 3), differences(2, 5)]) == 7
    assert swing_of([]) == 0


def test_the_chance_of_a_miss_is_shared_by_all_comparisons_and_all_looks() -> None:
    assert LEVEL.miss * 100 * MOST_LOOKS == pytest.approx(CHANCE_OF_A_MISS)


def test_a_bar_is_students_and_leaves_room_for_worlds_not_seen_yet() -> None:
    found = differences(*[random.Random(2).gauss(1, 4) for _ in range(64)])
    error = found.deviation / math.sqrt(64)
    rare = 9 * math.log(2 / LEVEL.miss) / (3 * 64)
    expected = quantile(1 - LEVEL.miss / 2, 63) * error + rare
    assert LEVEL.bar(found, 9) == pytest.approx(expected)


def test_worlds_that_agree_have_a_bar_all_the_same() -> None:
    """Else 32 worlds that all say 1 would make a mistake of it, whatever the next one says."""
    found = differences(*[1.0] * 32)
    assert 0.1 < LEVEL.bar(found, found.largest) < 1
    assert LEVEL.bar(differences(*[1.0] * 8), 3.0) > 1


def test_one_world_tells_nothing() -> None:
    assert LEVEL.bar(differences(3.0), 3.0) == math.inf


def test_each_look_has_twice_the_worlds_of_the_one_before() -> None:
    assert [worlds_at(look) for look in (1, 2, 3)] == [32, 64, 128]
    assert worlds_at(MOST_LOOKS) == MOST_WORLDS


@pytest.mark.parametrize(("bar", "is_settled"), [(0.9, True), (1.1, False)])
def test_a_mistake_is_settled_when_its_bar_is_half_of_it(bar: float, is_settled: bool) -> None:
    actions = (ActionValue("B", 2.0, 2.0, bar, 64), ActionValue("A", 0.0, 0.0, 0.0, 64))
    decided = Decided(0, 0, "A", actions, negligible=0.25)
    assert (decided.verdict, decided.is_settled) == ("mistake", is_settled)
