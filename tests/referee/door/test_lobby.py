"""Who is let in, who is not and what he is told; nobody at the door harms anybody inside."""

from __future__ import annotations

import os
import resource
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from arena.record.timing import HANG_MS
from arena.referee.door import guests, strangers
from arena.referee.door import lobby as lobby_module
from arena.referee.door.addresses import TcpAddress, UnixAddress
from arena.referee.door.descriptors import MOST_STRANGERS
from arena.referee.door.turned_away import MOST_REMEMBERED
from arena.referee.wire import relayed
from protocol import server_end
from protocol.codes import FAREWELLS
from protocol.limits import LIMITS_BY_NAME
from tests.helpers import framed, packed
from tests.referee.callers import Caller, a_lobby, call, expected, hello


@pytest.mark.parametrize("door", [0, 1, 2])
async def test_who_knows_a_token_is_let_in_at_any_door(tmp_path: Path, door: int) -> None:
    async with a_lobby(tmp_path, TcpAddress(), TcpAddress("::1")) as lobby:
        assert [address.split(":")[0] for address in lobby.addresses] == ["unix", "tcp", "tcp"]
        assert lobby.addresses[2].startswith("tcp:[::1]:")
        guest, guest_token = expected(lobby, "fox")
        async with await call(lobby.addresses[door]) as caller:
            await caller.send(hello(guest_token, author="A. Fox"))
            assert await caller.receive() == {
                "type": "welcome",
                "protocol": 1,
                "name": "fox",
                "offers": [],
                "limits": LIMITS_BY_NAME,
            }
            assert guest.has_come.is_set()
            assert guest.link is not None
            assert guest.link.is_alive()
            assert guest.hello is not None
            assert guest.hello.author == "A. Fox"
            assert not lobby.has_seen(os.getsid(0))  # at a door and no further


REFUSALS = [
    (hello("nobody's"), "bad-token"),
    (hello(""), "bad-token"),
    (hello("\u00fc\u20ac\U0001f0a1"), "bad-token"),
    (hello("nobody's", protocol=2), "bad-version"),
    (packed({"type": "action", "match": "m", "id": 1, "action": "R1"}), "not-hello"),
    (packed({"type": "hello"}), "bad-hello"),
    (hello("x" * 129), "bad-hello"),
    (framed(b""), "bad-hello"),
    (framed(b"\xc1" * 4_096), "bad-hello"),
    (b"GET / HTTP/1.1\r\n\r\n", "frame-too-long"),
    (b"\xff" * 100_000, "frame-too-long"),
]


@pytest.mark.parametrize(("data", "reason"), REFUSALS)
@pytest.mark.parametrize("door", [0, 1])
async def test_who_is_not_let_in_is_told_why(
    tmp_path: Path, data: bytes, reason: str, door: int
) -> None:
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        expected(lobby, "fox")
        async with await call(lobby.addresses[door]) as caller:
            try:
                await caller.send(data)
            except trio.BrokenResourceError:
                assert len(data) > 50_000  # nobody reads as much
            assert await caller.reason() == reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "no-hello"), (b"\0", "frame-unfinished"), (hello("x")[:-1], "frame-unfinished")],
)
async def test_who_says_no_hello_in_time_is_sent_away(
    tmp_path: Path, autojump_clock: MockClock, data: bytes, reason: str
) -> None:
    async with a_lobby(tmp_path, hello_ms=700) as lobby, await call(lobby.addresses[0]) as caller:
        await caller.send(data)
        began = trio.current_time()
        assert await caller.reason() == reason
        assert 0.69 < trio.current_time() - began < 0.8


