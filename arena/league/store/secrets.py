"""The secrets of a league, in a file of their own: for the runner, which deals, and `arena verify`.

Nothing else may import this module or open a Store: a process that makes tables or pages has a
Reader, from which there is no way to the secrets. `league.db` has their digest, so that the file
of another league is refused.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.league.store.database import (
    LEAGUE,
    Connect,
    StoreError,
    connect,
    opened_as_it_is,
    translated,
    understood,
)
from arena.league.store.folder import SECRETS
from arena.league.store.reader import never_begun

# Of the key and of the lots.
SECRET_BYTES = 32
# Leagues of earlier schemas have them in `league.db`.
SCHEMA_WITH_A_FILE = 3
# Read and written by the owner alone.
PRIVATE = 0o600

_WORDS = """\
# The secrets of this league. All deals to come are worked out from the key, and line-ups are drawn
# with the lots: keep this file to yourself, and move and copy it together with league.db.
"""


@dataclass(frozen=True)
class Secrets:
    """Drawn once for each league, or worked out from the seed in its file. No repr shows them."""

    key: bytes = field(repr=False)  # the seeds of all sets come from it
    lots: bytes = field(repr=False)  # line-ups and their orders are drawn with it

    @property
    def digest(self) -> bytes:
        """A hash that tells these secrets from others, and nothing about them."""
        return sha256(b"arena league secrets\0" + self.key + self.lots).digest()


def file_of_secrets(path: Path) -> Path:
    """Return the path of the file that belongs to this `league.db`."""
    return path.with_name(SECRETS)


def read_secrets(path: Path, connect: Connect = connect) -> Secrets:
    """Read the secrets of the league whose `league.db` is at this path."""
    with understood(path):
        db, schema = opened_as_it_is(path, LEAGUE, connect)
        with closing(db):
            facts = dict(db.execute("SELECT name, value FROM facts").fetchall())
    if schema < SCHEMA_WITH_A_FILE:
        return secrets_in(facts, path)
    if "secrets" not in facts:
        raise never_begun(path)
    return secrets_beside(path, facts["secrets"])


def secrets_in(facts: Mapping[str, Any], path: Path) -> Secrets:
    """Take the secrets out of the facts of an earlier schema."""
    if not facts.keys() >= {"key", "lots"}:
        raise never_begun(path)
    with understood(path):
        return Secrets(bytes(facts["key"]), bytes(facts["lots"]))


def secrets_beside(path: Path, digest: bytes) -> Secrets:
    """Read the file of secrets beside `league.db`; its secrets must have this digest."""
    file = file_of_secrets(path)
    if not file.exists():
        raise StoreError(
            f"{file} is gone, and without it no deal of this league can be worked out: bring back"
            " the last copy of it; the table and the pages can be made all the same"
        )
    found = _read(file)
    if found.digest != digest:
        raise StoreError(
            f"{file}: these are the secrets of another league than {path.name}; bring back the"
            " file that belongs to it"
        )
    return found


def write_secrets(path: Path, secrets: Secrets) -> None:
    """Write the file that belongs to this `league.db`, whole or not at all, and on disk when this
    returns: for its owner alone before anything is in it."""
    file = file_of_secrets(path)
    beside = file.with_name(f"{file.name}.new")
    text = f'{_WORDS}key = "{secrets.key.hex()}"\nlots = "{secrets.lots.hex()}"\n'
    with translated(file):
        beside.unlink(missing_ok=True)
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
        with open(descriptor, "w") as written:
            written.write(text)
            written.flush()
            os.fsync(descriptor)
        os.replace(beside, file)
        folder = os.open(file.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def keep_private(*files: Path) -> None:
    """Take these files from everybody but their owner, as a copy that lost its mode may be
    readable by others."""
    for file in files:
        if file.exists() and stat.S_IMODE(file.stat().st_mode) & 0o077:
            file.chmod(PRIVATE)


def _read(file: Path) -> Secrets:
    with translated(file):
        text = file.read_bytes()
    try:
        found = tomllib.loads(text.decode())
        return Secrets(bytes.fromhex(found["key"]), bytes.fromhex(found["lots"]))
    except (ValueError, KeyError, TypeError):
        # Not the error itself, which may quote a line.
        raise StoreError(f"{file} is damaged: bring back the last copy of it") from None
