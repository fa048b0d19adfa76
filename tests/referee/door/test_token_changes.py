"""Wrong, expired, revoked and renewed tokens at the door, over real sockets."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.referee.door import descriptors
from arena.referee.door.addresses import TcpAddress
from arena.referee.door.evidence import EvidencePage
from arena.referee.door.lobby import EXPIRY_SECONDS, Lobby
from arena.referee.door.wrong_tokens import FIRST_SECONDS, WrongTokensCount
from arena.tokens import KnownToken, new_token
from tests.referee.callers import Caller, a_lobby, call, expected, hello

HERE = "127.0.0.1"


async def refused(address: str, token: str) -> str:
    """What somebody with this token is told."""
    async with await call(address) as caller:
        await caller.send(hello(token))
        message = await caller.receive()
        assert message is not None
        assert (message["type"], message["reason"]) == ("bye", "bad-token")
        return str(message["text"])


async def welcomed(address: str, token: str) -> Caller:
    caller = await call(address)
    await caller.send(hello(token))
    message = await caller.receive()
    assert message is not None
    assert message["type"] == "welcome"
    return caller


async def test_replies_to_wrong_tokens_wait_longer_and_longer(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        waits = []
        for _ in range(7):
            began = trio.current_time()
            await refused(lobby.addresses[1], new_token())
            waits.append(trio.current_time() - began)
    for waited, wait in zip(waits, [0.25, 0.5, 1, 2, 4, 5, 5], strict=True):
        assert wait <= waited < wait + 0.25


async def test_a_wrong_secret_with_the_id_of_a_token_is_a_wrong_token(tmp_path: Path) -> None:
    async with a_lobby(tmp_path) as lobby:
        _, token = expected(lobby, "fox")
        id_ = token.partition(".")[0]
        for wrong in (id_, f"{id_}.", f"{id_}.{'A' * 43}", token[:-1], token + "A"):
            await refused(lobby.addresses[0], wrong)


async def test_a_right_token_never_waits_behind_an_address_with_wrong_ones(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        _, token = expected(lobby, "fox", dials_in=True)
        crowd = await crowded(lobby, 20)
        began = trio.current_time()
        honest = await welcomed(lobby.addresses[1], token)
        assert trio.current_time() - began < FIRST_SECONDS
        for caller in (honest, *crowd):
            caller.stream.socket.close()


async def crowded(lobby: Lobby, number: int) -> list[Caller]:
    """Callers with wrong tokens, all of which wait for their replies."""
    crowd = [await call(lobby.addresses[1]) for _ in range(number)]
    for caller in crowd:
        await caller.send(hello(new_token()))
    while sum(each.bye is not None for door in lobby._doors for each in door) < number:
        await trio.sleep(0.001)
    return crowd


async def test_over_a_unix_socket_nobody_waits(tmp_path: Path, autojump_clock: MockClock) -> None:
    """There are only bots that we started, each with a token of its own."""
    async with a_lobby(tmp_path) as lobby:
        began = trio.current_time()
        for _ in range(5):
            await refused(lobby.addresses[0], "nobody's")
        assert trio.current_time() - began < FIRST_SECONDS


async def test_the_refused_make_room_before_those_who_have_not_said_hello(
    tmp_path: Path, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And are told why all the same."""
    monkeypatch.setattr(descriptors, "most_strangers", lambda *_: 4)
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        _, token = expected(lobby, "fox", dials_in=True)
        slow = await call(lobby.addresses[1])
        crowd = await crowded(lobby, 3)
        began = trio.current_time()
        late = await call(lobby.addresses[1])
        assert await crowd[0].reason() == "bad-token"
        assert trio.current_time() - began < FIRST_SECONDS
        await slow.send(hello(token))
        welcome = await slow.receive()
        assert welcome is not None
        assert welcome["type"] == "welcome"
        for caller in (slow, late, *crowd):
            caller.stream.socket.close()


