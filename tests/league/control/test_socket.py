"""The control socket: acts and answers of several at once, and strangers who disturb nobody."""

from __future__ import annotations

import math
import os
import socket
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from arena.league.control.acts import Act, Admit, Invite, Retire, Tokens, Told
from arena.league.control.socket import (
    FILE_NAME,
    HEADER,
    MOST_AT_ONCE,
    MOST_BYTES,
    PATIENCE_SECONDS,
    ControlFailed,
    ask,
    open_control,
)

FOX = Retire("fox")
GONE = Told(("fox is retired",))


class Answerer:
    """Answers each act with its repr."""

    def __init__(self) -> None:
        self.came: list[Act] = []

    async def __call__(self, act: Act) -> Told:
        self.came.append(act)
        return Told((repr(act),))


async def asked(folder: Path, act: Act) -> Told | None:
    return await trio.to_thread.run_sync(ask, folder, act)


@contextmanager
def entered(folder: Path) -> Iterator[str]:
    """The address of the socket, as short as an address must be."""
    descriptor = os.open(folder, os.O_PATH)
    try:
        yield f"/proc/self/fd/{descriptor}/{FILE_NAME}"
    finally:
        os.close(descriptor)


@asynccontextmanager
async def connected(folder: Path) -> AsyncIterator[trio.SocketStream]:
    with entered(folder) as address:
        stream = await trio.open_unix_socket(address)
    async with stream:
        yield stream


def frame(body: bytes) -> bytes:
    return HEADER.pack(len(body)) + body


async def test_an_act_comes_as_it_was_sent_and_its_answer_comes_back(tmp_path: Path) -> None:
    acts: list[Act] = [
        Admit({"name": "fox", "path": "/bots/fox", "limits": {"memory_mb": 64}}),
        Invite("owl", None, "2126-01-01T00:00:00Z"),
        Tokens(),
    ]
    answerer = Answerer()
    async with open_control(tmp_path, answerer):
        for act in acts:
            assert await asked(tmp_path, act) == Told((repr(act),))
    assert answerer.came == acts


async def test_the_answer_may_be_long_and_may_say_that_the_act_is_refused(tmp_path: Path) -> None:
    long = Told(tuple(f"{number}: {'x' * 200}" for number in range(5000)), True, True)

    async def answer(act: Act) -> Told:
        return long

    async with open_control(tmp_path, answer):
        assert await asked(tmp_path, FOX) == long


def test_where_nobody_listens_there_is_no_answer(tmp_path: Path) -> None:
    assert ask(tmp_path, FOX) is None
    assert ask(tmp_path / "gone", FOX) is None


async def test_a_socket_that_a_killed_run_has_left_is_replaced(tmp_path: Path) -> None:
    with entered(tmp_path) as address, socket.socket(socket.AF_UNIX) as left:
        left.bind(address)
    assert (tmp_path / FILE_NAME).exists()
    assert ask(tmp_path, FOX) is None
    async with open_control(tmp_path, Answerer()):
        assert await asked(tmp_path, FOX) == Told((repr(FOX),))


