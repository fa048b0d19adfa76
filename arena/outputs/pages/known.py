"""The memory of a league's pages of its complete sets, from one making to the next."""

from __future__ import annotations

from collections.abc import Set

from arena.league.model.match_pages import MatchPages, SetsPlayed
from arena.league.model.played import PlayedSet
from arena.outputs.pages.league.bots import History
from arena.outputs.pages.league.pairs import MetPairs
from arena.outputs.pages.league.recent import Recent
from arena.outputs.pages.sets.faults import public_faults


class KnownSets:
    """The complete sets of one league: by bot, by pair, the last ones, and the size of each."""

    def __init__(self) -> None:
        self.recent = Recent()
        self.pairs = MetPairs()
        self.matches: dict[int, int] = {}  # by set, how many it has
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
        self.matches[one.number] = len(one.matches)
        if faults:
            self._faulty.add(one.number)

    def history(self, name: str) -> History:
        """Return the sets of a bot; empty before its first."""
        return self._histories.setdefault(name, History())

    def chosen(self, choice: MatchPages) -> Set[int]:
        """Return the sets that a choice gives pages to."""
        return choice.chosen(SetsPlayed(self.matches, frozenset(self._faulty)))
