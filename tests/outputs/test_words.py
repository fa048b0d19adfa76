"""Words around numbers."""

from __future__ import annotations

import pytest

from arena.outputs.words import count, ordinal


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (0, "set", "0 sets"),
        (1, "set", "1 set"),
        (1, "match", "1 match"),
        (1200, "match", "1,200 matches"),
    ],
)
def test_a_number_is_told_with_its_noun(number: int, noun: str, told: str) -> None:
    assert count(number, noun) == told


def test_places_are_told_as_ordinals() -> None:
    assert [*map(ordinal, (1, 2, 3, 4, 11, 12, 21, 102, 113))] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "102nd", "113th")
    ]
