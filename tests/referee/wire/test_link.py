"""One link, asked over a socket pair on a clock that is turned by hand.

The loop is Trio's, and so is its lag meter; time passes only where a test says so, in one
piece while the loop works (the machine is slow) or in small ones (the bot is).
"""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgpack
import pytest
import trio
from trio.lowlevel import checkpoint
from trio.testing import MockClock

from arena.referee.replies import Chose, Failed, Lagged, Reply
from arena.referee.wire.connection import MOST_UNSENT_BYTES, OtherEnd
from arena.referee.wire.core_waits import CoreWaits
from arena.referee.wire.lag import SLOW_US, LagMeter
from arena.referee.wire.link import LAG_MARGIN_US, LAG_WINDOW_US, READ_BYTES, Link
from arena.referee.wire.lookout import Lookout, open_lookout
from arena.referee.wire.stamps import Stamps
from protocol.breaches import hung
from protocol.faults import fault_message
from protocol.messages import End, Fault, Start
from protocol.server_end import ServerEnd
from tests.helpers import packed
from tests.referee.small_table import ScriptedBot, connected

MATCH = "m-1"
LEGAL = ("R1", "G2")
ALLOWED_US = 100_000
HANG_US = 1_000_000
BIG = {"pad": "-" * 10_000}


Act: TypeAlias = Callable[[], Awaitable[None]]


class Hand:
    """A clock."""

    def __init__(self) -> None:
        self.us = 5_000_000

    def __call__(self) -> int:
        return self.us

    async def goes_by(self, us: int) -> None:
        """As time does on a machine that is not slow: the loop comes round again and again."""
        while us > 0:
            step = min(us, SLOW_US)
            self.us += step
            us -= step
            await checkpoint()


class NoWaits(CoreWaits):
    """A machine with a processor for everyone."""

    def __call__(self) -> int:
        return 0


class Tape:
    """A tap that remembers."""

    def __init__(self) -> None:
        self.frames: list[tuple[str, bytes]] = []

    def sent(self, link: OtherEnd, data: bytes) -> None:
        self.frames.append(("sent", data))

    def came(self, link: OtherEnd, body: bytes) -> None:
        self.frames.append(("came", body))


def ruling(failed: Failed, id_: int) -> Fault:
    """What the match says to it."""
    return fault_message(
        failed.breach,
        match=MATCH,
        id_=id_,
        played=LEGAL[0],
        faults=1,
        forfeit=False,
        faults_to_forfeit=3,
    )


async def asked(
    link: Link,
    view: Mapping[str, object] = {},
    allowed_us: int = ALLOWED_US,
    hang_us: int = HANG_US,
) -> Reply:
    """What comes of a request."""
    come: list[Reply] = []
    has_come = trio.Event()

    def go_on(reply: Reply) -> None:
        come.append(reply)
        has_come.set()

    link.go_on = go_on
    reply = link.ask(MATCH, view, LEGAL, allowed_us, 0, hang_us)
    if reply is not None:
        return reply
    await has_come.wait()
    (reply,) = come
    return reply


