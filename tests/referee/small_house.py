"""A house full of matches: `python -m tests.referee.small_house FAMILY BOT...`.

Seats each bot, a program of tests/bots and its arguments joined by blanks, with a good one;
prints "playing" when every one has been started; plays on until it is killed.
"""

from __future__ import annotations

import sys

import trio

from arena.record.timing import Timing
from arena.referee.house import House, open_house
from arena.referee.table import sit_down
from tests.bots.programs import Family
from tests.referee.real_match import a_bot, a_good_bot, a_plan


async def play_on(
    house: House, line: str, family: Family, *, task_status: trio.TaskStatus[None]
) -> None:
    players = [house.player(a_bot(line, family), 5_000), house.player(a_good_bot(family))]
    for player in players:
        await player.ready()
    task_status.started()
    while True:
        await sit_down(a_plan(2, Timing(hang_ms=60_000), options={}), players)


async def main(family: Family, lines: list[str]) -> None:
    async with open_house() as house, trio.open_nursery() as nursery:
        for line in lines:
            await nursery.start(play_on, house, line, family)
        print("playing", flush=True)
        await trio.sleep_forever()


if __name__ == "__main__":
    trio.run(main, Family(sys.argv[1]), sys.argv[2:])
