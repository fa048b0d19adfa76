"""Which set goes to which worker: plain counting, without Dask.

Each worker has so many slots, and gets WINDOW sets for each: one that is played, and one that waits
there, so that no slot is idle while a result travels. A worker plays its sets in the order in which
it got them, so those that it has begun are the oldest, one for each slot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

# Sets at a worker for each of its slots.
WINDOW = 2

# A load of a worker that is less than one set.
LEAST = 1e-9

# A worker that could not play a set rests for so long; twice as long each time, up to the most.
REST_SECONDS = 5.0
MOST_REST_SECONDS = 300.0


@dataclass(frozen=True)
class SeenWorker:
    """A worker as the scheduler tells of it."""

    address: str
    name: str
    slots: int


class PlacedWorker:
    """A worker that may get sets, and those that it has."""

    def __init__(self, seen: SeenWorker) -> None:
        self.seen = seen
        self.sets: list[int] = []  # in the order in which they were placed
        self.rests_until = 0.0
        self.is_taken = False  # by one set, which is played alone
        self._failures = 0  # since the last set that was played

    def __repr__(self) -> str:
        return f"<PlacedWorker {self.seen.name} with {len(self.sets)} sets>"

    @property
    def begun(self) -> list[int]:
        """The sets that it plays now; the others wait there."""
        return self.sets[: self.seen.slots]

    @property
    def load(self) -> float:
        return len(self.sets) / self.seen.slots

    def failed(self, now: float) -> float:
        """Let it rest, and return for how many seconds."""
        rest = min(MOST_REST_SECONDS, REST_SECONDS * 2.0**self._failures)
        self._failures += 1
        self.rests_until = now + rest
        return rest

    def did_well(self) -> None:
        self._failures = 0


class Placing:
    """The workers that sets can be placed at. Times are in seconds of any clock that goes on."""

    def __init__(self) -> None:
        self._workers: dict[str, PlacedWorker] = {}

    def __repr__(self) -> str:
        return f"<Placing {[*self._workers.values()]}>"

    def __iter__(self) -> Iterator[PlacedWorker]:
        return iter(self._workers.values())

    def __contains__(self, address: object) -> bool:
        return address in self._workers

    @property
    def capacity(self) -> int:
        """The number of sets that all workers together may have."""
        return sum(WINDOW * worker.seen.slots for worker in self)

    @property
    def slots(self) -> int:
        return sum(worker.seen.slots for worker in self)

    def add(self, seen: SeenWorker) -> None:
        self._workers[seen.address] = PlacedWorker(seen)

    def remove(self, address: str) -> PlacedWorker | None:
        """Remove a worker; its sets are to be placed anew."""
        return self._workers.pop(address, None)

    def gone(self, seen: Mapping[str, SeenWorker]) -> list[PlacedWorker]:
        """Return the workers that the scheduler tells of no more."""
        return [worker for worker in self if worker.seen.address not in seen]

    def best(self, now: float, *, alone: bool = False) -> PlacedWorker | None:
        """Return the worker with the most room; None if there is no room. `alone`: one that has no
        set."""
        most = 0.0 if alone else WINDOW - LEAST
        free = [
            worker
            for worker in self
            if worker.load <= most and worker.rests_until <= now and not worker.is_taken
        ]
        return min(free, key=lambda worker: worker.load, default=None)

    def next_rest_ends(self) -> float | None:
        """Return the time at which the first resting worker may be tried again."""
        return min((worker.rests_until for worker in self), default=None)
