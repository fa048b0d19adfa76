"""The key of the deals to come: the runner and `arena verify` have it, readers cannot reach it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.store.database import StoreError
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.league.store.secrets import read_secrets
from arena.league.store.store import Store
from tests.league.leagues import Simulated, simulate

KEY, LOTS = b"k" * 32, b"l" * 32


@pytest.fixture
def path(tmp_path: Path) -> Path:
    simulate(tmp_path, Simulated(sets=2), 1).close()
    return tmp_path / DATABASE


@pytest.fixture
def reader(path: Path) -> Iterator[Reader]:
    with closing(Reader.read(path)) as reader:
        yield reader


def test_secrets_are_read_by_asking_for_them(path: Path) -> None:
    secrets = read_secrets(path)
    assert (secrets.key, secrets.lots) == (KEY, LOTS)
    with Store.open(path) as store:
        assert store.secrets == secrets
    assert repr(secrets) == "Secrets()"


def test_a_league_without_a_seed_of_its_own_draws_two_secrets_of_256_bits(tmp_path: Path) -> None:
    drawn = set()
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        with Store.open(tmp_path / name / DATABASE) as store:
            store.begin({}, None, None)
        secrets = read_secrets(tmp_path / name / DATABASE)
        drawn |= {secrets.key, secrets.lots}
    assert [len(secret) for secret in drawn] == [32] * 4


def test_a_league_that_was_never_begun_has_none(tmp_path: Path) -> None:
    Store.open(tmp_path / DATABASE).close()
    with pytest.raises(StoreError, match="this league was never begun"):
        read_secrets(tmp_path / DATABASE)


def test_no_attribute_of_a_reader_is_or_gives_a_secret(reader: Reader) -> None:
    assert not {"key", "lots", "secrets"} & {*dir(reader)}
    for name in dir(reader):
        value = getattr(reader, name)
        assert KEY.decode() not in repr(value)
    assert "key" not in reader.settings


def test_even_a_store_opened_to_read_gives_a_reader(path: Path) -> None:
    with closing(Store.read(path)) as reader:
        assert type(reader) is Reader


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT value FROM facts WHERE name = 'key'",
        "SELECT * FROM facts",
        "SELECT name FROM facts",
        "SELECT count(*) FROM facts",
        "SELECT (SELECT value FROM facts WHERE name = 'lots')",
        "SELECT number FROM sets WHERE EXISTS (SELECT 1 FROM facts WHERE value = x'6b')",
        "WITH settings AS (SELECT value FROM facts) SELECT value FROM settings",
        "CREATE TEMP VIEW mine AS SELECT value FROM main.facts",
        "ATTACH ':memory:' AS other",
        "PRAGMA writable_schema = ON",
        "PRAGMA query_only = OFF",
        "DELETE FROM events",
        "INSERT INTO facts VALUES ('key', x'00')",
    ],
)
def test_the_connection_of_a_reader_refuses_all_but_reading_what_is_shown(
    reader: Reader, statement: str
) -> None:
    with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
        reader._db.execute(statement).fetchall()


def test_what_is_refused_is_told_in_words(path: Path) -> None:
    with Reader.read(path) as reader:
        refused = pytest.raises(StoreError, match="secret, and for the runner and `arena verify`")
        with refused:
            Store(path, reader._db)


def test_what_is_shown_can_all_be_read(reader: Reader) -> None:
    assert reader.settings["name"] == "Sunday league"
    assert [entrant.name for entrant in reader.entrants()] == list(Simulated().bots)
    assert [state.is_complete for state in reader.sets()] == [True, False]
    (one,) = reader.complete_sets()
    assert reader.complete_set(1) == one
    assert reader.complete_set(2) is None
    assert not reader.evidence(one.matches[0].place)
    assert (reader.voids(), reader.roster().benched, reader.last_event()) == ({}, {}, 0)
    assert not [*reader.events()]


def test_a_process_that_publishes_never_has_the_key_in_its_memory(path: Path) -> None:
    """It loads no module that could read it, and no object of it holds it."""
    code = f"""
import gc, sys
from pathlib import Path
from arena.outputs.publish import Publisher
from arena.league.table.live import standings_of
from arena.league.store.reader import Reader
Publisher(Path({str(path.parent)!r}), Path({str(path.parent / "public")!r})).publish()
with Reader.read(Path({str(path)!r})) as reader:
    standings_of(reader)
secret = "k" * 32
held = [value for each in gc.get_objects() for value in gc.get_referents(each)]
found = [value for value in held if type(value) is bytes and value == secret.encode()]
modules = {{"arena.league.store.secrets", "arena.league.store.store", "arena.league.model.seeds"}}
print(len(found), sorted(modules & {{*sys.modules}}))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "0 []\n"
