"""The playthroughs on disk are what the engines play today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playthroughs import every_table, text, written

EVERY_TABLE = every_table()


@pytest.mark.parametrize("file", EVERY_TABLE, ids=lambda file: file.stem)
def test_a_playthrough_is_what_is_played(file: Path) -> None:
    """If the change is meant: `python -m tests.playthroughs --write`, and read the diff."""
    assert file.read_text() == text(*EVERY_TABLE[file])


def test_there_is_one_for_each_rule_set_and_size_and_no_other() -> None:
    assert written() == {*EVERY_TABLE}
