"""Which set goes to which worker: plain counting, without Dask.

Each worker has so many slots, and gets WINDOW sets for each: one that is played, and one that waits
there, so that no slot is idle while a result travels. A worker plays its sets in the order in which
it got them, so those that it has begun are the oldest, one for each slot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import trio

from arena.league.play.orders import PlaySet
from arena.league.worker.messages import Reply

# Sets at a worker for each of its slots.
WINDOW = 2

# Tolerance for comparing loads, smaller than any set's share.
LEAST = 1e-9

# A worker that could not play a set rests for so long; twice as long each time, up to the most.
REST_SECONDS = 5.0
MOST_REST_SECONDS = 300.0


@dataclass(frozen=True)
class SeenWorker:
    """A worker as the scheduler tells of it.

    `heard`: when its last heartbeat came, in seconds of the scheduler's clock.
    """

    address: str
    name: str
    slots: int
    heard: float = field(default=0.0, compare=False)


class SetAtWorker:
    """A set that a worker has; also one that was given up there, until it comes or the worker goes.

    `settled`: set when it is back, with a reply or without, or given up.
    """

    def __init__(self, order: PlaySet) -> None:
        self.order = order
        self.settled = trio.Event()
        self.reply: Reply | None = None
        self.is_given_up = False
        self.has_come = False  # an answer of the worker, which is looked at now
        self.is_delivering = False  # its bots are on their way to the worker's machine
        self.scope = trio.CancelScope()  # of the call at the worker

    def __repr__(self) -> str:
        return f"<SetAtWorker {self.order.number}{', given up' if self.is_given_up else ''}>"


class PlacedWorker:
    """A worker that may get sets, and those that it has."""

    def __init__(self, seen: SeenWorker, machine: str = "", word: str = "") -> None:
        """`machine`: the name in the records of its matches. `word`: its name in events."""
        self.seen = seen
        self.machine = machine
        self.word = word
        self.sets: list[int] = []  # in the order in which they were placed
        self.given: dict[int, SetAtWorker] = {}  # the same by number, once they are on their way
        self.deliveries: Counter[str] = Counter()  # by parcel, how often it was sent here
        self.rests_until = 0.0
        # The set that is played here alone, or will be once the others are back: it gets no others.
        self.reserved_for: int | None = None
        self.is_silent = False  # no heartbeat comes
        self._failures = 0  # since the last set that was played

    def __repr__(self) -> str:
        return f"<PlacedWorker {self.seen.name} with {len(self.sets)} sets>"

    @property
    def begun(self) -> list[int]:
        """The sets that it plays now; the others wait there."""
        return self.sets[: self.seen.slots]

    @property
    def given_up(self) -> list[int]:
        """The sets that were given up here and have not come back; other workers play them."""
        return [number for number, one in self.given.items() if one.is_given_up]

    @property
    def owed(self) -> list[int]:
        """The sets that it has and that were not given up: the runner waits for them."""
        return [number for number in self.sets if number not in self.given_up]

    @property
    def is_usable(self) -> bool:
        """True unless it is silent, or has still to bring a set that was given up."""
        return not (self.is_silent or self.given_up)

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
        return WINDOW * self.slots

    @property
    def slots(self) -> int:
        """The number of slots of all workers that may get sets."""
        return sum(worker.seen.slots for worker in self if worker.is_usable)

    def add(self, seen: SeenWorker, machine: str = "", word: str = "") -> PlacedWorker:
        """Add a worker; the arguments are those of `PlacedWorker`."""
        worker = self._workers[seen.address] = PlacedWorker(seen, machine, word)
        return worker

    def remove(self, address: str) -> PlacedWorker | None:
        """Remove a worker; its sets are to be placed anew."""
        return self._workers.pop(address, None)

    def best(self, now: float) -> PlacedWorker | None:
        """Return the worker with the most room; None if there is no room."""
        most = WINDOW - LEAST
        return self._emptiest(worker for worker in self.free(now) if worker.load <= most)

    def reserve(self, now: float, number: int) -> PlacedWorker | None:
        """Return the worker that is reserved for a set, or reserve the one with the fewest sets for
        its slots; None if there is none.

        A worker that rests, is silent or gone is let go of, and another reserved in its place.
        """
        worker = next((each for each in self if each.reserved_for == number), None)
        if worker is not None and (not worker.is_usable or worker.rests_until > now):
            worker.reserved_for = None
            worker = None
        if worker is None and (worker := self._emptiest(self.free(now))) is not None:
            worker.reserved_for = number
        return worker

    def release(self, number: int) -> None:
        """Let other sets go to the worker that was reserved for this one, if any was."""
        for worker in self:
            if worker.reserved_for == number:
                worker.reserved_for = None

    def free(self, now: float) -> Iterator[PlacedWorker]:
        """Yield the workers that may get sets, if they have room."""
        for worker in self:
            if worker.is_usable and worker.reserved_for is None and worker.rests_until <= now:
                yield worker

    @staticmethod
    def _emptiest(workers: Iterable[PlacedWorker]) -> PlacedWorker | None:
        return min(workers, key=lambda worker: worker.load, default=None)
