"""Leagues to make pages of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.league.sets import PlannedSet, seed_of_set
from arena.league.store import Store
from arena.league.table import standings_of
from arena.outputs.pages import Pages
from tests.league.leagues import Simulated, played_match, simulate

TWO_PARTS = Simulated(bots=("fox", "owl", "crow", "hare", "mole", "newt", "lynx", "stoat"), sets=0)


def publish(store: Store, folder: Path) -> Path:
    """All pages, written once; their folder."""
    Pages(folder).write(standings_of(store), store)
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
