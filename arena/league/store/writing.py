"""`league.db` opened to write: made, upgraded with a copy of the file as it was, and wiped.

Up to schema 2 the file held the secrets of its league. The upgrade writes them to their own file
first, then deletes them, and then has SQLite write everything anew: deleted bytes stay in free
parts of a database and in its -wal for long. A mark in the file stays until that is done.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from arena.league.store.database import (
    LEAGUE,
    Connect,
    StoreError,
    Tell,
    check,
    connect,
    is_new,
    make,
    make_indexes,
    transaction,
    translated,
    untold,
    upgrade,
)
from arena.league.store.secrets import (
    PRIVATE,
    SCHEMA_WITH_A_FILE,
    file_of_secrets,
    keep_private,
    secrets_beside,
    secrets_in,
    write_secrets,
)
from arena.league.store.upgrades import SCHEMA

# Readers go on reading during a write; a match is on disk before it counts; and deleted rows are
# overwritten.
_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON")
# The fact of a file that may hold bytes of deleted secrets.
_TO_WIPE = "to_wipe"


def open_to_write(
    path: Path, connect: Connect = connect, tell: Tell = untold
) -> sqlite3.Connection:
    """Open the database at this path, made if it is not there and upgraded if it is older.

    Before an upgrade the file is copied to `backup_of`; `tell` is called with a line that names
    the copy. The caller holds the league's lock.
    """
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # Only its owner may read it: it holds the cards of unfinished sets.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE))
        keep_private(*_private_files(path))
        db = connect(f"{path.absolute().as_uri()}?mode=rwc")
        try:
            # Before anything is changed: it may be another program's.
            if not is_new(db):
                check(db, path, LEAGUE)
            for pragma in _PRAGMAS:
                db.execute(f"PRAGMA {pragma}")
            with transaction(db):
                if is_new(db):
                    make(db, LEAGUE)
                elif (schema := check(db, path, LEAGUE)) < SCHEMA:
                    tell(_upgraded(db, path, schema, connect))
                make_indexes(db)
            _wipe(db, path, tell)
        except BaseException:
            db.close()
            raise
        return db


def backup_of(path: Path, schema: int) -> Path:
    """Return the place of the copy that is made before a file of this schema is upgraded."""
    return path.with_name(f"{path.name}.schema-{schema}")


def _private_files(path: Path) -> list[Path]:
    """Return everything that holds cards or secrets, copies too."""
    return [*path.parent.glob(f"{path.name}*"), file_of_secrets(path)]


def _upgraded(db: sqlite3.Connection, path: Path, schema: int, connect: Connect) -> str:
    """Back the file up and upgrade it, inside the caller's transaction; return a line about it."""
    backup = backup_of(path, schema)
    _back_up(path, backup, connect)
    told = (
        f"{path}: made by an earlier version of arena, now upgraded (schema {schema} to {SCHEMA});"
        f" the file as it was: {backup}"
    )
    if schema >= SCHEMA_WITH_A_FILE:
        upgrade(db, schema)
        return told
    digest = _secrets_moved(db, path)
    upgrade(db, schema)
    marks = {"secrets": digest, _TO_WIPE: "1"} if digest else {_TO_WIPE: "1"}
    db.executemany("INSERT INTO facts VALUES (?, ?)", marks.items())
    return f"{told}. {_told_of_copies(path)}"


def _secrets_moved(db: sqlite3.Connection, path: Path) -> bytes | None:
    """Write the secrets in this database to their own file, and return their digest; None if the
    league was never begun."""
    facts = dict(db.execute("SELECT name, value FROM facts").fetchall())
    if "key" not in facts:
        return None
    secrets = secrets_in(facts, path)
    if file_of_secrets(path).exists():
        # Of an upgrade that was killed; else it is not ours to write over.
        try:
            secrets_beside(path, secrets.digest)
        except StoreError as error:
            raise StoreError(f"{error}, or move it away if it belongs to none") from None
    else:
        write_secrets(path, secrets)
    return secrets.digest


def _told_of_copies(path: Path) -> str:
    """Return a sentence for the operator: backups made before upgrades still hold the secrets."""
    copies = sorted(
        each for each in path.parent.glob(f"{path.name}.schema-*") if each.suffix != ".new"
    )
    names = " and ".join(each.name for each in copies)
    hold, them = ("hold", "them") if len(copies) > 1 else ("holds", "it")
    return (
        f"The key of all deals to come is now in {file_of_secrets(path)}, and no longer in"
        f" {path.name}; {names} still {hold} it, so keep {them} to yourself, and remove {them} once"
        " this version plays the league well"
    )


def _back_up(path: Path, backup: Path, connect: Connect) -> None:
    """Copy the database at `path` to `backup`, whole or not at all."""
    beside = backup.with_name(f"{backup.name}.new")
    beside.unlink(missing_ok=True)
    # Only its owner may read it, as the file itself.
    os.close(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE))
    # By a connection of its own: SQLite copies from none that is in a writing transaction.
    with (
        closing(connect(f"{path.absolute().as_uri()}?mode=ro")) as source,
        closing(connect(f"{beside.absolute().as_uri()}?mode=rw")) as target,
    ):
        source.backup(target)
    os.replace(beside, backup)


def _wipe(db: sqlite3.Connection, path: Path, tell: Tell) -> None:
    """Remove the remains of deleted secrets from the file and its -wal, if that is to be done."""
    if db.execute("SELECT 1 FROM facts WHERE name = ?", (_TO_WIPE,)).fetchone() is None:
        return
    db.execute("VACUUM")
    (is_busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if is_busy:
        tell(
            f"{path}: another program reads this file, so bytes of the old key are still in it;"
            " the next run removes them"
        )
        return
    with transaction(db):
        db.execute("DELETE FROM facts WHERE name = ?", (_TO_WIPE,))
