"""Tokens in the store: drawn, renewed, revoked, adopted; hashes and events of each."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.league.store.database import StoreError
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from arena.league.store.tokens import (
    TokenRefused,
    adopt,
    has_had_one,
    invite,
    renew,
    revoke,
    token_of,
)
from arena.tokens import KnownToken, digest_of

NEW_YEAR = "2027-01-01T00:00:00Z"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / DATABASE) as store:
        store.begin({}, b"k" * 32, b"l" * 32)
        yield store


def is_valid(store: Store, bot: str, token: str) -> bool:
    kept = token_of(store, bot)
    return kept is not None and kept.token.is_of(digest_of(token))


def told(store: Store) -> list[dict[str, Any]]:
    """The events, without their times."""
    return [{key: event[key] for key in event if key != "at"} for _, event in store.events(0)]


def test_an_invited_bot_has_a_token_of_which_only_the_hash_is_kept(
    store: Store, tmp_path: Path
) -> None:
    token = invite(store, "fox", NEW_YEAR, in_file=True)
    kept = token_of(store, "fox")
    assert kept is not None
    assert (kept.token, kept.in_file) == (KnownToken.of(token, NEW_YEAR), True)
    assert told(store) == [{"event": "invited", "name": "fox", "expires": NEW_YEAR}]
    secret = token.partition(".")[2].encode()
    store.close()
    for path in tmp_path.iterdir():
        assert secret not in path.read_bytes()


def test_a_renewed_token_takes_the_place_of_the_one_before(store: Store) -> None:
    first = invite(store, "fox")
    owls = invite(store, "owl")
    second = renew(store, "fox", NEW_YEAR)
    assert not is_valid(store, "fox", first)
    assert is_valid(store, "fox", second)
    assert is_valid(store, "owl", owls)
    assert [one.revoked is None for one in store.tokens()] == [False, True, True]
    assert told(store)[-1] == {"event": "renewed", "name": "fox", "expires": NEW_YEAR}


def test_a_revoked_token_is_valid_again_never(store: Store) -> None:
    first = invite(store, "fox")
    revoke(store, "fox")
    assert token_of(store, "fox") is None
    assert has_had_one(store, "fox")
    assert told(store)[-1] == {"event": "revoked", "name": "fox"}
    second = renew(store, "fox")
    assert is_valid(store, "fox", second)
    assert not is_valid(store, "fox", first)


def test_what_cannot_be_done_changes_nothing_and_says_what_to_do(store: Store) -> None:
    invite(store, "fox")
    before = store.tokens(), told(store)
    for change, words in (
        (lambda: invite(store, "fox"), "fox has been invited already: renew its token"),
        (lambda: renew(store, "owl"), "owl has no token that could be renewed: invite it"),
        (lambda: revoke(store, "owl"), "owl has no token that could be revoked"),
    ):
        with pytest.raises(TokenRefused) as caught:
            change()
        assert str(caught.value) == words
    assert (store.tokens(), told(store)) == before


def test_a_token_of_an_earlier_version_is_adopted_by_one_bot_and_no_event(store: Store) -> None:
    token = "Zm94IGlzIHRoZSBiZXN0IGJvdCBoZXJl"
    assert adopt(store, "fox", token)
    assert is_valid(store, "fox", token)
    assert not adopt(store, "owl", token)
    assert not has_had_one(store, "owl")
    assert told(store) == []


def test_a_league_that_begins_anew_keeps_its_tokens(store: Store) -> None:
    token = invite(store, "fox")
    store.clear()
    assert is_valid(store, "fox", token)


def test_a_reader_has_no_way_to_the_tokens(store: Store, tmp_path: Path) -> None:
    invite(store, "fox")
    with (
        Reader.read(tmp_path / DATABASE) as reader,
        pytest.raises(sqlite3.DatabaseError, match="prohibited"),
    ):
        reader._db.execute("SELECT id FROM tokens")
    copy = sqlite3.connect(tmp_path / COMPLETE_SETS)
    tables = [name for (name,) in copy.execute("SELECT name FROM sqlite_schema")]
    copy.close()
    assert "events" in tables
    assert "tokens" not in tables


def test_a_change_and_its_event_are_one_transaction(tmp_path: Path) -> None:
    class Breaks(sqlite3.Connection):
        def executemany(self, *args: object, **kwargs: object) -> sqlite3.Cursor:
            if str(args[0]).startswith("INSERT INTO events"):
                raise sqlite3.OperationalError("disk I/O error")
            return super().executemany(*args, **kwargs)  # type: ignore[arg-type]  # as it came

    def connect(uri: str) -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, isolation_level=None, factory=Breaks)

    with Store.open(tmp_path / DATABASE, connect) as store:
        with pytest.raises(StoreError, match="disk I/O error"):
            invite(store, "fox")
        assert store.tokens() == ()
