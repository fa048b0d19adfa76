"""What a runner says of a scheduler that it does not reach, here a socket, or none at all."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.league.model.config import League, Tls
from arena.league.play.entering import LeagueStopped
from arena.league.store.events import Event
from tests.league.worker.test_probe import listening, ours, theirs

pytest.importorskip("distributed", reason="needs the extra dask")

from distributed import Client, LocalCluster

from arena.league.cluster.bridge import Bridge, open_bridge
from arena.league.cluster.connection import SchedulerLink, logged, slots_of
from arena.league.cluster.engine import DaskEngine  # imports it
from arena.league.cluster.lost import TaskFailed
from arena.league.worker.plan import RESOURCE
from arena.league.worker.sealed import Sealed

__all__ = ["ours", "theirs"]


async def stopped(folder: Path, address: str, tls: Tls | None, told: list[str]) -> str:
    """Connect as a league does; returns why it stopped. What people are told goes to `told`."""

    async def enter(event: Event) -> None:
        raise AssertionError("nothing has happened yet")

    engine = DaskEngine(League("cup", "nyet", 3, (), None, scheduler=address, tls=tls), folder)
    engine.begin(told.append, enter, "", None)
    async with AsyncExitStack() as stack:
        with pytest.raises(LeagueStopped) as raised:
            await engine.linked(stack, address, tls)
    return str(raised.value)


@contextmanager
def free_port() -> Iterator[int]:
    """A port where nothing listens, and nobody else will."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        yield free.getsockname()[1]


async def test_where_nothing_listens_it_says_at_once_that_it_waits(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    began, told = trio.current_time(), list[str]()
    with free_port() as port:
        address = f"tcp://127.0.0.1:{port}"
        why = await stopped(tmp_path, address, None, told)
    nothing = f"nothing listens at {address}: is it the right port, and is the scheduler started?"
    assert told == [f"waiting for the scheduler at {address}, up to 15 s: {nothing}"]
    assert why == f"{nothing} It was waited for 15 s"
    assert 15 <= trio.current_time() - began <= 17


async def test_a_key_of_another_certificate_stops_the_league_at_once(
    tmp_path: Path, ours: Tls, theirs: Tls
) -> None:
    told: list[str] = []
    mixed = replace(ours, key=theirs.key)
    why = await stopped(tmp_path, "tls://127.0.0.1:1", mixed, told)
    assert why == f"{theirs.key} is not the key of {ours.cert}"
    assert told == []


async def test_wrong_certificates_are_told_by_the_words_of_the_leagues_file(
    tmp_path: Path, ours: Tls, theirs: Tls
) -> None:
    told: list[str] = []
    async with listening(theirs) as port:
        why = await stopped(tmp_path, f"tls://127.0.0.1:{port}", ours, told)
    assert "is not of the authority of `ca` in [tls]" in why
    async with listening(theirs) as port:
        why = await stopped(tmp_path, f"tcp://127.0.0.1:{port}", None, told)
    assert why.endswith("write tls:// and name yours with `ca`, `cert` and `key` in [tls]")
    async with listening(None) as port:
        why = await stopped(tmp_path, f"tls://127.0.0.1:{port}", ours, told)
    assert "write tcp:// and no [tls], or start it with certificates" in why
    assert told == []


def test_dasks_log_has_its_errors_and_no_traceback_of_what_was_cancelled(tmp_path: Path) -> None:
    handler = logging.FileHandler(tmp_path / "referee.log")
    dasks = logging.getLogger("distributed.client")
    with logged(handler):
        for error in (asyncio.CancelledError(), OSError("no route")):
            try:
                raise error
            except (asyncio.CancelledError, OSError):
                dasks.exception("while connecting")
    handler.close()
    text = (tmp_path / "referee.log").read_text()
    assert "CancelledError" not in text
    assert text.count("while connecting") == text.count("OSError: no route") == 1


@pytest.mark.parametrize(
    ("told", "slots"),
    [
        (3, 3),
        (2.9, 2),
        (0.5, 0),
        (1024, 1024),
        (1e9, 1024),
        (float("inf"), 1024),
        (float("nan"), 0),
        (-1, 0),
        ("3", 0),
        (None, 0),
    ],
)
def test_a_worker_has_the_slots_that_it_tells_but_no_more_than_a_machine_can_have(
    told: object, slots: int
) -> None:
    assert slots_of(told) == slots


def not_ours() -> Sealed:
    raise ValueError("a task that Dask gives up")


@asynccontextmanager
async def one_worker(bridge: Bridge) -> AsyncIterator[SchedulerLink]:
    """A scheduler with one worker, in this process."""

    async def begin() -> tuple[LocalCluster, Client]:
        cluster = await LocalCluster(
            n_workers=1,
            processes=False,
            asynchronous=True,
            dashboard_address=None,
            resources={RESOURCE: 3},
        )
        return cluster, await Client(cluster, asynchronous=True)

    async def end() -> None:
        await client.close()
        await cluster.close()

    cluster, client = await bridge.call(begin)
    try:
        yield SchedulerLink(bridge, client)
    finally:
        await bridge.call(end)


async def test_an_error_that_is_not_of_the_worker_itself_is_told_as_such() -> None:
    async with open_bridge() as bridge, one_worker(bridge) as link:
        ((address, worker),) = (await link.workers()).items()
        assert worker.slots == 3
        with pytest.raises(TaskFailed, match=r"^ValueError: a task that Dask gives up$"):
            await link.run(not_ours, key="one", address=address)
