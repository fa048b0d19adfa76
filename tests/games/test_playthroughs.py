"""The playthroughs on disk are what the engines play today."""

from __future__ import annotations

import pytest

from tests.playthroughs import FOLDER, every_table, path, text


@pytest.mark.parametrize(("name", "seats"), every_table())
def test_a_playthrough_is_what_is_played(name: str, seats: int) -> None:
    """If the change is meant: `python -m tests.playthroughs --write`, and read the diff."""
    assert path(name, seats).read_text() == text(name, seats)


def test_there_is_one_for_each_rule_set_and_size_and_no_other() -> None:
    assert {*FOLDER.iterdir()} == {path(*table) for table in every_table()}
