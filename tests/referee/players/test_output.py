"""What is left of bots to look at, of real processes."""

from __future__ import annotations

import pytest
import trio

from arena.record.timing import Timing
from arena.referee.house import open_house
from arena.referee.players.output import STILL_RUNNING, Remains, remains_of, with_output
from arena.referee.table import sit_down
from tests.bots.programs import Family
from tests.referee.real_match import a_bot, a_good_bot, a_plan, all_ready, see_off

AMPLE = Timing(decision_ms=2_000, bank_ms=10_000, hang_ms=1_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("crashes", "exit code 1"),
        ("quits", "exit code 0"),
        ("kills_itself_in_a_match", "killed by signal 9 (SIGKILL)"),
        ("closes_and_lives", STILL_RUNNING),
        ("wrong_field action R99", ""),
    ],
)
async def test_how_a_process_ended_is_known_although_its_connection_ended_before(
    line: str, end: str
) -> None:
    family = Family()
    with trio.fail_after(30):
        async with open_house() as house:
            players = await all_ready(house, [a_bot(line, family), a_good_bot(family)])
            match = await sit_down(a_plan(2, AMPLE), players)
            evidence = await with_output(match.evidence, players)
            await see_off(players)
    assert evidence
    for fault in evidence:
        assert (fault.seat, fault.exit) == (0, end)
        assert ("no such card: R0" in fault.stderr) is (line == "crashes")


@pytest.mark.slow
async def test_of_a_good_bot_there_is_nothing_to_tell() -> None:
    family = Family()
    async with open_house() as house:
        players = await all_ready(house, [a_good_bot(family)])
        assert await remains_of(players[0], is_gone=False) == Remains()
        await see_off(players)
