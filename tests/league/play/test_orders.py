"""What a runner and its jobs say to each other, over pipes that cut it anywhere."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from msgspec.structs import replace
from trio.testing import memory_stream_one_way_pair

from arena.bots.confine.confinement import Rung
from arena.bots.confine.confiner import Means
from arena.bots.confine.controllers import Controllers
from arena.bots.program import Program
from arena.league.play.orders import (
    Channel,
    EnterBots,
    LeagueOver,
    MatchOver,
    News,
    Order,
    PlaySet,
    Said,
    SetOver,
    Setup,
)
from arena.record.timing import BotClock, Timing
from arena.referee.door.socket_line import SocketLine
from arena.referee.wire.packed import LendLink, LinkBack, LinkBetweenMatches, PackedBreach
from protocol.breaches import no_connection
from protocol.server_end import EndBetweenMatches
from tests.league.leagues import Simulated, played_match

SET = PlaySet(
    number=3,
    lease=2,
    attempt=1,
    line_up=("fox", "owl"),
    turns=(0, 1),
    seed=b"\0seed",
    game="nyet",
    options={"rounds": 1},
    timing=Timing(decision_ms=7),
    show_names=True,
    may_void=False,
    guests={"fox": 2, "owl": 0},
    absent={"owl": PackedBreach.of(no_connection(30))},
)
PLAYED = played_match(Simulated(seats=2, bots=("fox", "owl")), SET.planned, 1, b"seed")
GROUPS = Controllers({"memory": Path("/groups")}, is_unified=True)
FOX = Program("fox", (sys.executable, "fox.py"), Path("/bots/fox"), uid=7)
BETWEEN = LinkBetweenMatches(
    EndBetweenMatches(7, b"\0\0", 3, (2, 5)), (PackedBreach.of(no_connection(1)),), b"\xff"
)
ORDERS: tuple[Order, ...] = (
    Setup((FOX,), 2, 3),
    Setup(
        (),
        1,
        5,
        Means(Rung.LANDLOCK, abi=7, controllers=GROUPS, read=(Path("/opt"),), build_network=False),
        Path("/pieces"),
    ),
    EnterBots((FOX,)),
    SET,
    replace(SET, clocks={"owl": BotClock(decision_ms=1, bank_ms=2, hang_ms=3)}),
    LendLink(3, 2, "fox", 9, BETWEEN),
    LeagueOver(),
)
NEWS: tuple[News, ...] = (
    MatchOver(2, PLAYED),
    SetOver(3, 2),
    SetOver(3, 2, (LinkBack(9, BETWEEN),)),
    Said("fox", "1.0", "ann", "Python"),
)


class NoLine(SocketLine):
    """A line that nothing is sent on."""

    def __init__(self) -> None: ...


async def passed_on(messages: tuple[Any, ...], comes: Any, most: int) -> list[object]:
    """The messages as the other side has them, which reads so many bytes at once."""
    send, receive = memory_stream_one_way_pair()
    cut = Cut(receive, most)
    sending: Channel[Any] = Channel(receive, send, comes)
    receiving: Channel[Any] = Channel(cut, send, comes)
    for message in messages:
        await sending.send(message)
    await send.aclose()
    return [message async for message in receiving]


class Cut(trio.abc.ReceiveStream):
    """A stream that gives no more bytes at once than it is made for."""

    def __init__(self, inner: trio.abc.ReceiveStream, most: int) -> None:
        self.inner, self.most = inner, most

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self.inner.receive_some(self.most)

    async def aclose(self) -> None:
        await self.inner.aclose()


@pytest.mark.parametrize("most", [1, 3, 4, 5, 1_000_000])
async def test_all_that_is_said_arrives_as_it_was_said_however_it_is_cut(most: int) -> None:
    assert await passed_on(ORDERS, Order, most) == [*ORDERS]
    assert await passed_on(NEWS, News, most) == [*NEWS]


async def test_what_was_cut_off_by_the_end_of_a_pipe_is_no_message() -> None:
    send, receive = memory_stream_one_way_pair()
    channel: Channel[Order] = Channel(receive, send, Order)
    await channel.send(LeagueOver())
    await send.send_all(b"\0\0\0\x09half")
    await send.aclose()
    assert [message async for message in channel] == [LeagueOver()]


async def test_of_our_own_types_only_paths_are_part_of_an_order() -> None:
    class Other:
        pass

    with pytest.raises(NotImplementedError, match=r"^Other is no part of an order$"):
        await passed_on((EnterBots(Other()),), Order, 9)  # type: ignore[arg-type]
    with pytest.raises((NotImplementedError, msgspec.ValidationError), match="no part of an order"):
        await passed_on((LeagueOver(),), Other, 9)


async def test_sockets_come_out_of_a_line_in_the_order_in_which_they_went_in() -> None:
    ours, theirs = map(SocketLine, socket.socketpair())
    pairs = [socket.socketpair() for _ in range(3)]
    for one, _ in pairs:
        await ours.send(one)
    for one, other in pairs:
        with one, other, await theirs.receive() as handed:
            one.close()
            handed.sendall(b"still open")
            assert other.recv(99) == b"still open"
    ours.close()
    with pytest.raises(trio.BrokenResourceError):
        await theirs.receive()
    theirs.close()


async def test_a_line_whose_other_end_is_gone_takes_no_socket() -> None:
    one, other = socket.socketpair()
    line = SocketLine(one)
    other.close()
    with socket.socket() as sock, pytest.raises(trio.BrokenResourceError):
        await line.send(sock)
    line.close()
