"""Files for the authors of bots that dial in, each with the bot's address and token.

A token is drawn once and stays; the address follows the league's file. Tokens are nowhere else:
not in `league.db`, and not in what bots send (`arena.league.play.hidden_tokens`).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path

from arena.league.model.config import League
from arena.referee.door.addresses import TcpAddress
from arena.referee.door.guests import environment_to_dial, new_token, token_in

# The folder of these files, in the league's folder.
TOKENS = "tokens"
SUFFIX = ".env"
# For the owner of the league alone, who gives each file to its author.
FOLDER_MODE, FILE_MODE = 0o700, 0o600
# These mean every address of the machine: a server can listen there, but nobody can dial them.
EVERYWHERE = ("0.0.0.0", "::")


def tokens_of(league: League, folder: Path) -> Mapping[str, str]:
    """Return the tokens of the bots that dial in, by name, and write their files."""
    assert league.listen is not None or not league.callers
    return {name: _token(folder, name, to_dial(league.listen or "")) for name in league.callers}


def file_of(folder: Path, name: str) -> Path:
    """Return the path of the file for the author of this bot."""
    return folder / TOKENS / f"{name}{SUFFIX}"


def to_dial(listen: str) -> str:
    """Return the address at which bots reach this one; a wildcard becomes the name of this
    machine, as far as it knows it."""
    where = TcpAddress.of(listen)
    return f"tcp:{socket.gethostname()}:{where.port}" if where.host in EVERYWHERE else listen


def _token(folder: Path, name: str, connect: str) -> str:
    file = file_of(folder, name)
    token = _kept(file) or new_token()
    settings = environment_to_dial(connect, token)
    text = "".join(
        [
            f"# For the author of {name}: where to dial in, and the secret that proves its name.\n",
            *(f"{setting}={value}\n" for setting, value in settings.items()),
        ]
    )
    if not file.exists() or file.read_text() != text:
        file.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
        # Readable by this user alone before the secret is in it.
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "w") as written:
            written.write(text)
    # A copy of the league may have lost its modes.
    file.parent.chmod(FOLDER_MODE)
    file.chmod(FILE_MODE)
    return token


def _kept(file: Path) -> str | None:
    """Return the token in the file; None if there is none, as in a file that was cut short."""
    if not file.exists():
        return None
    whole = [line for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]
    settings = dict(line.rstrip("\n").split("=", 1) for line in whole if "=" in line)
    return token_in(settings)
