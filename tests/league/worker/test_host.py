"""The host of a worker's process, asked from a thread that is not Trio's."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import trio

from arena.bots.confine.confinement import Rung, Wish
from arena.bots.parcel import ParcelCache
from arena.league.worker.folder import CONFINE, FOLDER, PARCELS, READ
from arena.league.worker.host import Host, places
from arena.league.worker.messages import Broke, Lacks, SetTask, Unfit
from tests.league.worker.test_site import NAMES, TERMS, order, travelling


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setenv(FOLDER, str(tmp_path / "worker"))
    monkeypatch.setenv(CONFINE, Wish.NONE)
    before = threading.enumerate()
    host = Host()
    yield host
    trio.from_thread.run_sync(host._nursery.cancel_scope.cancel, trio_token=host._token)
    for thread in threading.enumerate():
        if thread not in before:
            thread.join()


def test_a_league_that_may_not_be_played_here_is_answered_and_another_is_played(
    host: Host, tmp_path: Path
) -> None:
    found = [travelling(tmp_path, name) for name in NAMES]
    bots = tuple(bot for bot, _ in found)
    confined = msgspec.structs.replace(TERMS, wish=Wish.AUTO, before=str(Rung.BUBBLEWRAP))
    reply = host.play(SetTask(confined, bots, order(1)))
    assert isinstance(reply, Unfit)
    assert (reply.reason, "were confined by bubblewrap" in reply.why) == ("confinement", True)
    assert repr(host) == "<Host of 0 sites>"
    for number in (1, 2):
        reply = host.play(SetTask(TERMS, bots, order(number)))
        assert reply == Lacks(tuple(sorted(parcel.hash for _, parcel in found)))
        assert repr(host) == "<Host of 1 sites>"


def test_a_site_that_cannot_be_opened_has_not_begun_its_set(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    reply = host.play(SetTask(TERMS, (), order(1)))
    assert isinstance(reply, Broke)
    assert (reply.began, "No such file or directory" in reply.why) == (False, True)
    assert repr(host) == "<Host of 0 sites>"


def test_a_worker_keeps_its_things_below_the_folder_it_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "a" / "worker"))
    monkeypatch.setenv(CONFINE, "")
    monkeypatch.setenv(READ, "/opt/one::/opt/two")
    kept = places()
    assert (tmp_path / "a" / "worker").stat().st_mode & 0o777 == 0o700
    _, parcel = travelling(tmp_path, "fox")
    kept.parcels.keep(parcel.hash, parcel.data)
    assert ParcelCache(tmp_path / "a" / "worker" / PARCELS).has(parcel.hash)
    assert (kept.wish, kept.read) == (None, (Path("/opt/one"), Path("/opt/two")))
