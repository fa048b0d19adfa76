"""The memory of a league's pages of its complete sets, from one making to the next."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Set

from arena.league.model.match_pages import MatchPages, SetsPlayed
from arena.league.model.played import PlayedSet
from arena.league.table.schedule import SortedNumbers
from arena.outputs.pages.league.bots import History
from arena.outputs.pages.league.pairs import MetPairs
from arena.outputs.pages.league.recent import Recent
from arena.outputs.pages.sets.faults import public_faults


class SetSizes(Mapping[int, int]):
    """By set how many matches it has, in few bytes."""

    def __init__(self) -> None:
        self._numbers = SortedNumbers()
        self._sizes = array("H")

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __contains__(self, number: object) -> bool:
        return number in self._numbers

    def __getitem__(self, number: int) -> int:
        at = self._numbers.find(number)
        if at is None:
            raise KeyError(number)
        return self._sizes[at]

    def enter(self, one: PlayedSet) -> None:
        """Take a set, once."""
        at = self._numbers.add(one.number)
        if at is not None:
            self._sizes.insert(at, len(one.matches))


class KnownSets:
    """The complete sets of one league: by bot, by pair, the last ones, and the size of each."""

    def __init__(self) -> None:
        self.recent = Recent()
        self.pairs = MetPairs()
        self.matches = SetSizes()
        self._faulty: set[int] = set()  # sets with a fault
        self._histories: dict[str, History] = {}

    def __repr__(self) -> str:
        return f"<KnownSets, {len(self.matches)} of them>"

    def enter(self, one: PlayedSet) -> None:
        """Take a complete set; a second time it changes nothing but the faults of its bots."""
        faults = [fault for played in one.matches for fault in public_faults(played)]
        for name in one.matches[0].record.names:
            own = [
                fault
                for fault in faults
                if one.matches[fault.place.turn].record.names[fault.entry.seat] == name
            ]
            self.history(name).enter(name, one, own)
        self.recent.enter(one)
        self.pairs.enter(one)
        self.matches.enter(one)
        if faults:
            self._faulty.add(one.number)

    def history(self, name: str) -> History:
        """Return the sets of a bot; empty before its first."""
        return self._histories.setdefault(name, History())

    def chosen(self, choice: MatchPages) -> Set[int]:
        """Return the sets that a choice gives pages to."""
        return choice.chosen(SetsPlayed(self.matches, frozenset(self._faulty)))