@dataclass
class Here:
    """A link in the middle of a match, its bot, and the clock of both."""

    hand: Hand
    link: Link
    bot: ScriptedBot
    lookout: Lookout

    async def ask(
        self,
        act: Act,
        allowed_us: int = ALLOWED_US,
        hang_us: int = HANG_US,
        view: Mapping[str, object] = {},
    ) -> Reply:
        """What comes of a request, while the bot does this."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(act)
            reply = await asked(self.link, view, allowed_us, hang_us)
            nursery.cancel_scope.cancel()
        if isinstance(reply, Failed) and self.link.is_open and self.link.end.asked:
            self.link.tell(ruling(reply, self.link.last_id))
        return reply

    def frame(self, **fields: object) -> bytes:
        """An answer to the last request, but for what is said otherwise."""
        answer = {"type": "action", "match": MATCH, "id": self.link.last_id, "action": LEGAL[0]}
        return packed(answer | fields)


@asynccontextmanager
async def at_a_link() -> AsyncIterator[Here]:
    hand = Hand()
    lookout = Lookout(hand, LagMeter(hand, NoWaits()))
    link, bot = connected("fox", lookout)
    link.join(link.go_on)
    link.tell(Start(MATCH, "nyet", {}, 2, ("fox", "owl"), 0, {}, ""))
    link.begin(3)
    try:
        with bot.sock:
            async with open_lookout(lookout):
                await bot.receive()
                await bot.receive()
                yield Here(hand, link, bot, lookout)
    finally:
        link.drop()
        lookout.close()


def code(reply: Reply) -> str:
    assert isinstance(reply, Failed), reply
    return reply.breach.code


async def test_a_loop_stalled_for_50_ms_while_the_answer_comes_charges_nobody(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            here.hand.us += 50_000
            await here.bot.answer(LEGAL[0])

        assert await here.ask(act) == Chose(LEGAL[0], 0, "")


async def test_an_answer_after_a_stall_that_would_be_late_is_nobodys_fault(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            here.hand.us += ALLOWED_US + 1
            await checkpoint()
            await checkpoint()
            await here.bot.answer(LEGAL[0])

        reply = await here.ask(act)
        assert isinstance(reply, Lagged)
        assert reply.lag_us > LAG_MARGIN_US
        assert code(reply.ruling) == "out-of-time"
        assert reply.took_us > ALLOWED_US


async def test_an_answer_that_late_without_a_stall_is_late(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            await here.hand.goes_by(ALLOWED_US + 1)
            await here.bot.answer(LEGAL[0])

        reply = await here.ask(act)
        assert code(reply) == "out-of-time"
        assert isinstance(reply, Failed)
        assert reply.took_us == ALLOWED_US + 1
        assert not here.link.was_late_before


async def test_a_silence_is_late_once_a_stall_in_it_is_made_up_for(
    autojump_clock: MockClock,
) -> None:
    """It is the bot's, whatever this machine did: it had its time, and all that was lost."""
    stall = ALLOWED_US // 2
    async with at_a_link() as here:

        async def silent() -> None:
            await here.bot.receive()
            here.hand.us += stall
            await checkpoint()
            await here.hand.goes_by(ALLOWED_US - SLOW_US)
            here.lookout.sweep()
            assert here.link.is_asked
            await here.hand.goes_by(2 * SLOW_US)

        reply = await here.ask(silent)
        assert isinstance(reply, Failed)
        assert code(reply) == "out-of-time"
        assert reply.took_us >= ALLOWED_US + stall
    async with at_a_link() as here:

        async def without_a_stall() -> None:
            await here.bot.receive()
            await here.hand.goes_by(ALLOWED_US)

        assert code(await here.ask(without_a_stall)) == "out-of-time"


async def test_an_answer_that_is_late_by_more_than_the_stall_is_late(
    autojump_clock: MockClock,
) -> None:
    stall = 2 * LAG_MARGIN_US
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            here.hand.us += stall
            await checkpoint()
            await here.hand.goes_by(ALLOWED_US + 1)
            await here.bot.answer(LEGAL[0])

        reply = await here.ask(act)
        assert isinstance(reply, Failed)
        assert code(reply) == "out-of-time"


