"""The real Caddy before a door, with the certificate of these tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.door.an_open_door import CHAIN, KEY
from tests.league.play.test_dialling_league import free_port

ARENA = (sys.executable, "-m", "arena")
PATH = "/bots"
PATIENCE_SECONDS = 30

needs_caddy = pytest.mark.skipif(
    shutil.which("caddy") is None,
    reason="caddy is not installed; `bash .ci/run toolchains` installs it",
)


@contextmanager
def a_door_process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`arena door` with these arguments, from its first word on."""
    with subprocess.Popen([*ARENA, "door", *arguments], stderr=subprocess.PIPE, text=True) as door:
        try:
            assert door.stderr is not None
            assert door.stderr.readline().startswith("open at ")
            yield door
        finally:
            door.kill()


@contextmanager
def caddy(folder: Path, port: int) -> Iterator[str]:
    """The wss address at which Caddy hands on to a door's port for WebSockets."""
    outside = free_port()
    config = folder / "Caddyfile"
    config.write_text(
        "{\n  admin off\n  auto_https off\n  servers {\n    protocols h1 h2\n  }\n}\n"
        f"https://localhost:{outside} {{\n  tls {CHAIN} {KEY}\n"
        f"  handle {PATH} {{\n    reverse_proxy 127.0.0.1:{port}\n  }}\n}}\n"
    )
    home = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    command = ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(command, env=os.environ | home, stdout=log, stderr=log)
    with process:
        try:
            _until_open(outside, process)
            yield f"wss://localhost:{outside}{PATH}"
        finally:
            process.kill()


def _until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until somebody listens at a port."""
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            with_timeout = 0.01
            try:
                process.wait(with_timeout)
            except subprocess.TimeoutExpired:
                continue
        else:
            return
    raise AssertionError("caddy ended: see caddy.log")


@contextmanager
def behind_caddy(folder: Path, to: str) -> Iterator[str]:
    """The address of Caddy before a door that hands on to `to`."""
    port = free_port()
    arguments = (to, "--listen", f"ws:127.0.0.1:{port}", "--trust", "127.0.0.1")
    with a_door_process(*arguments), caddy(folder, port) as address:
        yield address
