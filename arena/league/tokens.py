"""What the author of a bot that dials in is given: a file with its address and its token.

The token is drawn once and stays; the address follows the league's file.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path

from arena.league.config import League
from arena.referee.addresses import TcpAddress
from arena.referee.guests import environment, new_token, token_in

# In the league's folder.
TOKENS = "tokens"
SUFFIX = ".env"
# Listening there means at every address of the machine, and is nothing to dial.
EVERYWHERE = ("0.0.0.0", "::")


def tokens_of(league: League, folder: Path) -> Mapping[str, str]:
    """By name of who dials in, its token; the files are there when this returns."""
    assert league.listen is not None or not league.callers
    return {name: _token(folder, name, to_dial(league.listen or "")) for name in league.callers}


def file_of(folder: Path, name: str) -> Path:
    """The file for the author of this bot."""
    return folder / TOKENS / f"{name}{SUFFIX}"


def to_dial(listen: str) -> str:
    """The address that reaches who listens at this one, as far as this machine knows."""
    where = TcpAddress.of(listen)
    return f"tcp:{socket.gethostname()}:{where.port}" if where.host in EVERYWHERE else listen


def _token(folder: Path, name: str, connect: str) -> str:
    file = file_of(folder, name)
    token = _kept(file) or new_token()
    settings = environment(connect, token)
    text = "".join(
        [
            f"# For the author of {name}: where it dials in, and the secret that says who it is.\n",
            *(f"{setting}={value}\n" for setting, value in settings.items()),
        ]
    )
    if not file.exists() or file.read_text() != text:
        file.parent.mkdir(mode=0o700, exist_ok=True)
        # Made for us alone, before the secret is in it.
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as written:
            written.write(text)
    return token


def _kept(file: Path) -> str | None:
    """The token in the file; None if there is none, as in a file that was cut short."""
    if not file.exists():
        return None
    whole = [line for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]
    settings = dict(line.rstrip("\n").split("=", 1) for line in whole if "=" in line)
    return token_in(settings)
