"""Tokens and the files for authors, made ready for one run after another."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from arena.league.entry.tokens import adopt_files, readdressed, tokens_of
from arena.league.file.tokens import TOKENS, file_of, token_in_file
from arena.league.model.config import Entrant, League
from arena.league.store.folder import DATABASE, SECRETS
from arena.league.store.store import Store
from arena.league.store.tokens import invite, renew, revoke, token_of
from arena.tokens import KnownToken, digest_of

FIXTURE = Path(__file__).parents[2] / "fixtures" / "schema_3" / "invited"
HERE = "tcp:127.0.0.1:4000"
LEAGUE = League(
    name="Cup",
    game="nyet",
    seats=2,
    entrants=(Entrant("fox", None, "fox"), Entrant("owl", None, "owl")),
    sets=1,
    listen=HERE,
)


class Runs:
    """The runs of one league, each from an opened store to the tokens that its jobs get."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.told: list[str] = []

    def tokens(self, league: League = LEAGUE) -> Mapping[str, KnownToken]:
        with Store.open(self.folder / DATABASE) as store:
            self.told = []
            return tokens_of(league, store, self.folder, self.told.append)

    def in_file(self, name: str = "fox") -> str:
        token = token_in_file(self.folder, name)
        assert token is not None
        return token

    def admits(self, token: str, name: str = "fox") -> bool:
        found = self.tokens().get(name)
        return found is not None and found.is_of(digest_of(token))


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def test_a_bot_that_first_appears_gets_a_token_and_its_author_a_file(runs: Runs) -> None:
    tokens = runs.tokens()
    assert [*tokens] == ["fox", "owl"]
    for name, token in tokens.items():
        assert token == KnownToken.of(runs.in_file(name))
    assert runs.in_file("fox") != runs.in_file("owl")
    assert runs.told == []


def test_a_token_stays_and_the_address_follows_the_league(runs: Runs) -> None:
    before, token = runs.tokens(), runs.in_file()
    assert runs.tokens(replace(LEAGUE, listen="tcp:127.0.0.1:4001")) == before
    assert runs.in_file() == token
    lines = file_of(runs.folder, "fox").read_text().splitlines()
    assert "ARENA_CONNECT=tcp:127.0.0.1:4001" in lines


def test_authors_are_told_the_address_of_the_file_and_another_when_it_changes(runs: Runs) -> None:
    runs.tokens(replace(LEAGUE, address="tcp:arena.example:80"))
    assert "ARENA_CONNECT=tcp:arena.example:80\n" in file_of(runs.folder, "fox").read_text()
    named = replace(LEAGUE, address="tcp:arena.example:81")
    with Store.open(runs.folder / DATABASE) as store:
        revoke(store, "owl")
        assert readdressed(named, store, runs.folder) == ["fox"]
        assert readdressed(named, store, runs.folder) == []
    assert "ARENA_CONNECT=tcp:arena.example:81\n" in file_of(runs.folder, "fox").read_text()
    assert "ARENA_CONNECT=tcp:arena.example:80\n" in file_of(runs.folder, "owl").read_text()


def test_a_doubt_about_the_address_is_told_where_a_bot_is_told_it(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "localhost")
    everywhere = replace(LEAGUE, listen="tcp:0.0.0.0:4000")
    runs.tokens(everywhere)
    (told,) = runs.told
    assert "may not reach tcp:localhost:4000: the name localhost is " in told
    runs.tokens(replace(everywhere, entrants=()))
    assert runs.told == []


@pytest.mark.parametrize("left", [None, "", "ARENA_TOKEN=half-a-tok", "ARENA_TOKEN=of-ours\n"])
def test_where_the_file_is_gone_or_holds_no_valid_token_another_is_drawn(
    runs: Runs, left: str | None
) -> None:
    runs.tokens()
    before, file = runs.in_file(), file_of(runs.folder, "fox")
    file.unlink()
    if left is not None:
        file.write_text(left)
    assert not runs.admits(before)
    assert runs.told == ["fox has a new token, as its file was gone or held no valid one"]
    assert runs.in_file() not in (before, "of-ours")
    assert runs.admits(runs.in_file())


