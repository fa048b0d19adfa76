"""Files for the authors of bots that dial in, each with the bot's address and token.

A file is the only place where a token is written down, for the operator to hand out; the league
itself keeps a hash (`arena.league.store.tokens`). The address follows the league's file, whatever
becomes of the token (`arena.league.file.told_address`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from arena.referee.door.guests import environment_to_dial, token_in

# The folder of these files, in the league's folder.
TOKENS = "tokens"
SUFFIX = ".env"
# For the owner of the league alone, who gives each file to its author.
FOLDER_MODE, FILE_MODE = 0o700, 0o600


def file_of(folder: Path, name: str) -> Path:
    """Return the path of the file for the author of this bot."""
    return folder / TOKENS / f"{name}{SUFFIX}"


def names_of_files(folder: Path) -> Iterator[str]:
    """Yield the names of all bots that have a file, in the order of names."""
    for file in sorted((folder / TOKENS).glob(f"*{SUFFIX}")):
        yield file.name.removesuffix(SUFFIX)


def settings_for_author(address: str, token: str) -> dict[str, str]:
    """Return the environment variables with which a bot dials in at this address."""
    return environment_to_dial(address, token)


def write_file(folder: Path, name: str, address: str, token: str) -> bool:
    """Write the file for the author of a bot; tell whether it was another before.

    `address`: where the bot dials in, such as tcp:arena.example.org:4000.
    """
    file = file_of(folder, name)
    settings = settings_for_author(address, token)
    text = "".join(
        [
            f"# For the author of {name}: where to dial in, and the secret that proves its name.\n",
            *(f"{setting}={value}\n" for setting, value in settings.items()),
        ]
    )
    is_other = not file.exists() or file.read_bytes() != text.encode()
    if is_other:
        file.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
        # Readable by this user alone before the secret is in it.
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "wb") as written:
            written.write(text.encode())
    # A copy of the league may have lost its modes.
    file.parent.chmod(FOLDER_MODE)
    file.chmod(FILE_MODE)
    return is_other


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
