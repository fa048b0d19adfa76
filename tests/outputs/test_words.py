"""Words around numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.outputs.words import count, notes, ordinal, own_clock
from arena.record.timing import BotClock
from tests.outputs.tables import FACTS, ROW, by_hand, rated


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


def test_of_a_clock_of_its_own_only_what_differs_from_the_leagues_is_told() -> None:
    told = own_clock(BotClock(5000, 10_000, 5000), FACTS.clock)
    assert told == "5,000 ms a decision"
    told = own_clock(BotClock(100, 60_000, 9000), FACTS.clock)
    assert told == "60,000 ms a match, gone after 9,000 ms of silence"


def test_a_note_tells_which_bot_has_a_clock_of_its_own() -> None:
    slow = replace(rated(ROW, bot="o*wl"), clock=BotClock(5000, 10_000, 5000))
    told = [*notes(by_hand(ROW, slow), lambda text: text.replace("*", "?"))]
    assert told == ["o?wl has a clock of its own: 5,000 ms a decision"]