async def test_a_hello_that_is_begun_is_waited_for_no_longer_than_any_frame(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """However much time there is for a hello [3.2-2]."""
    async with a_lobby(tmp_path, hello_ms=60_000) as lobby:
        async with await call(lobby.addresses[0]) as caller:
            await trio.sleep(20)
            await caller.send(hello("x")[:-4])
            began = trio.current_time()
            assert await caller.reason() == "frame-unfinished"
            assert HANG_MS - 10 < (trio.current_time() - began) * 1000 < HANG_MS + 100
        refused = lobby.refused(os.getsid(0))
        assert refused is not None
        assert (refused.kind, refused.code) == ("never-started", "no-hello")
        length = len(hello("x")) - 4
        assert f"{length - 4} of the {length} bytes your header announces" in refused.came
        assert "without its own four bytes" in refused.advice


async def test_whose_start_has_taken_too_long_is_told_so_and_sent_away(tmp_path: Path) -> None:
    async with a_lobby(tmp_path) as lobby:
        session = os.getsid(0)
        assert not lobby.send_away(session)
        async with (
            await call(lobby.addresses[0]) as silent,
            await call(lobby.addresses[0]) as begins,
        ):
            await begins.send(b"\0\0")
            while len(lobby._strangers_of(session)) < 2:
                await trio.sleep(0.001)
            await trio.testing.wait_all_tasks_blocked()
            assert lobby.send_away(session)
            with trio.fail_after(5):
                assert await silent.reason() == "no-hello"
                assert await begins.reason() == "frame-unfinished"
        refused = lobby.refused(session)
        assert refused is not None
        assert "2 of a header's 4 bytes" in refused.came


async def test_a_byte_now_and_then_buys_no_time(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with (
        a_lobby(tmp_path, hello_ms=1_000) as lobby,
        await call(lobby.addresses[0]) as caller,
        trio.open_nursery() as nursery,
    ):
        began = trio.current_time()

        async def drip() -> None:
            for byte in hello("x" * 100):
                await trio.sleep(0.1)
                try:
                    await caller.send(bytes([byte]))
                except trio.BrokenResourceError:
                    return

        nursery.start_soon(drip)
        assert await caller.reason() == "frame-unfinished"
        assert trio.current_time() - began < 1.1


async def test_the_token_of_a_started_bot_is_good_for_one_connection(tmp_path: Path) -> None:
    async with a_lobby(tmp_path) as lobby:
        guest, guest_token = expected(lobby, "fox")
        async with await call(lobby.addresses[0]) as first:
            await first.send(hello(guest_token))
            await first.receive()
            async with await call(lobby.addresses[0]) as second:
                await second.send(hello(guest_token))
                assert await second.reason() == "token-used"
            assert guest.link is not None
            assert guest.link.is_alive()
        async with await call(lobby.addresses[0]) as third:
            await third.send(hello(guest_token))
            assert await third.reason() == "token-used"


async def test_who_dials_in_has_one_connection_at_a_time_and_may_replace_a_dead_one(
    tmp_path: Path,
) -> None:
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        guest, guest_token = expected(lobby, "fox", dials_in=True)
        first = await call(lobby.addresses[1])
        await first.send(hello(guest_token))
        await first.receive()
        link = guest.link
        async with await call(lobby.addresses[1]) as second:
            await second.send(hello(guest_token))
            assert await second.reason() == "token-in-use"
        assert guest.link is link
        # What it has left unread on our side does not keep it alive.
        await first.send(b"\0\0\0\x01\xc1")
        first.stream.socket.close()
        async with await call(lobby.addresses[1]) as third:
            await third.send(hello(guest_token))
            welcome = await third.receive()
            assert welcome is not None
            assert welcome["type"] == "welcome"
            assert guest.link is not link
            assert link is not None
            assert not link.is_open


async def test_a_lost_machine_is_noticed_on_tcp(tmp_path: Path) -> None:
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        guest, guest_token = expected(lobby, "fox", dials_in=True)
        async with await call(lobby.addresses[1]) as caller:
            await caller.send(hello(guest_token))
            await caller.receive()
            assert guest.link is not None
            sock = guest.link.sock
            assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            # Half a minute after it is lost: first asked after 15 s, then each 5 s, three times.
            figures = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            asked = [sock.getsockopt(socket.IPPROTO_TCP, figure) for figure in figures]
            assert asked == [15, 5, 3]


async def test_a_token_that_is_forgotten_is_nobodys(tmp_path: Path) -> None:
    async with a_lobby(tmp_path) as lobby:
        guest, guest_token = expected(lobby, "fox")
        lobby.forget(guest)
        lobby.forget(guest)
        async with await call(lobby.addresses[0]) as caller:
            await caller.send(hello(guest_token))
            assert await caller.reason() == "bad-token"


async def test_a_refusal_is_remembered_for_who_knows_the_session(tmp_path: Path) -> None:
    async with a_lobby(tmp_path) as lobby:
        session = os.getsid(0)
        assert not lobby.has_seen(session)
        async with await call(lobby.addresses[0]) as caller:
            while not lobby.has_seen(session):
                await trio.sleep(0.001)
            assert lobby.refused(session) is None
            await caller.send(hello("nobody's"))
            await caller.reason()
        refused = lobby.refused(session)
        assert refused is not None
        assert refused.code == "hello-refused"
        while any(lobby._doors):
            await trio.sleep(0.001)
        assert lobby.has_seen(session)
        lobby.forget_session(session)
        assert not lobby.has_seen(session)
        for number in range(MOST_REMEMBERED + 10):
            lobby._turned_away.remember(number, None)
        assert len(lobby._turned_away) == MOST_REMEMBERED


async def test_who_came_and_left_without_a_word_was_seen(tmp_path: Path) -> None:
    async with a_lobby(tmp_path) as lobby:
        session = os.getsid(0)
        async with await call(lobby.addresses[0]):
            while not any(lobby._doors):
                await trio.sleep(0.001)
        while any(lobby._doors):
            await trio.sleep(0.001)
        assert lobby.has_seen(session)
        assert lobby.refused(session) is None


async def test_a_crowd_costs_its_oldest_their_place_and_nobody_at_another_door(
    tmp_path: Path,
) -> None:
    async with (
        a_lobby(tmp_path, TcpAddress()) as lobby,
        await call(lobby.addresses[0]) as patient,
    ):
        crowd: list[Caller] = []
        try:
            for _ in range(MOST_STRANGERS + 20):
                crowd.append(await call(lobby.addresses[1]))
            with trio.fail_after(5):
                # One more than its number in excess: the patient one counts too.
                assert [await caller.reason() for caller in crowd[:21]] == ["no-hello"] * 21
                while sorted(map(len, lobby._doors)) != [1, MOST_STRANGERS - 1]:
                    await trio.sleep(0.001)
                _, guest_token = expected(lobby, "fox")
                await patient.send(hello(guest_token))
                assert await patient.receive() is not None
                # And at the crowded door too.
                _, other_token = expected(lobby, "owl")
                async with await call(lobby.addresses[1]) as caller:
                    await caller.send(hello(other_token))
                    assert await caller.receive() is not None
        finally:
            for caller in crowd:
                caller.stream.socket.close()


async def test_out_of_descriptors_the_oldest_stranger_makes_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_lobby(tmp_path) as lobby:
        _, guest_token = expected(lobby, "fox")
        callers = [await call(lobby.addresses[0]) for _ in range(2)]
        while len(lobby._doors[0]) < 2:
            await trio.sleep(0.001)
        sock = socket.socket(socket.AF_UNIX)
        with no_more_descriptors():
            sock.connect(str(tmp_path / "door"))
            late = Caller(trio.SocketStream(trio.socket.from_stdlib_socket(sock)))
            with trio.fail_after(5):
                await late.send(hello(guest_token))
                assert await late.receive() is not None
                assert await callers[0].reason() == "no-hello"
        for caller in (*callers, late):
            caller.stream.socket.close()
    assert "cannot accept a connection: " in caplog.text


@contextmanager
def no_more_descriptors() -> Iterator[None]:
    """This process can open nothing inside, unless it closes something first."""
    fillers: list[int] = []
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        # Below the limit none is to be free: a limit bounds their numbers, not how many there are.
        highest = max(map(int, os.listdir("/proc/self/fd")))
        while not fillers or fillers[-1] < highest:
            fillers.append(os.open(os.devnull, os.O_RDONLY))
        resource.setrlimit(resource.RLIMIT_NOFILE, (fillers[-1] + 1, hard))
        with pytest.raises(OSError, match="Too many open files"):
            os.open(os.devnull, os.O_RDONLY)
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for fd in fillers:
            os.close(fd)


class Boom(Exception):
    """Raised where nothing should be raised."""


def booms(*_: object, **__: object) -> Any:
    raise Boom


# What fails, and what is the last that the one with a good hello is told, and the one with a bad
# one. Once the socket is a link's, it is only closed.
STAGES: Mapping[str, tuple[tuple[object, str], tuple[str | None, str | None]]] = {
    "who it is": ((lobby_module, "session_of"), ("server-error", "server-error")),
    "reading": ((server_end.ServerEnd, "receive"), ("server-error", "server-error")),
    "judging": ((lobby_module, "refusal"), ("server-error", "server-error")),
    "looking up": ((guests, "digest_of"), ("server-error", "server-error")),
    "letting in": ((lobby_module, "link_over"), (None, "bad-token")),
    "watching": ((lobby_module, "keep_alive"), (None, "bad-token")),
    "stamping": ((relayed, "Stamps"), (None, "bad-token")),
    "welcoming": ((lobby_module, "Welcome"), (None, "bad-token")),
    "refusing": ((lobby_module, "farewell"), ("welcome", None)),
    "saying": ((strangers, "encode"), ("welcome", None)),
}


@pytest.mark.parametrize("stage", STAGES)
async def test_an_exception_at_any_stage_ends_that_connection_only(
    tmp_path: Path,
    stage: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        (_, guest_token), (_, next_one_token) = expected(lobby, "fox"), expected(lobby, "owl")
        # Two are met by it, one with a good hello and one with a bad one; then it is mended.
        with monkeypatch.context() as patch, trio.fail_after(5):
            patch.setattr(*STAGES[stage][0], booms)
            last: list[str | None] = []
            for token in (guest_token, "nobody's"):
                async with await call(lobby.addresses[1]) as caller:
                    await caller.send(hello(token))
                    message = await caller.receive()
                    last.append(None if message is None else message.get("reason", "welcome"))
            assert (*last,) == STAGES[stage][1]
        with trio.fail_after(5):
            async with await call(lobby.addresses[1]) as caller:
                await caller.send(hello(next_one_token))
                welcome = await caller.receive()
                assert welcome is not None
                assert welcome["name"] == "owl"
        assert not any(lobby._doors)
    assert "a bug in arena" in caplog.text


def test_a_path_that_is_too_long_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="at most 107 bytes; set TMPDIR"):
        UnixAddress(tmp_path / ("x" * 120)).listen(1)


async def test_nothing_is_left_of_an_address(tmp_path: Path) -> None:
    address = UnixAddress(tmp_path / "door")
    listener, name = address.listen(1)
    assert name == f"unix:{tmp_path / 'door'}"
    # Its folder keeps others out; a bot that is a user of its own has only the socket.
    assert (tmp_path / "door").stat().st_mode & 0o777 == 0o666
    with pytest.raises(OSError, match="in use"):
        address.listen(1)
    listener.socket.close()
    address.clean_up()
    address.clean_up()
    assert [*tmp_path.iterdir()] == []


async def test_a_lobby_that_cannot_listen_everywhere_leaves_nothing(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    async with a_lobby(tmp_path, TcpAddress()) as lobby:
        taken = TcpAddress(port=int(lobby.addresses[1].rpartition(":")[2]))
        with pytest.raises(OSError, match="in use"):
            await a_lobby(other, taken).__aenter__()
    assert [*tmp_path.rglob("door")] == []


def test_every_reason_for_a_bye_is_given_for_real_in_some_test() -> None:
    here = {reason for _, reason in REFUSALS}
    here |= {"no-hello", "frame-unfinished", "token-used", "token-in-use", "server-error"}
    in_matches = {"done", "hung", "frame-too-long", "frame-unfinished", "server-error"}
    here |= {"told", "too-soon"}  # test_evidence.py
    only_by_a_league = {"stopping", "replaced", "benched"}
    assert here | in_matches | only_by_a_league == {*FAREWELLS}
