"""Files for the authors of bots that dial in, each with the bot's address and token.

A file is the only place where a token is written down, for the operator to hand out; the league
itself keeps a hash (`arena.league.store.tokens`). The address follows the league's file, whatever
becomes of the token.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

from arena.referee.door.addresses import TcpAddress
from arena.referee.door.guests import environment_to_dial, token_in

# The folder of these files, in the league's folder.
TOKENS = "tokens"
SUFFIX = ".env"
# For the owner of the league alone, who gives each file to its author.
FOLDER_MODE, FILE_MODE = 0o700, 0o600
# These mean every address of the machine: a server can listen there, but nobody can dial them.
EVERYWHERE = ("0.0.0.0", "::")


def file_of(folder: Path, name: str) -> Path:
    """Return the path of the file for the author of this bot."""
    return folder / TOKENS / f"{name}{SUFFIX}"


def names_of_files(folder: Path) -> Iterator[str]:
    """Yield the names of all bots that have a file, in the order of names."""
    for file in sorted((folder / TOKENS).glob(f"*{SUFFIX}")):
        yield file.name.removesuffix(SUFFIX)


def to_dial(listen: str) -> str:
    """Return the address at which bots reach this one; a wildcard becomes the name of this
    machine, as far as it knows it."""
    where = TcpAddress.of(listen)
    return f"tcp:{socket.gethostname()}:{where.port}" if where.host in EVERYWHERE else listen


def settings_for_author(listen: str, token: str) -> dict[str, str]:
    """Return the environment variables with which a bot dials in. `listen`: as in the file."""
    return environment_to_dial(to_dial(listen), token)


def write_file(folder: Path, name: str, listen: str, token: str) -> None:
    """Write the file for the author of a bot. `listen`: as in the league's file."""
    file = file_of(folder, name)
    settings = settings_for_author(listen, token)
    text = "".join(
        [
            f"# For the author of {name}: where to dial in, and the secret that proves its name.\n",
            *(f"{setting}={value}\n" for setting, value in settings.items()),
        ]
    )
    if not file.exists() or file.read_bytes() != text.encode():
        file.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
        # Readable by this user alone before the secret is in it.
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "wb") as written:
            written.write(text.encode())
    # A copy of the league may have lost its modes.
    file.parent.chmod(FOLDER_MODE)
    file.chmod(FILE_MODE)


def token_in_file(folder: Path, name: str) -> str | None:
    """Return the token in the file for an author; None if there is none, as in a file that was
    cut short."""
    try:
        text = file_of(folder, name).read_bytes().decode()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    whole = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
    settings = dict(line.rstrip("\n").split("=", 1) for line in whole if "=" in line)
    return token_in(settings)


def remove_file(folder: Path, name: str) -> None:
    """Remove the file for the author of a bot, if there is one."""
    file_of(folder, name).unlink(missing_ok=True)
