"""Who has to be there before a match begins, and what is written down where somebody was not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import trio
from trio.testing import MockClock

from arena.record import FaultEntry
from arena.record.endings import NOT_BEGUN
from arena.referee.match import Plan, Result
from arena.referee.players.player import Player
from arena.referee.table import not_begun, sit_down
from protocol.breach import Breach
from protocol.breaches import exited, no_connection

PLAN = Plan("", "nyet", 4, b"seed", ("fox", "owl", "crow", "hare"), {"rounds": 1})


class Coming:
    """A bot that takes so long to come, or to be found absent."""

    def __init__(self, seconds: float, breach: Breach | None = None) -> None:
        self.seconds = seconds
        self.breach = breach

    async def ready(self) -> Breach | None:
        await trio.sleep(self.seconds)
        return self.breach


async def absent_of(players: Sequence[Coming]) -> Result:
    result = await sit_down(PLAN, [cast("Player", player) for player in players])
    assert not result.is_begun
    return result


async def test_all_are_called_at_once_and_the_absent_are_told_by_seat(
    autojump_clock: MockClock,
) -> None:
    late, dead = no_connection(3000), exited("exit code 1")
    began = trio.current_time()
    result = await absent_of([Coming(2), Coming(3, late), Coming(1, dead), Coming(0)])
    assert trio.current_time() - began == 3
    assert result == not_begun(PLAN, {1: late, 2: dead})


def test_a_match_that_never_began_is_a_record_of_who_did_not_come() -> None:
    late, dead = no_connection(3000), exited("exit code 1")
    played = not_begun(PLAN, {1: late, 2: dead})
    record = played.record
    assert (record.game, record.seats, record.options) == ("nyet", 4, {"rounds": 1})
    assert (record.names, record.seed) == (PLAN.names, b"seed".hex())
    assert (record.ending, record.moves, record.scores) == (NOT_BEGUN, (), ())
    assert (record.places, record.forfeits) == ((1, 3, 3, 1), (1, 2))
    assert record.faults == tuple(
        FaultEntry(seat, 0, "never-started", breach.code, breach.text, True)
        for seat, breach in ((1, late), (2, dead))
    )
    assert [(kept.seat, kept.came, kept.expected, kept.request) for kept in played.evidence] == [
        (seat, breach.came, breach.expected, b"") for seat, breach in ((1, late), (2, dead))
    ]
    assert {(kept.allowed_us, kept.took_us) for kept in played.evidence} == {(0, 0)}
    assert (played.lag, played.stood) == (None, False)
