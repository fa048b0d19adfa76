"""A small referee of its own: `python -m tests.referee.small_referee FAMILY BOT...`.

Starts the bots, each a file of tests/bots and its arguments joined by blanks; prints the
warden's number when all are at work; waits to be killed. If the environment has LEAVE_A_COPY, a
fifo, a fork of this process lives on until someone opens it for writing.
"""

from __future__ import annotations

import os
import sys

import trio

from arena.bots.processes import open_warden
from tests.bots.programs import Family, until_says


async def main(family: Family, lines: list[str]) -> None:
    async with open_warden() as warden:
        for line in lines:
            bot = await warden.start(family.launch(*line.split()))
            await until_says(bot, b"dull" if "floods" in line else b"ready")
        if "LEAVE_A_COPY" in os.environ and os.fork() == 0:
            # Of everything that is open here, the link to the warden among it.
            os.read(os.open(os.environ["LEAVE_A_COPY"], os.O_RDONLY), 1)
            os._exit(0)
        print(warden.pid, flush=True)
        await trio.sleep_forever()


if __name__ == "__main__":
    trio.run(main, Family(sys.argv[1]), sys.argv[2:])