def test_an_old_copy_of_a_file_brings_no_revoked_token_back(runs: Runs) -> None:
    runs.tokens()
    file, before = file_of(runs.folder, "fox"), runs.in_file()
    kept = file.read_text()
    file.unlink()
    runs.tokens()
    file.write_text(kept)
    assert not runs.admits(before)


def test_a_revoked_bot_gets_no_token_by_itself_and_its_file_goes(runs: Runs) -> None:
    runs.tokens()
    before = runs.in_file()
    with Store.open(runs.folder / DATABASE) as store:
        revoke(store, "fox")
    for _ in "12":
        assert not runs.admits(before)
        assert runs.told[-1] == "fox cannot dial in: its token is revoked, and it has no other"
    assert not file_of(runs.folder, "fox").exists()
    assert runs.admits(runs.in_file("owl"), "owl")


@pytest.mark.parametrize("is_new", [True, False])
def test_a_token_that_was_told_once_needs_no_file(runs: Runs, is_new: bool) -> None:
    """As `invite` and `renew` have it where the operator saw it on a screen."""
    if not is_new:
        runs.tokens()
    with Store.open(runs.folder / DATABASE) as store:
        token = invite(store, "fox") if is_new else renew(store, "fox")
    for _ in "12":
        assert runs.admits(token)
    assert not file_of(runs.folder, "fox").exists()


def test_no_run_renews_a_token_that_has_expired(runs: Runs) -> None:
    with Store.open(runs.folder / DATABASE) as store:
        invite(store, "fox", "2026-01-31T12:00:00Z", in_file=True)
    assert runs.tokens()["fox"].expires == "2026-01-31T12:00:00Z"
    assert runs.told == ["fox cannot dial in: its token expired at 2026-01-31T12:00:00Z"]
    with Store.open(runs.folder / DATABASE) as store:
        assert len([one for one in store.tokens() if one.bot == "fox"]) == 1


def test_without_anybody_who_dials_in_there_is_no_file(runs: Runs) -> None:
    assert runs.tokens(replace(LEAGUE, entrants=(), listen=None)) == {}
    assert not (runs.folder / TOKENS).exists()


# Leagues of earlier versions.


@pytest.fixture
def old(tmp_path: Path) -> Runs:
    """A league that a version before hashes played; it had the tokens in its files alone."""
    for name in (DATABASE, SECRETS):
        shutil.copy(FIXTURE / name, tmp_path)
    shutil.copytree(FIXTURE / TOKENS, tmp_path / TOKENS)
    return Runs(tmp_path)


def test_the_tokens_of_an_old_league_stay_valid(old: Runs) -> None:
    before = {name: old.in_file(name) for name in ("fox", "owl")}
    assert all(len(token) == 32 for token in before.values())
    tokens = old.tokens()
    assert {name: KnownToken.of(token) for name, token in before.items()} == tokens
    assert {name: old.in_file(name) for name in before} == before
    assert old.told == []


def test_a_token_of_an_old_league_is_revoked_like_any(old: Runs) -> None:
    before = old.in_file()
    with Store.open(old.folder / DATABASE) as store:
        adopt_files(store, old.folder)
        revoke(store, "fox")
    assert not old.admits(before)


def test_a_token_that_two_files_of_an_old_league_hold_is_that_of_one_bot(old: Runs) -> None:
    shutil.copy(file_of(old.folder, "fox"), file_of(old.folder, "owl"))
    shared = old.in_file()
    assert old.admits(shared, "fox")
    assert not old.admits(shared, "owl")
    assert old.admits(old.in_file("owl"), "owl")


def test_a_token_that_somebody_wrote_by_hand_stays_valid(old: Runs) -> None:
    file_of(old.folder, "fox").write_text("ARENA_TOKEN=opens \u00fc everything.\n")
    assert old.admits("opens \u00fc everything.")
    with Store.open(old.folder / DATABASE) as store:
        kept = token_of(store, "fox")
        assert kept is not None
        assert kept.token.by_hand == len("opens \u00fc everything.".encode())
