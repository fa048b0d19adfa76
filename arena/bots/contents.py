"""Find the files that make up a bot, hash them, and copy them to the folder that it runs in.

The sources of a bot are all files of its folder except those in dot-folders, those in folders that
builds fill (BUILD_OUTPUT), and files that editors and desktops leave behind (LEAVINGS). Other dot
files are sources: a build or a bot may read them, and the files that run must be those that were
hashed. If a bot has a build, only its sources are copied, so that the program is made from them. A
bot without a build may have been built by hand, so its build output is copied too.
The files and folders that `include` names are sources too, as if they lay in the folder.
A symbolic link is hashed as a link and never followed. In the copy, a link to a place inside the
folder leads to the same place inside the copy; a link out of the folder keeps its target.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import translate
from pathlib import Path

from arena.bots.botfile import Bot
from arena.bots.warden.folders import remove

BUILD_OUTPUT = frozenset(
    {"__pycache__", "_build", "build", "dist", "node_modules", "target", "venv", "zig-out"}
)

LEAVINGS = (
    "*~",  # the version before, of most editors
    ".*.sw[a-p]",  # Vim: of a file that is open, or was when Vim died
    ".#*",  # Emacs: a link beside a file that is being changed
    "#*#",
    ".*.kate-swp",
    ".DS_Store",  # macOS; the next is its data beside files on a foreign disk
    "._*",
    "Thumbs.db",
    "desktop.ini",
    ".directory",
    ".nfs*",  # NFS: a file that was deleted while it was open
)
"""No bot is made of these, and they come and go while its folder is only looked at."""

_IS_LEFT = re.compile("|".join(map(translate, LEAVINGS))).match


# Most files of a bot for `changed_mode`: its time grows with their square, and a thousand files
# take half a second.
MOST_TRIED = 1_000


def content_hash(bot: Bot) -> str:
    """Hash a bot's files: their names, their contents, and which of them may be executed.

    For a bare command line: its words, and the files that they name.
    """
    return _hash(_parts(bot))


def prepare_scratch(bot: Bot, into: Path) -> Path:
    """Copy a bot into a folder that does not exist yet, and return the folder to run it in.

    That is the copy. A bare command line is not copied and runs in place.
    """
    if bot.is_bare:
        return bot.folder
    into.mkdir(parents=True)
    for name, source in _sources(bot, with_output=bot.build is None).items():
        copy = into / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            target = _target(bot.folder, source)
            if not os.path.isabs(target):
                target = os.path.relpath(into / target, copy.parent)
            copy.symlink_to(target)
        else:
            shutil.copy(source, copy)
    return into


def remove_scratch(folder: Path) -> None:
    """Remove a folder with all that bots and builds have left in it, however deep."""
    remove((str(folder),))


def changed_last(bot: Bot) -> str:
    """Return the source that was written last: the first to look at when the hash has changed."""
    sources = _sources(bot, with_output=False)
    return max(sorted(sources), key=lambda name: sources[name].lstat().st_mtime_ns, default="")


def changed_mode(bot: Bot, content: str) -> Path | None:
    """Return the one file with another execute permission than when the bot had this hash.

    None if that of no single file explains the hash. A change of mode does not show in the
    modification time of a file. So each file in turn is hashed with the other mode.
    """
    parts = _parts(bot)
    if len(parts) > MOST_TRIED:
        return None
    for at, part in enumerate(parts):
        if part.kind in _OTHER_MODE:
            other = replace(part, kind=_OTHER_MODE[part.kind])
            if _hash([*parts[:at], other, *parts[at + 1 :]]) == content:
                name = os.fsdecode(part.fields[0])
                # A command line may name a file that is no source of the folder.
                return bot.folder / name if bot.is_bare else _sources(bot, with_output=False)[name]
    return None


@dataclass(frozen=True)
class _Part:
    """One part of the hash: a word of a command line, a link, or a file."""

    kind: bytes
    # A word; or the name and target of a link; or the name of a file and the hash of its content.
    fields: tuple[bytes, ...]


_WORD, _LINK, _FILE, _PROGRAM = b"w", b"l", b"f", b"x"
_OTHER_MODE = {_FILE: _PROGRAM, _PROGRAM: _FILE}


def _parts(bot: Bot) -> list[_Part]:
    parts = []
    if bot.is_bare:
        for word in bot.command:
            parts.append(_Part(_WORD, (word.encode("utf-8", "surrogateescape"),)))
            if (bot.folder / word).is_file():
                parts.append(_file_part(word, bot.folder / word))
        return parts
    sources = _sources(bot, with_output=False)
    for name in sorted(sources, key=os.fsencode):
        path = sources[name]
        if path.is_symlink():
            target = _target(bot.folder, path)
            parts.append(_Part(_LINK, (os.fsencode(name), os.fsencode(target))))
        else:
            parts.append(_file_part(name, path))
    return parts


def _file_part(name: str, path: Path) -> _Part:
    kind = _PROGRAM if os.access(path, os.X_OK) else _FILE
    with path.open("rb") as file:
        return _Part(kind, (os.fsencode(name), hashlib.file_digest(file, "sha256").digest()))


def _hash(parts: Iterable[_Part]) -> str:
    """Hash each field with its length in front, so that no two lists of parts look alike."""
    digest = hashlib.sha256(b"arena bot 1\n")
    for part in parts:
        digest.update(part.kind)
        for field in part.fields:
            digest.update(len(field).to_bytes(8, "big") + field)
    return digest.hexdigest()


def _sources(bot: Bot, *, with_output: bool) -> dict[str, Path]:
    """Return the path of each file and link, by its name in a copy of the bot."""
    found = {name: bot.folder / name for name in _files(bot.folder, with_output=with_output)}
    for top, path in bot.included().items():
        if path.is_dir():
            for name in _files(path, with_output=False):
                found[os.path.join(top, name)] = path / name
        else:
            found[top] = path
    return found


def _files(folder: Path, *, with_output: bool) -> Iterator[str]:
    """Yield files and links relative to the folder, with or without build output. No sockets."""
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
    """Return the target of a link: relative to the folder if it lies inside, else absolute."""
    root = os.path.abspath(folder)
    target = os.path.normpath(os.path.join(os.path.abspath(link.parent), os.readlink(link)))
    if target == root or target.startswith(root + os.sep):
        return os.path.relpath(target, root)
    return target
