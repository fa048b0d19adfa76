"""Files of other versions: an older one is upgraded with a backup, a newer one is refused."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from arena.league.store.database import Connect, StoreError, open_to_read
from arena.league.store.folder import DATABASE, SECRETS
from arena.league.store.secrets import (
    SCHEMA_WITH_A_FILE,
    Secrets,
    read_secrets,
    write_secrets,
)
from arena.league.store.store import Store, read_admitted
from arena.league.store.upgrades import SCHEMA, UPGRADES
from arena.league.store.writing import backup_of, open_to_write

FIXTURES = Path(__file__).parents[2] / "fixtures"
OLDER = [*UPGRADES]


def old(folder: Path, schema: int, kind: str = "stopped") -> Path:
    """The file of a league that a version with this schema made."""
    path = folder / DATABASE
    for name in (DATABASE, SECRETS):
        if (kept := FIXTURES / f"schema_{schema}" / kind / name).exists():
            shutil.copy(kept, folder / name)
    return path


def with_schema(path: Path, schema: int) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {schema}")
    return path


def schema_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def tables_of(db: sqlite3.Connection) -> dict[str, list[tuple[str, str, int, str | None, int]]]:
    """By table, its columns, whatever order they were made in."""
    names = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {
        name: sorted(row[1:] for row in db.execute(f"PRAGMA table_info({name})")) for name in names
    }


def rows_of(db: sqlite3.Connection) -> dict[str, list[object]]:
    return {
        name: db.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in tables_of(db)
    }


def test_every_older_schema_has_its_upgrade_and_a_kept_league() -> None:
    assert [*range(1, SCHEMA)] == OLDER
    assert all((FIXTURES / f"schema_{schema}" / "finished").is_dir() for schema in OLDER)


@pytest.mark.parametrize("schema", OLDER)
def test_an_upgraded_file_has_the_tables_of_a_new_one(schema: int, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    with (
        closing(open_to_write(old(tmp_path / "old", schema))) as upgraded,
        closing(open_to_write(tmp_path / "new" / DATABASE)) as new,
    ):
        assert tables_of(upgraded) == tables_of(new)
        assert schema_of(upgraded) == schema_of(new) == SCHEMA


@pytest.mark.parametrize("schema", OLDER)
def test_the_file_as_it_was_is_kept_beside_it_and_the_operator_is_told(
    schema: int, tmp_path: Path
) -> None:
    path = old(tmp_path, schema)
    with closing(sqlite3.connect(path)) as db:
        before = rows_of(db)
    told: list[str] = []
    Store.open(path, tell=told.append).close()
    backup = backup_of(path, schema)
    upgraded = (
        f"{path}: made by an earlier version of arena, now upgraded (schema {schema} to {SCHEMA});"
        f" the file as it was: {backup}"
    )
    about_the_key = (
        f". The key of all deals to come is now in"
        f" {tmp_path / SECRETS}, and no longer in league.db; {backup.name} still holds it, so keep"
        " it to yourself, and remove it once this version plays the league well"
    )
    assert told == [upgraded + (about_the_key if schema < SCHEMA_WITH_A_FILE else "")]
    assert backup.name == f"league.db.schema-{schema}"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with closing(sqlite3.connect(backup)) as db:
        assert (schema_of(db), rows_of(db)) == (schema, before)
    Store.open(path, tell=told.append).close()
    assert len(told) == 1


def test_a_file_of_this_version_is_opened_without_a_backup(tmp_path: Path) -> None:
    told: list[str] = []
    for _ in "12":
        Store.open(tmp_path / DATABASE, tell=told.append).close()
    assert not told
    assert [path.name for path in tmp_path.iterdir()] == [DATABASE]


@pytest.mark.parametrize("schema", OLDER)
def test_opened_to_read_an_older_file_is_upgraded_in_memory_only(
    schema: int, tmp_path: Path
) -> None:
    path = old(tmp_path, schema)
    before = path.read_bytes()
    with closing(open_to_read(path)) as db:
        assert schema_of(db) == SCHEMA
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("DELETE FROM facts")
    assert path.read_bytes() == before
    assert not backup_of(path, schema).exists()


def breaks_at(beginning: str) -> Connect:
    """Make connections that fail at a statement with this beginning."""

    class Breaks(sqlite3.Connection):
        def execute(self, *args: object, **kwargs: object) -> sqlite3.Cursor:
            if str(args[0]).startswith(beginning):
                raise sqlite3.OperationalError("disk I/O error")
            return super().execute(*args, **kwargs)  # type: ignore[arg-type]  # as it came

    return lambda uri: sqlite3.connect(uri, uri=True, isolation_level=None, factory=Breaks)


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = old(tmp_path, 1)
    breaks = breaks_at("PRAGMA user_version =")
    with closing(sqlite3.connect(path)) as db:
        before = tables_of(db), rows_of(db)
    with pytest.raises(StoreError, match="disk I/O error"):
        open_to_write(path, breaks)
    with closing(sqlite3.connect(path)) as db:
        assert schema_of(db) == 1
        assert (tables_of(db), rows_of(db)) == before
    Store.open(path).close()


def raw(path: Path) -> bytes:
    """All bytes of the file and of those that SQLite keeps beside it."""
    found = [path.with_name(f"{path.name}{ending}") for ending in ("", "-wal", "-shm")]
    return b"".join(each.read_bytes() for each in found if each.exists())


def with_secrets_in_the_wal(path: Path) -> Secrets:
    """Have the secrets in free parts of the file and in its -wal too, as after a kill."""
    secrets = read_secrets(path)
    beside = path.with_name("whole")
    path.rename(beside)
    with closing(sqlite3.connect(beside, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        for _ in range(3):
            db.execute("UPDATE facts SET value = value || value WHERE name IN ('key', 'lots')")
            db.execute("UPDATE facts SET value = ? WHERE name = 'key'", (secrets.key,))
            db.execute("UPDATE facts SET value = ? WHERE name = 'lots'", (secrets.lots,))
        for ending in ("", "-wal"):
            shutil.copy(f"{beside}{ending}", f"{path}{ending}")
    beside.unlink()
    assert raw(path).count(secrets.key) > 1
    return secrets


@pytest.mark.parametrize("schema", [1, 2])
def test_secrets_leave_an_upgraded_file_for_good(schema: int, tmp_path: Path) -> None:
    """No byte of them stays in it, while it is open and after that."""
    path = old(tmp_path, schema)
    secrets = with_secrets_in_the_wal(path)
    with Store.open(path) as store:
        assert store.secrets == secrets
        while_open = raw(path)
    for found in (while_open, raw(path)):
        assert secrets.key not in found
        assert secrets.lots not in found
    assert read_secrets(path) == secrets
    assert stat.S_IMODE((tmp_path / SECRETS).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "at", ["VACUUM", "PRAGMA wal_checkpoint", "DELETE FROM facts WHERE name ="]
)
def test_secrets_that_a_kill_left_in_the_file_are_removed_by_the_next_run(
    at: str, tmp_path: Path
) -> None:
    path = old(tmp_path, 2)
    secrets = with_secrets_in_the_wal(path)
    with pytest.raises(StoreError, match="disk I/O error"):
        open_to_write(path, breaks_at(at))
    Store.open(path).close()
    assert secrets.key not in raw(path)
    assert secrets.lots not in raw(path)
    assert read_secrets(path) == secrets


def test_while_another_program_reads_the_old_file_its_bytes_stay_and_that_is_told(
    tmp_path: Path,
) -> None:
    path = old(tmp_path, 2)
    secrets = with_secrets_in_the_wal(path)
    told: list[str] = []
    with closing(sqlite3.connect(path, isolation_level=None)) as reads:
        reads.execute("BEGIN")
        reads.execute("SELECT * FROM facts").fetchall()
        hasty = partial(sqlite3.connect, uri=True, isolation_level=None, timeout=0)
        Store.open(path, hasty, told.append).close()
        assert told[1] == (
            f"{path}: another program reads this file, so bytes of the old key are still in it; the"
            " next run removes them"
        )
        assert secrets.key in raw(path)
    Store.open(path, tell=told.append).close()
    assert secrets.key not in raw(path)
    assert len(told) == 2


def test_all_copies_that_hold_the_key_are_named(tmp_path: Path) -> None:
    path = old(tmp_path, 2)
    shutil.copy(path, backup_of(path, 1))
    backup_of(path, 1).chmod(0o644)
    told: list[str] = []
    Store.open(path, tell=told.append).close()
    assert "; league.db.schema-1 and league.db.schema-2 still hold it, so keep them" in told[0]
    assert stat.S_IMODE(backup_of(path, 1).stat().st_mode) == 0o600


def test_an_upgrade_that_was_killed_takes_up_the_secrets_that_it_had_written(
    tmp_path: Path,
) -> None:
    path = old(tmp_path, 2)
    secrets = read_secrets(path)
    with pytest.raises(StoreError):
        open_to_write(path, breaks_at("PRAGMA user_version ="))
    assert (tmp_path / SECRETS).exists()
    with Store.open(path) as store:
        assert store.secrets == secrets


def test_an_upgrade_writes_over_the_secrets_of_no_other_league(tmp_path: Path) -> None:
    path = old(tmp_path, 2)
    other = Secrets(b"x" * 32, b"y" * 32)
    write_secrets(path, other)
    with pytest.raises(StoreError, match=r"secrets of another league .* or move it away"):
        open_to_write(path)
    with closing(sqlite3.connect(path)) as db:
        assert schema_of(db) == 2
    (tmp_path / SECRETS).unlink()
    Store.open(path).close()


@pytest.mark.parametrize("schema", OLDER)
def test_no_bot_was_admitted_to_the_league_of_an_earlier_version(
    schema: int, tmp_path: Path
) -> None:
    path = old(tmp_path, schema)
    before = path.read_bytes()
    assert read_admitted(path) == {}
    assert path.read_bytes() == before


@pytest.mark.parametrize("opened", [open_to_write, open_to_read])
def test_a_newer_schema_is_refused_with_words(opened: type, tmp_path: Path) -> None:
    Store.open(tmp_path / DATABASE).close()
    path = with_schema(tmp_path / DATABASE, SCHEMA + 1)
    before = path.read_bytes()
    with pytest.raises(
        StoreError,
        match=rf"made by a newer arena \(its schema is {SCHEMA + 1}, and this one knows schemas"
        rf" 1 to {SCHEMA}\); install that arena, or a newer one",
    ):
        opened(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("opened", [open_to_write, open_to_read])
def test_a_schema_that_no_version_had_is_refused(opened: type, tmp_path: Path) -> None:
    Store.open(tmp_path / DATABASE).close()
    with pytest.raises(StoreError, match="schema 0 is unknown to every version of arena"):
        opened(with_schema(tmp_path / DATABASE, 0))
