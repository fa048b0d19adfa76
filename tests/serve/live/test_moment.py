"""A league read as it was at one moment."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from arena.league.store.database import StoreError
from arena.serve.live.moment import at_one_moment
from tests.league.leagues import Simulated
from tests.serve.told import ToldLeague


def test_a_reading_sees_nothing_that_is_entered_meanwhile_and_holds_up_nobody(
    tmp_path: Path,
) -> None:
    with closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=3), 1)) as told:
        with at_one_moment(told.folder) as reader:
            before = (reader.last_event(), reader.completed())
            told.play()
            told.begin()
            assert (reader.last_event(), reader.completed()) == before
            assert reader.complete_set(2) is None
        with at_one_moment(told.folder) as reader:
            assert reader.last_event() == told.store.last_event()
            assert reader.completed() == (1, 2)


def test_it_opens_the_copy_for_readers_and_never_the_file_with_everything(tmp_path: Path) -> None:
    with closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=3), 1)) as told:
        (told.folder / "complete.db").rename(told.folder / "elsewhere")
        with pytest.raises(StoreError, match="there is no such league"), at_one_moment(told.folder):
            pass
        (told.folder / "elsewhere").rename(told.folder / "complete.db")