async def test_wrong_tokens_are_counted_for_the_operator_and_fill_no_log(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        counts: list[WrongTokensCount] = []

        async def count() -> None:
            while True:
                counts.append(await lobby.wrong_tokens())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(count)
            await trio.testing.wait_all_tasks_blocked()
            assert counts == []
            for _ in range(5):
                await refused(lobby.addresses[1], new_token())
            nursery.cancel_scope.cancel()
        assert counts == [WrongTokensCount(((HERE, 1),), 0)] * 5
        for caller in await crowded(lobby, 4):
            caller.stream.socket.close()
        assert await lobby.wrong_tokens() == WrongTokensCount(((HERE, 4),), 0)
    lines = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    assert lines == [f"a wrong token from {HERE}"]


@pytest.mark.parametrize("is_renewed", [True, False])
async def test_whose_token_is_renewed_or_revoked_is_out_at_once(
    tmp_path: Path, autojump_clock: MockClock, is_renewed: bool
) -> None:
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        guest, token = expected(lobby, "fox", dials_in=True)
        owl, owls_token = expected(lobby, "owl", dials_in=True)
        caller = await welcomed(lobby.addresses[1], token)
        other = await welcomed(lobby.addresses[1], owls_token)
        new = new_token()
        lobby.change_token(guest, KnownToken.of(new) if is_renewed else None)
        assert guest.link is not None
        assert not guest.link.is_open
        bye = await caller.receive()
        assert bye is not None
        assert bye["reason"] == "bad-token"
        assert "It was renewed or revoked; the people who run the league" in bye["text"]
        assert await caller.receive() is None
        await refused(lobby.addresses[1], token)
        if is_renewed:
            (await welcomed(lobby.addresses[1], new)).stream.socket.close()
        else:
            await refused(lobby.addresses[1], new)
        assert owl.link is not None
        assert owl.link.is_alive()
        for each in (caller, other):
            each.stream.socket.close()


async def test_a_bot_without_a_token_is_let_in_once_it_has_one(tmp_path: Path) -> None:
    async with a_lobby(tmp_path) as lobby:
        guest = lobby.expect("fox", None, dials_in=True)
        token = new_token()
        await refused(lobby.addresses[0], token)
        lobby.change_token(guest, KnownToken.of(token))
        (await welcomed(lobby.addresses[0], token)).stream.socket.close()


async def test_who_is_told_evidence_is_told_no_more_once_the_token_is_revoked(
    tmp_path: Path,
) -> None:
    is_asked = trio.Event()

    async def slow(name: str, after: str) -> EvidencePage:
        is_asked.set()
        await trio.sleep_forever()

    async with a_lobby(tmp_path, evidence=slow) as lobby:
        guest, token = expected(lobby, "fox", dials_in=True)
        async with await call(lobby.addresses[0]) as caller:
            await caller.send(hello(token, offers=["evidence"]))
            await is_asked.wait()
            lobby.change_token(guest, None)
            assert await caller.reason() == "bad-token"


async def test_an_expired_token_admits_nobody_and_the_author_is_told(tmp_path: Path) -> None:
    time = Time()
    async with a_lobby(tmp_path, now=time) as lobby:
        token = new_token()
        lobby.expect("fox", KnownToken.of(token, "2026-01-31T12:00:00Z"), dials_in=True)
        (await welcomed(lobby.addresses[0], token)).stream.socket.close()
        time.now = "2026-01-31T12:00:00Z"
        said = await refused(lobby.addresses[0], token)
        assert "It expired at 2026-01-31T12:00:00Z; the people who run the league" in said
        # Only whoever has the whole token is told that there was one.
        assert "expired" not in await refused(lobby.addresses[0], token[:-1])


async def test_a_connection_is_closed_when_its_token_expires(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    time = Time()
    async with a_lobby(tmp_path, now=time) as lobby:
        token = new_token()
        lobby.expect("fox", KnownToken.of(token, "2026-01-31T12:00:00Z"), dials_in=True)
        async with await welcomed(lobby.addresses[0], token) as caller:
            await trio.sleep(10 * EXPIRY_SECONDS)
            with trio.move_on_after(0) as nothing:
                await caller.receive()
            assert nothing.cancelled_caught
            time.now = "2026-01-31T12:00:00Z"
            assert await caller.reason() == "bad-token"


class Time:
    """The time of day as a test sets it."""

    now = "2026-01-31T11:59:59Z"

    def __call__(self) -> str:
        return self.now
