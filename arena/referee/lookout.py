"""One task that looks at the sockets of all matches, and one that watches their deadlines.

To park a task of Trio's for each decision and to wake it again would cost nearly as much as the
rules, the view and the codec together. So no task waits for a bot: all links of the matches
stand in one set of the kernel's, the lookout waits for that set to have news, and steps each
match it has news for by plain calls. While there is more news it looks again by itself, for
`TURN_US`; then the loop's other tasks have their turn, and what is left over has the next one.

With a match whose bots answer as soon as they are asked, as those do that share our processor,
it stays for some decisions: a match that is left, and comes back after hundreds of others, must
be fetched into the processor's cache again, which costs a quarter of a decision.

Deadlines are kept by the links and swept, instead of a scope for each decision. A link whose
deadline is past reads once more and judges by times of arrival, so how often the sweep comes
decides nothing but how soon a silence is noticed.
"""

from __future__ import annotations

import contextlib
import gc
import select
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NoReturn, Protocol, TypeAlias

import trio
from trio.lowlevel import checkpoint, wait_readable

from arena.referee.clock import Now, now_us
from arena.referee.lag import LagMeter
from arena.referee.replies import Broken, Reply

# A wait with a nearer deadline costs more: the kernel must set its clock anew for each.
SWEEP_SECONDS = 0.01
# For so long the lookout goes on by itself: some dozens of decisions, and well below what the
# lag meter calls slow.
TURN_US = 1_000
# Of one look. More are found by the next one.
MOST_AT_ONCE = 1_024
# Decisions of one match without a pause, though others wait: a fraction of a turn.
STAY = 10
# A bot that has not answered at once so often in a row is tried at one of 64 decisions.
MOST_MISSES = 7

# How many more objects there are before the collector looks for cycles, instead of Python's 700.
# Matches make nearly none, and at each look it drags all of them through the processor's cache.
GARBAGE = 50_000
NEVER_US = 1 << 62

# Told once of each arrival and not for as long as it is unread: what a bot sends unasked lies
# there until its match asks it again.
_READS = select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLET
_READS_AND_TAKES = _READS | select.EPOLLOUT
_HAS_ENDED = select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR

GoOn: TypeAlias = Callable[[Reply], None]
"""Takes the reply that a match waits for, and plays on until it waits again; never raises."""


class Socketed(Protocol):
    """Somebody with a socket."""

    fd: int


class Watched(Socketed, Protocol):
    """A link in a match."""

    is_asked: bool  # a reply is owed, and `go_on` will be called with it
    asked_us: int  # when that was, or was last
    may_have_ended: bool  # it has, or had when its match began, for all that was seen
    found_us: int | None  # there is news not yet looked at, which came then at the earliest
    deadline_us: int
    # How often in a row it had not answered at once, and for how many decisions to believe that.
    misses: int
    untried: int
    go_on: GoOn

    def look(self) -> Reply | None: ...
    def rule(self) -> Reply | None: ...


