"""Poll the sockets of all matches in one task, and watch their deadlines in another.

Parking a Trio task for each decision and waking it again would cost nearly as much as the rules,
the view and the codec together. So no task waits for a bot: one epoll set holds all links that are
in a match, the lookout waits until epoll reports input, and steps each match that has input by
plain calls. While there is more input it polls again by itself, for `TURN_US`. Then the other
tasks of the loop have their turn, and the remaining links are stepped in the next one.

The lookout stays for some decisions with a match whose bots answer as soon as they are asked, as
bots on our own processor do. A match that comes back after hundreds of others must be fetched into
the processor's cache again, which costs a quarter of a decision.

Deadlines are kept by the links and swept, because a Trio scope for each decision would cost a
fifth of it. A link whose deadline is past reads once more and judges by arrival times. So the
interval of the sweep only decides how soon a silence is noticed.
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
from arena.referee.replies import Broken, Reply
from arena.referee.wire.lag import LagMeter

# Not more often: a wait with a nearer deadline costs more, as the kernel sets its timer for each.
SWEEP_SECONDS = 0.01
# A turn of the lookout, before the other tasks of the loop run: some dozens of decisions, and well
# below SLOW_US of the lag meter.
TURN_US = 1_000
# Links with input that one poll reports. The next poll reports the rest.
MOST_AT_ONCE = 1_024
# Decisions of one match in a row while others wait: a fraction of a turn.
STAY = 10
# A bot that did not answer at once this often in a row is tried at one of 64 decisions.
MOST_MISSES = 7

# New objects before Python's garbage collector looks for cycles; the default is 700. Matches make
# nearly no cycles, and each collection drags all objects through the processor's cache.
GARBAGE = 50_000
NEVER_US = 1 << 62

# Edge-triggered: epoll reports each arrival once, and not for as long as it is unread. Bytes that a
# bot sends unasked stay unread until its match asks it again.
_READS = select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLET
_READS_AND_TAKES = _READS | select.EPOLLOUT
_HAS_ENDED = select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR

GoOn: TypeAlias = Callable[[Reply], None]
"""Takes the reply that a match waits for, and plays on until it waits again. Never raises."""


class Socketed(Protocol):
    """An object with a socket."""

    fd: int


class Watched(Socketed, Protocol):
    """A link in a match."""

    watch: Watch
    is_asked: bool  # a reply is owed; `go_on` will be called with it
    asked_us: int  # time of the last request
    deadline_us: int  # end of the open request
    go_on: GoOn

    def look(self) -> Reply | None: ...
    def rule(self) -> Reply | None: ...
    def abandon(self) -> None: ...


class Watch:
    """Notes of the lookout about one link. The lookout writes them; the link holds and reads them.

    The link holds them because every decision reads them: an attribute of the link costs less than
    a look-up in a table of the lookout. All times are in microseconds of the referee's clock.
    """

    __slots__ = ("found_us", "may_have_ended", "misses", "untried")

    def __init__(self) -> None:
        # The peer may have closed: reported by epoll, or unknown since before this match.
        self.may_have_ended = False
        # The earliest time at which input came that the link has not looked at yet; None without
        # such input.
        self.found_us: int | None = None
        # Decisions in a row that the bot did not answer at once, up to MOST_MISSES.
        self.misses = 0
        # Decisions from now on for which the lookout does not stay to see if it answers at once.
        self.untried = 0


class Lookout:
    """The epoll set of all links in a match, and their deadlines.

    `open_lookout` runs its tasks. A link is added when its match begins, and removed when the match
    ends. `now` gives whole microseconds.
    """

    def __init__(self, now: Now = now_us, lag: LagMeter | None = None):
        self.now = now
        self.lag = lag if lag is not None else LagMeter(now)
        self._epoll = select.epoll()
        self._by_fd: list[Watched | None] = []  # links whose socket is open, by descriptor
        self._links: set[Watched] = set()
        self._found: deque[Watched] = deque()  # asked links with input, not looked at yet
        self._just_asked: Watched | None = None  # the link that the match stepped last has asked
        # No deadline comes before this time, so an earlier sweep does nothing: touching hundreds of
        # links would push the matches out of the processor's cache. `asked` and `expect` lower it.
        self._soonest_us = 0

    def __repr__(self) -> str:
        asked = sum(link.is_asked for link in self._links)
        return f"<Lookout over {len(self._links)}, {asked} asked>"

    def watch(self, link: Watched) -> None:
        """Add a link: its match begins."""
        link.watch.may_have_ended = True  # epoll was not asked about it before now
        self._links.add(link)
        self._by_fd += [None] * (link.fd + 1 - len(self._by_fd))
        self._by_fd[link.fd] = link
        self._epoll.register(link.fd, _READS)

    def asked(self, link: Watched) -> None:
        """Note that a link has just sent a request, after it read all input that came before."""
        link.watch.may_have_ended = False
        self._just_asked = link
        if link.deadline_us < self._soonest_us:
            self._soonest_us = link.deadline_us

    def expect(self, deadline_us: int) -> None:
        """Sweep at this time at the latest: a link has set its deadline to it."""
        if deadline_us < self._soonest_us:
            self._soonest_us = deadline_us

    def is_to_take(self, link: Socketed, *, more: bool) -> None:
        """Have epoll report, or no longer report, that the socket takes more bytes to send."""
        if self._is_watched(link):
            self._epoll.modify(link.fd, _READS_AND_TAKES if more else _READS)

    def forget_socket(self, link: Socketed) -> None:
        """Remove a socket that is about to be closed: its descriptor may be reused soon."""
        if self._is_watched(link):
            self._by_fd[link.fd] = None
            self._epoll.unregister(link.fd)

    def _is_watched(self, link: Socketed) -> bool:
        return link.fd < len(self._by_fd) and self._by_fd[link.fd] is link

    def forget(self, link: Watched) -> None:
        """Remove a link: its match is over."""
        self.forget_socket(link)
        self._links.discard(link)
        if self._just_asked is link:  # a reference cycle would keep its descriptor open
            self._just_asked = None

    async def run(self) -> NoReturn:
        """Poll and sweep until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._sweep_for_ever)
            while True:
                if self._found:
                    await checkpoint()
                else:
                    await wait_readable(self._epoll)
                self.look()

    def look(self) -> None:
        """Step every match whose link has input, until none has, or the turn is over."""
        now, found = self.now, self._found
        until = now() + TURN_US
        self._find()
        while found:
            self._play_on(found.popleft(), until)
            at = now()
            if at > until:
                return  # without a poll: input since the last one is not seen yet, and `lag` knows
            if not found:
                self.lag.looks(at)
                self._find()

    def _find(self) -> None:
        """Poll epoll, and queue every link that has input and owes a reply."""
        came, by_fd, found = self.lag.arrived, self._by_fd, self._found
        for fd, events in self._epoll.poll(0, MOST_AT_ONCE):
            link = by_fd[fd]
            assert link is not None, f"epoll reports descriptor {fd}, which no link has"
            watch = link.watch
            if events & _HAS_ENDED:
                watch.may_have_ended = True
            if link.is_asked and watch.found_us is None:
                watch.found_us = came
                found.append(link)

    def _play_on(self, link: Watched, until: int) -> None:
        """Step the match of a link, and stay with it while the bots that it asks answer at once.

        `until`: the end of the turn. A request sent later is not waited for.
        """
        watch = link.watch
        if not link.is_asked:  # settled since it was queued
            watch.found_us = None
            return
        for step in range(STAY):
            try:
                reply = link.look()
            except Exception as error:  # a bug of ours must not end other matches
                link.abandon()
                reply = Broken(error)
            watch.found_us = None
            if reply is None:
                if step:
                    watch.misses = min(watch.misses + 1, MOST_MISSES)
                    watch.untried = (1 << (watch.misses - 1)) - 1
                return
            if step:
                watch.misses = 0
            self._just_asked = None
            link.go_on(reply)
            asked = self._just_asked
            if asked is None or asked.asked_us > until:
                return
            link = asked
            watch = link.watch
            if watch.untried:
                watch.untried -= 1
                return

    def sweep(self) -> None:
        """Have each asked link judge its deadline if that is past."""
        now = self.now()
        if now < self._soonest_us:
            return
        asked = [link for link in self._links if link.is_asked]
        self._soonest_us = min([link.deadline_us for link in asked], default=NEVER_US)
        for link in [link for link in asked if link.deadline_us <= now]:
            try:
                reply = link.rule()
            except Exception as error:  # as above
                link.abandon()
                reply = Broken(error)
            if reply is not None:
                link.go_on(reply)

    async def _sweep_for_ever(self) -> NoReturn:
        while True:
            await trio.sleep(SWEEP_SECONDS)
            self.sweep()

    def close(self) -> None:
        """Close the descriptors of epoll and of the lag meter."""
        self._epoll.close()
        self.lag.close()


@asynccontextmanager
async def open_lookout(lookout: Lookout) -> AsyncIterator[Lookout]:
    """Run the lookout, with its lag meter installed, until the scope is left."""
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
