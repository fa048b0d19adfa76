"""A league's file is told apart from any other, and what is wrong with it is told in words."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
import tempfile
from pathlib import Path

import pytest

from arena.league.store.complete_reader import CompleteReader
from arena.league.store.database import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    open_to_read,
    translated,
    understood,
)
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from arena.league.store.writing import open_to_write
from tests.league.leagues import Simulated, simulate
from tests.league.rights import as_nobody, readable_by_others

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_the_file_is_for_nobodys_eyes_but_its_owners(tmp_path: Path) -> None:
    """It holds the cards of unfinished sets."""
    open_to_write(tmp_path / DATABASE).close()
    assert stat.S_IMODE((tmp_path / DATABASE).stat().st_mode) == 0o600


def test_files_that_a_copy_has_opened_to_others_are_closed_again(tmp_path: Path) -> None:
    with simulate(tmp_path, Simulated(sets=2), 1) as store:
        for path in tmp_path.iterdir():
            path.chmod(0o644)
        store.close()
    Store.open(tmp_path / DATABASE).close()
    assert [path.name for path in readable_by_others(tmp_path)] == [COMPLETE_SETS]


@pytest.mark.parametrize(
    ("name", "is_old", "sets"),
    [(DATABASE, True, 6), (DATABASE, False, 1), (COMPLETE_SETS, False, 1)],
)
def test_a_resting_league_is_read_where_nothing_can_be_written(
    name: str, is_old: bool, sets: int
) -> None:
    """By a process that may not even make the files that SQLite wants beside a database."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "cup.arena"
        simulate(home, Simulated(sets=2), 1).close()
        if is_old:
            shutil.copy(FIXTURES / "schema_2" / "finished" / DATABASE, home)
        for path in (Path(folder), home):
            path.chmod(0o555)
        (home / name).chmod(0o444)
        read = CompleteReader.read if name == COMPLETE_SETS else Reader.read
        found = as_nobody(lambda: len([*read(home / name).complete_sets()]))
        for path in (Path(folder), home):
            path.chmod(0o755)
    assert found == str(sets)


@pytest.mark.parametrize("data", [b"hello, I am a text file of some length" * 100, b""])
def test_another_file_is_told_apart(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / DATABASE
    path.write_bytes(data)
    with pytest.raises(StoreError, match="this is no league of arena; name another file"):
        open_to_read(path)


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE mine (x)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="no league of arena; name another file"):
        open_to_write(path)
    assert path.read_bytes() == before


def test_a_league_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no such league"):
        open_to_read(tmp_path / DATABASE)


def of_sqlite(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = code
    return error


LOOK = "look at the file and its folder, then run it again"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            of_sqlite(sqlite3.SQLITE_FULL),
            "it failed; make room on this disk and run it again: what was played is kept",
        ),
        (
            of_sqlite(sqlite3.SQLITE_IOERR | 3 << 8),  # the kinds of a code are all met alike
            "it failed; the disk failed; what was entered before is kept",
        ),
        (
            of_sqlite(sqlite3.SQLITE_READONLY),
            "it failed; this user may not write it; change its rights, or copy it",
        ),
        (
            of_sqlite(sqlite3.SQLITE_CANTOPEN),
            "it failed; this folder cannot be used; is it there, and may you write to it?",
        ),
        (
            of_sqlite(sqlite3.SQLITE_NOTADB),
            "it failed; this is no league of arena; name another file",
        ),
        (
            of_sqlite(sqlite3.SQLITE_AUTH),
            "it failed; this is secret, and for the runner and `arena verify` alone",
        ),
        (
            of_sqlite(sqlite3.SQLITE_CORRUPT),
            "it failed; the file is damaged; take its last copy",
        ),
        (of_sqlite(sqlite3.SQLITE_RANGE), f"it failed; {LOOK}"),
        (sqlite3.ProgrammingError("it failed"), f"it failed; {LOOK}"),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "No space left on device"),
        (OSError("no reason"), "no reason"),
    ],
)
def test_an_error_is_told_with_the_file_and_what_to_do(error: Exception, told: str) -> None:
    with pytest.raises(StoreError) as raised, translated(Path("cup.arena/league.db")):
        raise error
    assert str(raised.value) == f"cup.arena/league.db: {told}"


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED])
def test_a_file_that_another_program_holds_is_told(code: int) -> None:
    with pytest.raises(StoreBusy) as raised, translated(Path("league.db")):
        raise of_sqlite(code)
    assert str(raised.value) == "league.db: another program has this file locked"


def test_a_value_that_cannot_be_read_is_told_with_the_command_that_finds_all() -> None:
    with pytest.raises(StoreDamaged) as raised, understood(Path("my cup.arena/league.db")):
        raise ValueError("no number")
    assert str(raised.value) == (
        "my cup.arena/league.db is damaged: no number; `arena verify 'my cup'` names every place"
    )
