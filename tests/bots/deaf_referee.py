"""A referee that was started with signals ignored and blocked, as by a shell's `&` or nohup.

    python -m tests.bots.deaf_referee

starts such a referee, which starts a bot; prints the bot's line of each set of signals in
/proc/self/status, and how the bot ended.
"""

from __future__ import annotations

import os
import signal
import sys

import trio

from arena.bots.processes import open_warden
from tests.bots.programs import SAFETY_SECONDS, Family

IGNORED = (signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE, signal.SIGCHLD, signal.SIGRTMIN)
BLOCKED = (signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1, signal.SIGALRM, signal.SIGRTMAX)


async def main() -> None:
    with trio.fail_after(SAFETY_SECONDS):
        async with open_warden() as warden:
            bot = await warden.start(Family().command("grep", "^Sig[BI]", "/proc/self/status"))
            end = await bot.exited()
            print(f"{(await bot.tails()).stdout}{end}")


if __name__ == "__main__":
    if sys.argv[1:] != ["deaf"]:
        for number in IGNORED:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, BLOCKED)
        # Python itself must start anew: it looks at what is ignored only as it starts.
        os.execv(sys.executable, [sys.executable, "-m", "tests.bots.deaf_referee", "deaf"])
    trio.run(main)
