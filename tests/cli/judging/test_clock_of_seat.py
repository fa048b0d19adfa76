"""The clock with which `arena ask` asks."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from arena.asking.again import GENEROUS
from arena.cli.judging.ask import asked_of
from arena.cli.judging.where import FoundMatch
from arena.record.timing import BotClock, Timing
from tests.play import random_record

SLOW = BotClock(decision_ms=500, bank_ms=100, hang_ms=3000)
RECORD = replace(random_record("nope", 2, options={"max_turns": 10}), clocks=(None, SLOW))
LEAGUES = Timing(decision_ms=50)
FOUND = FoundMatch(RECORD, "cup:1.1", Path("judged"), LEAGUES, None, None)


def test_a_seat_with_a_clock_of_its_own_is_asked_with_it_again() -> None:
    clocks = [asked_of(FOUND, seat, None, is_original=True).timing for seat in range(2)]
    assert clocks == [LEAGUES, LEAGUES.of_bot(SLOW)]
    assert asked_of(FOUND, 1, None, is_original=False).timing == GENEROUS
