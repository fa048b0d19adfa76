"""One league that is served: looked at again and again, and its pages made from the last look."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.league.model.entrants import KnownEntrant
from arena.league.model.played import StoredSet
from arena.league.model.settings import Settings
from arena.league.store.database import StoreError
from arena.league.store.lock import is_held
from arena.league.store.reader import Reader
from arena.league.table.live import LiveTable
from arena.league.table.standings import Standings
from arena.outputs.pages.known import KnownSets
from arena.serve.live.moment import at_one_moment
from arena.serve.live.ticker import in_words

# Lines of news that a look brings at most, the last ones: nobody reads more in a second.
MOST_NEWS = 6
# Sets that a look hands on at most, the last ones: a league that was played has thousands.
MOST_NEW_SETS = 8
# Events that say nothing about the table: after them alone it is not worked out anew.
QUIET = frozenset({"match", "invited", "renewed", "revoked"})


@dataclass(frozen=True)
class LeagueLook:
    """A league as it was at one moment."""

    cursor: int  # the number of the last event that it tells
    tables: int  # how many tables were worked out before: another number, another table
    is_running: bool
    settings: Settings
    standings: Standings
    entrants: Sequence[KnownEntrant]
    news: Sequence[str]  # since the look before, in lines for people
    new_sets: Sequence[StoredSet]  # that became complete since then; at first the last ones

    @property
    def name(self) -> str:
        return self.settings.name


class WatchedLeague:
    """A league in its folder. Calls come from one thread at a time; `look` may be read by all."""

    def __init__(self, folder: Path, slug: str):
        """`slug`: its part of the addresses of its pages."""
        self.folder = folder
        self.slug = slug
        self.known = KnownSets()
        self.look: LeagueLook | None = None
        self._table = LiveTable(from_checkpoint=True, yields_counted=True)
        self._first: tuple[int, Mapping[str, Any]] | None = None  # the league's first event

    def __repr__(self) -> str:
        at = self.look.cursor if self.look else 0
        return f"<WatchedLeague {self.slug!r} at event {at}>"

    def look_again(self) -> LeagueLook:
        """Read what is new; return the same look if nothing is. Raises StoreError, also if another
        league is in the place of this one."""
        # Asked first: a runner that ends meanwhile has entered all that is read afterwards.
        is_running = is_held(self.folder)
        before = self.look
        with at_one_moment(self.folder) as reader:
            self._check_same(reader)
            cursor = reader.last_event()
            if before is not None and (before.cursor, before.is_running) == (cursor, is_running):
                return before
            after = before.cursor if before is not None else cursor - MOST_NEWS
            events = [event for _, event in reader.events(after)]
            news = in_words(events)[-MOST_NEWS:]
            if before is not None and before.is_running == is_running and _are_quiet(events):
                self.look = replace(before, cursor=cursor, news=news, new_sets=())
                return self.look
            new: deque[StoredSet] = deque(maxlen=MOST_NEW_SETS)
            for one in self._table.new_sets(reader):
                self.known.enter(one)
                new.append(one)
            self.look = LeagueLook(
                cursor,
                before.tables + 1 if before is not None else 0,
                is_running,
                Settings.from_json(reader.settings),
                self._table.standings(reader, is_running=is_running, with_history=True),
                reader.entrants(),
                news,
                tuple(new),
            )
        return self.look

    def _check_same(self, reader: Reader) -> None:
        """Raise StoreError if this is another league than at the first look.

        What is known of sets and bots would be mixed with its own. A new file in the folder brings
        a new serving process, which begins with that league; until then pages stay as they are.
        """
        first = next(reader.events(0, 1), None)
        if self._first is None:
            self._first = first
        elif first != self._first:
            raise StoreError(
                f"{reader.path}: another league is in the place of the one that is served; if this"
                " stays so, start the web server again"
            )


def _are_quiet(events: Sequence[Mapping[str, Any]]) -> bool:
    return all(event["event"] in QUIET for event in events)
