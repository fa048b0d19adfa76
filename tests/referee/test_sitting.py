"""Who has to be there before a match begins, and what is written down where somebody was not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import trio
from trio.testing import MockClock

from arena.record import FaultEntry
from arena.referee.absence import NOT_BEGUN, written_down
from arena.referee.match import Evidence, Plan
from arena.referee.player import Player
from arena.referee.sitting import NotBegun, sit_down
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


async def not_begun(players: Sequence[Coming]) -> NotBegun:
    came = await sit_down(PLAN, [cast("Player", player) for player in players])
    assert isinstance(came, NotBegun)
    return came


async def test_all_are_called_at_once_and_the_absent_are_told_by_seat(
    autojump_clock: MockClock,
) -> None:
    late, dead = no_connection(3000), exited("exit code 1")
    began = trio.current_time()
    came = await not_begun([Coming(2), Coming(3, late), Coming(1, dead), Coming(0)])
    assert trio.current_time() - began == 3
    assert [*came.absent.items()] == [(1, late), (2, dead)]
    assert came.plan == PLAN


def test_a_match_that_never_began_is_a_record_of_who_did_not_come() -> None:
    late, dead = no_connection(3000), exited("exit code 1")
    played = written_down(NotBegun(PLAN, {1: late, 2: dead}))
    record = played.record
    assert (record.game, record.seats, record.options) == ("nyet", 4, {"rounds": 1})
    assert (record.names, record.seed) == (PLAN.names, b"seed".hex())
    assert (record.ending, record.moves, record.scores) == (NOT_BEGUN, (), ())
    assert (record.places, record.forfeits) == ((1, 3, 3, 1), (1, 2))
    assert record.faults == tuple(
        FaultEntry(seat, 0, "never-started", breach.code, breach.text, True)
        for seat, breach in ((1, late), (2, dead))
    )
    assert played.evidence == tuple(
        Evidence(fault, breach.came, breach.expected, b"", b"", (), None, 0, 0)
        for fault, breach in zip(record.faults, (late, dead), strict=True)
    )
    assert (played.lag, played.stood) == (None, False)
