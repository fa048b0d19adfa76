"""Places for the programs that follow the events of a league: few, and shared between networks.

A place is held for as long as its program likes. So when all are taken, a newcomer takes one of a
network that has at least two more than the newcomer's own; if there is none, it is asked to come
again. Nobody is sent away for a program of the same network, so programs that come back at once do
not take places from each other for ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable


class ProgramPlace:
    """The place of one program."""

    def __init__(self, by: str, leave: Callable[[], object]):
        self.by = by
        self.leave = leave
        self.is_over = False

    def __repr__(self) -> str:
        return f"<ProgramPlace from {self.by}{', over' if self.is_over else ''}>"


class ProgramPlaces:
    """The programs that follow one league, in the order in which they came."""

    def __init__(self, most: int):
        self._most = most
        self._taken: dict[ProgramPlace, None] = {}

    def __repr__(self) -> str:
        return f"<ProgramPlaces, {len(self)} of {self._most} taken>"

    def __len__(self) -> int:
        return len(self._taken)

    def has_room(self, by: str) -> bool:
        """Tell whether a program of this network would get a place."""
        return len(self._taken) < self._most or self._to_leave(by) is not None

    def enter(self, by: str, leave: Callable[[], object]) -> ProgramPlace | None:
        """Take a place; None if there is no room.

        `by`: the network of the program. `leave`: is called once if the place is over because it
        was taken away.
        """
        if len(self._taken) >= self._most:
            out = self._to_leave(by)
            if out is None:
                return None
            del self._taken[out]
            out.is_over = True
            out.leave()
        place = ProgramPlace(by, leave)
        self._taken[place] = None
        return place

    def go(self, place: ProgramPlace) -> None:
        """Give a place back; one that was taken away is given back already."""
        self._taken.pop(place, None)

    def _to_leave(self, by: str) -> ProgramPlace | None:
        """Return the oldest place of the network that has most, if a newcomer of another network
        may take it."""
        counts = Counter(each.by for each in self._taken)
        (most, count), *_ = counts.most_common(1)
        if count < counts[by] + 2:
            return None
        return next(each for each in self._taken if each.by == most)