async def test_a_stall_long_before_the_time_was_up_excuses_nobody(
    autojump_clock: MockClock,
) -> None:
    """Who has so much time can look at a clock."""
    allowed_us = 3 * LAG_WINDOW_US
    for begins_us, excused in ((0, False), (2 * LAG_WINDOW_US, True)):
        async with at_a_link() as here:

            async def act(begins_us: int = begins_us, here: Here = here) -> None:
                await here.bot.receive()
                await here.hand.goes_by(begins_us)
                here.hand.us += LAG_WINDOW_US // 2
                await checkpoint()
                await checkpoint()
                await here.hand.goes_by(allowed_us - begins_us - LAG_WINDOW_US // 2 + 1)
                await here.bot.answer(LEGAL[0])

            reply = await here.ask(act, allowed_us=allowed_us, hang_us=10 * allowed_us)
            assert isinstance(reply, Lagged) is excused
            assert isinstance(reply, Failed) is not excused


@pytest.mark.parametrize(("more_us", "is_excused"), [(0, True), (1, False)])
async def test_a_lag_excuses_who_is_late_by_as_much_and_by_no_more(
    autojump_clock: MockClock, more_us: int, is_excused: bool
) -> None:
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            here.hand.us += 50_000
            await checkpoint()
            await checkpoint()
            await here.hand.goes_by(ALLOWED_US + more_us)
            await here.bot.answer(LEGAL[0])

        reply = await here.ask(act)
        assert isinstance(reply, Lagged | Failed)
        assert reply.took_us == ALLOWED_US + 50_000 + more_us
        assert isinstance(reply, Lagged) == is_excused


def test_lag_counts_within_the_last_second_and_above_twenty_milliseconds() -> None:
    """SPEC 6.5 tells bots so."""
    assert (LAG_WINDOW_US, LAG_MARGIN_US) == (1_000_000, 20_000)


async def test_a_lag_within_the_margin_excuses_nobody(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            here.hand.us += LAG_MARGIN_US
            await checkpoint()
            await here.hand.goes_by(ALLOWED_US)

        assert code(await here.ask(act)) == "out-of-time"


async def test_before_a_ruling_the_socket_is_read_once_more(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            await here.bot.answer(LEGAL[1])
            here.hand.us += 1_500
            here.lookout.sweep()

        assert await here.ask(act, allowed_us=1_000) == Chose(LEGAL[1], 0, "")


async def test_a_call_before_the_deadline_rules_nothing(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            here.link.rule()
            await checkpoint()
            await checkpoint()
            await here.bot.answer(LEGAL[1])

        assert isinstance(await here.ask(act), Chose)


async def test_the_time_of_packing_and_of_earlier_work_is_not_the_bots(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = ServerEnd.request

    async with at_a_link() as here:

        def pack_slowly(*request: Any) -> bytes:
            here.hand.us += 30_000
            return pack(*request)

        async def act() -> None:
            await here.bot.receive()
            await here.hand.goes_by(10_000)
            await here.bot.answer(LEGAL[0])

        monkeypatch.setattr(ServerEnd, "request", pack_slowly)
        here.hand.us += 30_000
        assert await here.ask(act) == Chose(LEGAL[0], 10_000, "")


async def test_what_is_not_legal_and_comes_after_its_time_is_late(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            await here.hand.goes_by(ALLOWED_US + 1)
            await here.bot.answer("R99")

        assert code(await here.ask(act)) == "out-of-time"


async def test_who_hangs_up_after_its_time_is_gone(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            await here.hand.goes_by(ALLOWED_US + 1)
            here.bot.sock.close()

        assert code(await here.ask(act)) == "closed"


async def test_who_has_hung_up_before_it_is_asked_is_gone(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:
        here.bot.sock.close()
        assert code(await here.ask(checkpoint)) == "closed"
        here.link.drop()
        assert code(await here.ask(checkpoint)) == "closed"


async def test_who_has_hung_up_is_asked_nothing_whether_anybody_has_looked_since_or_not(
    autojump_clock: MockClock,
) -> None:
    for looks in (0, 3):
        async with at_a_link() as here:
            here.bot.sock.close()
            for _ in range(looks):
                await checkpoint()
            reply = here.link.ask(MATCH, {}, LEGAL, ALLOWED_US, 0, HANG_US)
            assert reply is not None
            assert code(reply) == "closed"
            assert here.link.last_id == 0


async def test_a_guess_that_comes_in_the_very_moment_before_it_is_asked_is_out_of_turn(
    autojump_clock: MockClock,
) -> None:
    """Before the loop could look at it."""
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            await here.bot.answer(LEGAL[1])

        assert await here.ask(act) == Chose(LEGAL[1], 0, "")
        with socket.socket(fileno=os.dup(here.bot.sock.fileno())) as unread:
            for _ in range(2):
                unread.send(here.frame(id=here.link.last_id + 1))
                assert await here.ask(act) == Chose(LEGAL[1], 0, "")
                assert [aside.code for aside in here.link.take_asides()] == ["nothing-asked"]
            # The third forfeits the seat, and nothing more is asked.
            unread.send(here.frame(id=here.link.last_id + 1))
            assert code(await here.ask(checkpoint)) == "nothing-asked"
            assert here.link.last_id == 3


async def test_each_request_has_a_deadline_of_its_own(autojump_clock: MockClock) -> None:
    """However far off the last one was."""
    async with at_a_link() as here:

        async def act() -> None:
            await here.bot.receive()
            await trio.sleep(1)  # its deadline is seen to be far off
            await here.bot.answer(LEGAL[0])

        async def silent() -> None:
            await here.hand.goes_by(ALLOWED_US)
            await trio.sleep(1)  # and it is seen to
            await here.hand.goes_by(60 * HANG_US)

        assert isinstance(await here.ask(act, allowed_us=60 * HANG_US), Chose)
        reply = await here.ask(silent)
        assert isinstance(reply, Failed)
        assert (code(reply), reply.took_us) == ("out-of-time", ALLOWED_US)


async def test_who_is_silent_for_too_long_is_told_for_how_long(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:

        async def silent() -> None:
            await here.hand.goes_by(HANG_US)

        assert code(await here.ask(silent)) == "out-of-time"
        reply = await here.ask(silent, allowed_us=60 * HANG_US)
        assert isinstance(reply, Failed)
        assert reply.breach == hung(HANG_US // 1000, HANG_US // 1000)


@pytest.mark.parametrize("answer", ["good", "not legal", "stale and good", "hello and good"])
async def test_after_an_answer_of_any_kind_the_next_miss_is_another_late(
    autojump_clock: MockClock, answer: str
) -> None:
    async with at_a_link() as here:
        frames: Mapping[str, Callable[[], bytes]] = {
            "good": here.frame,
            "not legal": lambda: here.frame(action="R99"),
            "stale and good": lambda: here.frame(id=1) + here.frame(),
            "hello and good": lambda: here.frame(type="hello") + here.frame(),
        }

        async def silent() -> None:
            await here.hand.goes_by(ALLOWED_US)

        async def act() -> None:
            await here.bot.send(frames[answer]())

        for _ in range(2):
            assert code(await here.ask(silent)) == "out-of-time"
        assert here.link.was_late_before
        await here.ask(act)
        assert code(await here.ask(silent)) == "out-of-time"
        assert not here.link.was_late_before


async def test_after_a_stale_answer_that_came_unasked_the_next_miss_is_another_late(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:

        async def silent() -> None:
            await here.hand.goes_by(ALLOWED_US)

        for _ in range(2):
            assert code(await here.ask(silent)) == "out-of-time"
        assert here.link.was_late_before
        await here.bot.send(here.frame(id=2))
        assert code(await here.ask(silent)) == "out-of-time"
        assert not here.link.was_late_before
        assert here.link.take_asides() == ()


async def test_what_waits_for_a_bot_to_read_goes_out_in_its_next_match_too(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:
        here.link.leave()
        here.link.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        here.link.tell(End(MATCH, (), (), "void", (), ()))
        here.link.tell(Start(MATCH, "nyet", BIG, 2, ("fox", "owl"), 0, {}, ""))
        here.link.join(here.link.go_on)

        async def act() -> None:
            for kind in ("end", "start", "request"):
                message = await here.bot.receive()
                assert message is not None
                assert message["type"] == kind
            await here.bot.answer(LEGAL[0])

        with trio.fail_after(60):
            assert isinstance(await here.ask(act, view=BIG), Chose)


async def test_what_came_between_two_matches_is_told_and_costs_nothing(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:
        await here.bot.send(here.frame() + here.frame())
        here.link.begin(3)
        assert here.link.take_asides() == ()
        for _ in range(2):
            fault = await here.bot.receive()
            assert fault is not None
            assert (fault["type"], fault["code"]) == ("fault", "nothing-asked")
            assert (fault["faults"], fault["forfeit"], fault["played"]) == (0, False, None)


async def test_what_came_before_it_was_asked_for_is_out_of_turn_even_if_it_guessed_right(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:
        await here.bot.send(here.frame(id=1))

        async def act() -> None:
            await here.bot.receive()
            await here.bot.answer(LEGAL[1])

        assert isinstance(await here.ask(act), Chose)
        assert [aside.code for aside in here.link.take_asides()] == ["nothing-asked"]
        assert here.link.take_asides() == ()


async def test_a_frame_too_long_ends_the_link_before_anything_is_asked(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:
        await here.bot.send(b"Hello, world\n")
        reply = await here.ask(checkpoint)
        assert code(reply) == "frame-too-long"
        assert here.link.last_id == 0


async def test_a_frame_that_was_slow_to_come_and_has_come_is_forgotten(
    autojump_clock: MockClock,
) -> None:
    """Else the next silence, however short, would pass for the rest of that frame."""
    async with at_a_link() as here:

        async def in_two() -> None:
            await here.bot.receive()
            frame = here.frame()
            await here.bot.send(frame[:7])
            await here.hand.goes_by(HANG_US // 2)
            await here.bot.send(frame[7:])

        async def silent() -> None:
            await here.hand.goes_by(HANG_US // 2 + ALLOWED_US)

        reply = await here.ask(in_two, allowed_us=HANG_US)
        assert isinstance(reply, Chose)
        assert reply.took_us == HANG_US // 2
        assert code(await here.ask(silent)) == "out-of-time"


async def test_the_time_of_an_unfinished_frame_begins_with_its_own_first_bytes(
    autojump_clock: MockClock,
) -> None:
    """And not with those of the frame before it, whose end came with them."""
    async with at_a_link() as here:
        frame = here.frame()
        await here.bot.send(frame[:7])
        here.link.begin(3)
        await here.hand.goes_by(HANG_US - ALLOWED_US)
        await here.bot.send(frame[7:] + frame[:7])
        here.link.begin(3)

        async def silent() -> None:
            await here.hand.goes_by(ALLOWED_US)

        assert code(await here.ask(silent)) == "out-of-time"


async def test_a_frame_that_was_finished_unasked_is_forgotten(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:

        async def one_and_a_half() -> None:
            await here.bot.receive()
            await here.bot.send(here.frame() + here.frame()[:7])

        async def silent() -> None:
            await here.hand.goes_by(ALLOWED_US)

        assert isinstance(await here.ask(one_and_a_half), Chose)
        frame = here.frame()
        here.link.asides = ()
        await here.hand.goes_by(HANG_US - ALLOWED_US)
        await here.bot.send(frame[7:])
        assert code(await here.ask(silent)) == "out-of-time"


async def test_a_frame_not_finished_within_hang_ms_is_gone_however_much_time_is_left(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:

        async def half() -> None:
            await here.bot.receive()
            await here.bot.send(here.frame()[:7])
            await here.hand.goes_by(HANG_US + 2 * SLOW_US)

        assert code(await here.ask(half, allowed_us=60 * HANG_US)) == "frame-unfinished"


async def test_a_silence_broken_by_a_stale_answer_gives_the_whole_time_again(
    autojump_clock: MockClock,
) -> None:
    """Else the end of that silence, which is over, would cut this decision short."""
    async with at_a_link() as here:

        async def silent() -> None:
            await here.hand.goes_by(ALLOWED_US)

        async def stale_and_then_good() -> None:
            await here.bot.send(here.frame(id=1))
            await here.hand.goes_by(HANG_US + ALLOWED_US)
            await here.bot.send(here.frame(id=2))

        assert code(await here.ask(silent)) == "out-of-time"
        reply = await here.ask(stale_and_then_good, allowed_us=3 * HANG_US)
        assert isinstance(reply, Chose)
        assert not here.link.was_late_before


async def test_a_late_in_which_only_a_stale_answer_came_tells_its_id(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:

        async def answers_the_first_again() -> None:
            await here.bot.send(here.frame(id=1))
            await here.hand.goes_by(ALLOWED_US)

        async def answers() -> None:
            await here.bot.send(here.frame(id=1))

        assert isinstance(await here.ask(answers), Chose)
        reply = await here.ask(answers_the_first_again)
        assert isinstance(reply, Failed)
        assert "an answer with id 1 came, and request 1 is settled" in reply.breach.came


async def test_the_answer_counts_that_comes_in_one_read_with_a_stale_one(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:

        async def silent() -> None:
            await here.hand.goes_by(ALLOWED_US)

        async def both() -> None:
            await here.bot.send(here.frame(id=1) + here.frame(id=2, note="at last"))

        assert code(await here.ask(silent)) == "out-of-time"
        assert await here.ask(both) == Chose(LEGAL[0], 0, "at last")


async def test_however_much_comes_in_one_go_the_answer_behind_it_is_read_at_once(
    autojump_clock: MockClock,
) -> None:
    """The lookout is told of an arrival once; a read takes only so much."""
    async with at_a_link() as here:
        for number in range(1, 201):

            async def act() -> None:
                await here.bot.send(here.frame())

            assert isinstance(await here.ask(act), Chose), number

        async def stale_ones_and_the_answer() -> None:
            stale = b"".join(here.frame(id=number) for number in range(1, 200))
            assert len(stale) > READ_BYTES
            await here.bot.send(stale + here.frame())
            await checkpoint()
            await here.hand.goes_by(ALLOWED_US)

        assert await here.ask(stale_ones_and_the_answer) == Chose(LEGAL[0], 0, "")


async def test_of_what_came_unasked_nothing_is_left_to_answer_the_request(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:
        here.link.begin(200)
        unasked = here.frame(note="-" * 200) * 100
        assert len(unasked) > 2 * READ_BYTES
        await here.bot.send(unasked)

        async def act() -> None:
            await here.bot.send(here.frame())
            await checkpoint()
            await here.hand.goes_by(ALLOWED_US)

        assert isinstance(await here.ask(act), Chose)
        assert len(here.link.take_asides()) == 100


async def test_a_tap_sees_every_frame(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:
        tape = Tape()
        here.link._tap = tape

        async def act() -> None:
            await here.bot.send(here.frame())

        async def twice() -> None:
            await here.bot.send(here.frame() + here.frame())

        for number, each in enumerate([act, twice]):
            assert isinstance(await here.ask(each), Chose)
            way, request = tape.frames[2 * number]
            assert (way, msgpack.unpackb(request[4:])["id"]) == ("sent", here.link.last_id)
            assert tape.frames[2 * number + 1] == ("came", here.frame()[4:])


async def test_an_answer_that_came_before_the_loop_looked_again_took_no_time(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:

        class AtOnce(Tape):
            """Answers for the bot, in the very moment in which the request is sent."""

            def sent(self, link: OtherEnd, data: bytes) -> None:
                unread.send(here.frame())

        unread = socket.socket(fileno=here.bot.sock.detach())
        here.link._tap = AtOnce()
        here.hand.us += 1_000  # since the last look
        with unread:
            assert await here.ask(checkpoint) == Chose(LEGAL[0], 0, "")


async def test_a_request_that_does_not_fit_goes_out_as_the_bot_reads(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:
        here.link.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)

        async def act() -> None:
            request = await here.bot.receive()
            assert request is not None
            assert request["view"] == BIG
            await here.bot.answer(LEGAL[0])

        for _ in range(3):
            reply = await here.ask(act, view=BIG)
            assert isinstance(reply, Chose)


async def test_who_reads_nothing_is_given_up_in_the_end(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:
        while len(here.link._outbox.unsent) < MOST_UNSENT_BYTES - len(BIG["pad"]):
            here.link.tell(End(MATCH, (), (), "void", (), ()))
            here.link.tell(Start(MATCH, "nyet", BIG, 2, (), 0, {}, ""))
        assert code(await here.ask(checkpoint, view=BIG)) == "closed"
        assert not here.link.is_open
        here.link.begin(3)  # and nothing more is said to it
        assert code(await here.ask(checkpoint)) == "closed"


async def test_who_is_gone_before_a_match_is_found_so_when_it_begins(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:
        here.bot.sock.close()
        here.link.begin(3)
        assert not here.link.is_open


async def test_its_repr_tells_who_it_is(autojump_clock: MockClock) -> None:
    async with at_a_link() as here:
        assert repr(here.link).startswith("<Link 'fox' open, ")
        assert repr(here.lookout) == "<Lookout over 1, 0 asked>"
        here.link.drop()
        assert repr(here.link).startswith("<Link 'fox' closed, ")


async def test_over_tcp_a_stalled_loop_charges_what_the_kernels_stamp_says(
    autojump_clock: MockClock,
) -> None:
    async with at_a_link() as here:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            theirs = socket.create_connection(listener.getsockname())
            ours, _ = listener.accept()
        ours.setblocking(False)
        stamps = Stamps(ours, here.hand)
        link = Link(ours, here.link.end, here.lookout, "fox", stamps)
        link.join(link.go_on)
        with theirs:

            async def act() -> None:
                theirs.recv(65536)
                theirs.send(here.frame())
                here.hand.us += ALLOWED_US // 2
                await checkpoint()

            async with trio.open_nursery() as nursery:
                nursery.start_soon(act)
                reply = await asked(link)
        assert isinstance(reply, Chose)
        link.drop()
