"""Leagues to make pages of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.league.model.match_pages import MatchPages
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.store.store import Store
from arena.league.table.live import LiveTable
from arena.league.table.standings import Standings
from arena.outputs.pages import Pages
from tests.league.leagues import Simulated, played_match, simulate

TWO_PARTS = Simulated(bots=("fox", "owl", "crow", "hare", "mole", "newt", "lynx", "stoat"), sets=0)


class KeptPages:
    """The pages of a league that is being played, written again and again, as a publisher does."""

    def __init__(self, folder: Path, choice: str = "all", judged: Path = Path("nowhere")):
        """`choice`: the matches with pages; `judged`: the folder of a league with judgements."""
        self.pages = Pages(folder, judged)
        self.choice = MatchPages.read(choice)
        self._table = LiveTable()

    def write(self, store: Store) -> Standings:
        """Write all that is new; return the table that the pages show."""
        name = Settings.from_json(store.settings).name
        for one in self._table.new_sets(store):
            self.pages.take(name, one)
        standings = self._table.standings(store, is_running=True, with_history=True)
        self.pages.write(standings, store, self.choice)
        return standings


def publish(store: Store, folder: Path) -> Path:
    """All pages, written once; their folder."""
    KeptPages(folder).write(store)
    return folder


@contextmanager
def published(folder: Path, league: Simulated, played: int | None = None) -> Iterator[Path]:
    """The pages of a league, simulated so far."""
    with simulate(folder, league, played) as store:
        yield publish(store, folder / "pages")


def two_parts(folder: Path) -> Store:
    """Four bots play each other, and four others each other."""
    store = simulate(folder, TWO_PARTS)
    sets = [
        PlannedSet(number, tuple(TWO_PARTS.bots[4 * (number % 2) :][:4])) for number in range(1, 5)
    ]
    store.add_sets(sets, ())
    play(store, TWO_PARTS, sets)
    return store


def play(
    store: Store, league: Simulated, sets: Sequence[PlannedSet], turns: int | None = None
) -> None:
    """Play these sets; with `turns`, only so many matches of each."""
    in_all = league.seats if league.duplicate else 1
    for one in sets:
        for turn in range(in_all if turns is None else turns):
            played = played_match(league, one, turn, seed_of_set(b"k" * 32, one.number, 0))
            store.enter(played, completes=turn == in_all - 1, voids=False)
