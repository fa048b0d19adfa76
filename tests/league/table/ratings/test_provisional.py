"""When a row can be relied on."""

from __future__ import annotations

import pytest

from arena.league.table.ratings import Lack, ratings
from arena.league.table.ratings.provisional import lacks
from tests.league.table.ratings.leagues import KINDS, league

NAMES = [f"bot {number}" for number in range(8)]


@pytest.mark.parametrize(
    ("sets", "half_width", "is_connected", "lacking"),
    [
        (30, 49.9, True, ()),
        (29, 10.0, True, (Lack.SETS,)),
        (30, 50.0, True, (Lack.BAR,)),
        (1000, None, False, (Lack.BAR, Lack.CONNECTION)),
        (1, None, True, (Lack.SETS, Lack.BAR)),
    ],
)
def test_each_condition_that_fails_is_told(
    sets: int, half_width: float | None, is_connected: bool, lacking: tuple[Lack, ...]
) -> None:
    assert lacks(sets, half_width, is_connected) == lacking


def test_a_provisional_row_says_what_it_lacks() -> None:
    lacks = set()
    for sets in (1, 10, 50):
        for row in ratings(NAMES, league(KINDS["fresh hands"], 1, sets=sets)).rows:
            assert (Lack.SETS in row.lacks) == (row.sets < 30)
            assert (Lack.BAR in row.lacks) == (row.half_width is None or row.half_width >= 50)
            lacks.add(row.lacks)
    assert lacks > {(Lack.SETS, Lack.BAR)}
