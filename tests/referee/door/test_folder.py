"""A socket in a folder whose path is too long gets another folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from arena.referee.door.addresses import CannotListen
from arena.referee.door.folder import check_folder, fits, folder_for_door
from arena.referee.house import open_house
from tests.bots.programs import Family
from tests.referee.real_match import a_good_bot, all_ready


@pytest.fixture
def deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files that is too deep for a socket."""
    deep = tmp_path / ("x" * 150)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    return deep


def test_a_short_path_is_taken_as_it_is() -> None:
    assert folder_for_door(Path("/tmp/arena-01234567")) == Path("/tmp/arena-01234567")
    assert fits(Path("/" + "x" * 90))
    assert not fits(Path("/" + "x" * 91))
    assert not fits(Path("/" + "é" * 46))


def test_a_long_one_gets_a_private_folder_in_the_first_place_that_takes_one(deep: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        made = folder_for_door(deep, (Path("/nowhere"), deep, Path(place)))
        assert made.parent == Path(place)
        assert made.stat().st_mode & 0o777 == 0o700
    assert [*deep.iterdir()] == []


def test_where_no_place_takes_one_the_remedy_is_told(deep: Path) -> None:
    with pytest.raises(CannotListen, match="set TMPDIR to a folder with a shorter name"):
        folder_for_door(deep, (Path("/nowhere"), deep))
    assert [*deep.iterdir()] == []


def test_looking_whether_there_is_one_leaves_nothing(
    deep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_folder()
    assert [*deep.iterdir()] == []
    monkeypatch.setattr(tempfile, "tempdir", str(deep / "gone"))
    with pytest.raises(CannotListen, match="no temporary folder can be made"):
        check_folder()


async def test_bots_come_to_a_house_whose_own_folder_is_too_deep_and_nothing_is_left(
    deep: Path,
) -> None:
    family = Family()
    async with open_house() as house:
        assert house.folder.parent == deep
        assert house.door_folder.parent != deep
        (player,) = await all_ready(house, [a_good_bot(family)])
        assert (house.door_folder / "door").is_socket()
        await player.say_bye("done")
    assert [*deep.iterdir()] == []
    assert not house.door_folder.exists()
    assert not os.path.exists(house.folder)
