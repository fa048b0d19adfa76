"""A league that is played and served at once."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from contextlib import suppress
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from arena.league.store.folder import DATABASE, SERVE_LOG
from arena.league.store.reader import Reader
from tests.league.running import ARENA, RealLeague
from tests.serve.running import read_all
from tests.serve.web_page import WebPage

pytestmark = [pytest.mark.slow, pytest.mark.alone]

BOTS = dict.fromkeys(("fox", "owl", "crow", "hare"), "steady.py")


def serving_processes(home: Path) -> list[int]:
    """The processes that serve this league."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = each.read_bytes()
            if b"arena.serve." in line and str(home).encode() in line:
                found.append(int(each.parent.name))
    return found


def test_a_league_whose_web_server_is_killed_again_and_again_is_played_as_if_nothing_were(
    tmp_path: Path,
) -> None:
    league = RealLeague(tmp_path, BOTS, sets=12)
    command = [*ARENA, "league", str(league.file), "--serve", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=league.env) as running:
        assert running.stdout is not None
        said = []
        for line in running.stdout:
            said.append(line)
            if "confined" in line:
                for each in serving_processes(league.home):
                    with suppress(ProcessLookupError):
                        os.kill(each, signal.SIGKILL)
        assert running.wait() == 0
    assert any(line.startswith("web: http://127.0.0.1:") for line in said)
    assert "web: the server has ended; the league is played on without it\n" in said
    with Reader.read(league.home / DATABASE) as store:
        assert store.is_over()
        assert not store.voids()
    assert (league.home / SERVE_LOG).stat().st_mode & 0o077 == 0
    assert serving_processes(league.home) == []


def test_an_address_that_is_taken_is_told_and_the_league_is_played(tmp_path: Path) -> None:
    league = RealLeague(tmp_path, BOTS, sets=2)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = subprocess.run(
            [*ARENA, "league", str(league.file), "--serve", f"127.0.0.1:{port}"],
            capture_output=True,
            text=True,
            env=league.env,
        )
    assert ran.returncode == 0
    assert f"web: nothing can be served at 127.0.0.1:{port}: Address already in use" in ran.stdout


def test_visitors_of_a_league_that_is_played_may_play_too(tmp_path: Path) -> None:
    league = RealLeague(tmp_path, BOTS, sets=200)
    command = [*ARENA, "league", str(league.file), "--serve", "127.0.0.1:0"]
    command += ["--play", "python-random"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=league.env) as running:
        assert running.stdout is not None
        (where,) = islice((line for line in running.stdout if "/play" in line), 1)
        port = urlsplit(where.removeprefix("web: ").strip()).port
        assert port is not None
        with WebPage(port) as page:
            page.sit_down()
            page.play_on()
        running.send_signal(signal.SIGINT)
        for _ in running.stdout:
            pass
    assert serving_processes(league.home) == []


def test_a_league_that_is_played_is_asked_for_by_the_names_it_was_given(tmp_path: Path) -> None:
    league = RealLeague(tmp_path, BOTS, sets=200)
    command = [*ARENA, "league", str(league.file), "--serve", "127.0.0.1:0"]
    command += ["--host", "cup.example.org", "--host", "Cards.Example.Org."]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=league.env) as running:
        assert running.stdout is not None
        (where,) = islice((line for line in running.stdout if "http://" in line), 1)
        address = urlsplit(where.removeprefix("web: ").strip())
        assert address.port is not None
        status = {}
        for name in ("cup.example.org", "cards.example.org", "evil.example"):
            request = f"GET {address.path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"
            with socket.create_connection(("127.0.0.1", address.port), timeout=30) as visitor:
                visitor.sendall(request.encode())
                status[name] = read_all(visitor).split(maxsplit=2)[1]
        running.send_signal(signal.SIGINT)
        for _ in running.stdout:
            pass
    assert status == {
        "cup.example.org": b"200",
        "cards.example.org": b"200",
        "evil.example": b"421",
    }
