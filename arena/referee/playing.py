"""Plays a match with links: waits for it while the lookout steps it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import trio

from arena.referee.link import Link
from arena.referee.match import Match, Plan, Played, Watcher
from arena.referee.replies import Reply


async def play(plan: Plan, links: Sequence[Link], watch: Watcher | None = None) -> Played:
    """Play the match to its end, whatever the bots do; a lookout must be at work.

    An exception is one of ours, or of `watch`. Who is cancelled leaves the links in the middle
    of a match, and they are good for no other.
    """
    going = _Going(Match(plan, links, watch).steps())
    try:
        for link in links:
            link.join(going.go_on)
        going.go_on(None)
        await going.is_over.wait()
    finally:
        for link in links:
            link.leave()
        going.steps.close()
    if going.error is not None:
        raise going.error
    assert going.played is not None
    return going.played


class _Going:
    """A match on its way, taken on by whoever has the reply it waits for."""

    def __init__(self, steps: Generator[None, Reply, Played]):
        self.steps = steps
        self.is_over = trio.Event()
        self.played: Played | None = None
        self.error: Exception | None = None
        # Before the first reply the generator wants to be sent None, which its type cannot say.
        self._send: Callable[[Any], None] = steps.send

    def go_on(self, reply: Reply | None) -> None:
        """Up to where it waits again; from the beginning, with None."""
        try:
            self._send(reply)
        except StopIteration as end:
            self.played = end.value
            self.is_over.set()
        except Exception as error:  # raised where the match is waited for, not in the lookout
            self.error = error
            self.is_over.set()
