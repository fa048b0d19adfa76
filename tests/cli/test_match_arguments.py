"""The match that a command line asks for."""

from __future__ import annotations

from arena.cli.match_arguments import AskedMatch
from arena.record.timing import BotClock, Timing
from arena.referee.match import Plan

SLOW = BotClock(decision_ms=500, bank_ms=100, hang_ms=3000)


def test_times_of_the_command_line_are_for_seats_with_a_clock_of_their_own_too() -> None:
    plan = Plan("", "nope", 2, b"", ("fox", "owl"), timing=Timing(), clocks=(None, SLOW))
    asked = AskedMatch(plan, 10_000, (), ())
    given = asked.timed(None, decision_ms=None, bank_ms=77, hang_ms=None)
    assert [each.bank_ms for each in given.plan.timings] == [77, 77]
    assert [each.decision_ms for each in given.plan.timings] == [100, 500]
