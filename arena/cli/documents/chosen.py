"""The matches of complete sets that a command asks for, in an order that stays.

Sets come in the order in which they were completed, their matches by turn. So what is completed
later comes later, and a program that goes on after the last match it has seen misses none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.cli.leagues import shown_match
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.league.store.reader import Reader
from arena.record import FaultEntry
from arena.record.evidence import Evidence

ANY_FAULT = "any"


@dataclass(frozen=True)
class Wanted:
    """The matches and faults that were asked for."""

    place: Place | None  # this match alone
    bot: str | None
    fault: str | None  # a kind, ANY_FAULT, or None: matches without faults too
    after: Place | None  # only matches after this one, in the order of completion
    limit: int | None  # the most matches

    def includes(self, played: LeagueMatch) -> bool:
        record = played.record
        if self.bot is not None and self.bot not in record.names:
            return False
        return self.fault is None or any(self.names(record.names, each) for each in record.faults)

    def names(self, names: tuple[str, ...], fault: FaultEntry | Evidence) -> bool:
        """Tell whether this fault was asked for: of that kind, and of that bot."""
        is_kind = self.fault in (None, ANY_FAULT, fault.kind)
        return is_kind and self.bot in (None, names[fault.seat])


class Chosen:
    """Iterates over the matches that were asked for, once.

    Afterwards `last` is the last of them, or `wanted.after` if there was none, and `has_more` tells
    whether the limit left out others.
    """

    def __init__(self, store: Reader, wanted: Wanted):
        self.last = wanted.after
        self.has_more = False
        self._limit = wanted.limit
        self._found = iter(found(store, wanted))

    def __repr__(self) -> str:
        return f"<Chosen up to {self.last}>"

    def __iter__(self) -> Iterator[LeagueMatch]:
        for number, played in enumerate(self._found):
            if number == self._limit:
                self.has_more = True
                return
            self.last = played.place
            yield played


def found(store: Reader, wanted: Wanted) -> Iterator[LeagueMatch]:
    """Yield the matches that were asked for, however many."""
    if wanted.place is not None:
        yield from filter(wanted.includes, [shown_match(store, wanted.place)])
        return
    numbers = store.completed()
    after = wanted.after
    if after is not None:
        shown_match(store, after)  # or an error that says why there is none
        numbers = numbers[numbers.index(after.set) :]
    for number in numbers:
        one = store.complete_set(number)
        for played in one.matches if one is not None else ():
            is_passed = after is not None and number == after.set and played.turn <= after.turn
            if not is_passed and wanted.includes(played):
                yield played
