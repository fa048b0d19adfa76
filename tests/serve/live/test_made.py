"""The pages of a served league that are kept, and those that are forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.serve.live import made
from arena.serve.live.made import MadeFile, MadePages
from arena.serve.live.watched import WatchedLeague
from tests.league.leagues import Simulated
from tests.serve.told import ToldLeague

TABLES = ("standings.csv", "standings.json", "standings.md")


@pytest.fixture
def told(tmp_path: Path) -> Iterator[ToldLeague]:
    with closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=6), 2)) as told:
        yield told


def found(pages: MadePages, *files: str) -> list[MadeFile]:
    made = [pages.find(file) for file in files]
    assert None not in made
    return [each for each in made if each is not None]


def kept(pages: MadePages) -> list[str]:
    return [file for file in TABLES if pages.ready(file) is not None]


def test_a_page_that_is_made_anew_takes_the_room_of_the_one_before(
    told: ToldLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = WatchedLeague(told.folder, "cup")
    pages = MadePages(watched)
    watched.look_again()
    size = sum(each.size for each in found(pages, *TABLES))
    monkeypatch.setattr(made, "MOST_KEPT_BYTES", 2 * size)
    for _ in range(3):
        told.play()
        watched.look_again()
        found(pages, *TABLES)
        assert kept(pages) == [*TABLES]


def test_the_page_that_nobody_asked_for_the_longest_is_forgotten_first(
    told: ToldLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = WatchedLeague(told.folder, "cup")
    pages = MadePages(watched)
    watched.look_again()
    sizes = [each.size for each in found(MadePages(watched), *TABLES)]
    monkeypatch.setattr(made, "MOST_KEPT_BYTES", sum(sizes) - 1)
    first, second, third = TABLES
    found(pages, first, second, first, third)
    assert kept(pages) == [first, third]
    monkeypatch.setattr(made, "MOST_KEPT_BYTES", 0)
    found(pages, second)
    assert kept(pages) == [second]  # one that is sent is kept, however large


def test_a_page_that_has_just_room_is_kept(
    told: ToldLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = WatchedLeague(told.folder, "cup")
    watched.look_again()
    size = sum(each.size for each in found(MadePages(watched), *TABLES))
    monkeypatch.setattr(made, "MOST_KEPT_BYTES", size)
    pages = MadePages(watched)
    found(pages, *TABLES)
    assert kept(pages) == [*TABLES]
