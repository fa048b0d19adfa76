"""`arena tokens`: what it lists, and what becomes of a token that is renewed or revoked."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.control import order
from arena.league.entry.opening import open_league
from arena.league.entry.tokens import tokens_of
from arena.league.file.reading import read_league
from arena.league.file.tokens import file_of, token_in_file
from arena.league.store.folder import DATABASE, folder_of
from arena.league.store.lock import locked
from arena.league.store.store import Store
from arena.league.store.tokens import renew, token_of
from arena.tokens import digest_of
from tests.cli.test_main import run

TEXT = """
game = "nyet"
seats = 2
listen = "tcp:127.0.0.1:4000"

[[bots]]
name = "fox"
dials_in = true

[[bots]]
name = "owl"
dials_in = true

[[bots]]
sample = "python-bare"
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """The folder of a league that was begun, whose bots have their first tokens."""
    file = tmp_path / "cup.toml"
    file.write_text(TEXT)
    league, folder = read_league(file), folder_of(file)
    with open_league(league, folder) as store:
        tokens_of(league, store, folder, lambda line: None)
    return folder


def token_is_good(folder: Path, name: str, token: str | None) -> bool:
    assert token is not None
    with Store.open(folder / DATABASE) as store:
        found = token_of(store, name)
    return found is not None and found.token.is_of(digest_of(token))


def test_each_bot_has_a_line_without_its_token(cup: Path) -> None:
    code, said = run("tokens", str(cup))
    fox, owl = said.splitlines()
    assert code == 0
    assert fox.startswith("fox: valid, since 20")
    assert fox.endswith(f"; in {file_of(cup, 'fox')}")
    assert owl.startswith("owl: valid, ")
    assert (token_in_file(cup, "fox") or "") not in said


def test_a_renewed_token_is_in_the_file_and_the_one_before_has_ended(cup: Path) -> None:
    before = token_in_file(cup, "fox")
    code, said = run("tokens", str(cup), "--renew", "fox", "--expires", "2126-01-31")
    assert (code, said) == (
        0,
        f"fox has a new token, in {file_of(cup, 'fox')}: give that to its author\n",
    )
    assert not token_is_good(cup, "fox", before)
    assert token_is_good(cup, "fox", token_in_file(cup, "fox"))
    assert ", until 2126-01-31T00:00:00Z; in " in run("tokens", str(cup))[1].splitlines()[0]


def test_a_revoked_token_is_gone_until_it_is_renewed(cup: Path) -> None:
    before = token_in_file(cup, "owl")
    assert run("tokens", str(cup), "--revoke", "owl") == (
        0,
        "the token of owl is revoked: it cannot dial in until it is renewed\n",
    )
    assert not token_is_good(cup, "owl", before)
    assert not file_of(cup, "owl").exists()
    assert run("tokens", str(cup))[1].splitlines()[1].startswith("owl: revoked at 20")
    code, said = run("tokens", str(cup), "--revoke", "owl")
    assert code == 1
    assert said.startswith("Error: the token of owl is revoked already, since 20")
    assert run("tokens", str(cup), "--renew", "owl")[0] == 0
    assert token_is_good(cup, "owl", token_in_file(cup, "owl"))


def test_a_token_that_has_expired_is_told_as_that(cup: Path) -> None:
    with Store.open(cup / DATABASE) as store:
        renew(store, "fox", "2026-01-31T12:00:00Z", in_file=True)
    assert run("tokens", str(cup))[1].startswith("fox: expired at 2026-01-31T12:00:00Z\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--renew", "fix"), "'fix' is no bot with a token here. Did you mean 'fox'?"),
        (("--revoke", "python-bare"), "'python-bare' is no bot with a token here."),
        (("--renew", "fox", "--revoke", "owl"), "make one after the other"),
        (("--expires", "2126-01-31"), "--expires belongs to --renew"),
        (("--renew", "fox", "--expires", "2026-01-31"), "--expires is over already"),
        (("--renew", "fox", "--expires", "soon"), "--expires 'soon' is no time: write a day"),
    ],
)
def test_what_cannot_be_is_said_in_words(cup: Path, arguments: tuple[str, ...], words: str) -> None:
    code, said = run("tokens", str(cup), *arguments)
    assert (code, words in said) == (2, True), said


def test_nothing_is_changed_while_the_league_is_played(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order, "PATIENCE_SECONDS", 0)
    before = token_in_file(cup, "fox")
    with locked(cup):
        code, said = run("tokens", str(cup), "--renew", "fox")
    assert (code, "this league is being played by process" in said) == (1, True)
    assert token_in_file(cup, "fox") == before


def test_a_league_in_which_nobody_dials_in_says_so(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'game = "nyet"\n[[bots]]\nsample = "python-bare"\n[[bots]]\nsample = "python-random"\n'
    )
    open_league(read_league(file), folder_of(file)).close()
    assert run("tokens", str(file))[1].startswith("no bot of this league has a token: ")
