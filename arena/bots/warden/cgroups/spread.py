"""Keeps a bot that wants more than its cores on as many processors, so that the others stay free.

A quota of processor time alone does not do that. Twenty threads use it up on all processors at
once, and a process that wakes there waits for the next tick of the scheduler: several milliseconds,
many times the need of a quick bot. On fewer processors the same bot gets the same time.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Sequence

LOOK_SECONDS = 0.05
# Bots that are looked at in one turn, so that a look costs well below a millisecond.
MOST_IN_A_TURN = 64
# The time for which a bot is kept together; twice as long each time that it soon wants more again.
# A runtime that starts with many threads runs freely after that.
FIRST_SECONDS = 1.0
MOST_SECONDS = 64.0

# A bot is kept together if its threads were held up for this share of the time since the last look,
# all processors counted together. A single busy thread is held up too, because the kernel counts by
# ticks, for one or two hundredths; two threads on the quota of one core for all of it.
HELD_UP_SHARE = 0.2

# By the key in the kernel's file: how many of its units a second has. Version 1 and 2.
_KEYS = {b"throttled_time": 1e9, b"throttled_usec": 1e6}


class WatchedBot:
    """One bot. `counter`: a descriptor of the file in which the kernel counts."""

    __slots__ = (
        "again_before",
        "cores",
        "counter",
        "file",
        "held_up",
        "looked_at",
        "on",
        "seconds",
        "until",
    )

    def __init__(self, counter: int, file: str, cores: int, now: float) -> None:
        self.counter = counter
        self.file = file
        self.cores = cores
        self.held_up = _held_up_seconds(counter)
        self.on: tuple[int, ...] = ()  # the processors that it is kept on; (): it is free
        self.seconds = 0.0  # how long it is kept there, or was the last time
        # Times of time.monotonic().
        self.looked_at = now
        self.until = 0.0
        self.again_before = 0.0  # if it wants more before that, it is kept twice as long


class Processors:
    """Watches bots and chooses their processors. `processors`: all that bots may run on."""

    def __init__(self, processors: Sequence[int]) -> None:
        self._processors = tuple(processors)
        self._watched: dict[int, WatchedBot] = {}
        self._turn: deque[int] = deque()  # the numbers of all bots, the next to look at first

    def __len__(self) -> int:
        return len(self._watched)

    def watch(self, number: int, rule: tuple[str, str, int], now: float) -> None:
        """Watch a bot from now on, if its counter can be opened. `rule`: as `Rules.spread`."""
        counter, file, cores = rule
        if cores >= len(self._processors):
            return
        try:
            descriptor = os.open(counter, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # no descriptors: the quota must do
            return
        self._watched[number] = WatchedBot(descriptor, file, cores, now)
        self._turn.append(number)

    def forget(self, number: int) -> None:
        """Stop watching a bot, if it was watched."""
        bot = self._watched.pop(number, None)
        if bot is not None:
            self._turn.remove(number)
            os.close(bot.counter)

    def look(self, now: float) -> None:
        """Look at some of the bots, and at the others at the next calls."""
        for _ in range(min(MOST_IN_A_TURN, len(self._turn))):
            bot = self._watched[self._turn[0]]
            self._turn.rotate(-1)
            if bot.on:
                if now >= bot.until:
                    self._free(bot, now)
            elif self._wants_more(bot, now):
                self._keep_together(bot, now)

    def kept(self, number: int) -> tuple[int, ...]:
        """Return the processors that a bot is kept on; () if it is free."""
        bot = self._watched.get(number)
        return () if bot is None else bot.on

    def _wants_more(self, bot: WatchedBot, now: float) -> bool:
        before, bot.held_up = bot.held_up, _held_up_seconds(bot.counter)
        elapsed, bot.looked_at = now - bot.looked_at, now
        return bot.held_up - before > HELD_UP_SHARE * elapsed

    def _keep_together(self, bot: WatchedBot, now: float) -> None:
        again = now < bot.again_before
        bot.seconds = min(2 * bot.seconds, MOST_SECONDS) if again else FIRST_SECONDS
        bot.until = now + bot.seconds
        bot.on = self._least_used(bot.cores)
        _write(bot.file, bot.on)

    def _free(self, bot: WatchedBot, now: float) -> None:
        bot.again_before = now + bot.seconds
        bot.on = ()
        bot.held_up, bot.looked_at = _held_up_seconds(bot.counter), now
        _write(bot.file, self._processors)

    def _least_used(self, cores: int) -> tuple[int, ...]:
        """Choose processors that the fewest bots are kept on, of these the last."""
        used = dict.fromkeys(self._processors, 0)
        for bot in self._watched.values():
            for processor in bot.on:
                used[processor] += 1
        return tuple(sorted(used, key=lambda each: (used[each], -each))[:cores])


def _held_up_seconds(counter: int) -> float:
    """Return for how long the kernel has held a bot up because it wanted more than its cores."""
    with contextlib.suppress(OSError):  # somebody removed the group
        for line in os.pread(counter, 4096, 0).splitlines():
            key, _, number = line.partition(b" ")
            if key in _KEYS:
                return int(number) / _KEYS[key]
    return 0.0


def _write(file: str, processors: Sequence[int]) -> None:
    try:
        with open(file, "wb", buffering=0) as opened:
            opened.write(",".join(map(str, processors)).encode())
    except OSError:
        return  # processors went offline, or somebody changed the group above: the quota must do
