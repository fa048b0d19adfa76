"""Built folders as values: copied, hashed, and searched for the name of their own place.

All of it was written by an author's code. So no link is followed, no special file is opened, and
of a mode only the permissions are taken over.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

_OWNER_FILE = stat.S_IRUSR | stat.S_IWUSR
_OWNER_FOLDER = stat.S_IRWXU
_PERMISSIONS = 0o777


def entries(tree: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield all folders, files and links below a folder, each with its state, in a fixed order.

    Parents come before what is in them. Not by `os.walk`, which calls itself for each level: a
    build can make more levels than Python has calls.
    """
    left = [tree]
    while left:
        folder = left.pop()
        for name in sorted(os.listdir(folder)):
            path = folder / name
            state = path.lstat()
            yield path, state
            if stat.S_ISDIR(state.st_mode):
                left.append(path)


def size(tree: Path) -> int:
    """Return the bytes of all files."""
    return sum(state.st_size for _, state in entries(tree) if stat.S_ISREG(state.st_mode))


def copied(tree: Path, into: Path) -> None:
    """Copy a tree to a folder that does not exist yet; the copy belongs to this user.

    Times of change are kept, because compilers compare them. Sockets and pipes are left out.
    Raises OSError.
    """
    into.mkdir(mode=_OWNER_FOLDER, parents=True)
    for path, state in entries(tree):
        copy = into / path.relative_to(tree)
        if stat.S_ISLNK(state.st_mode):
            copy.symlink_to(os.readlink(path))
        elif stat.S_ISDIR(state.st_mode):
            copy.mkdir()
            copy.chmod(state.st_mode & _PERMISSIONS | _OWNER_FOLDER)
        elif stat.S_ISREG(state.st_mode):
            shutil.copyfile(path, copy, follow_symlinks=False)
            # Not the whole mode: a copy by root of a file that is set to its owner's user would
            # run as root.
            copy.chmod(state.st_mode & _PERMISSIONS | _OWNER_FILE)
            os.utime(copy, ns=(state.st_atime_ns, state.st_mtime_ns))


def digest(tree: Path) -> str:
    """Hash the names, contents, links and execute permissions of a tree."""
    found = hashlib.sha256()
    for path, state in entries(tree):
        match stat.S_IFMT(state.st_mode):
            case stat.S_IFLNK:
                fields = [b"l", os.fsencode(os.readlink(path))]
            case stat.S_IFDIR:
                fields = [b"d"]
            case stat.S_IFREG:
                with path.open("rb") as file:
                    content = hashlib.file_digest(file, "sha256").digest()
                fields = [b"x" if state.st_mode & stat.S_IXUSR else b"f", content]
            case _:
                continue
        for field in (os.fsencode(path.relative_to(tree)), *fields):
            found.update(len(field).to_bytes(8, "big") + field)
    return found.hexdigest()


def names_its_place(tree: Path) -> Path | None:
    """Return a program or a link that holds the path of the tree, and would miss it elsewhere.

    Only what may be executed is searched: a compiler's notes beside it name their folder always,
    and nothing runs by them.
    """
    places = {os.fsencode(tree), os.fsencode(os.path.realpath(tree))}
    for path, state in entries(tree):
        if stat.S_ISLNK(state.st_mode):
            if os.fsencode(os.readlink(path)).startswith(tuple(places)):
                return path
        elif stat.S_ISREG(state.st_mode) and state.st_mode & stat.S_IXUSR and state.st_size:
            with (
                path.open("rb") as file,
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
            ):
                if any(content.find(place) >= 0 for place in places):
                    return path
    return None
