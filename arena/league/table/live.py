"""The table of a league that may still be played: each complete set is read once and counted.

Reader -> ledger -> standings. Publisher, `arena table` and `arena verify` make their tables here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from arena.games import GAMES
from arena.league.model.course import CourseTable
from arena.league.model.entrants import KnownEntrant
from arena.league.model.played import StoredSet
from arena.league.model.settings import Settings
from arena.league.plan.format import Past
from arena.league.plan.formats import FORMATS, format_of
from arena.league.plan.so_far import SoFar
from arena.league.store.lock import is_held
from arena.league.store.reader import Reader
from arena.league.table.ledger import Ledger
from arena.league.table.maker import RunFacts, TableMaker
from arena.league.table.schedule import SortedNumbers
from arena.league.table.standings import Standings

if TYPE_CHECKING:
    from arena.league.store.derived.checkpoint import Checkpoint

Tell: TypeAlias = Callable[[int, int], object]
"""Called with the number of sets read by now, and the number of sets to read."""


def untold(done: int, of: int) -> None:
    """Do nothing: nobody waits for the reading."""


class LiveTable:
    """The table of one league, kept from one reading to the next.

    `from_checkpoint`: begin with the counts kept there, so that `new_sets` yields only the sets
    after it; else it yields all. `yields_counted`: it yields the sets counted there too, for a
    caller that shows them; they are not counted again, which is half of the reading.
    """

    def __init__(self, *, from_checkpoint: bool = False, yields_counted: bool = False) -> None:
        self._from_checkpoint = from_checkpoint
        self._yields_counted = yields_counted
        self._ledger: Ledger | None = None
        self._read = SortedNumbers()  # of sets
        self._entrants: Sequence[KnownEntrant] = ()
        self._so_far = SoFar(with_results=True)
        self._has_course = False  # of the format: then `_so_far` is told the sets and the results
        self._kinds: Sequence[str] = ()
        self._handed = 0  # the number of the last set that `_so_far` was given
        self._last_event = 0  # that `_so_far` was told
        self._maker: TableMaker | None = None

    def __repr__(self) -> str:
        return f"<LiveTable, {len(self._read)} sets read>"

    def new_sets(self, reader: Reader, tell: Tell = untold) -> Iterator[StoredSet]:
        """Read the sets that have become complete, yield each, and count it.

        A set is counted when the next one is asked for: if the caller fails with it, it is read
        and yielded again the next time.
        """
        # In this order, because a running league grows: later reads may only add to earlier ones.
        is_anew = self._ledger is not None or not self._from_checkpoint
        kept = None if is_anew else reader.checkpoint()
        complete = reader.complete_numbers()
        planned = reader.planned(after=self._handed)
        self._entrants = reader.entrants()
        if self._ledger is None:
            self._begin(reader, kept, complete)
        assert self._ledger is not None
        if self._has_course:
            self._so_far.hand_over(planned)
        self._handed = planned[-1].number if planned else self._handed
        self._last_event = reader.follow(self._so_far, self._kinds, self._last_event)
        self._ledger.grow(
            (known.name for known in self._entrants), planned, self._so_far.roster.dropped
        )
        new = [number for number in complete if number not in self._read]
        for done, number in enumerate(new, 1):
            one = reader.complete_set(number)
            if one is not None:
                yield one
                self._ledger.enter(one)
                self._read.add(number)
            self._ledger.forget_fresh()  # no checkpoint is made of it
            tell(done, len(new))

    def standings(self, reader: Reader, *, is_running: bool, with_history: bool) -> Standings:
        """Return the table of all sets that `new_sets` has counted."""
        assert self._ledger is not None  # `new_sets` made it
        settings = Settings.from_json(reader.settings)
        if self._maker is None or self._maker.settings != settings:
            self._maker = TableMaker(settings, rounds_of(settings), self._ledger)
        return self._maker.standings(
            self._entrants,
            voids=reader.voids(),
            run=RunFacts(
                self._sets_in_all(settings),
                is_running,
                reader.is_over(),
                self._so_far.ended or "",
                self._course(settings),
                self._so_far.roster.clocks,
                self._so_far.roster.retired,
                self._so_far.presence,
            ),
            with_history=with_history,
        )

    def _begin(self, reader: Reader, kept: Checkpoint | None, complete: Sequence[int]) -> None:
        kind = FORMATS[Settings.from_json(reader.settings).format]
        names = (known.name for known in self._entrants)
        self._ledger = Ledger([*names], at_once=kind.counts_at_once)
        if kept is not None and taken_up(self._ledger, kept) and not self._yields_counted:
            for number in complete:
                if not self._ledger.is_to_enter(number):
                    self._read.add(number)
        self._so_far = SoFar(with_results=True, counts_at_once=kind.counts_at_once)
        # Events of matches and complete sets are many and large: few formats need them here.
        self._has_course = kind.has_course
        self._kinds = self._so_far.kinds if kind.has_course else SoFar.KINDS_OF_BOTS

    def _sets_in_all(self, settings: Settings) -> int | None:
        """Return the number of sets that will have counted at the end; None if nobody can know."""
        ledger, so_far = self._ledger, self._so_far
        assert ledger is not None
        kind = format_of(settings.terms)
        if kind.has_course:
            return kind.sets_in_all(so_far.past(), so_far.results)
        out = ledger.benching.reasons.keys() | so_far.roster.retired
        bots = [(each.name, each.owner) for each in self._entrants if each.name not in out]
        return kind.sets_in_all(Past(bots, ledger.schedule, ledger.left_out), {})

    def _course(self, settings: Settings) -> Sequence[CourseTable]:
        kind = format_of(settings.terms)
        if not kind.has_course:
            return ()
        return kind.course(self._so_far.past(), self._so_far.results)


def rounds_of(settings: Settings) -> int | None:
    """Return the number of rounds of every match, by which points are shown; None if the game has
    none, or it varies."""
    return GAMES[settings.game].rounds(settings.seats, settings.options)


def taken_up(ledger: Ledger, kept: Checkpoint) -> bool:
    """Begin with the counts of a checkpoint, if it can be used."""
    # Imported here: a process that counts anew, such as `arena verify`, needs none.
    from arena.league.table.checkpoint import take_up

    return take_up(ledger, kept)


def standings_of(reader: Reader, *, with_history: bool = True) -> Standings:
    """Return the table of a stored league as it is now."""
    live = LiveTable(from_checkpoint=True)
    for _ in live.new_sets(reader):
        pass
    is_running = is_held(reader.path.parent)
    return live.standings(reader, is_running=is_running, with_history=with_history)


def counts_at_once(reader: Reader) -> bool:
    """Tell whether the sets of this league count when they are complete."""
    return FORMATS[Settings.from_json(reader.settings).format].counts_at_once


def ledger_of(reader: Reader) -> Ledger:
    """Return everything that counts of a stored league: its checkpoint, and the sets after it."""
    names = [entrant.name for entrant in reader.entrants()]
    ledger = Ledger(names, at_once=counts_at_once(reader))
    if (kept := reader.checkpoint()) is not None:
        taken_up(ledger, kept)
    ledger.grow((), reader.planned(), reader.roster().dropped)
    for number in reader.complete_numbers():
        if ledger.is_to_enter(number):
            one = reader.complete_set(number)
            assert one is not None  # nothing ends a set's being complete
            ledger.enter(one)
    return ledger