async def test_the_socket_is_for_its_owner_alone_and_goes_with_the_run(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        async with open_control(tmp_path, Answerer()):
            assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600
    finally:
        os.umask(before)
    assert not (tmp_path / FILE_NAME).exists()


async def test_a_folder_may_have_a_longer_path_than_an_address(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 50) / ("longer" * 30)
    folder.mkdir(parents=True)
    async with open_control(folder, Answerer()):
        assert await asked(folder, FOX) == Told((repr(FOX),))


async def test_acts_are_answered_in_any_order(tmp_path: Path) -> None:
    """A slow one holds up no other."""
    may_end = trio.Event()

    async def answer(act: Act) -> Told:
        if act == FOX:
            await may_end.wait()
        return Told((repr(act),))

    async with open_control(tmp_path, answer), trio.open_nursery() as nursery:
        nursery.start_soon(asked, tmp_path, FOX)
        assert await asked(tmp_path, Tokens()) == Told(("Tokens()",))
        may_end.set()


GARBAGE = {
    "no frame": b"\xff" * 100,
    "an empty frame": frame(b""),
    "no msgpack": frame(b"\xc1"),
    "no act": frame(msgspec.msgpack.encode({"type": "Destroy"})),
    "no map": frame(msgspec.msgpack.encode([1, 2])),
    "a field of another type": frame(msgspec.msgpack.encode({"type": "Retire", "name": 7})),
    "bytes that are no text": frame(b"\x82\xa4type\xa6Retire\xa4name\xa2\xff\xfe"),
    "a value that no file can have": frame(
        msgspec.msgpack.encode({"type": "Admit", "bot": {"path": b"\x00"}})
    ),
    "nested a thousand times": frame(b"\x82\xa4type\xa5Admit\xa3bot\x81\xa1x" + b"\x91" * 60_000),
    "a header that announces too much": HEADER.pack(MOST_BYTES + 1) + b"x",
    "a header that announces 4 GiB": b"\xff\xff\xff\xff",
}


@pytest.mark.parametrize("sent", GARBAGE.values(), ids=GARBAGE)
async def test_garbage_is_cut_off_at_once_and_disturbs_nobody(tmp_path: Path, sent: bytes) -> None:
    answerer = Answerer()
    async with open_control(tmp_path, answerer):
        async with connected(tmp_path) as stream:
            await stream.send_all(sent)
            with trio.fail_after(PATIENCE_SECONDS / 2):
                assert await until_closed(stream) == b""
        assert answerer.came == []
        assert await asked(tmp_path, FOX) == Told((repr(FOX),))


async def until_closed(stream: trio.SocketStream) -> bytes:
    """What is received until the other side closes, which it may do before it read everything."""
    received = b""
    try:
        while data := await stream.receive_some():
            received += data
    except trio.BrokenResourceError:
        pass
    return received


async def test_an_act_may_come_in_pieces(tmp_path: Path) -> None:
    async with open_control(tmp_path, Answerer()), connected(tmp_path) as stream:
        for byte in frame(msgspec.msgpack.encode(FOX)):
            await stream.send_all(bytes([byte]))
        answer = await until_closed(stream)
    assert msgspec.msgpack.decode(answer[HEADER.size :], type=Told) == Told((repr(FOX),))


async def test_who_goes_before_his_act_is_whole_has_done_nothing(tmp_path: Path) -> None:
    answerer = Answerer()
    async with open_control(tmp_path, answerer):
        for sent in (b"", b"\0\0", frame(msgspec.msgpack.encode(FOX))[:-1]):
            async with connected(tmp_path) as stream:
                await stream.send_all(sent)
        assert await asked(tmp_path, Tokens()) == Told(("Tokens()",))
    assert answerer.came == [Tokens()]


async def test_who_goes_before_his_answer_comes_disturbs_nobody(tmp_path: Path) -> None:
    has_come, is_gone = trio.Event(), trio.Event()

    async def answer(act: Act) -> Told:
        if act == FOX:
            has_come.set()
            await is_gone.wait()
        return GONE

    async with open_control(tmp_path, answer):
        async with connected(tmp_path) as stream:
            await stream.send_all(frame(msgspec.msgpack.encode(FOX)))
            await has_come.wait()
        is_gone.set()
        assert await asked(tmp_path, Tokens()) == GONE


async def test_who_sends_nothing_is_cut_off_in_time_so_that_others_have_a_place(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """All places are taken by such; one more waits for the first that is cut off."""
    autojump_clock.autojump_threshold = math.inf
    answerer = Answerer()
    async with open_control(tmp_path, answerer), trio.open_nursery() as nursery:
        ended = trio.Event()

        async def waits() -> None:
            async with connected(tmp_path) as stream:
                assert await until_closed(stream) == b""
                ended.set()

        for _ in range(MOST_AT_ONCE):
            nursery.start_soon(waits)
        await trio.testing.wait_all_tasks_blocked(0.02)
        nursery.start_soon(partial(asked, tmp_path, FOX))
        await trio.testing.wait_all_tasks_blocked(0.02)
        assert (answerer.came, ended.is_set()) == ([], False)
        autojump_clock.jump(PATIENCE_SECONDS)
    assert answerer.came == [FOX]


async def test_what_an_answer_raises_ends_the_run(tmp_path: Path) -> None:
    async def answer(act: Act) -> Told:
        raise ZeroDivisionError

    async def runs() -> None:
        async with open_control(tmp_path, answer):
            with pytest.raises(ControlFailed):
                await asked(tmp_path, FOX)
            await trio.sleep_forever()

    with pytest.raises(ExceptionGroup) as caught:
        await runs()
    assert caught.group_contains(ZeroDivisionError)
    assert not (tmp_path / FILE_NAME).exists()


async def test_a_run_that_ends_before_it_has_answered_is_told_as_that(tmp_path: Path) -> None:
    has_come = trio.Event()
    said: list[str] = []

    async def answer(act: Act) -> Told:
        has_come.set()
        await trio.sleep_forever()
        raise AssertionError

    async def asks() -> None:
        try:
            await asked(tmp_path, FOX)
        except ControlFailed as error:
            said.append(str(error))

    async with trio.open_nursery() as nursery, open_control(tmp_path, answer):
        nursery.start_soon(asks)
        await has_come.wait()
    assert len(said) == 1
    assert "is being played, and gave no answer" in said[0]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
async def test_another_user_is_refused_also_where_the_modes_were_lost(tmp_path: Path) -> None:
    """The kernel tells who is at the other end."""
    nobody = 65_534
    script = """
import os, socket, sys
os.chdir(sys.argv[1])
os.setuid(int(sys.argv[2]))
with socket.socket(socket.AF_UNIX) as stranger:
    try:
        stranger.connect("control.sock")
        stranger.sendall(bytes.fromhex(sys.argv[3]))
        print("got", stranger.recv(100))
    except OSError as error:
        print(type(error).__name__)
"""
    sent = frame(msgspec.msgpack.encode(FOX)).hex()
    command = [sys.executable, "-I", "-c", script, str(tmp_path), str(nobody), sent]
    answerer = Answerer()
    tmp_path.chmod(0o755)
    async with open_control(tmp_path, answerer):
        refused = await trio.run_process(command, capture_stdout=True)
        assert refused.stdout == b"PermissionError\n"
        (tmp_path / FILE_NAME).chmod(0o666)
        cut_off = await trio.run_process(command, capture_stdout=True)
        assert cut_off.stdout in (b"got b''\n", b"ConnectionResetError\n", b"BrokenPipeError\n")
    assert answerer.came == []


async def test_what_is_no_socket_is_left_alone_and_named(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("mine")
    with pytest.raises(FileExistsError, match="move it away") as caught:
        async with open_control(tmp_path, answered):
            raise AssertionError("it was opened")
    assert caught.value.filename == str(tmp_path / FILE_NAME)
    assert (tmp_path / FILE_NAME).read_text() == "mine"


async def answered(act: Act) -> Told:
    raise AssertionError(act)
