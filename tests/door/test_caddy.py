"""Bots through the real Caddy and a door: `arena check` finds nothing that it would not find."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.door.an_open_door import CHAIN, KEY
from tests.door.caddy import ARENA, a_door_process, behind_caddy, needs_caddy
from tests.league.play.test_dialling_league import free_port

pytestmark = [pytest.mark.slow, pytest.mark.alone]

DOCUMENT = Path(__file__).parents[2] / "docs" / "door.md"
BOTS = [
    "python-random",
    pytest.param(
        "javascript-random",
        marks=pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
    ),
]


@needs_caddy
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_that_comes_by_wss_through_caddy_passes_the_check(tmp_path: Path, bot: str) -> None:
    listen = f"tcp:127.0.0.1:{free_port()}"
    with behind_caddy(tmp_path, listen) as address:
        assert findings(bot, address, listen) == []


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("way", ["tls", "wss"])
def test_a_bot_that_comes_through_a_door_alone_passes_the_check(bot: str, way: str) -> None:
    listen, port = f"tcp:127.0.0.1:{free_port()}", free_port()
    address = f"wss://127.0.0.1:{port}/" if way == "wss" else f"tls:localhost:{port}"
    files = ("--certificate", str(CHAIN), "--key", str(KEY))
    with a_door_process(listen, "--listen", f"{way}:127.0.0.1:{port}", *files):
        assert findings(bot, address, listen) == []


@needs_caddy
def test_caddy_takes_the_file_of_the_document(tmp_path: Path) -> None:
    (text,) = re.findall(
        r"```\n(arena\.example\.org \{.*?\n\})\n```", DOCUMENT.read_text(), re.DOTALL
    )
    file = tmp_path / "Caddyfile"
    file.write_text(f"{text}\n")
    ran = subprocess.run(
        ["caddy", "validate", "--config", str(file), "--adapter", "caddyfile"],
        capture_output=True,
        text=True,
        env=os.environ | {"HOME": str(tmp_path)},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def findings(bot: str, address: str, listen: str) -> list[object]:
    """What the check finds of a bot that dials an address whose door hands on to `listen`."""
    trusted = {"SSL_CERT_FILE": str(CHAIN), "NODE_EXTRA_CA_CERTS": str(CHAIN)}
    said = subprocess.run(
        [*ARENA, "check", bot, "--at", address, "--listen", listen, "--json"],
        env=os.environ | trusted,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    found: list[object] = json.loads(said.stdout)["findings"]
    return found
