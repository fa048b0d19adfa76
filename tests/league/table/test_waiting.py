"""Bots that others wait for: those who are slow by the clock, and take most of the time."""

from __future__ import annotations

import pytest

from arena.league.table.ledger import Tally
from arena.league.table.waiting import LEAST_MATCHES, LEAST_SECONDS, waited_for
from arena.record.timing import BotClock

DECISION_MS = 100
CLOCKS = {"crow": BotClock(decision_ms=2000, bank_ms=0, hang_ms=5000)}


def tally(seconds: float, decisions: int, matches: int = 40) -> Tally:
    return Tally(matches=matches, decisions=decisions, think_us=round(seconds * 1e6))


def told(**tallies: Tally) -> list[str]:
    return [str(each) for each in waited_for(tallies, DECISION_MS, CLOCKS)]


def test_a_bot_that_costs_others_most_of_their_time_is_told_of() -> None:
    others = {name: tally(4, 4000) for name in ("owl", "hen", "cat")}
    assert told(fox=tally(412, 400), **others) == [
        "fox was waited for 412 s in 40 matches: 97% of all waiting"
    ]


@pytest.mark.parametrize(
    ("fox", "owl"),
    [
        (tally(399, 4000), tally(1, 4000)),  # it thinks long, within its free time
        (tally(40, 4), tally(50, 4000)),  # it is slow, and costs less than the other
        (tally(40, 400), tally(1, 4000)),  # it takes just the time of its decisions
        (tally(9, 4), tally(1, 4000)),  # it costs little
        (tally(40, 4, LEAST_MATCHES - 1), tally(1, 4000)),  # too few matches to tell
        (tally(0, 0), tally(0, 0)),  # nobody was asked
    ],
)
def test_others_are_not(fox: Tally, owl: Tally) -> None:
    assert told(fox=fox, owl=owl) == []


def test_after_so_many_matches_it_is() -> None:
    assert len(told(fox=tally(40, 4, LEAST_MATCHES), owl=tally(1, 4000))) == 1


def test_half_of_all_time_is_enough_and_so_are_the_least_seconds() -> None:
    assert told(fox=tally(40, 4), owl=tally(40, 4000)) == [
        "fox was waited for 40 s in 40 matches: 50% of all waiting"
    ]
    assert told(fox=tally(LEAST_SECONDS, 4), owl=tally(1, 4000)) == [
        "fox was waited for 10 s in 40 matches: 91% of all waiting"
    ]


def test_a_bot_with_a_clock_of_its_own_is_slow_by_that() -> None:
    assert told(crow=tally(400, 400), owl=tally(1, 4000)) == []
    assert len(told(crow=tally(900, 400), owl=tally(1, 4000))) == 1
