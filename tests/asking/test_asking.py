"""A bot that is asked several times, each time by a new process."""

from __future__ import annotations

from typing import cast

import trio
from trio.testing import MockClock

from arena.asking.again import Asked
from arena.asking.asking import Asking
from arena.referee.players.player import Player
from arena.referee.wire.lookout import Lookout
from tests.play import random_record
from tests.referee.small_table import Punctual, connected, random_bot, run_bot, virtual_us

RECORD = random_record("nope", 2, options={"max_turns": 12})


class Anew:
    """A player whose scripted bot comes anew each time."""

    def __init__(self, lookout: Lookout, nursery: trio.Nursery) -> None:
        self._lookout = lookout
        self._nursery = nursery

    async def ready(self) -> None:
        await trio.lowlevel.checkpoint()
        self.link, bot = connected("bot", self._lookout)
        self._nursery.start_soon(run_bot, bot, random_bot())

    async def say_bye(self, reason: str) -> None:
        await trio.lowlevel.checkpoint()
        self.link.hang_up(reason)
        self.link.drop()


async def test_each_answer_is_told_with_the_number_of_all_that_are_wanted(
    autojump_clock: MockClock,
) -> None:
    asking = Asking(Asked(RECORD, 0), times=2)
    told: list[tuple[str, int, int]] = []
    lookout = Lookout(virtual_us, Punctual(virtual_us))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        player = Anew(lookout, nursery)
        await asking.ask(cast("Player", player), lambda *told_now: told.append(told_now))
        await player.say_bye("done")
        nursery.cancel_scope.cancel()
    of = 2 * asking.asked.requests
    assert told == [("requests answered", done, of) for done in range(1, of + 1)]
    assert [len(answers) for answers in asking.given] == [of // 2, of // 2]
