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
        turns = self.league.seats if self.league.duplicate else 1
        matches = [self.match(self._next, turn) for turn in range(turns)]
        self._next += 1
        for played in matches[:-1]:
            self.enter_one(played)
        self.complete(matches)

    def begin(self) -> None:
        """Play the first match of the next set, and no other."""
        self.enter_one(self.match(self._next, 0))

    def enter_one(self, played: LeagueMatch) -> None:
        """Enter a match that does not complete its set."""
        self.store.enter(played, completes=False, voids=False, events=[events.match(played)])

    def complete(self, matches: Sequence[LeagueMatch]) -> None:
        """Enter the last match of a set, of which the others are entered."""
        last = matches[-1]
        whole = PlayedSet(last.set, last.attempt, tuple(matches))
        told = [events.match(last), events.complete(whole)]
        self.store.enter(last, completes=True, voids=False, events=told)

    def secrets_of_begun(self) -> list[bytes]:
        """Seed, nonces and identities of the set that is begun, as they are written."""
        found = []
        for turn in range(self.league.seats):
            record = self.match(self._next, turn).record
            found += [record.seed.encode(), record.nonce.encode(), record.match.encode()]
        return found

    def opened_again(self) -> ToldLeague:
        """Go on after a rest."""
        self.store = Store.open(self.folder / DATABASE)
        return self

    def close(self) -> None:
        self.store.close()

    def match(self, at: int, turn: int) -> LeagueMatch:
        """Return a match of the planned set at this place, from 0, as it is played."""
        one = self.planned[at]
        return played_match(self.league, one, turn, seed_of_set(KEY, one.number, 0))
