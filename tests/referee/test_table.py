"""Who has to be there before a match begins, and what is written down where somebody was not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import trio
from trio.testing import MockClock

from arena.record import FaultEntry, Record
from arena.record.endings import NOT_BEGUN
from arena.record.evidence import Evidence
from arena.record.timing import BotClock
from arena.referee.match import Plan, Result
from arena.referee.players.player import Player
from arena.referee.table import committed, not_begun, sit_down
from protocol.breach import Breach
from protocol.breaches import exited, no_connection
from protocol.commitment import NONCE_BYTES, commit

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
    clocks = (None, BotClock(5000, 0, 5000), None, None)
    plan = replace(PLAN, confinement="landlock 7", clocks=clocks)
    played = not_begun(plan, {1: late, 2: dead})
    assert played == Result(
        Record(
            "arena-record",
            1,
            "nyet",
            4,
            {"rounds": 1},
            b"seed".hex(),
            PLAN.names,
            moves=(),
            scores=(),
            places=(1, 3, 3, 1),
            ending=NOT_BEGUN,
            faults=tuple(
                FaultEntry(seat, 0, "never-started", breach.code, breach.text, forfeit=True)
                for seat, breach in ((1, late), (2, dead))
            ),
            forfeits=(1, 2),
            confinement="landlock 7",
            clocks=clocks,
        ),
        tuple(
            Evidence(
                seat,
                0,
                "never-started",
                breach.code,
                breach.text,
                breach.came,
                breach.expected,
                request=b"",
                reply=b"",
                legal=(),
                played="",
                allowed_us=0,
                took_us=0,
            )
            for seat, breach in ((1, late), (2, dead))
        ),
        lag=None,
        stood=False,
    )


def test_a_match_is_committed_to_with_a_name_and_a_nonce_of_its_own() -> None:
    one, other = committed(PLAN), committed(PLAN)
    for plan in (one, other):
        assert re.fullmatch("m-[0-9a-f]{16}", plan.match)
        assert len(plan.nonce) == NONCE_BYTES
        assert plan.commitment == commit(plan.match, plan.nonce, b"seed")
        assert replace(plan, match="", nonce=b"", commitment=PLAN.commitment) == PLAN
    assert one.match != other.match
    assert one.nonce != other.nonce
