"""Whom the lookout calls, when, and for how long at a time."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from arena.referee.lag import SLOW_US, LagMeter
from arena.referee.lookout import GARBAGE, TURN_US, Lookout, open_lookout
from arena.referee.replies import Broken, Chose, Reply

ANSWER = Chose("R1", 0, "")


class Clock:
    def __init__(self) -> None:
        self.us = 1_000_000

    def __call__(self) -> int:
        return self.us


class Pair:
    """One end is watched, the other is a bot's; what is done with news a test says."""

    def __init__(self, act: Callable[[Pair], Reply | None]) -> None:
        self.sock, self.bot = socket.socketpair()
        self.sock.setblocking(False)
        self.fd = self.sock.fileno()
        self.is_asked = True
        self.has_news = False
        self.deadline_us = 0
        self.replies: list[Reply] = []
        self.go_on = self.replies.append
        self.calls: list[str] = []
        self._act = act

    def look(self) -> Reply | None:
        self.calls.append("look")
        return self._act(self)

    def rule(self) -> Reply | None:
        self.calls.append("rule")
        return self._act(self)

    def read(self) -> bytes:
        return self.sock.recv(100)


@contextmanager
def watched(
    act: Callable[[Pair], Reply | None], count: int = 1
) -> Iterator[tuple[Lookout, Clock, list[Pair]]]:
    clock = Clock()
    lookout = Lookout(clock, LagMeter(clock))
    pairs = [Pair(act) for _ in range(count)]
    for pair in pairs:
        lookout.watch(pair)
    try:
        yield lookout, clock, pairs
    finally:
        for pair in pairs:
            lookout.forget(pair)
            pair.sock.close()
            pair.bot.close()
        lookout.close()


def answer(pair: Pair) -> Reply | None:
    pair.is_asked = False
    pair.read()
    return ANSWER


def test_who_has_news_is_looked_at_and_nobody_else() -> None:
    with watched(answer, 3) as (lookout, _, pairs):
        pairs[1].bot.send(b"!")
        lookout.look()
        assert [pair.calls for pair in pairs] == [[], ["look"], []]
        assert [pair.replies for pair in pairs] == [[], [ANSWER], []]


def test_news_of_who_is_not_asked_is_noted_and_left_where_it_is() -> None:
    with watched(answer) as (lookout, _, (pair,)):
        pair.is_asked = False
        pair.bot.send(b"!")
        lookout.look()
        assert pair.has_news
        assert pair.calls == []
        assert pair.read() == b"!"


def test_what_is_left_unread_is_no_news_again() -> None:
    def leave_it(pair: Pair) -> None:
        """Not even read."""

    with watched(leave_it) as (lookout, _, (pair,)):
        pair.bot.send(b"!")
        lookout.look()
        lookout.look()
        assert pair.calls == ["look"]


def test_a_connection_that_ends_is_news_once() -> None:
    def read(pair: Pair) -> None:
        assert pair.read() == b""

    with watched(read) as (lookout, _, (pair,)):
        pair.bot.close()
        lookout.look()
        assert pair.calls == ["look"]


@pytest.mark.parametrize("us_each", [100, 3 * SLOW_US])
def test_however_much_news_there_is_a_look_lasts_no_more_than_a_turn(us_each: int) -> None:
    """Then the loop's other tasks have theirs."""

    def read_and_be_sent_more(pair: Pair) -> None:
        pair.read()
        pair.bot.send(b"!")
        clock.us += us_each

    with watched(read_and_be_sent_more) as (lookout, clock, (pair,)):
        pair.bot.send(b"!")
        lookout.look()
        assert len(pair.calls) == TURN_US // us_each + 1


