"""docs/one-machine.md: its files are good ones, and do what it says behind the real Caddy."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path

import pytest

from arena.league.file.reading import read_league
from tests.door.caddy import a_door_process, needs_caddy
from tests.league.leagues import Simulated
from tests.league.play.test_dialling_league import free_port
from tests.serve.running import read_all, serving
from tests.serve.test_proxy import CADDY
from tests.serve.told import ToldLeague
from tests.serve.web_page import upgrade_head

DOCUMENT = (Path(__file__).parents[2] / "docs" / "one-machine.md").read_text()
NAME = "cup.example.org"
BOTS = "wss://cup.example.org/bots"


def block(begin: str) -> str:
    """The block of the document that begins like this."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    (found,) = [str(each) for each in blocks if each.startswith(begin)]
    return found


def arguments() -> dict[str, list[str]]:
    """By command, what it is told."""
    told = re.findall(r"^echo 'ARGUMENTS=(.*)' > /etc/arena/(\w+)$", DOCUMENT, re.MULTILINE)
    return {command: words.split() for words, command in told}


def test_each_command_takes_what_it_is_told() -> None:
    assert set(arguments()) == {"league", "serve", "door"}
    for command, words in arguments().items():
        import_module(f"arena.cli.{command}").COMMAND.make_context(command, words)
    enabled = [f"arena@{command}" for command in arguments()]
    assert f"systemctl enable --now {' '.join(enabled)}\n" in DOCUMENT
    assert "ExecStart=/opt/arena/bin/arena %i $ARGUMENTS" in block("[Unit]")


def test_the_league_of_the_document_is_a_good_one(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(block('name = "The cup"'))
    league = read_league(file)
    assert league.listen is not None
    assert league.sets is None  # no end before a bot comes
    assert BOTS in file.read_text()
    assert BOTS in arguments()["serve"]


@contextmanager
def caddy_of_the_document(folder: Path, pages: int, door: int) -> Iterator[int]:
    """Caddy with the document's file, but for the certificate; its port."""
    port = free_port()
    text = block(f"{NAME} {{").replace(NAME, f"http://{NAME}:{port}")
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{pages}")
    text = text.replace("127.0.0.1:8001", f"127.0.0.1:{door}")
    file = folder / "Caddyfile"
    file.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{text}")
    assert CADDY is not None
    process = subprocess.Popen(
        [CADDY, "run", "--config", str(file), "--adapter", "caddyfile"],
        stderr=subprocess.PIPE,
        text=True,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
    )
    try:
        assert process.stderr is not None
        assert any("serving initial configuration" in line for line in process.stderr)
        yield port
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


def got(port: int, path: str) -> bytes:
    head = f"GET {path} HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(head.encode())
        return read_all(connection)


def told_to_a_bot(port: int, path: str, until: bytes) -> bytes:
    """The answer to a bot that wants a WebSocket there, to these words."""
    head = upgrade_head(port, path=path, is_page=False)
    found = b""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(head.replace(f"127.0.0.1:{port}".encode(), NAME.encode()))
        while until not in found and (data := connection.recv(65_536)):
            found += data
    return found


@pytest.mark.slow
@needs_caddy
def test_pages_and_bots_share_one_name_and_figures_are_for_nobody(tmp_path: Path) -> None:
    options = ["--host", NAME, "--behind-proxy", "--dial-in", BOTS]
    door = free_port()
    with (
        closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=3), 1)) as told,
        serving(told.folder, options=options) as server,
        a_door_process("tcp:127.0.0.1:9", "--listen", f"ws:127.0.0.1:{door}"),
        caddy_of_the_document(tmp_path, server.port, door) as port,
    ):
        assert b"1 of 3 sets" in got(port, "/cup/")
        assert got(port, "/bots").startswith(b"HTTP/1.1 400 ")
        assert b"Bots connect here by WebSocket" in got(port, "/bots")
        for path in ("/metrics", "/healthz"):
            assert got(port, path).startswith(b"HTTP/1.1 404 ")
        assert got(port, "/try").startswith(b"HTTP/1.1 502 ")
        words = f"Bots dial in to a league at {BOTS}".encode()
        answer = told_to_a_bot(port, "/bot", words)
        assert answer.startswith(b"HTTP/1.1 404 ")
        assert words in answer
