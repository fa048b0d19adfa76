"""A league in memory that tells its events, as a runner does, played set by set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import PlannedSet
from arena.league.store import events
from arena.league.store.folder import DATABASE
from arena.league.store.store import Store
from tests.league.leagues import Simulated, played_match, schedule, settings_of

KEY, LOTS = b"k" * 32, b"l" * 32


class ToldLeague:
    """A league whose sets are played when a test asks for it."""

    def __init__(self, folder: Path, league: Simulated, played: int = 0):
        """`played`: sets that are played at once."""
        self.league = league
        self.folder = folder
        self.store = Store.open(folder / DATABASE)
        self.planned: Sequence[PlannedSet] = schedule(league)
        self._next = 0
        settings = settings_of(league)
        self.store.begin(settings.to_json(), KEY, LOTS, [events.league(settings)])
        self.store.add_entrants(
            [(name, name, f"hash of {name}") for name in league.bots],
            [events.entrant(name, name, f"hash of {name}") for name in league.bots],
        )
        self.store.add_sets(self.planned, [events.schedule(len(self.planned))])
        for _ in range(played):
            self.play()

    def play(self) -> None:
        """Play the next set to its end."""
        one = self.planned[self._next]
        self._next += 1
        turns = self.league.seats if self.league.duplicate else 1
        self.enter([self._match(one, turn) for turn in range(turns)])

    def begin(self) -> None:
        """Play the first match of the next set, and no other."""
        played = self._match(self.planned[self._next], 0)
        self.store.enter(played, completes=False, voids=False, events=[events.match(played)])

    def enter(self, matches: Sequence[LeagueMatch]) -> None:
        """Enter the matches of a set."""
        *before, last = matches
        for played in before:
            self.store.enter(played, completes=False, voids=False, events=[events.match(played)])
        whole = PlayedSet(last.set, last.attempt, tuple(matches))
        told = [events.match(last), events.complete(whole)]
        self.store.enter(last, completes=True, voids=False, events=told)

    def secrets_of_begun(self) -> list[bytes]:
        """Seed, nonces and identities of the set that is begun, as they are written."""
        one = self.planned[self._next]
        found = []
        for turn in range(self.league.seats):
            record = self._match(one, turn).record
            found += [record.seed.encode(), record.nonce.encode(), record.match.encode()]
        return found

    def opened_again(self) -> ToldLeague:
        """Go on after a rest."""
        self.store = Store.open(self.folder / DATABASE)
        return self

    def close(self) -> None:
        self.store.close()

    def _match(self, one: PlannedSet, turn: int) -> LeagueMatch:
        return played_match(self.league, one, turn, seed_of_set(KEY, one.number, 0))