def test_a_look_that_is_given_up_for_time_is_no_look() -> None:
    """What came before it, as while the process was stopped, is not thought to have come after."""

    def read_and_be_stopped(pair: Pair) -> None:
        pair.read()
        pair.bot.send(b"!")
        clock.us += 2_000_000

    with watched(read_and_be_stopped) as (lookout, clock, (pair,)):
        began = clock.us
        pair.bot.send(b"!")
        lookout.look()
        lookout.lag.before_io_wait(0)
        lookout.lag.after_io_wait(0)
        assert lookout.lag.arrived == began
        assert lookout.lag.lag_us == 2_000_000


def test_what_a_second_look_finds_may_have_come_since_the_first() -> None:
    """And not since the loop came back, nor only now: the bot is given that time."""

    def read_and_be_sent_more(pair: Pair) -> None:
        pair.read()
        clock.us += 40
        arrived.append(lookout.lag.arrived - began)
        if len(arrived) < 4:
            pair.bot.send(b"!")

    arrived: list[int] = []
    with watched(read_and_be_sent_more) as (lookout, clock, (pair,)):
        began = clock.us
        pair.bot.send(b"!")
        lookout.look()
    assert arrived == [0, 0, 40, 80]


def test_a_bug_at_one_link_is_its_reply_and_stops_no_other() -> None:
    error = RuntimeError("a bug")

    def fail(pair: Pair) -> Reply | None:
        if pair is pairs[0]:
            raise error
        return answer(pair)

    with watched(fail, 2) as (lookout, _, pairs):
        for pair in pairs:
            pair.bot.send(b"!")
        lookout.look()
        assert [pair.replies for pair in pairs] == [[Broken(error)], [ANSWER]]
        assert not pairs[0].is_asked
        for pair in pairs:
            pair.is_asked = True
            pair.bot.send(b"!")
        lookout.sweep()
        assert [pair.replies for pair in pairs] == [[Broken(error)] * 2, [ANSWER] * 2]


def test_a_sweep_sees_to_those_who_are_asked_and_past_their_deadline() -> None:
    def rule(pair: Pair) -> None:
        """Nothing yet."""

    with watched(rule, 3) as (lookout, clock, (past, coming, idle)):
        past.deadline_us = clock.us
        coming.deadline_us = clock.us + 1
        idle.is_asked = False
        lookout.sweep()
        assert [pair.calls for pair in (past, coming, idle)] == [["rule"], [], []]


def test_one_whose_socket_is_closed_is_swept_until_its_match_is_over() -> None:
    """Its number may be another's by then."""
    with watched(answer) as (lookout, clock, (old,)):
        lookout.forget_socket(old)
        old.sock.close()
        new = Pair(answer)
        assert new.fd == old.fd
        lookout.watch(new)
        new.deadline_us = clock.us + 1
        old.is_asked = True
        lookout.sweep()
        assert (old.calls, new.calls) == (["rule"], [])
        lookout.forget(old)
        new.bot.send(b"!")
        lookout.look()
        assert new.calls == ["look"]
        lookout.forget(new)
        new.sock.close()
        new.bot.close()


def test_room_to_send_is_news_to_those_who_want_to_know() -> None:
    def see(pair: Pair) -> None:
        """It would send now."""

    with watched(see) as (lookout, _, (pair,)):
        lookout.look()
        assert pair.calls == []
        lookout.is_to_take(pair, more=True)
        lookout.look()
        assert pair.calls == ["look"]
        lookout.is_to_take(pair, more=False)
        lookout.look()
        assert pair.calls == ["look"]


def test_its_repr_counts() -> None:
    with watched(answer, 2) as (lookout, _, pairs):
        pairs[0].is_asked = False
        assert repr(lookout) == "<Lookout over 2, 1 asked>"


async def test_the_collector_is_as_it_was_when_a_lookout_has_gone() -> None:
    before = gc.get_threshold()
    lookout = Lookout()
    async with open_lookout(lookout):
        assert gc.get_threshold() == (GARBAGE, *before[1:])
    lookout.close()
    assert gc.get_threshold() == before
