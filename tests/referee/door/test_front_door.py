"""Bots that dial in over real sockets: here or away, their connections free, lent, handed on."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio

from arena.referee.door.addresses import TcpAddress
from arena.referee.door.evidence import no_evidence
from arena.referee.door.front_door import FrontDoor, open_front_door
from arena.referee.wire.packed import LendLink, LinkBack, LinkBetweenMatches
from arena.tokens import KnownToken, new_token
from protocol.server_end import EndBetweenMatches
from tests.bots.programs import SAFETY_SECONDS
from tests.referee.callers import Caller, call, hello

AWAY_MS = 60_000
AFTER = LinkBetweenMatches(EndBetweenMatches(7, stale=1))


class Bots:
    """A front door, and the authors of bots who know their tokens."""

    def __init__(self, door: FrontDoor, address: str) -> None:
        self.door = door
        self.address = address
        self.tokens: dict[str, str] = {}
        self.lent: list[tuple[LendLink, socket.socket]] = []

    def expect(self, name: str, connections: int = 1) -> None:
        self.tokens[name] = new_token()
        self.door.expect(name, KnownToken.of(self.tokens[name]), connections)

    async def dial(self, name: str) -> tuple[Caller, str]:
        """Say hello; return the connection and the kind, or the reason, of the answer."""
        caller = await call(self.address)
        await caller.send(hello(self.tokens[name]))
        message: Any = await caller.receive()
        return caller, message.get("reason", message["type"])

    def lend(self, order: LendLink, sock: socket.socket) -> None:
        self.lent.append((order, sock))


@asynccontextmanager
async def a_door(*names: str) -> AsyncIterator[Bots]:
    with trio.fail_after(SAFETY_SECONDS):
        async with open_front_door(
            TcpAddress(), no_evidence, hello_ms=5_000, away_ms=AWAY_MS
        ) as door:
            bots = Bots(door, door.address)
            for name in names:
                bots.expect(name)
            yield bots
            for _, sock in bots.lent:
                sock.close()


async def gone(door: FrontDoor, name: str) -> None:
    """Wait until the door has seen a bot go."""
    while name not in door.look():
        await trio.sleep(0.001)


async def test_a_bot_is_here_while_it_is_connected() -> None:
    async with a_door("fox") as bots:
        door = bots.door
        assert door.look() == []
        assert not door.is_here("fox")
        fox, answer = await bots.dial("fox")
        assert answer == "welcome"
        assert door.is_here("fox")
        assert (door.look(), door.look()) == (["fox"], [])
        assert door.away_seconds("fox") == 0
        assert door.connections("fox") == (1, 1)
        async with fox:
            pass
        await gone(door, "fox")
        assert not door.is_here("fox")
        assert door.connections("fox") == (0, 1)
        assert repr(door) == "<FrontDoor, 0 of 1 bots are here>"


async def test_a_set_is_blocked_by_a_bot_without_a_free_connection() -> None:
    async with a_door("fox", "owl") as bots:
        door = bots.door
        line_up = ("started", "fox", "owl")
        async with (await bots.dial("owl"))[0]:
            assert door.blocker(line_up) == "fox"
            async with (await bots.dial("fox"))[0]:
                assert door.blocker(line_up) is None
                door.reserve(1, line_up, 4)
                assert door.blocker(line_up) == "fox"
                assert door.blocker(("started",)) is None
                assert door.guests_of(1) == {"fox": 1, "owl": 1}
                door.set_free(1)
                assert door.blocker(line_up) is None


async def test_a_bot_with_several_connections_plays_several_sets_and_no_more() -> None:
    async with a_door() as bots:
        bots.expect("fox", connections=2)
        first, second = [(await bots.dial("fox"))[0] for _ in range(2)]
        third, answer = await bots.dial("fox")
        assert answer == "token-in-use"
        bots.door.reserve(1, ("fox",), 1)
        assert bots.door.blocker(("fox",)) is None
        bots.door.reserve(2, ("fox",), 1)
        assert bots.door.blocker(("fox",)) == "fox"
        for each in (first, second, third):
            await each.stream.aclose()


async def test_the_number_of_connections_may_change_while_a_bot_is_here() -> None:
    async with a_door() as bots:
        bots.expect("fox")
        first, _ = await bots.dial("fox")
        refused, answer = await bots.dial("fox")
        assert answer == "token-in-use"
        bots.door.expect("fox", None, 2)
        second, answer = await bots.dial("fox")
        assert (answer, bots.door.connections("fox")) == ("welcome", (2, 2))
        for each in (first, refused, second):
            await each.stream.aclose()


async def test_a_connection_goes_to_the_job_as_it_was_left_and_comes_back_as_it_is() -> None:
    async with a_door("fox") as bots, (await bots.dial("fox"))[0]:
        for number, known in ((1, LinkBetweenMatches()), (2, AFTER), (3, AFTER)):
            bots.door.reserve(number, ("fox",), 1)
            bots.door.lend(number, 5, bots.lend)
            order, _ = bots.lent[-1]
            assert (order.set, order.lease, order.name) == (number, 5, "fox")
            assert order.known == known
            # The job of the last one had never got it.
            back = [LinkBack(order.connection, AFTER)] if number < 3 else []
            bots.door.take_back(number, back)
            bots.door.set_free(number)
        assert len({order.connection for order, _ in bots.lent}) == 1
        assert bots.door.blocker(("fox",)) is None


async def test_a_bot_that_comes_again_goes_to_the_set_that_has_lost_it() -> None:
    async with a_door("fox") as bots:
        fox, _ = await bots.dial("fox")
        bots.door.look()
        bots.door.reserve(1, ("fox",), 1)
        bots.door.lend(1, 5, bots.lend)
        await fox.stream.aclose()
        await gone(bots.door, "fox")
        async with (await bots.dial("fox"))[0]:
            first, second = (order for order, _ in bots.lent)
            assert (second.set, second.lease, second.known) == (1, 5, LinkBetweenMatches())
            assert second.connection != first.connection
            assert bots.door.blocker(("fox",)) == "fox"
            bots.door.take_back(1, [LinkBack(second.connection, AFTER)])
            bots.door.set_free(1)
            assert bots.door.blocker(("fox",)) is None


async def test_a_set_has_lost_a_bot_when_none_of_its_connections_is_open() -> None:
    async with a_door("fox", "owl") as bots:
        door = bots.door
        async with (await bots.dial("owl"))[0]:
            async with (await bots.dial("fox"))[0]:
                door.reserve(1, ("fox", "owl", "hen"), 1)
                door.look()
                assert not door.has_lost_one_of(1)
            await gone(door, "fox")
            assert door.has_lost_one_of(1)
            assert not door.has_lost_one_of(2)
            async with (await bots.dial("fox"))[0]:
                assert not door.has_lost_one_of(1)


async def test_connections_of_a_job_that_has_ended_are_closed() -> None:
    async with a_door("fox") as bots:
        async with (await bots.dial("fox"))[0] as fox:
            bots.door.reserve(1, ("fox",), 1)
            bots.door.lend(1, 5, bots.lend)
            bots.door.set_free(1)
            bots.lent.pop()[1].close()  # that of the job
            assert await fox.receive() is None
        bots.door.look()
        assert not bots.door.is_here("fox")


async def test_a_token_that_is_changed_ends_the_connection_at_once_also_one_that_is_lent() -> None:
    for is_lent in (False, True):
        async with a_door("fox") as bots:
            async with (await bots.dial("fox"))[0] as fox:
                bots.door.reserve(1, ("fox",), 1)
                if is_lent:
                    bots.door.lend(1, 5, bots.lend)
                bots.door.change_token("fox", None)
                assert await fox.reason() == "bad-token"
            again = await call(bots.address)
            await again.send(hello(bots.tokens["fox"]))
            refused: Any = await again.receive()
            assert "It was renewed or revoked" in refused["text"]
            await again.stream.aclose()
            # It is waited for like any other that is away: its token may be renewed.
            bots.door.look()
            bots.door.set_free(1)
            ends = bots.door.waits_until(("fox",))
            assert 0 < ends - trio.current_time() <= AWAY_MS / 1000


async def test_a_bot_that_is_dismissed_is_told_so_and_gets_in_no_more() -> None:
    async with a_door("fox") as bots:
        async with (await bots.dial("fox"))[0] as fox:
            bots.door.dismiss("fox", "done", "For now.")
            assert await fox.reason() == "done"
        again, answer = await bots.dial("fox")
        assert answer == "done"
        await again.stream.aclose()
        # It cannot come any more, so nobody waits for it.
        bots.door.look()
        assert bots.door.waits_until(("fox",)) < trio.current_time()


async def test_a_bot_that_is_dismissed_while_it_plays_plays_on_and_may_be_expected_again() -> None:
    async with a_door("fox") as bots:
        fox, _ = await bots.dial("fox")
        bots.door.reserve(1, ("fox",), 1)
        bots.door.lend(1, 5, bots.lend)
        bots.door.dismiss("fox", "done", "For now.")
        order, _ = bots.lent[-1]
        bots.door.take_back(1, [LinkBack(order.connection, AFTER)])
        assert bots.door.is_here("fox")
        bots.door.set_free(1)
        async with fox:
            assert await fox.reason() == "done"
        bots.expect("fox", connections=2)
        again, answer = await bots.dial("fox")
        assert answer == "welcome"
        bots.door.look()
        assert bots.door.connections("fox") == (1, 2)
        await again.stream.aclose()


async def test_at_the_end_all_that_are_not_in_a_set_are_told_so() -> None:
    async with a_door("fox", "owl") as bots:
        fox, owl = [(await bots.dial(name))[0] for name in ("fox", "owl")]
        bots.door.reserve(1, ("owl",), 1)
        bots.door.lend(1, 5, bots.lend)
        bots.door.say_bye("stopping")
        async with fox, owl:
            assert await fox.reason() == "stopping"


async def test_when_the_league_stops_a_bot_is_told_so_once_whoever_has_its_connection() -> None:
    """A job says it on connections that it still has; one may have been given back just now."""
    for job_says_it in (False, True):
        async with a_door("fox") as bots:
            fox, _ = await bots.dial("fox")
            bots.door.reserve(1, ("fox",), 1)
            bots.door.lend(1, 5, bots.lend)
            _, sock = bots.lent[-1]
            bots.door.set_free(1, is_stopping=True)
            assert bots.door.blocker(("fox",)) == "fox"
            if job_says_it:
                sock.shutdown(socket.SHUT_RDWR)
            bots.door.say_bye("stopping")
            sock.close()
            async with fox:
                if not job_says_it:
                    assert await fox.reason() == "stopping"
                assert await fox.stream.receive_some() == b""


async def test_when_a_job_ends_its_connections_are_closed_without_a_word() -> None:
    """Nobody knows what the job has sent: a frame may have been in the middle."""
    async with a_door("fox") as bots:
        fox, _ = await bots.dial("fox")
        bots.door.reserve(1, ("fox",), 1)
        bots.door.lend(1, 5, bots.lend)
        bots.door.set_free(1)
        _, sock = bots.lent[-1]
        sock.close()
        async with fox:
            assert await fox.stream.receive_some() == b""


async def test_a_bot_that_is_away_is_waited_for_so_long(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The clock does not pass here by itself."""
    async with open_front_door(TcpAddress(), no_evidence, hello_ms=5_000, away_ms=AWAY_MS) as door:
        began = trio.current_time()
        door.expect("fox", KnownToken.of(new_token()))
        assert door.waits_until(("started",)) < began
        assert door.waits_until(("fox", "started")) == began + AWAY_MS / 1000
        await trio.sleep(2)
        assert door.away_seconds("fox") == 2
        door.reserve(1, ("fox",), 1)
        (why,) = door.absent_of(1).values()
        assert "in 2000 ms" in why.came


