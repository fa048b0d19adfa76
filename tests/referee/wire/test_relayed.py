"""A link through a door: the bot is charged as if there was none, and only its own end is its."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio
from trio.testing import MockClock

from arena.referee.replies import Chose, Failed, Lagged, Reply
from arena.referee.wire.lag import LagMeter
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout, open_lookout
from arena.referee.wire.relay import MOST_CREDIT_US, MOST_PACKET_BYTES, Kind, Packet, unpacked
from arena.referee.wire.relayed import RelayedLink, link_over
from protocol.bot_end import BotEnd
from protocol.messages import Hello, Start, Welcome
from protocol.server_end import ServerEnd
from tests.referee.wire.test_link import ALLOWED_US, HANG_US, LEGAL, MATCH, Hand, NoWaits, asked


@dataclass
class Through:
    """A link in a match, the door's end of it, and a bot behind that, on a clock turned by hand."""

    hand: Hand
    link: Link
    door: trio.socket.SocketType
    bot: BotEnd

    async def takes(self) -> Packet:
        """The next packet for the door; bytes go on to the bot."""
        packet = unpacked(await self.door.recv(MOST_PACKET_BYTES))
        if packet.kind is Kind.BYTES:
            self.bot.receive(packet.payload)
        return packet

    async def tells(self, kind: Kind, at_us: int, delay_us: int = 0, data: bytes = b"") -> None:
        await self.door.send(Packet(kind, at_us, delay_us, data).packed())

    async def answers(self, at_us: int, delay_us: int = 0) -> None:
        await self.tells(Kind.BYTES, at_us, delay_us, self.bot.action(LEGAL[0]))


@asynccontextmanager
async def through_a_door() -> AsyncIterator[Through]:
    hand = Hand()
    lookout = Lookout(hand, LagMeter(hand, NoWaits()))
    ours, doors = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    end, bot = ServerEnd(), BotEnd()
    assert isinstance(end.receive(bot.hello("t")), Hello)
    link = link_over(ours, end, lookout, "fox")
    assert isinstance(link, RelayedLink)
    link.tell(Welcome(1, "fox", (), {}))
    link.join(link.go_on)
    link.tell(Start(MATCH, "nyet", {}, 2, ("fox", "owl"), 0, {}, ""))
    link.begin(3)
    here = Through(hand, link, trio.socket.from_stdlib_socket(doors), bot)
    try:
        with here.door:
            async with open_lookout(lookout):
                await here.takes()
                await here.takes()
                yield here
    finally:
        link.drop()
        lookout.close()