class Lookout:
    """Made by `open_lookout`; links come when a match of theirs begins, and go when it ends."""

    def __init__(self, now: Now = now_us, lag: LagMeter | None = None):
        self.now = now
        self.lag = lag if lag is not None else LagMeter(now)
        self._news = select.epoll()
        self._by_fd: list[Watched | None] = []  # those whose socket is open
        self._links: set[Watched] = set()
        self._found: deque[Watched] = deque()  # there is news of them, and they were asked
        self.just_asked: Watched | None = None  # by the match that was stepped last
        # No deadline is nearer: a sweep that touched hundreds of links for nothing would push
        # the matches out of the processor's cache. Who sets a deadline lowers it.
        self.soonest_us = 0

    def __repr__(self) -> str:
        asked = sum(link.is_asked for link in self._links)
        return f"<Lookout over {len(self._links)}, {asked} asked>"

    def watch(self, link: Watched) -> None:
        """A match of its begins."""
        self._links.add(link)
        self._by_fd += [None] * (link.fd + 1 - len(self._by_fd))
        self._by_fd[link.fd] = link
        self._news.register(link.fd, _READS)

    def is_to_take(self, link: Socketed, *, more: bool) -> None:
        """Look also for whether it takes more; or not any longer."""
        if self._is_watched(link):
            self._news.modify(link.fd, _READS_AND_TAKES if more else _READS)

    def forget_socket(self, link: Socketed) -> None:
        """It is about to be closed; its number may be another's soon."""
        if self._is_watched(link):
            self._by_fd[link.fd] = None
            self._news.unregister(link.fd)

    def _is_watched(self, link: Socketed) -> bool:
        return link.fd < len(self._by_fd) and self._by_fd[link.fd] is link

    def forget(self, link: Watched) -> None:
        """Its match is over."""
        self.forget_socket(link)
        self._links.discard(link)
        if self.just_asked is link:  # each would keep the other, and its descriptor, alive
            self.just_asked = None

    async def run(self) -> NoReturn:
        """For ever; start it in the nursery that the matches live in."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._sweep_for_ever)
            while True:
                if self._found:
                    await checkpoint()
                else:
                    await wait_readable(self._news)
                self.look()

    def look(self) -> None:
        """Step every match that there is news for, until there is none, or for a turn."""
        now, found = self.now, self._found
        until = now() + TURN_US
        self._find()
        while found:
            self._play_on(found.popleft(), until)
            at = now()
            if at > until:
                return  # and has not looked: what came since the last look may be unseen
            if not found:
                self.lag.looks(at)
                self._find()

    def _find(self) -> None:
        """Whom there is news of since the last look."""
        came, by_fd, found = self.lag.arrived, self._by_fd, self._found
        for fd, what in self._news.poll(0, MOST_AT_ONCE):
            link = by_fd[fd]
            assert link is not None, f"news of descriptor {fd}, which nobody has"
            if what & _HAS_ENDED:
                link.may_have_ended = True
            if link.is_asked and link.found_us is None:
                link.found_us = came
                found.append(link)

    def _play_on(self, link: Watched, until: int) -> None:
        """Step its match, and stay with it while whom it asks answers at once."""
        if not link.is_asked:  # any more
            link.found_us = None
            return
        for step in range(STAY):
            try:
                reply = link.look()
            except Exception as error:  # a bug of ours: no other match may pay for it
                link.is_asked = False
                reply = Broken(error)
            link.found_us = None
            if reply is None:
                if step:
                    link.misses = min(link.misses + 1, MOST_MISSES)
                    link.untried = (1 << (link.misses - 1)) - 1
                return
            if step:
                link.misses = 0
            self.just_asked = None
            link.go_on(reply)
            asked = self.just_asked
            if asked is None or asked.asked_us > until:
                return
            link = asked
            if link.untried:
                link.untried -= 1
                return

    def sweep(self) -> None:
        """See to those whose deadline is past."""
        now = self.now()
        if now < self.soonest_us:
            return
        asked = [link for link in self._links if link.is_asked]
        self.soonest_us = min([link.deadline_us for link in asked], default=NEVER_US)
        for link in [link for link in asked if link.deadline_us <= now]:
            try:
                reply = link.rule()
            except Exception as error:  # as above
                link.is_asked = False
                reply = Broken(error)
            if reply is not None:
                link.go_on(reply)

    async def _sweep_for_ever(self) -> NoReturn:
        while True:
            await trio.sleep(SWEEP_SECONDS)
            self.sweep()

    def close(self) -> None:
        """It holds descriptors."""
        self._news.close()
        self.lag.close()


@asynccontextmanager
async def open_lookout(lookout: Lookout) -> AsyncIterator[Lookout]:
    """At work until the scope is left."""
    young, *older = gc.get_threshold()
    gc.set_threshold(max(young, GARBAGE), *older)
    trio.lowlevel.add_instrument(lookout.lag)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lookout.run)
            yield lookout
            nursery.cancel_scope.cancel()
    finally:
        gc.set_threshold(young, *older)
        with contextlib.suppress(KeyError):
            trio.lowlevel.remove_instrument(lookout.lag)
