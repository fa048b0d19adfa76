"""Bots that come through a door to the front door of a league: dated, counted, and never robbed."""

from __future__ import annotations

import socket as sockets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgpack
import pytest
import trio

from arena.cli.fetched.door import Door, NotTold
from arena.door.places import Way
from arena.door.referees import Beyond, NoReferee
from arena.referee.door.addresses import RELAY, RelayAddress, TcpAddress
from arena.referee.door.evidence import no_evidence
from arena.referee.door.front_door import FrontDoor, open_front_door
from arena.referee.replies import Chose, Failed
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout, open_lookout
from arena.referee.wire.relayed import RelayedLink, link_over
from arena.tokens import KnownToken, new_token
from protocol import run
from protocol.messages import Start
from protocol.server_end import ServerEnd
from tests.bots.programs import SAFETY_SECONDS
from tests.door.an_open_door import BINARY, CHAIN, PING, Socket, a_door, part
from tests.referee.callers import hello
from tests.referee.wire.test_link import LEGAL, MATCH, asked


@asynccontextmanager
async def a_front_door(folder: Path) -> AsyncIterator[FrontDoor]:
    with trio.fail_after(SAFETY_SECONDS):
        async with open_front_door(
            TcpAddress(),
            no_evidence,
            hello_ms=5_000,
            away_ms=60_000,
            relay=RelayAddress(folder),
        ) as door:
            yield door


async def told(socket: Socket) -> Any:
    """The next message that a bot is sent."""
    came = await socket.hears()
    assert came is not None
    kind, body = came
    assert kind == BINARY
    return msgpack.unpackb(body)


async def says_hello(port: int, token: str, **headers: str) -> tuple[Socket, str]:
    """The connection of a bot, and the type or reason of the answer."""
    socket = await Socket.at(port, **headers)
    await socket.says(part(BINARY, hello(token)[4:]))
    answer = await told(socket)
    return socket, answer.get("reason", answer["type"])


def link_of(door: FrontDoor, name: str) -> Link:
    (visit,) = door._visitors[name].visits
    return visit.link


@asynccontextmanager
async def in_a_match(door: FrontDoor, name: str) -> AsyncIterator[Link]:
    """The connection of a bot, lent to a referee as it would be for a set."""
    lookout = Lookout()
    lent = link_of(door, name)
    link = link_over(lent.sock.dup(), ServerEnd(), lookout, name)
    link.go_on_from(lent.between_matches())
    link.join(link.go_on)
    link.tell(Start(MATCH, "nyet", {}, 2, ("fox", "owl"), 0, {}, ""))
    link.begin(3)
    try:
        async with open_lookout(lookout):
            yield link
    finally:
        link.leave()
        link.release()
        lookout.close()


async def gone(door: FrontDoor, name: str) -> None:
    while door.is_here(name):
        door.look()
        await trio.sleep(0.001)


async def test_a_bot_that_comes_through_a_door_is_here_until_it_goes(tmp_path: Path) -> None:
    token = new_token()
    async with a_front_door(tmp_path) as front, a_door(tmp_path) as ports:
        front.expect("fox", KnownToken.of(token))
        socket, answer = await says_hello(ports[Way.WS], token)
        assert answer == "welcome"
        assert front.is_here("fox")
        link = link_of(front, "fox")
        assert isinstance(link, RelayedLink)
        await socket.stream.aclose()
        await gone(front, "fox")
        assert not link.was_cut()


async def test_a_door_that_is_gone_has_lost_its_bots_and_takes_them_in_again(
    tmp_path: Path,
) -> None:
    token = new_token()
    async with a_front_door(tmp_path) as front:
        front.expect("fox", KnownToken.of(token))
        async with a_door(tmp_path) as ports:
            await says_hello(ports[Way.WS], token)
            link = link_of(front, "fox")
        assert link.was_cut()
        await gone(front, "fox")
        async with a_door(tmp_path) as ports:
            assert (await says_hello(ports[Way.WS], token))[1] == "welcome"


