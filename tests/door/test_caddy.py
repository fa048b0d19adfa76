"""Bots through the real Caddy and a door: `arena check` finds nothing that it would not find."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.door.an_open_door import CHAIN
from tests.door.caddy import ARENA, behind_caddy, needs_caddy
from tests.league.play.test_dialling_league import free_port

pytestmark = [pytest.mark.slow, pytest.mark.alone, needs_caddy]

BOTS = [
    "python-random",
    pytest.param(
        "javascript-random",
        marks=pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
    ),
]


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_that_comes_by_wss_through_caddy_passes_the_check(tmp_path: Path, bot: str) -> None:
    listen = f"tcp:127.0.0.1:{free_port()}"
    trusted = {"SSL_CERT_FILE": str(CHAIN), "NODE_EXTRA_CA_CERTS": str(CHAIN)}
    with behind_caddy(tmp_path, listen) as address:
        said = subprocess.run(
            [*ARENA, "check", bot, "--at", address, "--listen", listen, "--json"],
            env=os.environ | trusted,
            capture_output=True,
            text=True,
            check=False,
        )
    assert said.returncode == 0, said.stdout + said.stderr
    found = json.loads(said.stdout)
    assert found["findings"] == []
