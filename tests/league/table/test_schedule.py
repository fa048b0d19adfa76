"""A schedule in few bytes shows the sets that it was given."""

from __future__ import annotations

import random

import pytest

from arena.league.model.sets import PlannedSet
from arena.league.table.schedule import Schedule, SortedNumbers

NAMES = ("fox", "owl", "crow", "hare", "mole")


def sets(numbers: list[int]) -> list[PlannedSet]:
    rng = random.Random(1)
    return [PlannedSet(each, tuple(rng.sample(NAMES, rng.randint(2, 4)))) for each in numbers]


@pytest.mark.parametrize("numbers", [[*range(1, 30)], [3, 7, 9, 100]])
@pytest.mark.parametrize("seed", [None, 0, 1])
def test_it_has_the_sets_by_number_in_whatever_order_they_come(
    numbers: list[int], seed: int | None
) -> None:
    given = sets(numbers)
    mixed = given if seed is None else random.Random(seed).sample(given, len(given))
    found = Schedule(mixed[:3])
    found.grow(mixed)  # some of them a second time
    assert [*found] == given
    assert (len(found), found[-1], found[1:3]) == (len(given), given[-1], given[1:3])
    for each in given:
        assert found.find(each.number) == each
    for absent in (0, -1, 6, 50, 10**9):
        assert (found.find(absent) is None) == (absent not in numbers)
    with pytest.raises(IndexError):
        found[len(given)]


def test_a_set_that_is_there_stays_as_it_is() -> None:
    found = Schedule([PlannedSet(1, ("fox", "owl"))])
    found.grow([PlannedSet(1, ("crow", "owl", "fox"))])
    assert [*found] == [PlannedSet(1, ("fox", "owl"))]


@pytest.mark.parametrize("seed", range(5))
def test_numbers_are_sorted_and_told_apart(seed: int) -> None:
    rng = random.Random(seed)
    given = [rng.randint(-5, 40) for _ in range(60)]
    found = SortedNumbers()
    for at, each in enumerate(given):
        place = found.add(each)
        known = sorted({*given[:at]})
        assert place == (None if each in known else sorted({*known, each}).index(each))
    wanted = sorted({*given})
    assert ([*found], len(found)) == (wanted, len(wanted))
    assert [found.find(each) for each in wanted] == [*range(len(wanted))]
    assert [found[at] for at in range(len(wanted))] == wanted
    assert not [each for each in range(-9, 60) if (each in found) != (each in wanted)]
    assert "1" not in found