async def test_a_bot_that_breaks_its_connection_in_any_way_has_left_by_itself(
    tmp_path: Path,
) -> None:
    """A match would be void otherwise, as often as the bot likes."""
    token = new_token()
    last_words = [b"", part(8, b"\x03\xe8"), part(BINARY, b"x", masked=False), part(1, b"text")]
    async with a_front_door(tmp_path) as front, a_door(tmp_path) as ports:
        front.expect("fox", KnownToken.of(token))
        for words in last_words:
            socket, answer = await says_hello(ports[Way.WS], token)
            assert answer == "welcome"
            link = link_of(front, "fox")
            await socket.says(words)
            await socket.stream.aclose()
            await gone(front, "fox")
            assert not link.was_cut()


async def test_a_flood_that_nobody_reads_does_not_hide_the_end_of_its_bot(tmp_path: Path) -> None:
    """The last packet waits for room."""
    token = new_token()
    async with a_front_door(tmp_path) as front, a_door(tmp_path) as ports:
        front.expect("fox", KnownToken.of(token))
        socket, _ = await says_hello(ports[Way.WS], token)
        link = link_of(front, "fox")
        with trio.move_on_after(0.5):
            while True:
                await socket.says(part(BINARY, bytes(4_000)) * 10)
        await socket.stream.aclose()
        while link.is_alive():
            # As a match would read it; what lies there is more than the kernel holds at once.
            link._stamps.read(1)
            await trio.sleep(0)
        assert not link.was_cut()


async def test_the_bye_of_the_league_reaches_the_bot_and_then_the_end(tmp_path: Path) -> None:
    token = new_token()
    async with a_front_door(tmp_path) as front, a_door(tmp_path) as ports:
        front.expect("fox", KnownToken.of(token))
        socket, _ = await says_hello(ports[Way.WS], token)
        front.dismiss("fox", "done", "It is over.")
        assert (await told(socket))["reason"] == "done"
        assert await socket.closed_for() == 1000


async def test_wrong_tokens_are_counted_by_the_address_before_the_proxy(tmp_path: Path) -> None:
    async with (
        a_front_door(tmp_path) as front,
        a_door(tmp_path, trusted={"127.0.0.1"}) as ports,
    ):
        for _ in range(2):
            await says_hello(ports[Way.WS], new_token(), X_Forwarded_For="203.0.113.9")
        count = await front.wrong_tokens()
        assert count.addresses == (("203.0.113.9", 2),)


async def test_a_door_before_a_league_that_rests_sends_bots_away_and_stays(tmp_path: Path) -> None:
    token = new_token()
    async with a_door(tmp_path) as ports:
        socket = await Socket.at(ports[Way.WS])
        assert await socket.closed_for() == 1000
        async with a_front_door(tmp_path) as front:
            assert (tmp_path / RELAY).stat().st_mode & 0o777 == 0o600
            front.expect("fox", KnownToken.of(token))
            assert (await says_hello(ports[Way.WS], token))[1] == "welcome"
        assert not (tmp_path / RELAY).exists()


async def silent(socket: Socket) -> None:
    """Read everything and answer nothing."""
    while await socket.hears() is not None:
        pass


