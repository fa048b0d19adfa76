"""What is left of bots to look at, of real processes."""

from __future__ import annotations

import pytest
import trio

from arena.referee.clock import Timing
from arena.referee.house import open_house
from arena.referee.match import Played
from arena.referee.remains import STILL_RUNNING, Remains, remains_by_seat, remains_of
from arena.referee.sitting import sit_down
from tests.referee.programs import Family
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
            assert isinstance(match, Played)
            remains = await remains_by_seat(match.evidence, players)
            await see_off(players)
    assert remains.keys() == {0}
    assert remains[0].exit == end
    assert ("no such card: R0" in remains[0].stderr) is (line == "crashes")


@pytest.mark.slow
async def test_of_a_good_bot_there_is_nothing_to_tell() -> None:
    family = Family()
    async with open_house() as house:
        players = await all_ready(house, [a_good_bot(family)])
        assert await remains_of(players[0], is_gone=False) == Remains()
        await see_off(players)
