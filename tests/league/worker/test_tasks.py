"""What a worker tells of its slots."""

from __future__ import annotations

import msgspec

from arena.bots.confine.confinement import Wish
from arena.league.worker.messages import SetTask, SiteTerms, WorkerDoing, opened
from arena.league.worker.tasks import doing, in_slot
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
