"""Sites of a worker's process: opened when a set comes, and again when one comes while they close.

The host is a thread of Trio as in a worker; a site is a script.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.league.worker import host as host_module
from arena.league.worker.folder import FOLDER
from arena.league.worker.host import Host
from arena.league.worker.messages import Reply, SetPlayed, SetTask, SiteTerms
from arena.league.worker.site import Places
from tests.bots.programs import SAFETY_SECONDS
from tests.league.worker.test_tasks import TASK


class ScriptedSite:
    """A site that is left when a test says so, and closed when it says that."""

    def __init__(self) -> None:
        self.is_over = False
        self.left, self.is_left, self.closed = trio.Event(), trio.Event(), trio.Event()
        self.played = 0

    async def serve(self, *, task_status: trio.TaskStatus[None]) -> None:
        task_status.started()
        await self.left.wait()
        self.is_over = True
        self.is_left.set()

    async def play(self, task: SetTask) -> Reply:
        await trio.lowlevel.checkpoint()
        if self.is_over:
            raise RuntimeError("Nursery is closed to new arrivals")
        self.played += 1
        return SetPlayed(())

    async def leave(self) -> None:
        """Leave the site; it is still to be closed."""
        self.left.set()
        with trio.fail_after(SAFETY_SECONDS):
            await self.is_left.wait()


@pytest.fixture
def sites(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[ScriptedSite]:
    """The sites that are opened."""
    found: list[ScriptedSite] = []

    @asynccontextmanager
    async def open_scripted(terms: SiteTerms, places: Places) -> AsyncIterator[ScriptedSite]:
        site = ScriptedSite()
        found.append(site)
        yield site
        await site.closed.wait()

    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setattr(host_module, "open_site", open_scripted)
    return found


@pytest.fixture
def host(sites: list[ScriptedSite]) -> Iterator[Host]:
    host = Host()
    yield host
    trio.from_thread.run_sync(host._nursery.cancel_scope.cancel, trio_token=host._token)


def test_sets_of_a_league_are_played_at_one_site(host: Host, sites: list[ScriptedSite]) -> None:
    for _ in range(3):
        assert host.play(TASK) == SetPlayed(())
    assert [site.played for site in sites] == [3]


def test_a_set_that_comes_while_a_site_closes_is_played_at_a_new_one(
    host: Host, sites: list[ScriptedSite]
) -> None:
    """The first set of a round, after a pause, is no set that a worker died of."""
    host.play(TASK)
    trio.from_thread.run(sites[0].leave, trio_token=host._token)
    assert host.play(TASK) == SetPlayed(())
    assert [site.played for site in sites] == [1, 1]
    # The end of the first one does not take the second one away.
    trio.from_thread.run_sync(sites[0].closed.set, trio_token=host._token)
    trio.from_thread.run(trio.testing.wait_all_tasks_blocked, trio_token=host._token)
    assert host.play(TASK) == SetPlayed(())
    assert [site.played for site in sites] == [1, 2]
