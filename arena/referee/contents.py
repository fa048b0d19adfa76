"""What a bot consists of: the files that count, their hash, and a copy of them to run in.

Its sources are all files of its folder but what is in dot-folders, in folders that builds fill
(BUILD_OUTPUT), and what editors and desktops leave lying about (LEAVINGS). Other dot files count:
a build or a bot may read them, and what runs must be what was hashed. A bot with a build is copied
without all that: what runs is made from what was hashed. One without may have been built by hand,
so it takes its build output along.
A symbolic link counts as a link and is never followed: one that stays in the folder does so
in the copy, one that leads out of it leads to the same place.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from fnmatch import translate
from pathlib import Path

from arena.referee.botfile import Bot

BUILD_OUTPUT = frozenset(
    {"__pycache__", "_build", "build", "dist", "node_modules", "target", "venv", "zig-out"}
)

LEAVINGS = (
    "*~",  # what most editors keep of the version before
    ".*.sw[a-p]",  # Vim, of a file that is open or was when it died
    ".#*",  # Emacs, a link beside a file that is changed
    "#*#",
    ".*.kate-swp",
    ".DS_Store",  # macOS, and what it keeps beside files on a disk that is not its own
    "._*",
    "Thumbs.db",
    "desktop.ini",
    ".directory",
    ".nfs*",  # a file that was deleted while it was open
)
"""No bot is made of these, and they come and go while somebody only looks at it."""

_IS_LEFT = re.compile("|".join(map(translate, LEAVINGS))).match


def content_hash(bot: Bot) -> str:
    """What identifies a bot: its files, their names and contents and whether they may run.

    Of a mere command line it is the words, and the files among them.
    """
    digest = hashlib.sha256(b"arena bot 1\n")
    if bot.is_bare:
        for word in bot.command:
            _add(digest, b"w", word.encode("utf-8", "surrogateescape"))
            if (bot.folder / word).is_file():
                _add_file(digest, word, bot.folder / word)
        return digest.hexdigest()
    for name in sorted(_files(bot.folder, with_output=False), key=os.fsencode):
        path = bot.folder / name
        if path.is_symlink():
            _add(digest, b"l", os.fsencode(name), os.fsencode(_target(bot.folder, path)))
        else:
            _add_file(digest, name, path)
    return digest.hexdigest()


def prepare_scratch(bot: Bot, into: Path) -> Path:
    """Copy a bot into a folder that is not there yet; the folder it is to run in.

    That is the copy, but for a mere command line, which runs where it is.
    """
    if bot.is_bare:
        return bot.folder
    into.mkdir(parents=True)
    for name in _files(bot.folder, with_output=bot.build is None):
        source, copy = bot.folder / name, into / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            target = _target(bot.folder, source)
            if not os.path.isabs(target):
                target = os.path.relpath(into / target, copy.parent)
            copy.symlink_to(target)
        else:
            shutil.copy(source, copy)
    return into


def changed_last(bot: Bot) -> str:
    """The file that counts and was written last: where to look first when the hash is another."""
    names = sorted(_files(bot.folder, with_output=False))
    return max(names, key=lambda name: (bot.folder / name).lstat().st_mtime_ns, default="")


def _files(folder: Path, *, with_output: bool) -> Iterator[str]:
    """Files and links that count, relative to the folder; sockets and the like do not."""
    for place, folders, files in os.walk(folder):
        inside = os.path.relpath(place, folder)
        kept = []
        for name in folders:
            if name.startswith(".") or (name in BUILD_OUTPUT and not with_output):
                continue
            if os.path.islink(os.path.join(place, name)):
                files.append(name)
            else:
                kept.append(name)
        folders[:] = kept
        for name in files:
            if _IS_LEFT(name):
                continue
            path = os.path.join(place, name)
            if os.path.islink(path) or os.path.isfile(path):
                yield os.path.normpath(os.path.join(inside, name))


def _target(folder: Path, link: Path) -> str:
    """Where a link leads: from the folder's root if it stays inside, else absolute."""
    root = os.path.abspath(folder)
    target = os.path.normpath(os.path.join(os.path.abspath(link.parent), os.readlink(link)))
    if target == root or target.startswith(root + os.sep):
        return os.path.relpath(target, root)
    return target


def _add_file(digest: hashlib._Hash, name: str, path: Path) -> None:
    kind = b"x" if os.access(path, os.X_OK) else b"f"
    with path.open("rb") as file:
        inner = hashlib.file_digest(file, "sha256").digest()
    _add(digest, kind, os.fsencode(name), inner)


def _add(digest: hashlib._Hash, kind: bytes, *parts: bytes) -> None:
    """Each part with its length, so that no two lists of parts look alike."""
    digest.update(kind)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
