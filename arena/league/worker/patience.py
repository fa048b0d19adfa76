"""The time that a set can take at most, and a wait that does not count time spent stopped.

Each decision takes at most its free time, and each seat its bank once in a match; a match has at
most as many decisions as its game says. What takes longer does not come back.
"""

from __future__ import annotations

import trio

from arena.games import GAMES
from arena.league.play.orders import PlaySet

# For everything around the decisions of a set: processes that end and start, a busy machine.
SLACK_SECONDS = 30.0
# What a decision takes besides the time that is charged, on a machine that is very busy.
OVERHEAD_MS = 20

# A process that was stopped sees more pass between two looks than this; the rest is not counted.
LOOK_SECONDS = 1.0
MOST_COUNTED_SECONDS = 5.0


def most_seconds(order: PlaySet, start_ms: int) -> float:
    """Return the time that the bots of a set can take for it at most, by their clocks.

    `start_ms`: from the start of a bot's process to its hello.
    """
    timings = [order.timing.of_bot(order.clocks.get(name)) for name in order.line_up]
    decisions = GAMES[order.game].bound(len(order.line_up), order.options)
    decision_ms = max(each.decision_ms for each in timings) + OVERHEAD_MS
    once_ms = sum(each.bank_ms + each.hang_ms for each in timings)
    match_ms = start_ms + decisions * decision_ms + once_ms
    return SLACK_SECONDS + len(order.turns) * match_ms / 1000


async def count_down(seconds: float) -> None:
    """Return after so many seconds in which this process ran.

    A machine that was suspended goes on where it was, and so does the set that it plays.
    """
    left, before = seconds, trio.current_time()
    while left > 0:
        await trio.sleep(min(left, LOOK_SECONDS))
        now = trio.current_time()
        left -= min(now - before, MOST_COUNTED_SECONDS)
        before = now
