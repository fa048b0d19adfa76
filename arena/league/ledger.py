"""What counts of a league: complete sets in the order of the schedule, without a gap.

So the table after so many sets is the same however many matches were played at once, and in
whatever order they ended. Sets of which a bot was benched before they came up count for nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena.league.benching import Benching
from arena.league.played import Played, PlayedSet
from arena.league.ratings import Match
from arena.league.sets import PlannedSet


@dataclass
class Tally:
    """What is counted of one entrant without a model."""

    sets: int = 0
    matches: int = 0
    places: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    forfeits: int = 0
    decisions: int = 0
    think_us: int = 0
    slowest_us: int = 0


class Ledger:
    """Takes complete sets as they come, counts them as their turn comes."""

    def __init__(self, names: Sequence[str], schedule: Iterable[PlannedSet] = ()):
        self.names = list(names)
        self.matches: list[Match] = []
        self.tallies = {name: Tally() for name in names}
        self.benching = Benching()
        self.sets = 0  # counted
        self.last_number = 0  # of the schedule, as far as it is settled: counted or left out
        self.stood = 0
        self.first = self.last = ""
        self._schedule = {planned.number: planned for planned in schedule}
        self._waiting: dict[int, PlayedSet] = {}

    def __repr__(self) -> str:
        return f"<Ledger {self.sets} sets, {len(self.matches)} matches>"

    def grow(self, names: Iterable[str], schedule: Iterable[PlannedSet]) -> None:
        """Entrants and sets that came since."""
        for name in names:
            if name not in self.tallies:
                self.names.append(name)
                self.tallies[name] = Tally()
        self._schedule |= {planned.number: planned for planned in schedule}

    def enter(self, one: PlayedSet) -> None:
        """A complete set; whatever now counts is counted."""
        if one.number > self.last_number:
            self._waiting[one.number] = one
        while (planned := self._schedule.get(self.last_number + 1)) is not None:
            if not self.is_left_out(planned):
                next_one = self._waiting.get(planned.number)
                if next_one is None:
                    return
                self._count(next_one)
            self._waiting.pop(planned.number, None)
            self.last_number = planned.number

    def is_left_out(self, planned: PlannedSet) -> bool:
        """Whether somebody in it is benched by now, as far as sets have been counted."""
        return not self.benching.reasons.keys().isdisjoint(planned.line_up)

    @property
    def is_settled(self) -> bool:
        """Every set of the schedule is counted or left out."""
        return self.last_number >= len(self._schedule)

    def _count(self, one: PlayedSet) -> None:
        self.sets += 1
        self.benching.count(one)
        for name in one.matches[0].record.names:
            self.tallies[name].sets += 1
        for played in one.matches:
            self._count_match(played)

    def _count_match(self, played: Played) -> None:
        record = played.record
        self.first = min(self.first or played.ended, played.ended)
        self.last = max(self.last, played.ended)
        self.stood += played.stood
        self.matches.append(
            Match(
                set=played.set,
                turn=played.turn,
                bots=tuple(self.names.index(name) for name in record.names),
                places=record.places,
                points=tuple(map(float, record.scores)),
                forfeits=record.forfeits,
                is_begun=played.is_begun,
            )
        )
        tallies = [self.tallies[name] for name in record.names]
        for seat, tally in enumerate(tallies):
            tally.matches += 1
            if played.is_begun or seat in record.forfeits:
                tally.places[record.places[seat]] += 1
            tally.forfeits += seat in record.forfeits
        for fault in record.faults:
            tallies[fault.seat].faults[fault.kind] += 1
        # What was played for a seat took it no time, and says nothing of how quick it is.
        for move in record.moves:
            if move.time_us:
                tally = tallies[move.seat]
                tally.decisions += 1
                tally.think_us += move.time_us
                tally.slowest_us = max(tally.slowest_us, move.time_us)
