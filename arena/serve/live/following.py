"""Following a league: looks at it, and at most one message a second to its watchers.

After a message the next look comes a second later, so that under constant news each look is a
message; while nothing is new the files are asked for their times only, many times a second, so news
after a quiet second is told at once.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from arena.league.store.database import StoreError
from arena.league.store.folder import COMPLETE_SETS
from arena.record import RecordError
from arena.serve.live.delta import patch
from arena.serve.live.hub import Hub
from arena.serve.live.watched import MOST_NEWS, LeagueLook, WatchedLeague
from arena.serve.thread import OneThread

# From one message to the next, at least; longer where a look takes much: this many times its
# processor time, so that watching takes little of it from bots.
EVERY_SECONDS = 1.0
REST = 10
# Between two questions whether anything was written; one takes some ten microseconds.
POLL_SECONDS = 0.05
# A runner that ends writes nothing, so that is asked for at least this often.
LOOK_SECONDS = 2.0
# After a league that could not be read.
AGAIN_SECONDS = 1.0


_LOGGER = logging.getLogger(__name__)


WrittenAt: TypeAlias = tuple[tuple[int, int, int], ...]
"""Inode, time and size of each file of a database."""


def rest_after(cost: float) -> float:
    """Return the seconds from a look that was told to the next one, by its processor time."""
    return max(EVERY_SECONDS, REST * cost)


class Following:
    """The looks at one league, in its thread, and the messages made of them."""

    def __init__(
        self,
        league: WatchedLeague,
        hub: Hub,
        thread: OneThread,
        main_of: Callable[[], Sequence[str]],
        taken: Callable[[LeagueLook], None],
    ):
        """`main_of`: returns the lines of the table's page as they are after a look, called in the
        thread. `taken`: is told each look that is new, in the loop."""
        self.league = league
        self.problem = ""  # why the last look failed
        self.looked = time.monotonic()  # when the last look succeeded
        self._hub = hub
        self._thread = thread
        self._main_of = main_of
        self._taken = taken
        file = league.folder / COMPLETE_SETS
        self._files = (file, file.with_name(f"{file.name}-wal"))
        self._lines: Sequence[str] = ()
        self._cost = 0.0  # seconds of processor time that the last look took
        self._ticker: list[str] = []  # that a snapshot tells

    def __repr__(self) -> str:
        return f"<Following {self.league!r}>"

    async def run(self) -> None:
        """Look and tell, until it is cancelled."""
        while True:
            # Asked before the look, so that what is written meanwhile is a change.
            began, written = time.monotonic(), self._times()
            try:
                is_told = await self.look()
                self.problem, self.looked = "", time.monotonic()
            except (StoreError, RecordError) as error:
                if self.problem != str(error):
                    # At the level of errors: the log takes no lines below it.
                    _LOGGER.error("%s cannot be read: %s", self.league.slug, error)
                self.problem = str(error)
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            except Exception as error:  # of a bug in one league the others are no part
                self.problem = f"{type(error).__name__}: {error}; this is a bug in arena"
                _LOGGER.exception("%r", self)
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            if is_told:
                await asyncio.sleep(max(0.0, began + rest_after(self._cost) - time.monotonic()))
            else:
                await self._written_since(written)

    async def look(self) -> bool:
        """Look once; return whether the watchers were told something."""
        before = self.league.look
        look, lines = await self._thread.run(self._look_there, always=True)
        if look is before:
            return False
        changes = patch(self._lines, lines)
        self._lines = lines
        self._taken(look)
        self._ticker = [*self._ticker, *look.news][-MOST_NEWS:]
        if before is None:
            self._hub.begin(self._whole)
            return False
        if not changes and not look.news:
            return False
        self._hub.publish(
            {"cursor": look.cursor, "patch": changes, "ticker": look.news}, self._whole
        )
        return True

    def _look_there(self) -> tuple[LeagueLook, Sequence[str]]:
        """Look, in the thread; the lines are made anew only for another table."""
        began, before = time.thread_time(), self.league.look
        look = self.league.look_again()
        is_same = before is not None and look.tables == before.tables
        lines = self._lines if is_same else self._main_of()
        self._cost = time.thread_time() - began
        return look, lines

    def _whole(self) -> dict[str, Any]:
        look = self.league.look
        cursor = look.cursor if look is not None else 0
        return {"cursor": cursor, "lines": self._lines, "ticker": self._ticker}

    async def _written_since(self, before: WrittenAt) -> None:
        """Wait until something is written that was not at that moment, or LOOK_SECONDS."""
        until = time.monotonic() + LOOK_SECONDS
        while self._times() == before and time.monotonic() < until:
            await asyncio.sleep(POLL_SECONDS)

    def _times(self) -> WrittenAt:
        """Return a value that differs whenever something was written to the league."""
        found = []
        for path in self._files:
            try:
                at = os.stat(path)
            except OSError:
                continue
            found.append((at.st_ino, at.st_mtime_ns, at.st_size))
        return tuple(found)