async def pinging(socket: Socket) -> None:
    """Answer nothing, and keep the door busy."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(silent, socket)
        while True:
            await socket.says(part(PING, b"?") * 100)
            await trio.sleep(0)


async def deaf(socket: Socket) -> None:
    """Have the door answer pings, and read none of it."""
    while True:
        await socket.says(part(PING, b"x" * 125) * 100)


async def leaving(socket: Socket) -> None:
    await socket.stream.aclose()


@pytest.mark.parametrize("act", [silent, pinging, deaf, leaving])
async def test_what_a_bot_fails_to_do_is_its_own_whatever_it_does_to_the_door(
    tmp_path: Path, act: Callable[[Socket], Awaitable[None]]
) -> None:
    """Never void: a bot that loses could have that, whenever it liked."""
    token = new_token()

    async def acting() -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await act(socket)

    async with a_front_door(tmp_path) as front, a_door(tmp_path) as ports:
        front.expect("fox", KnownToken.of(token))
        socket, _ = await says_hello(ports[Way.WS], token)
        async with in_a_match(front, "fox") as link, trio.open_nursery() as nursery:
            nursery.start_soon(acting)
            reply = await asked(link, {}, 300_000, 5_000_000)
            assert isinstance(reply, Failed)
            assert reply.breach.kind in ("late", "gone")
            nursery.cancel_scope.cancel()


async def test_an_answer_through_a_door_settles_its_request(tmp_path: Path) -> None:
    token = new_token()
    async with a_front_door(tmp_path) as front, a_door(tmp_path) as ports:
        front.expect("fox", KnownToken.of(token))
        socket, _ = await says_hello(ports[Way.WS], token)

        async def answer() -> None:
            assert (await told(socket))["type"] == "start"
            request = await told(socket)
            action = {"type": "action", "match": MATCH, "id": request["id"], "action": LEGAL[0]}
            await socket.says(part(BINARY, msgpack.packb(action)))

        async with in_a_match(front, "fox") as link, trio.open_nursery() as nursery:
            nursery.start_soon(answer)
            reply = await asked(link, {}, 10_000_000, 20_000_000)
        assert isinstance(reply, Chose)
        assert reply.action == LEGAL[0]


def url_of(way: Way, ports: dict[Way, int]) -> str:
    place = f"localhost:{ports[way]}"
    return f"tls:{place}" if way is Way.TLS else f"wss://{place}/bots"


@pytest.mark.parametrize("way", [Way.TLS, Way.WSS])
async def test_the_kit_comes_in_plays_and_leaves_by_the_bye(
    tmp_path: Path, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CHAIN))
    token = new_token()

    def play() -> None:
        run(lambda request: LEGAL[1], connect=url_of(way, ports), token=token)

    async with (
        a_front_door(tmp_path) as front,
        a_door(tmp_path) as ports,
        trio.open_nursery() as nursery,
    ):
        front.expect("fox", KnownToken.of(token))
        nursery.start_soon(trio.to_thread.run_sync, play)
        while not front.is_here("fox"):
            await trio.sleep(0.001)
        async with in_a_match(front, "fox") as link:
            reply = await asked(link, {"pad": "-" * 9_000}, 10_000_000, 20_000_000)
        front.say_bye("done")
    assert isinstance(reply, Chose)
    assert reply.action == LEGAL[1]


@pytest.mark.parametrize("way", [Way.TLS, Way.WSS])
async def test_evidence_is_asked_for_through_a_door(
    tmp_path: Path, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CHAIN))
    token = new_token()
    async with a_front_door(tmp_path) as front, a_door(tmp_path) as ports:
        front.expect("fox", KnownToken.of(token))
        asking = Door(url_of(way, ports), token)
        assert await trio.to_thread.run_sync(lambda: [*asking.evidence()]) == []


async def test_a_certificate_of_an_authority_that_is_not_trusted_is_refused(
    tmp_path: Path,
) -> None:
    async with a_door(tmp_path) as ports:
        asking = Door(url_of(Way.TLS, ports), new_token())
        with pytest.raises(NotTold, match="SSL_CERT_FILE has to name the file"):
            await trio.to_thread.run_sync(lambda: [*asking.evidence()])


@pytest.mark.parametrize("was_killed", [False, True])
async def test_a_bot_that_comes_while_the_league_rests_is_turned_away_in_these_words(
    tmp_path: Path, was_killed: bool
) -> None:
    if was_killed:
        with sockets.socket(sockets.AF_UNIX, sockets.SOCK_SEQPACKET) as left:
            left.bind(str(tmp_path / RELAY))
    with pytest.raises(NoReferee) as refused:
        await Beyond(tmp_path).connect("192.0.2.1", lambda: 0)
    assert str(refused.value) == f"{tmp_path / RELAY}: the league rests"
