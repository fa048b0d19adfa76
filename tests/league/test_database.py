"""A league's file is told apart from any other, and what is wrong with it is told in words."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from arena.league.database import FILE_NAME, StoreError, open_to_read, open_to_write


def test_the_file_is_for_nobodys_eyes_but_its_owners(tmp_path: Path) -> None:
    """It holds the key of the deals to come."""
    open_to_write(tmp_path / FILE_NAME).close()
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


@pytest.mark.parametrize("data", [b"hello, I am a text file of some length" * 100, b""])
def test_another_file_is_told_apart(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(data)
    with pytest.raises(StoreError, match="this is no league of arena; name another file"):
        open_to_read(path)


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE mine (x)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="no league of arena; name another file"):
        open_to_write(path)
    assert path.read_bytes() == before


def test_another_schema_is_refused(tmp_path: Path) -> None:
    open_to_write(tmp_path / FILE_NAME).close()
    db = sqlite3.connect(tmp_path / FILE_NAME)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="another version of arena"):
        open_to_write(tmp_path / FILE_NAME)


def test_a_league_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no such league"):
        open_to_read(tmp_path / FILE_NAME)
