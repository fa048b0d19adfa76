"""What a worker tells of its slots, and takes of parcels."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from arena.bots.confine.confinement import Wish
from arena.league.worker.folder import FOLDER
from arena.league.worker.messages import (
    Broke,
    Delivery,
    Received,
    SetTask,
    SiteTerms,
    Unfit,
    WorkerDoing,
    opened,
)
from arena.league.worker.tasks import (
    BROKEN_OFF_SECONDS,
    _parts,
    doing,
    forget_broken_off,
    in_slot,
    received,
)
from tests.league.worker.test_patience import ORDER

TERMS = SiteTerms("cup", "1", 2, 10_000, Wish.NONE, (), True, "", True)
TASK = SetTask(TERMS, (), msgspec.structs.replace(ORDER, number=17, lease=3))


def sets() -> list[tuple[str, int, int]]:
    told: WorkerDoing = opened(doing(), WorkerDoing)
    return [(each.league, each.number, each.lease) for each in told.sets]


def test_an_order_that_was_sent_twice_is_told_twice_until_each_is_over() -> None:
    """The runner sends it again when the worker seemed to know nothing of it."""
    with in_slot(TASK):
        with in_slot(TASK):
            assert sets() == [("cup", 17, 3)] * 2
        assert sets() == [("cup", 17, 3)]
    assert sets() == []


def test_parts_of_a_delivery_that_was_broken_off_are_forgotten() -> None:
    """Those of another delivery are not, as long as they come."""
    assert received(Delivery("broken", 0, 3, b"."), 0.0) == Received()
    assert received(Delivery("slow", 0, 3, b"."), 1.0) == Received()
    assert received(Delivery("slow", 1, 3, b"."), BROKEN_OFF_SECONDS) == Received()
    assert [*_parts] == ["slow"]
    forget_broken_off(2 * BROKEN_OFF_SECONDS)
    assert not _parts
    missing = Broke("a part of a parcel is missing", began=False)
    assert received(Delivery("slow", 2, 3, b"."), 2 * BROKEN_OFF_SECONDS) == missing
    assert not _parts


def test_nothing_is_kept_of_a_parcel_that_came_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert received(Delivery("odd", 0, 2, b"."), 0.0) == Received()
    assert isinstance(received(Delivery("odd", 1, 2, b"."), 0.0), Unfit)  # it is no parcel
    assert not _parts
