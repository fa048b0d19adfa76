"""The sets of a league that count: complete ones in the order of the schedule, without a gap.

So the table after n counted sets is the same for any number of matches at once, and any order in
which they end. A set with a bot that was benched before its turn counts for nobody; nor does one
that was given up because a bot or an owner in it changed.

On a ladder each complete set counts at once: one slow set must not hold up the table of all others.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.sets import PlannedSet
from arena.league.table.benching import Benching
from arena.league.table.ratings import Scored
from arena.record.confinement import UNCONFINED, weaker


@dataclass
class Tally:
    """Counts of one entrant, without a model."""

    sets: int = 0
    matches: int = 0
    places: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    forfeits: int = 0
    decisions: int = 0
    think_us: int = 0
    slowest_us: int = 0


class Ledger:
    """Takes complete sets in any order, and counts each when its turn comes."""

    def __init__(
        self,
        names: Sequence[str],
        schedule: Iterable[PlannedSet] = (),
        dropped: Iterable[int] = (),
        *,
        at_once: bool = False,
    ):
        """`dropped`: numbers of sets that will not be played (`Roster.dropped`). `at_once`: sets
        count when they are complete, and not when their turn comes."""
        self.names = list(names)
        self.matches: list[Scored] = []
        self.tallies = {name: Tally() for name in names}
        self.benching = Benching()
        self.sets = 0  # counted
        self.last_number = 0  # of the schedule, as far as it is settled: counted or left out
        self.stood = 0
        self.confinement = ""  # the weakest of all counted matches, as records have it
        self.first = self.last = ""
        self._schedule = {planned.number: planned for planned in schedule}
        self._dropped = set(dropped)
        self._waiting: dict[int, PlayedSet] = {}
        self._at_once = at_once
        self._skipped: set[int] = set()  # numbers of sets left out when their turn came

    def __repr__(self) -> str:
        return f"<Ledger {self.sets} sets, {len(self.matches)} matches>"

    def grow(
        self,
        names: Iterable[str],
        schedule: Iterable[PlannedSet],
        dropped: Iterable[int] = (),
    ) -> None:
        """Add the entrants and sets, and the sets given up, since the last call."""
        for name in names:
            if name not in self.tallies:
                self.names.append(name)
                self.tallies[name] = Tally()
        self._schedule |= {planned.number: planned for planned in schedule}
        self._dropped.update(dropped)
        self._advance()

    def enter(self, one: PlayedSet) -> None:
        """Take a complete set, and count the sets that now follow without a gap."""
        if one.number > self.last_number:
            self._waiting[one.number] = one
            if self._at_once:
                self._count(one)
        self._advance()

    def _advance(self) -> None:
        """Count and leave out the sets whose turn it is."""
        while (planned := self._schedule.get(self.last_number + 1)) is not None:
            if not self.is_left_out(planned):
                next_one = self._waiting.get(planned.number)
                if next_one is None:
                    return
                if not self._at_once:
                    self._count(next_one)
                self.benching.count(next_one)
            else:
                self._skipped.add(planned.number)
            self._waiting.pop(planned.number, None)
            self.last_number = planned.number

    def is_left_out(self, planned: PlannedSet) -> bool:
        """Tell whether this set was given up, or a bot of it is benched by now, as far as sets
        have been counted. On a ladder a set that was planned before is played and counts."""
        if self._at_once:
            return planned.number in self._dropped
        is_benched = not self.benching.reasons.keys().isdisjoint(planned.line_up)
        return is_benched or planned.number in self._dropped

    @property
    def planned(self) -> int:
        """The number of sets in the schedule."""
        return len(self._schedule)

    @property
    def schedule(self) -> Sequence[PlannedSet]:
        """The sets of the schedule, by number."""
        return [*self._schedule.values()]

    @property
    def left_out(self) -> Set[int]:
        """The numbers of sets of the schedule that do not count: those left out when their turn
        came, and those to come with a bot that is benched by now."""
        if not (self.benching.reasons or self._dropped):  # most leagues have none
            return self._skipped
        to_come = range(self.last_number + 1, self.planned + 1)
        return self._skipped.union(
            number for number in to_come if self.is_left_out(self._schedule[number])
        )

    @property
    def over(self) -> int:
        """The number of sets that count, or are complete and will count when their turn comes."""
        if self._at_once:
            return self.sets
        waiting = (self._schedule[number] for number in self._waiting)
        return self.sets + sum(not self.is_left_out(planned) for planned in waiting)

    @property
    def is_settled(self) -> bool:
        """True if every set of the schedule is counted or left out."""
        return self.last_number >= self.planned

    def _count(self, one: PlayedSet) -> None:
        self.sets += 1
        for name in one.matches[0].record.names:
            self.tallies[name].sets += 1
        for played in one.matches:
            self._count_match(played)

    def _count_match(self, played: LeagueMatch) -> None:
        record = played.record
        self.first = min(self.first or played.ended, played.ended)
        self.last = max(self.last, played.ended)
        self.stood += played.stood
        found = played.record.confinement or UNCONFINED  # as everything was before it was told
        self.confinement = weaker(self.confinement or found, found)
        scored = Scored(
            set=played.set,
            turn=played.turn,
            bots=tuple(self.names.index(name) for name in record.names),
            places=record.places,
            points=tuple(map(float, record.scores)),
            forfeits=record.forfeits,
            is_begun=played.is_begun,
        )
        # Always in the order of the schedule, so that sums of floats are the same to the last bit.
        insort(self.matches, scored, key=lambda each: (each.set, each.turn))
        tallies = [self.tallies[name] for name in record.names]
        for seat, tally in enumerate(tallies):
            tally.matches += 1
            if played.is_begun or seat in record.forfeits:
                tally.places[record.places[seat]] += 1
            tally.forfeits += seat in record.forfeits
        for fault in record.faults:
            tallies[fault.seat].faults[fault.kind] += 1
        # A move that was played for a seat took it no time, and says nothing about its speed.
        for move in record.moves:
            if move.time_us:
                tally = tallies[move.seat]
                tally.decisions += 1
                tally.think_us += move.time_us
                tally.slowest_us = max(tally.slowest_us, move.time_us)
