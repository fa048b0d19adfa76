"""A league as its watchers see it, from one look to the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.store.database import StoreError
from arena.league.store.folder import COMPLETE_SETS
from arena.league.table.checkpoint import packed
from arena.league.table.live import LiveTable, ledger_of
from arena.serve.live.moment import at_one_moment
from arena.serve.live.watched import WatchedLeague
from tests.league.leagues import Simulated
from tests.serve.told import ToldLeague


@pytest.fixture
def told(tmp_path: Path) -> Iterator[ToldLeague]:
    with closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=6), 4)) as told:
        yield told


def test_a_look_at_a_league_with_a_checkpoint_knows_all_its_sets_and_counts_them_once(
    told: ToldLeague,
) -> None:
    ledger = ledger_of(told.store)
    told.store.keep_checkpoint(packed(ledger), ledger.fresh, is_anew=True)
    told.play()
    watched = WatchedLeague(told.folder, "cup")
    for sets in (5, 6):
        look = watched.look_again()
        assert [*watched.known.matches] == [*range(1, sets + 1)]
        with at_one_moment(told.folder) as reader:
            anew = LiveTable()
            assert [one.number for one in anew.new_sets(reader)] == [*watched.known.matches]
            assert look.standings == anew.standings(reader, is_running=False, with_history=True)
        if sets < 6:
            told.play()


def test_another_league_in_its_place_is_told_and_never_mixed_with_it(
    told: ToldLeague, tmp_path: Path
) -> None:
    """Its bots are others: one that is known to the table alone would be looked for in vain."""
    watched = WatchedLeague(told.folder, "cup")
    look = watched.look_again()
    told.close()
    bowl = Simulated(sets=6, name="Bowl", bots=("ant", "bee", "cat", "dog", "eel", "fly"))
    with closing(ToldLeague(tmp_path / "bowl.arena", bowl, 6)):
        pass
    aside = (told.folder / COMPLETE_SETS).rename(tmp_path / "aside")
    (tmp_path / "bowl.arena" / COMPLETE_SETS).rename(told.folder / COMPLETE_SETS)
    for _ in range(2):
        with pytest.raises(StoreError, match="another league is in the place of the one that is"):
            watched.look_again()
        assert watched.look is look
    aside.rename(told.folder / COMPLETE_SETS)
    assert watched.look_again() is look
