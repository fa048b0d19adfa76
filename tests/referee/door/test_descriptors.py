"""Open files: the limit raised, and the part of it that strangers may take."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio

from arena.referee.door import descriptors
from arena.referee.door.addresses import TcpAddress
from arena.referee.door.descriptors import most_strangers, too_few
from arena.referee.house import open_house
from tests.referee.callers import Caller, a_lobby, call, expected, hello
from tests.referee.real_match import descriptors as descriptor_numbers

OPEN_FILES = 160


@pytest.mark.parametrize(
    ("limit", "guests", "most"),
    [
        (1_000_000, 10, 512),
        (512 + 64 + 10, 10, 512),
        (511 + 64 + 10, 10, 511),
        (256, 10, 182),
        (256, 100, 92),
        (17 + 64, 0, 17),
        (16 + 64, 0, 16),
        (256, 300, 16),
        (24, 0, 16),
    ],
)
def test_strangers_leave_descriptors_for_bots_and_for_all_else(
    limit: int, guests: int, most: int
) -> None:
    assert most_strangers(limit, guests) == most


def test_a_referee_needs_sixty_four_open_files() -> None:
    assert too_few(64) is None
    assert too_few(63) == (
        "each process may have 63 open files at most, and a referee needs 64: raise the limit"
        " (ulimit -n, and ulimit -Hn)"
    )


@contextmanager
def soft_limit(files: int) -> Iterator[None]:
    """A limit of open files for this process, inside."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_a_crowd_at_two_doors_is_held_to_one_bound_and_the_honest_get_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with soft_limit(OPEN_FILES):
        assert descriptors.limit() == OPEN_FILES
        async with a_lobby(tmp_path, TcpAddress(), TcpAddress()) as lobby:
            _, guest_token = expected(lobby, "fox")
            most = most_strangers(OPEN_FILES, guests=1)
            crowd: list[Caller] = []
            # The callers are of this process too, so its own limit must not count for them.
            with soft_limit(resource.getrlimit(resource.RLIMIT_NOFILE)[1]):
                try:
                    for number in range(most + 40):
                        crowd.append(await call(lobby.addresses[1 + number % 2]))
                    with trio.fail_after(5):
                        # The oldest at each; which of the last is sent away is a matter of turns.
                        for caller in crowd[:36]:
                            assert await caller.reason() == "no-hello"
                        while sum(map(len, lobby._doors)) != most:
                            await trio.sleep(0.001)
                        async with await call(lobby.addresses[2]) as caller:
                            await caller.send(hello(guest_token))
                            assert await caller.receive() is not None
                finally:
                    for caller in crowd:
                        caller.stream.socket.close()
    assert caplog.text == ""


async def test_who_comes_first_to_an_empty_door_makes_room_at_the_fullest(tmp_path: Path) -> None:
    """Also if it has come earlier than all who stand at another."""
    with soft_limit(OPEN_FILES):
        async with a_lobby(tmp_path, TcpAddress()) as lobby, await call(lobby.addresses[0]) as one:
            most = most_strangers(OPEN_FILES, guests=0)
            crowd: list[Caller] = []
            with soft_limit(resource.getrlimit(resource.RLIMIT_NOFILE)[1]):
                try:
                    for _ in range(most):
                        crowd.append(await call(lobby.addresses[1]))
                    with trio.fail_after(5):
                        while sorted(map(len, lobby._doors)) != [1, most - 1]:
                            await trio.sleep(0.001)
                        _, guest_token = expected(lobby, "fox")
                        await one.send(hello(guest_token))
                        assert await one.receive() is not None
                finally:
                    for caller in crowd:
                        caller.stream.socket.close()


SHOW = """
import resource, trio
from arena.referee.house import open_house

async def main():
    async with open_house():
        print(*resource.getrlimit(resource.RLIMIT_NOFILE))

resource.setrlimit(resource.RLIMIT_NOFILE, (100, 200))
trio.run(main)
"""


def test_a_house_raises_the_soft_limit_to_the_hard_one(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SHOW],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert ran.stdout == "200 200\n"


async def test_a_house_takes_as_many_open_files_as_it_may() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with soft_limit(OPEN_FILES):
        async with open_house():
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)


async def test_a_port_is_free_again_as_soon_as_a_listener_has_closed() -> None:
    """Though connections to it are not forgotten yet."""
    listener, _ = TcpAddress().listen(1)
    assert listener.socket.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 1
    await listener.aclose()


async def test_to_check_an_address_leaves_nothing_open() -> None:
    before = descriptor_numbers()
    TcpAddress().check()
    assert descriptor_numbers() == before
