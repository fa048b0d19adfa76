"""A bot that is asked several times, each time by a new process."""

from __future__ import annotations

from typing import cast

import trio
from trio.testing import MockClock

from arena.asking.again import Asked
from arena.asking.asking import Asking
from arena.bots.launch import Tail, Tails
from arena.referee.players.output import Remains
from arena.referee.players.player import Player
from arena.referee.wire.lookout import Lookout
from protocol.breach import Breach
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


class Absent:
    """A player whose bot ends before it connects; its exit is known a moment later."""

    exit: str | None = None

    async def ready(self) -> Breach:
        await trio.lowlevel.checkpoint()
        return Breach("no-connection", "the program ended", "a connection")

    async def exited(self) -> None:
        await trio.lowlevel.checkpoint()
        self.exit = "exit code 3"

    async def tails(self) -> Tails:
        await trio.lowlevel.checkpoint()
        return Tails(Tail(b"out", b"", 3), Tail(b"err", b"", 3))


async def test_of_a_bot_that_does_not_start_output_and_exit_are_kept() -> None:
    asking = Asking(Asked(RECORD, 0), times=2)
    await asking.ask(cast("Player", Absent()), lambda *told: None)
    assert asking.absent is not None
    assert asking.remains == Remains("out", "err", "exit code 3")
    assert (asking.given, asking.compared(), asking.is_gone) == ([], [], False)
