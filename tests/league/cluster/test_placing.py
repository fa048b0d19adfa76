"""Sets placed at workers: who gets the next one, and who is given rest."""

from __future__ import annotations

import pytest

from arena.league.cluster.placing import (
    MOST_REST_SECONDS,
    REST_SECONDS,
    WINDOW,
    Placing,
    SeenWorker,
)

ONE, TWO = SeenWorker("tls://1", "east", 1), SeenWorker("tls://2", "west", 2)


@pytest.fixture
def placing() -> Placing:
    placing = Placing()
    placing.add(ONE)
    placing.add(TWO)
    return placing


def placed(placing: Placing, number: int, now: float = 0.0) -> str | None:
    worker = placing.best(now)
    if worker is None:
        return None
    worker.sets.append(number)
    return worker.seen.name


def test_sets_go_where_there_is_most_room(placing: Placing) -> None:
    names = [placed(placing, number) for number in range(placing.capacity)]
    assert names.count("east") == WINDOW
    assert names.count("west") == 2 * WINDOW
    assert placed(placing, 99) is None


def test_without_workers_there_is_no_room() -> None:
    assert Placing().best(0.0) is None
    assert Placing().capacity == 0


def test_a_worker_has_begun_its_oldest_sets_one_for_each_slot(placing: Placing) -> None:
    for number in range(6):
        placed(placing, number)
    begun = {worker.seen.name: worker.begun for worker in placing}
    assert begun == {"east": [0], "west": [1, 2]}


def test_a_worker_that_fails_rests_longer_each_time_until_it_does_well(placing: Placing) -> None:
    placing.remove(TWO.address)
    worker = placing.best(0.0)
    assert worker is not None
    rests = [worker.failed(0.0) for _ in range(10)]
    assert rests[:3] == [REST_SECONDS, 2 * REST_SECONDS, 4 * REST_SECONDS]
    assert rests[-1] == MOST_REST_SECONDS
    assert placing.best(MOST_REST_SECONDS - 1) is None
    assert placing.best(MOST_REST_SECONDS) is worker
    worker.did_well()
    assert worker.failed(0.0) == REST_SECONDS


def test_a_worker_that_is_removed_gets_nothing(placing: Placing) -> None:
    removed = placing.remove(ONE.address)
    assert removed is not None
    assert removed.seen == ONE
    assert placing.remove(ONE.address) is None
    assert ONE.address not in placing
    assert [placed(placing, number) for number in range(5)] == ["west"] * 4 + [None]


def test_a_worker_that_is_reserved_for_a_set_gets_no_other_until_it_is_released(
    placing: Placing,
) -> None:
    assert placed(placing, 1) == "east"
    west = placing.reserve(0.0, 2)
    assert west is not None
    assert west.seen is TWO
    assert placing.reserve(0.0, 2) is west
    assert [placed(placing, number) for number in (3, 4)] == ["east", None]
    placing.release(2)
    assert placed(placing, 4) == "west"


def test_a_set_is_reserved_another_worker_when_the_first_rests_or_is_gone(
    placing: Placing,
) -> None:
    east = placing.reserve(0.0, 1)
    assert east is not None
    east.failed(0.0)
    west = placing.reserve(0.0, 1)
    assert west is not None
    assert west is not east
    placing.remove(west.seen.address)
    assert placing.reserve(0.0, 1) is None
    assert placing.reserve(REST_SECONDS, 1) is east
