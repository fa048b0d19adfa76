"""Pages of some sets only: which are made, which go, and that nothing leads to those."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from arena.league.store.store import Store
from arena.outputs.pages.names import file_of_set
from tests.league.leagues import Simulated, schedule, simulate
from tests.outputs.leagues import KeptPages, play
from tests.outputs.reading import read

LEAGUE = Simulated(
    game="nope", bots=("fox", "owl", "crow"), seats=2, sets=12, options={"hand": 2}, illegal=()
)


def numbers(folder: Path) -> list[int]:
    return sorted(int(path.stem) for path in folder.glob("sets/*/*.html"))


def dead_links(folder: Path) -> list[str]:
    """Links to files that are not there."""
    return [
        f"{path.name}: {link}"
        for path in folder.rglob("*.html")
        for link in read(path).links()
        if (file := link.partition("#")[0]) and not (path.parent / file).is_file()
    ]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return simulate(tmp_path / "store", LEAGUE)


@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        ("all", [*range(1, 13)]),
        ("last 4", [11, 12]),
        ("last 5", [10, 11, 12]),
        ("none", []),
        ("faults", []),
    ],
)
def test_pages_are_those_that_were_chosen_and_nothing_leads_to_others(
    store: Store, tmp_path: Path, choice: str, kept: list[int]
) -> None:
    with store:
        KeptPages(tmp_path / "pages", choice).write(store)
    assert numbers(tmp_path / "pages") == kept
    assert dead_links(tmp_path / "pages") == []
    assert read(tmp_path / "pages" / "index.html").row_of("fox")


def test_pages_go_when_newer_sets_come_and_links_to_them_with_them(tmp_path: Path) -> None:
    planned = schedule(LEAGUE)
    with simulate(tmp_path / "store", LEAGUE, 0) as store:
        pages = KeptPages(tmp_path / "pages", "last 6")
        for at, one in enumerate(planned, 1):
            play(store, LEAGUE, [one])
            pages.write(store)
            assert numbers(tmp_path / "pages") == [*range(max(1, at - 2), at + 1)]
            assert dead_links(tmp_path / "pages") == []


def test_a_publisher_that_begins_anew_removes_what_is_no_longer_chosen_and_makes_the_rest(
    store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "pages"
    with store:
        KeptPages(folder, "all").write(store)
        KeptPages(folder, "last 4").write(store)
        assert numbers(folder) == [11, 12]
        (folder / "sets" / "000" / "12.html").write_text("of another version")
        KeptPages(folder, "none").write(store)
        assert numbers(folder) == []
        KeptPages(folder, "all").write(store)
    assert numbers(folder) == [*range(1, 13)]
    assert dead_links(folder) == []


def test_sets_with_a_fault_have_pages_however_old_they_are(tmp_path: Path) -> None:
    league = Simulated(bots=("fox", "owl", "crow"), seats=2, sets=9, illegal=("crow",))
    with simulate(tmp_path / "store", league) as store:
        KeptPages(tmp_path / "pages", "faults").write(store)
        faulty = [one.number for one in store.complete_sets() if one.matches[0].record.faults]
    assert faulty
    assert numbers(tmp_path / "pages") == faulty
    assert dead_links(tmp_path / "pages") == []


def test_an_older_address_keeps_its_set_and_leads_to_it(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    (folder / "matches").mkdir(parents=True)
    for name in ("3-1.html", "3-2.html", "99-1.html", "notes.html"):
        (folder / "matches" / name).write_text("an older page")
    with store:
        KeptPages(folder, "last 2").write(store)
    assert numbers(folder) == [3, 12]
    for turn in (1, 2):
        page = read(folder / "matches" / f"3-{turn}.html")
        assert f"../sets/000/3.html#match={turn}" in page.links()
    for name in ("99-1.html", "notes.html"):
        assert (folder / "matches" / name).read_text() == "an older page"


def test_no_folder_holds_more_than_a_thousand_pages_of_sets() -> None:
    folders = Counter(str(Path(file_of_set(number)).parent) for number in range(1, 5001))
    assert max(folders.values()) <= 1000
