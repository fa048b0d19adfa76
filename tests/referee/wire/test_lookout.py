"""Whom the lookout calls, when, and for how long at a time."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest
import trio
from trio.lowlevel import checkpoint

from arena.referee.replies import Broken, Chose, Reply
from arena.referee.wire.lag import SLOW_US, LagMeter
from arena.referee.wire.lookout import GARBAGE, STAY, TURN_US, Lookout, Watch, open_lookout

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
        self.watch = Watch()
        self.is_asked = True
        self.asked_us = 0
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

    def abandon(self) -> None:
        self.is_asked = False

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


def test_what_comes_of_who_is_not_asked_is_left_where_it_is() -> None:
    with watched(answer) as (lookout, _, (pair,)):
        lookout.asked(pair)
        pair.is_asked = False
        pair.bot.send(b"!")
        lookout.look()
        assert pair.calls == []
        assert pair.read() == b"!"
        assert not pair.watch.may_have_ended


@pytest.mark.parametrize("is_asked", [False, True])
def test_an_end_is_noted_whether_it_is_asked_or_not(is_asked: bool) -> None:
    """It may have answered before it went; then nothing more is told of it."""
    with watched(answer) as (lookout, _, (pair,)):
        lookout.asked(pair)
        pair.is_asked = is_asked
        pair.bot.send(b"!")
        pair.bot.close()
        lookout.look()
        assert pair.watch.may_have_ended
        assert pair.replies == ([ANSWER] if is_asked else [])


def test_an_end_may_have_come_unseen_until_a_request_has_gone_out() -> None:
    """The lookout sees a socket from the beginning of a match on; a link reads before it asks."""
    with watched(answer) as (lookout, _, (pair,)):
        assert pair.watch.may_have_ended
        lookout.asked(pair)
        assert not pair.watch.may_have_ended


def test_a_sweep_comes_no_later_than_the_deadline_it_was_told_last() -> None:
    def rule(pair: Pair) -> None:
        """Nothing yet."""

    with watched(rule, 2) as (lookout, clock, (near, far)):
        near.deadline_us = far.deadline_us = clock.us + 1_000
        lookout.sweep()
        near.deadline_us = clock.us + 10
        lookout.expect(near.deadline_us)
        far.deadline_us = clock.us + 20
        lookout.asked(far)
        clock.us += 10
        lookout.sweep()
        assert (near.calls, far.calls) == (["rule"], [])


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


def test_what_there_was_no_time_for_is_seen_to_at_the_next_look_as_found_before() -> None:
    def read_slowly(pair: Pair) -> None:
        pair.read()
        found.append((pairs.index(pair), pair.watch.found_us))
        clock.us += TURN_US

    found: list[tuple[int, int | None]] = []
    with watched(read_slowly, 4) as (lookout, clock, pairs):
        came = lookout.lag.arrived
        for pair in pairs:
            pair.bot.send(b"!")
        lookout.look()
        assert found == [(0, came), (1, came)]
        lookout.lag.before_io_wait(0)
        lookout.lag.after_io_wait(0)
        assert lookout.lag.arrived < clock.us
        lookout.look()
        assert found[2:] == [(2, came), (3, came)]
        assert [pair.watch.found_us for pair in pairs] == [None] * 4


def test_it_is_found_once_until_it_is_seen_to() -> None:
    def read_slowly(pair: Pair) -> None:
        pair.read()
        clock.us += 2 * TURN_US

    with watched(read_slowly, 2) as (lookout, clock, pairs):
        for _ in range(2):
            for pair in pairs:
                pair.bot.send(b"!")
            lookout.look()
        lookout.look()
        assert sorted(len(pair.calls) for pair in pairs) == [1, 2]


def test_more_news_of_a_queued_link_makes_its_answer_no_later_and_queues_it_only_once() -> None:
    """Its answer may have come with the first news: the later time would cost the bot."""

    def read_slowly(pair: Pair) -> None:
        pair.read()
        seen.append((pairs.index(pair), pair.watch.found_us))
        clock.us += 2 * TURN_US

    seen: list[tuple[int, int | None]] = []
    with watched(read_slowly, 2) as (lookout, clock, pairs):
        came = lookout.lag.arrived
        for pair in pairs:
            pair.bot.send(b"!")
        lookout.look()
        for _ in range(2):
            lookout.lag.before_io_wait(0)
            lookout.lag.after_io_wait(0)
        assert lookout.lag.arrived > came
        pairs[1].bot.send(b"!")
        for _ in range(3):
            lookout.look()
        assert seen == [(0, came), (1, came)]
        assert pairs[1].replies == []


def test_news_of_a_link_that_owes_no_reply_is_not_kept_for_its_next_request() -> None:
    """Its next answer would seem to have come before it was asked for."""

    def read_slowly(pair: Pair) -> None:
        pair.read()
        clock.us += 2 * TURN_US

    with watched(read_slowly, 2) as (lookout, clock, (asked, idle)):
        idle.is_asked = False
        for pair in (asked, idle):
            pair.bot.send(b"!")
        lookout.look()
        assert (asked.calls, idle.calls, idle.watch.found_us) == (["look"], [], None)


def test_who_is_found_and_then_not_asked_any_more_is_passed_over() -> None:
    def end_the_other(pair: Pair) -> Reply | None:
        other.is_asked = False
        return answer(pair)

    with watched(end_the_other, 2) as (lookout, _, (pair, other)):
        pair.bot.send(b"!")
        other.bot.send(b"!")
        lookout.look()
        assert other.calls == []
        other.is_asked = True
        other.bot.send(b"!")
        lookout.look()
        assert other.calls == ["look"]


def play_on(lookout: Lookout, pair: Pair, answers_at_once: Callable[[], bool]) -> None:
    """Its match asks again as soon as it has a reply."""

    def ask_again(reply: Reply) -> None:
        pair.replies.append(reply)
        pair.is_asked = True
        pair.asked_us = lookout.now()
        lookout.asked(pair)
        if answers_at_once():
            pair.bot.send(b"!")

    pair.go_on = ask_again


def read_if_there(pair: Pair) -> Reply | None:
    try:
        return answer(pair)
    except BlockingIOError:
        pair.is_asked = True
        return None


def test_it_stays_with_a_match_whose_bots_answer_at_once_but_not_for_ever() -> None:
    seen: list[int] = []

    def look(pair: Pair) -> Reply | None:
        seen.append(pairs.index(pair))
        return read_if_there(pair)

    def is_going_on() -> bool:
        return len(seen) < 4 * STAY

    with watched(look, 2) as (lookout, _, pairs):
        for pair in pairs:
            play_on(lookout, pair, is_going_on)
            pair.bot.send(b"!")
        lookout.look()
        assert seen[: 4 * STAY] == ([0] * STAY + [1] * STAY) * 2


def test_it_stays_with_no_match_beyond_its_turn() -> None:
    def look_slowly(pair: Pair) -> Reply | None:
        clock.us += TURN_US // 2 + 1
        return read_if_there(pair)

    with watched(look_slowly) as (lookout, clock, (pair,)):
        play_on(lookout, pair, lambda: True)
        pair.bot.send(b"!")
        lookout.look()
        assert len(pair.calls) == 2


def test_who_does_not_answer_at_once_is_seldom_tried() -> None:
    """It is found when it has answered; to try before that costs something."""
    with watched(read_if_there) as (lookout, _, (pair,)):
        play_on(lookout, pair, lambda: False)
        tries = []
        for _ in range(300):
            pair.bot.send(b"!")
            pair.calls.clear()
            lookout.look()
            tries.append(len(pair.calls) - 1)
        assert len(pair.replies) == 300
        assert [number for number, tried in enumerate(tries) if tried] == [
            0,
            1,
            3,
            7,
            15,
            31,
            63,
            127,
            191,
            255,
        ]


def test_news_that_is_no_answer_yet_is_not_held_against_it() -> None:
    """A part of a frame, say: nobody tried it before there was news."""

    def read(pair: Pair) -> None:
        pair.read()

    with watched(read) as (lookout, _, (pair,)):
        pair.bot.send(b"!")
        lookout.look()
        assert (pair.calls, pair.watch.misses, pair.watch.untried) == (["look"], 0, 0)


def test_who_answers_at_once_again_is_tried_as_before() -> None:
    with watched(read_if_there) as (lookout, _, (pair,)):
        pair.watch.misses = 5
        play_on(lookout, pair, lambda: len(pair.replies) < 3)
        pair.bot.send(b"!")
        lookout.look()
        # Twice it did; then not any more, for the first time.
        assert (len(pair.replies), pair.watch.misses, pair.watch.untried) == (3, 1, 0)


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
        assert not pairs[0].is_asked


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


async def test_other_tasks_have_their_turns_however_much_news_there_is() -> None:
    turns: list[int] = []
    turn = 0

    def read_slowly(pair: Pair) -> None:
        pair.read()
        turns.append(turn)
        clock.us += 2 * TURN_US
        if len(turns) < 20:
            pair.bot.send(b"!")

    with watched(read_slowly, 3) as (lookout, clock, pairs):
        for pair in pairs:
            pair.bot.send(b"!")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lookout.run)
            while len(turns) < 20:
                turn += 1
                await checkpoint()
            nursery.cancel_scope.cancel()
    assert max(after - before for before, after in pairwise(turns)) <= 2
    assert len({*turns}) > 10


async def test_the_collector_is_as_it_was_when_a_lookout_has_gone() -> None:
    before = gc.get_threshold()
    lookout = Lookout()
    async with open_lookout(lookout):
        assert gc.get_threshold() == (GARBAGE, *before[1:])
    lookout.close()
    assert gc.get_threshold() == before
