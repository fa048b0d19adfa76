"""Places for the pages of people who play: how many there are, and who leaves when all are taken.

A page has a seat once its table has said so; until then it owes its first message. A flood comes
from few networks, so a newcomer to a full room takes a place of the network that has most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

# Pages at once, those without a seat among them; there are eight tables.
MOST_PAGES = 100


class PagePlace:
    """The place of one page."""

    def __init__(self, by: str, leave: Callable[[], object]):
        self.by = by
        self.leave = leave
        self.has_seat = False

    def __repr__(self) -> str:
        return f"<PagePlace from {self.by}, {'with' if self.has_seat else 'without'} a seat>"


class PagePlaces:
    """The pages that are connected, in the order in which they came."""

    def __init__(self, most: int = MOST_PAGES):
        self._most = most
        self._taken: dict[PagePlace, None] = {}

    def __repr__(self) -> str:
        return f"<PagePlaces, {len(self)} of {self._most} taken>"

    def __len__(self) -> int:
        return len(self._taken)

    def enter(self, by: str, leave: Callable[[], object]) -> PagePlace:
        """Take a place. `by`: the network of the page. `leave`: is called once if the page has to
        make room for another one."""
        if len(self._taken) >= self._most:
            out = self._whose_turn()
            del self._taken[out]
            out.leave()
        place = PagePlace(by, leave)
        self._taken[place] = None
        return place

    def go(self, place: PagePlace) -> None:
        """Give a place back; one that was taken away is given back already."""
        self._taken.pop(place, None)

    def _whose_turn(self) -> PagePlace:
        """Return the page that makes room: the oldest without a seat, if there is one, of the
        network that has most of those."""
        without = [each for each in self._taken if not each.has_seat] or list(self._taken)
        (most, _), *_ = Counter(each.by for each in without).most_common(1)
        return next(each for each in without if each.by == most)