async def replied(here: Through, act: object) -> Reply:
    """What comes of a request, while the door does this."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(act)  # type: ignore[arg-type]  # any async function without arguments
        reply = await asked(here.link, {}, ALLOWED_US, HANG_US)
        nursery.cancel_scope.cancel()
    return reply


async def test_an_answer_is_dated_by_the_door_both_ways(autojump_clock: MockClock) -> None:
    async with through_a_door() as here:

        async def act() -> None:
            packet = await here.takes()
            came = packet.at_us + 9_000
            here.hand.us = came + 30_000  # that is how long the door has kept it
            await here.answers(came, delay_us=4_000)

        assert await replied(here, act) == Chose(LEGAL[0], 5_000, "")


async def test_an_answer_that_came_in_time_counts_though_the_door_held_it(
    autojump_clock: MockClock,
) -> None:
    async with through_a_door() as here:

        async def act() -> None:
            packet = await here.takes()
            await here.hand.goes_by(ALLOWED_US + 50_000)
            assert (await here.takes()).kind is Kind.ASK
            await here.answers(packet.at_us + ALLOWED_US - 1)

        assert await replied(here, act) == Chose(LEGAL[0], ALLOWED_US - 1, "")


async def test_a_silence_is_late_once_the_door_says_that_it_holds_nothing(
    autojump_clock: MockClock,
) -> None:
    async with through_a_door() as here:
        has_asked = trio.Event()

        async def act() -> None:
            await here.takes()
            await here.hand.goes_by(ALLOWED_US + 1)
            asks = await here.takes()
            has_asked.set()
            await here.tells(Kind.HERE, asks.at_us)

        reply = await replied(here, act)
        assert has_asked.is_set()
        assert isinstance(reply, Failed)
        assert reply.breach.code == "out-of-time"


async def test_a_bot_whose_request_was_held_has_its_whole_time_from_then_on(
    autojump_clock: MockClock,
) -> None:
    held = ALLOWED_US // 2
    async with through_a_door() as here:

        async def act() -> None:
            packet = await here.takes()
            await here.hand.goes_by(ALLOWED_US + 1)
            asks = await here.takes()
            await here.tells(Kind.HERE, asks.at_us, held)
            await here.hand.goes_by(held // 2)
            await here.answers(packet.at_us + ALLOWED_US + held // 2, held)

        assert await replied(here, act) == Chose(LEGAL[0], ALLOWED_US - held // 2, "")


async def test_a_bot_that_was_silent_then_too_is_late_after_a_second_question(
    autojump_clock: MockClock,
) -> None:
    held = ALLOWED_US // 2
    async with through_a_door() as here:

        async def act() -> None:
            await here.takes()
            await here.hand.goes_by(ALLOWED_US + 1)
            for _ in range(2):
                asks = await here.takes()
                await here.tells(Kind.HERE, asks.at_us, held)
                await here.hand.goes_by(held + 1)

        reply = await replied(here, act)
        assert isinstance(reply, Failed)
        assert reply.breach.code == "out-of-time"
        assert reply.took_us >= ALLOWED_US + held


async def test_a_door_that_does_not_answer_is_no_fault_of_the_bot(
    autojump_clock: MockClock,
) -> None:
    async with through_a_door() as here:

        async def act() -> None:
            await here.takes()
            await here.hand.goes_by(ALLOWED_US + 1)
            await here.takes()
            await here.hand.goes_by(MOST_CREDIT_US + 20_000)

        reply = await replied(here, act)
        assert isinstance(reply, Lagged)
        assert reply.lag_us > MOST_CREDIT_US
        assert reply.ruling.breach.code == "out-of-time"


async def test_the_end_that_the_door_tells_is_the_bots_own(autojump_clock: MockClock) -> None:
    async with through_a_door() as here:

        async def act() -> None:
            await here.takes()
            await here.tells(Kind.ENDED, here.hand.us)
            here.door.close()

        reply = await replied(here, act)
        assert isinstance(reply, Failed)
        assert reply.breach.kind == "gone"
        assert not here.link.was_cut()


async def test_the_end_of_the_door_is_void_and_stands_only_where_nothing_may_be(
    autojump_clock: MockClock,
) -> None:
    async with through_a_door() as here:

        async def act() -> None:
            await here.takes()
            here.door.close()

        reply = await replied(here, act)
        assert isinstance(reply, Lagged)
        assert reply.ruling.breach.kind == "gone"


async def test_a_door_that_ends_between_two_requests_is_seen_at_the_next(
    autojump_clock: MockClock,
) -> None:
    async with through_a_door() as here:
        here.door.close()
        assert isinstance(await asked(here.link), Lagged)


async def test_a_link_that_is_not_alive_says_which_side_has_left(
    autojump_clock: MockClock,
) -> None:
    """Also where the bot's last bytes lie before the end unread."""
    for told in (True, False):
        async with through_a_door() as here:
            await here.tells(Kind.BYTES, here.hand.us, 0, b"\0\0\0\1x")
            if told:
                await here.tells(Kind.ENDED, here.hand.us)
            here.door.close()
            assert not here.link.is_alive()
            assert here.link.was_cut() is not told


async def test_several_packets_at_once_are_all_read(autojump_clock: MockClock) -> None:
    """Epoll reports them once."""
    async with through_a_door() as here:

        async def act() -> None:
            packet = await here.takes()
            frame = here.bot.action(LEGAL[0])
            for begin in range(0, len(frame), 7):
                await here.tells(Kind.BYTES, packet.at_us + begin, 0, frame[begin : begin + 7])

        reply = await replied(here, act)
        assert isinstance(reply, Chose)
