"""Strangers at both doors while four honest matches run: nobody inside is harmed.

`python -m benchmarks.hostile` measures how little they are slowed.
"""

from __future__ import annotations

import pytest
import trio

from benchmarks.attackers import KINDS
from benchmarks.hostile import MEBIBYTE, attacked, honest_matches, resident_bytes

pytestmark = [pytest.mark.slow, pytest.mark.alone]

MOST_MEBIBYTES = 20
SECONDS = 2.0


@pytest.mark.parametrize("kind", KINDS)
async def test_no_honest_seat_is_forfeited_nobody_gets_in_and_memory_stays(kind: str) -> None:
    with trio.fail_after(60):
        async with honest_matches(warm_up=0.5) as honest:
            before = resident_bytes()
            played = honest.played
            doors = honest.house.lobby.addresses
            hit = await attacked(honest, kind, doors, SECONDS)
            grown = hit.window.most_bytes - before
            assert honest.played > played
            assert hit.connected >= 100
            assert hit.let_in == 0
            assert len(honest.house.lobby._guests) == 8
            assert (honest.forfeits, honest.absent) == (0, 0)
            assert not honest.faults
            assert grown < MOST_MEBIBYTES * MEBIBYTE
            # And they have gone when their time is over.
            while any(honest.house.lobby._doors):
                await trio.sleep(0.01)
