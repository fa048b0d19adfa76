"""`arena serve`: what it refuses before it serves anything."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league.store.folder import COMPLETE_SETS
from tests.league.leagues import Simulated, simulate


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league that was played, at rest."""
    with closing(simulate(tmp_path / "cup.arena", Simulated(sets=1))) as store:
        return store.path.parent


def said(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["serve", *arguments])
    return result.exit_code, result.output


def test_an_address_without_a_port_is_refused(league: Path) -> None:
    code, output = said(str(league), "--at", "localhost")
    assert (code, "'localhost' is not HOST:PORT" in output) == (2, True)


@pytest.mark.parametrize("command", [("serve",), ("league", "--serve")])
def test_a_host_with_a_scheme_is_refused(league: Path, command: tuple[str, ...]) -> None:
    words = [*command, "--host", "https://cup.example.org", str(league)]
    result = CliRunner().invoke(main, words)
    told = "write it without scheme, port and path" in result.output
    assert (result.exit_code, told) == (2, True), result.output


@pytest.mark.parametrize("address", ["cards.test/bots", "https://cards.test/bots", "unix:/door"])
def test_an_address_that_no_bot_can_dial_is_refused(league: Path, address: str) -> None:
    code, output = said(str(league), "--dial-in", address)
    words = f"'{address}' is not tcp:HOST:PORT, tls:HOST:PORT or wss://HOST/PATH"
    assert (code, words in " ".join(output.split())) == (2, True)


def test_a_league_that_is_not_there_is_refused(tmp_path: Path) -> None:
    code, output = said(str(tmp_path / "nothing"))
    assert (code, "is no league" in output) == (2, True)


def test_a_league_without_a_copy_for_readers_cannot_be_served(league: Path) -> None:
    (league / COMPLETE_SETS).unlink()
    code, output = said(str(league))
    assert (code, "`arena league` makes the file" in output) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--play", "python-high"), "--play is for a league on the web: it goes with --serve"),
        (("--host", "cup.example.org"), "--host is for a league on the web: it goes with --serve"),
        (
            ("--serve", "--play", "python3 bot.py"),
            "name a sample bot, or a folder with bot.toml",
        ),
    ],
)
def test_what_is_for_visitors_of_a_league_that_is_played_needs_a_server_and_bots_a_folder(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    result = CliRunner().invoke(main, ["league", str(tmp_path / "league.toml"), *arguments])
    assert (result.exit_code, words in result.output) == (2, True), result.output


def test_an_address_that_is_taken_is_told(league: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, output = said(str(league), "--at", f"127.0.0.1:{port}")
    assert code == 1
    assert f"nothing can be served at 127.0.0.1:{port}: Address already in use" in output
