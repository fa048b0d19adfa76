"""WHERE: a file, a match of a league, or the address of a page."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from arena.cli.judging.where import FoundMatch, find_where
from arena.record import to_json
from arena.record.endings import NOT_BEGUN
from tests.audit.honest import Honest, honest
from tests.play import random_record

RECORD = random_record("nope", 2)


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return honest(tmp_path, Honest(sets=1))


def found_in(league: Path, address: str) -> FoundMatch:
    page = league / "public" / "sets" / "000" / "1.html#match=2"
    older = league / "public" / "matches" / "1-2.html"
    return find_where(address.replace("PAGE", str(page)).replace("OLDER", str(older)), None)


def test_a_file_is_found_and_what_is_saved_stands_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(to_json(RECORD))
    found = find_where(str(file), None)
    assert found.record == RECORD
    assert found.saved_as == tmp_path / "match.judged.json"
    assert found.timing is None


def test_one_record_of_several_has_a_saved_file_of_its_own(tmp_path: Path) -> None:
    other = random_record("nope", 3)
    file = tmp_path / "match.json"
    file.write_text(f"{to_json(RECORD)}\n{to_json(other)}\n")
    found = find_where(str(file), 1)
    assert found.record == other
    assert found.saved_as == tmp_path / "match.1.judged.json"


@pytest.mark.parametrize(
    "address",
    [
        "PAGE",
        "file://PAGE",
        "PAGE&move=3&as=seat1",
        "OLDER",
        "file://OLDER",
        "OLDER#move=3&as=seat1",
        "file://OLDER#x",
    ],
)
def test_a_page_is_found_by_its_address_in_the_folder_of_its_league(
    league: Path, address: str
) -> None:
    """The page need not be there: its name tells the match."""
    named = find_where(f"{league}:1.2", None)
    assert found_in(league, address) == named
    assert named.saved_as == league / "judged" / "1-2.json"
    assert named.timing is not None


def test_a_page_on_the_web_is_found_where_its_league_is_in_this_folder(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(league.parent)
    address = f"https://arena.example/x/{league.name}/public/sets/000/1.html#match=2&move=3"
    assert find_where(address, None).record == find_where(f"{league}:1.2", None).record


@pytest.mark.parametrize(
    "address", ["https://arena.example/matches/1-2.html", "published/sets/000/1.html#match=2"]
)
def test_the_page_of_a_league_that_is_not_here_says_how_to_name_the_match(
    address: str, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(league.parent)
    with pytest.raises(click.BadParameter, match=r"page of match 1\.2.* LEAGUE:1\.2"):
        find_where(address, None)


def test_another_address_is_told_what_a_page_looks_like() -> None:
    with pytest.raises(click.BadParameter, match=r"sets/000/17\.html#match=4"):
        find_where("https://arena.example/index.html", None)


def test_nothing_that_is_there_is_told_what_would_be() -> None:
    with pytest.raises(click.BadParameter, match=r"no file of a record, no match of a league"):
        find_where("nowhere", None)


def test_a_number_of_a_record_is_for_files(league: Path) -> None:
    with pytest.raises(click.UsageError, match="names one match already"):
        find_where(f"{league}:1.2", 0)


def test_a_match_without_moves_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(to_json(replace(RECORD, moves=(), scores=(), ending=NOT_BEGUN)))
    with pytest.raises(click.ClickException, match="no move in it"):
        find_where(str(file), None)
