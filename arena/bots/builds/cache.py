"""Finished builds, kept for the next command that needs the same: a folder of the operator's.

    builds/IDENTITY/entry.json     what it is, and the digest of its tree
    builds/IDENTITY/tree/          the folder of the bot as its build has left it
    builds/.new-IDENTITY/          an entry that is being written
    builds/locks/IDENTITY          held by the command that makes, reads or removes the entry

No bot ever gets a path in here: each start has a copy of its own. An entry appears by a rename, so
it is whole or not there; one whose copy does not have the digest it was entered with is removed.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import msgspec
import trio

from arena.bots.builds import tree
from arena.bots.warden.folders import remove

# Some thirty bots in Rust or TypeScript with all their packages.
MOST_BYTES = 2 * 1024**3

# Another command may hold the entry for minutes, while it builds; this often we look again.
LOOK_SECONDS = 0.05

_IDENTITY = re.compile(r"[0-9a-f]{64}\Z")
_ENTRY, _TREE, _LOCKS, _NEW = "entry.json", "tree", "locks", ".new-"


class KeptBuild(msgspec.Struct, frozen=True):
    """What is known of one entry."""

    name: str
    """Of the bot that was built; others with the same files use the entry too."""
    command: tuple[str, ...]
    rung: str
    """How the build was confined, as records have it."""
    seconds: float
    """The time that the build took."""
    size_bytes: int
    digest: str


class BuildCache:
    """The kept builds in one folder. `most_bytes`: above this the oldest are removed."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self.folder = folder
        self._most_bytes = most_bytes

    def __repr__(self) -> str:
        return f"<BuildCache {self.folder}>"

    def trouble(self) -> str | None:
        """Make the folder, and return why it cannot be used, None if it can."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            state = self.folder.stat()
            if state.st_uid != os.geteuid():
                return f"{self.folder} belongs to another user"
            if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                return f"other users may write to {self.folder}"
            self.folder.chmod(0o700)
            (self.folder / _LOCKS).mkdir(mode=0o700, exist_ok=True)
            trial = os.open(self.folder / _LOCKS, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(trial, fcntl.LOCK_SH | fcntl.LOCK_NB)
            finally:
                os.close(trial)
        except OSError as error:
            return f"{self.folder}: {error.strerror}"
        return None

    @asynccontextmanager
    async def held(self, identity: str) -> AsyncIterator[None]:
        """Hold an entry, which may be there or not, against all other commands and tasks."""
        while (descriptor := self._lock(identity)) is None:
            await trio.sleep(LOOK_SECONDS)
        try:
            yield
        finally:
            os.close(descriptor)

    def take(self, identity: str, into: Path) -> bool:
        """Copy the tree of an entry that is held, if it is there; `into` does not exist yet."""
        entry = self.folder / identity
        kept = self._read(entry)
        if kept is None:
            return False
        try:
            tree.copied(entry / _TREE, into)
            is_whole = tree.digest(into) == kept.digest
        except OSError:
            is_whole = False
        if not is_whole:
            remove((str(into),))
            remove((str(entry),))
            return False
        os.utime(entry / _ENTRY)
        return True

    def keep(self, identity: str, built: Path, facts: Mapping[str, object]) -> str | None:
        """Enter a built folder under an identity that is held; return why not, None if done.

        `facts`: the fields of KeptBuild but for size and digest.
        """
        new = self.folder / f"{_NEW}{identity}"
        try:
            remove((str(new),))  # of a command that was killed
            if (holder := tree.names_its_place(built)) is not None:
                name = holder.relative_to(built)
                return f"{name} holds the path of the folder in which it was built"
            size_bytes = tree.size(built)
            if size_bytes > self._most_bytes:
                return f"its {_megabytes(size_bytes)} are more than the cache may have"
            new.mkdir(mode=0o700)
            tree.copied(built, new / _TREE)
            digest = tree.digest(new / _TREE)
            kept = msgspec.convert({**facts, "size_bytes": size_bytes, "digest": digest}, KeptBuild)
            (new / _ENTRY).write_bytes(msgspec.json.encode(kept))
            remove((str(self.folder / identity),))
            new.rename(self.folder / identity)
            self._make_room(identity)
        except OSError as error:
            remove((str(new),))
            return str(error)
        return None

    def entries(self) -> list[tuple[float, str, KeptBuild]]:
        """Return all entries, the one used last first: time of use, identity, what is known."""
        found = []
        for path in self._paths():
            kept = self._read(path)
            with suppress(OSError):
                if kept is not None:
                    found.append(((path / _ENTRY).stat().st_mtime, path.name, kept))
        return sorted(found, key=lambda each: each[:2], reverse=True)

    def clean(self) -> tuple[int, int, int]:
        """Remove all entries but those in use: how many, their bytes, and how many are in use."""
        removed, freed, in_use = 0, 0, 0
        for path in self._paths():
            kept = self._read(path)
            if self._remove(path.name):
                removed += 1
                freed += kept.size_bytes if kept is not None else 0
            else:
                in_use += 1
        return removed, freed, in_use

    def _make_room(self, newest: str) -> None:
        """Remove the entries that were not used for the longest time, down to the bound."""
        left = 0
        for _, identity, kept in self.entries():
            left += kept.size_bytes
            if left > self._most_bytes and identity != newest:
                self._remove(identity)

    def _remove(self, identity: str) -> bool:
        """Remove an entry and its lock; False if another command holds it."""
        descriptor = self._lock(identity)
        if descriptor is None:
            return False
        try:
            remove((str(self.folder / identity), str(self.folder / f"{_NEW}{identity}")))
            (self.folder / _LOCKS / identity).unlink(missing_ok=True)
        finally:
            os.close(descriptor)
        return True

    def _lock(self, identity: str) -> int | None:
        """Return a descriptor that holds the lock while it is open; None if it is held."""
        path = self.folder / _LOCKS / identity
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with _closed_on_error(descriptor):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # The holder before may have removed the file: then this lock holds off nobody.
                is_there = os.path.samestat(os.fstat(descriptor), path.stat())
            except (BlockingIOError, FileNotFoundError):
                is_there = False
        if is_there:
            return descriptor
        os.close(descriptor)
        return None

    def _read(self, entry: Path) -> KeptBuild | None:
        try:
            return msgspec.json.decode((entry / _ENTRY).read_bytes(), type=KeptBuild)
        except (OSError, msgspec.MsgspecError):
            return None

    def _paths(self) -> list[Path]:
        """Return the folders of all entries, also of those that are not whole."""
        try:
            names = {path.name.removeprefix(_NEW) for path in self.folder.iterdir()}
        except OSError:
            return []
        return [self.folder / name for name in sorted(names) if _IDENTITY.match(name)]


def users_cache(environ: Mapping[str, str]) -> BuildCache:
    """Return the cache of the user who runs arena, by the rules of XDG."""
    base = Path(environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():
        base = Path(environ.get("HOME", "/")) / ".cache"
    return BuildCache(base / "arena" / "builds")


@contextmanager
def _closed_on_error(descriptor: int) -> Iterator[None]:
    try:
        yield
    except BaseException:
        os.close(descriptor)
        raise


def _megabytes(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB"
