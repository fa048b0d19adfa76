"""A server behind the real Caddy, as docs/serve.md puts it."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.league.leagues import Simulated
from tests.serve.running import read_all, serving
from tests.serve.told import ToldLeague

CADDY = shutil.which("caddy")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CADDY is None, reason="no Caddy on this machine"),
]

NAME = "cup.example.org"
# As in the document, without the certificate that only the name's owner gets.
FILE = """
{
	admin off
	auto_https off
}
http://cup.example.org:PROXY {
	@figures path /metrics /healthz
	respond @figures 404
	reverse_proxy 127.0.0.1:SERVER
}
"""


@contextmanager
def proxied(folder: Path, server: int) -> Iterator[int]:
    """Caddy in front of a server; its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    file = folder / "Caddyfile"
    file.write_text(FILE.replace("PROXY", str(port)).replace("SERVER", str(server)))
    assert CADDY is not None
    process = subprocess.Popen(
        [CADDY, "run", "--config", str(file), "--adapter", "caddyfile"],
        stderr=subprocess.PIPE,
        text=True,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if "serving initial configuration" in line:
                break
        yield port
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


def asked(port: int, path: str, host: str = NAME) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
    connection.sendall(f"{head}X-Forwarded-For: 198.51.100.7\r\n\r\n".encode())
    return connection


def test_pages_and_streams_come_through_a_proxy_and_figures_do_not(tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = ["--host", NAME, "--behind-proxy", "--log", str(log)]
    with closing(ToldLeague(tmp_path / "cup.arena", Simulated(sets=3), 1)) as told:
        (told.folder / "lock").touch()
        with (
            serving(told.folder, options=options) as server,
            proxied(tmp_path, server.port) as port,
        ):
            with asked(port, "/cup/") as page:
                text = read_all(page)
            assert text.startswith(b"HTTP/1.1 200")
            assert b"1 of 3 sets" in text
            with asked(port, "/metrics") as figures:
                assert read_all(figures).startswith(b"HTTP/1.1 404")
            with asked(port, "/cup/live") as stream:
                sent = b""
                while b"event: snapshot" not in sent:
                    sent += stream.recv(65_536)
                told.play()
                while b"event: news" not in sent:
                    sent += stream.recv(65_536)
            assert server.stop() < 3
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (page_line,) = [line for line in lines if line["path"] == "/cup/"]
    # Caddy does not pass on what a visitor claims, and tells the address that it sees.
    assert page_line["by"] == "127.0.0.0"
