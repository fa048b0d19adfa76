"""Bots packed into parcels for other machines, known by the hash of their bytes.

A parcel is a tar file of all that a copy of the bot has (`arena.bots.contents`), the same bytes for
the same files. A machine keeps the parcels that it was sent, each unpacked in a folder that is
named by the hash, and so gets each only once.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import secrets
import tarfile
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bots.botfile import Bot
from arena.bots.contents import prepare_scratch, remove_scratch

# Light compression: most of a parcel is source, and the bytes are sent once for each machine.
COMPRESSION = 6

_HASH = re.compile(r"[0-9a-f]{64}\Z")
_NEW = ".new-"


class BadParcel(Exception):
    """Bytes that are not the parcel they should be."""


@dataclass(frozen=True)
class Parcel:
    """A packed bot. `hash`: SHA-256 of the bytes, in hexadecimal digits."""

    hash: str
    data: bytes

    def __repr__(self) -> str:
        return f"<Parcel {self.hash[:12]}, {len(self.data)} bytes>"


def pack(bot: Bot) -> Parcel:
    """Pack a bot that has a folder of its own."""
    assert not bot.is_bare
    with tempfile.TemporaryDirectory(prefix="arena-parcel-") as place:
        folder = prepare_scratch(bot, Path(place) / "bot")
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for path in sorted(_inside(folder)):
                tar.add(path, path.relative_to(folder), recursive=False, filter=_plain)
    data = gzip.compress(packed.getvalue(), COMPRESSION, mtime=0)
    return Parcel(hashlib.sha256(data).hexdigest(), data)


def _inside(folder: Path) -> list[Path]:
    """Return all folders, files and links below a folder; links are not followed."""
    found = []
    for place, folders, files in os.walk(folder):
        found += [Path(place, name) for name in (*folders, *files)]
    return found


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out of a member all that is not the same on all machines and at all times."""
    mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member.replace(mtime=0, mode=mode, uid=0, gid=0, uname="", gname="", deep=False)


class ParcelCache:
    """The parcels that this machine has, each unpacked in a folder. Several processes may use it.

    An entry appears by a rename, so it is whole or not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __repr__(self) -> str:
        return f"<ParcelCache {self.folder}>"

    def has(self, hash_: str) -> bool:
        """Tell whether a parcel is here; one that is used is kept from being the oldest."""
        path = self._path(hash_)
        try:
            os.utime(path)
        except FileNotFoundError:
            return False
        return True

    def bot(self, bot: Bot, hash_: str) -> Bot:
        """Return a bot with the files of its parcel, which must be here."""
        return replace(bot, folder=self._path(hash_), include=())

    def keep(self, hash_: str, data: bytes) -> None:
        """Unpack a parcel, unless it is here. Raises BadParcel, or OSError for a full disk."""
        path = self._path(hash_)
        if path.exists():
            return
        if hashlib.sha256(data).hexdigest() != hash_:
            raise BadParcel(f"{len(data)} bytes came for {hash_[:12]}, and they are another parcel")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self.folder / f"{_NEW}{secrets.token_hex(8)}"
        try:
            new.mkdir(mode=0o700)
            with tarfile.open(fileobj=io.BytesIO(gzip.decompress(data))) as tar:
                # Links out of the folder are part of a bot; files below them are not.
                tar.extractall(new, filter="tar")
            try:
                new.rename(path)
            except OSError:
                if not path.exists():  # else another process was faster
                    raise
        except (tarfile.TarError, EOFError, gzip.BadGzipFile) as error:
            raise BadParcel(f"{hash_[:12]} cannot be unpacked: {error}") from error
        finally:
            remove_scratch(new)

    def clean(self, unused_seconds: float = 0.0) -> int:
        """Remove all parcels that were not used for so long, and return how many."""
        removed = 0
        oldest = time.time() - unused_seconds
        try:
            paths = [*self.folder.iterdir()]
        except FileNotFoundError:
            return 0
        for path in paths:
            if path.name.startswith(_NEW) or _HASH.match(path.name):
                try:
                    is_old = path.stat().st_mtime <= oldest
                except FileNotFoundError:
                    continue
                if is_old:
                    remove_scratch(path)
                    removed += 1
        return removed

    def _path(self, hash_: str) -> Path:
        if not _HASH.match(hash_):
            raise BadParcel(f"{hash_!r} is no hash of a parcel")
        return self.folder / hash_
