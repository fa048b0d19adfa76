"""The sets of a league that count: complete ones in the order of the schedule, without a gap.

So the table after n counted sets is the same for any number of matches at once, and any order in
which they end. A set with a bot that was benched before its turn counts for nobody; nor does one
that was given up because a bot or an owner in it changed.

On a ladder each complete set counts at once: one slow set must not hold up the table of all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from zlib import crc32

from msgspec import Struct

from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.sets import PlannedSet
from arena.league.table.benching import Benching, BenchingState
from arena.league.table.ratings import Columns, Scored
from arena.league.table.schedule import Schedule
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


class TallyState(Struct, frozen=True, array_like=True):
    """A Tally, its counters sorted by their keys."""

    sets: int
    matches: int
    places: list[tuple[int, int]]
    faults: list[tuple[str, int]]
    forfeits: int
    decisions: int
    think_us: int
    slowest_us: int


class LedgerState(Struct, frozen=True, array_like=True):
    """All that a ledger has counted, but for the results of the matches."""

    names: tuple[str, ...]
    tallies: list[TallyState]  # in the order of the names
    benching: BenchingState
    seats: int  # of each match; 0 before the first
    matches: int
    crc: int  # of the rows of their results
    sets: int
    last_number: int
    skipped: list[int]
    ahead: list[int]
    stood: int
    confinement: str
    first: str
    last: str


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
        self.matches = Columns()
        self.tallies = {name: Tally() for name in names}
        self.benching = Benching()
        self.sets = 0  # counted
        self.last_number = 0  # of the schedule, as far as it is settled: counted or left out
        self.stood = 0
        self.confinement = ""  # the weakest of all counted matches, as records have it
        self.first = self.last = ""
        self._schedule = Schedule(schedule)
        self._dropped = set(dropped)
        self._waiting: dict[int, PlayedSet] = {}
        self._at_once = at_once
        self._skipped: set[int] = set()  # numbers of sets left out when their turn came
        self._ahead: set[int] = set()  # numbers of sets that counted at once, before their turn
        self._fresh = bytearray()  # rows of the results that are not kept yet
        self._kept = 0  # how many are
        self._crc = 0  # of the rows of all results, in the order in which they were counted

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
        self._schedule.grow(schedule)
        self._dropped.update(dropped)
        self._advance()

    def is_to_enter(self, number: int) -> bool:
        """Tell whether a complete set was neither counted nor left out when its turn came."""
        return number > self.last_number and number not in self._waiting

    def enter(self, one: PlayedSet) -> None:
        """Take a complete set, and count the sets that now follow without a gap."""
        if one.number > self.last_number:
            self._waiting[one.number] = one
            if self._at_once and one.number not in self._ahead:
                self._ahead.add(one.number)
                self._count(one)
        self._advance()

    def _advance(self) -> None:
        """Count or leave out the sets that are next in order."""
        while (planned := self._schedule.find(self.last_number + 1)) is not None:
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
            self._ahead.discard(planned.number)
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
        return self._schedule

    @property
    def left_out(self) -> Set[int]:
        """The numbers of sets of the schedule that do not count: those left out when their turn
        came, and those to come with a bot that is benched by now."""
        if not (self.benching.reasons or self._dropped):  # most leagues have none
            return self._skipped
        to_come = map(self._schedule.find, range(self.last_number + 1, self.planned + 1))
        return self._skipped.union(
            planned.number
            for planned in to_come
            if planned is not None and self.is_left_out(planned)
        )

    @property
    def over(self) -> int:
        """The number of sets that count, or are complete and will count when their turn comes."""
        if self._at_once:
            return self.sets
        waiting = map(self._schedule.find, self._waiting)
        return self.sets + sum(
            planned is not None and not self.is_left_out(planned) for planned in waiting
        )

    @property
    def is_settled(self) -> bool:
        """True if every set of the schedule is counted or left out."""
        return self.last_number >= self.planned

    # For a checkpoint.

    def state(self) -> LedgerState:
        """Return the sums over all that was counted; they may change with the next set."""
        return LedgerState(
            names=tuple(self.names),
            tallies=[_packed(self.tallies[name]) for name in self.names],
            benching=self.benching.state(),
            seats=self.matches.seats,
            matches=len(self.matches),
            crc=self._crc,
            sets=self.sets,
            last_number=self.last_number,
            skipped=sorted(self._skipped),
            ahead=sorted(self._ahead),
            stood=self.stood,
            confinement=self.confinement,
            first=self.first,
            last=self.last,
        )

    @property
    def fresh(self) -> bytes:
        """The rows of the results that were counted since the last `forget_fresh`."""
        return bytes(self._fresh)

    @property
    def fresh_matches(self) -> int:
        """The number of these results."""
        return len(self.matches) - self._kept

    @property
    def is_all_fresh(self) -> bool:
        """True if they are all results there are."""
        return not self._kept

    def forget_fresh(self) -> None:
        """Take these results as kept."""
        self._fresh, self._kept = bytearray(), len(self.matches)

    def take_up(self, state: LedgerState, matches: Columns) -> bool:
        """Go on from the counts of another ledger of this league, before anything is entered.

        `matches`: all its results. Returns False, and changes nothing, if it has counted bots that
        are not here.
        """
        names = self.names[: len(state.names)]
        if tuple(names) != state.names:
            return False
        self.matches, self.sets, self.last_number = matches, state.sets, state.last_number
        for name, tally in zip(names, state.tallies, strict=True):
            self.tallies[name] = _unpacked(tally)
        self.benching.take_up(state.benching)
        self._skipped, self._ahead = {*state.skipped}, {*state.ahead}
        self.stood, self.confinement = state.stood, state.confinement
        self.first, self.last = state.first, state.last
        self._kept, self._crc = len(matches), state.crc
        return True

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
        row = self.matches.add(scored)
        self._fresh += row
        self._crc = crc32(row, self._crc)
        tallies = [self.tallies[name] for name in record.names]
        for seat, tally in enumerate(tallies):
            tally.matches += 1
            if played.is_begun or seat in record.forfeits:
                tally.places[record.places[seat]] += 1
            tally.forfeits += seat in record.forfeits
        for fault in record.faults:
            tallies[fault.seat].faults[fault.kind] += 1
        times: list[list[int]] = [[] for _ in tallies]
        for move in record.moves:
            if move.time_us:  # else it was played for the seat, and says nothing about its speed
                times[move.seat].append(move.time_us)
        for tally, own in zip(tallies, times, strict=True):
            if own:
                tally.decisions += len(own)
                tally.think_us += sum(own)
                tally.slowest_us = max(tally.slowest_us, *own)


def _packed(tally: Tally) -> TallyState:
    counts = sorted(tally.places.items()), sorted(tally.faults.items())
    times = tally.decisions, tally.think_us, tally.slowest_us
    return TallyState(tally.sets, tally.matches, *counts, tally.forfeits, *times)


def _unpacked(state: TallyState) -> Tally:
    counts = Counter(dict(state.places)), Counter(dict(state.faults))
    times = state.decisions, state.think_us, state.slowest_us
    return Tally(state.sets, state.matches, *counts, state.forfeits, *times)