async def test_a_bot_that_is_busy_is_waited_for() -> None:
    async with a_door("fox") as bots, (await bots.dial("fox"))[0]:
        bots.door.reserve(1, ("fox",), 1)
        assert bots.door.waits_until(("fox",)) == float("inf")
        assert bots.door.absent_of(1) == {}


async def test_a_socket_that_is_lent_is_the_bots_own_however_late_it_is_sent() -> None:
    """The door may have closed its own meanwhile, and its number be that of another bot."""
    async with a_door("fox", "owl") as bots:
        fox, _ = await bots.dial("fox")
        bots.door.reserve(1, ("fox",), 1)
        bots.door.lend(1, 5, bots.lend)
        ours = fox.stream.socket.getsockname()
        await fox.stream.aclose()
        await gone_or_never_seen(bots.door, "fox")
        async with (await bots.dial("owl"))[0]:
            ((_, sock),) = bots.lent
            assert sock.getpeername() == ours


async def gone_or_never_seen(door: FrontDoor, name: str) -> None:
    door.look()
    while door.is_here(name):
        await trio.sleep(0.001)
        door.look()


async def test_a_bot_that_comes_for_an_instant_does_not_let_others_wait_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with a_door("fox") as bots:
        began = bots.door.waits_until(("fox",))
        for _ in range(3):
            fox, _ = await bots.dial("fox")
            await fox.stream.aclose()
            await gone_or_never_seen(bots.door, "fox")
            assert bots.door.waits_until(("fox",)) == began
        monkeypatch.setattr("arena.referee.door.front_door.STAYS_SECONDS", 0.0)
        fox, _ = await bots.dial("fox")
        bots.door.look()
        await fox.stream.aclose()
        await gone_or_never_seen(bots.door, "fox")
        assert bots.door.waits_until(("fox",)) > began


async def test_a_bot_that_is_taken_up_again_with_its_token_keeps_its_connection() -> None:
    async with a_door("fox") as bots, (await bots.dial("fox"))[0]:
        bots.door.reserve(1, ("fox",), 1)
        bots.door.dismiss("fox", "done", "For now.")
        assert not bots.door.expects("fox")
        bots.door.expect("fox", KnownToken.of(bots.tokens["fox"]))
        assert bots.door.expects("fox")
        bots.door.set_free(1)
        bots.door.look()
        assert bots.door.is_here("fox")
