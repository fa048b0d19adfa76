"""What others than the owner of a league may read of it, by the rights of its files."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from arena.league.file.tokens import TOKENS
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import MOST_VOIDS
from arena.league.store.folder import DATABASE
from arena.league.store.secrets import read_secrets
from arena.record import load

# Nobody's: a user with no rights but those that everybody has.
NOBODY = 65534
# So many moves at the end of a match tell it from all others. Not those at its beginning: no card
# has been played there, and on a busy machine each may have been credited all of its time.
TELLING_MOVES = 12


def readable_by_others(folder: Path) -> list[Path]:
    """Return the files below a folder that any user of the machine may read."""
    return sorted(_readable(folder))


def _readable(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
        except FileNotFoundError:  # a page that was being replaced
            continue
        # One may enter a folder whose names one may not list.
        if path.is_dir() and mode & stat.S_IXOTH:
            yield from _readable(path)
        elif path.is_file() and mode & stat.S_IROTH:
            yield path


def secrets_found(home: Path) -> list[str]:
    """Search everything that others may read of a league for what they may not know; return each
    thing that was found, with the file.

    Of each unfinished set the seed of any attempt, and of its matches nonces and moves; of void
    attempts the same; the key, the lots and the tokens. As bytes and as hexadecimal digits.
    """
    # The files first: what is complete by then may be in them, and is none of the needles.
    files = {}
    for path in readable_by_others(home):
        with suppress(FileNotFoundError):
            files[path] = path.read_bytes()
    needles = [(name, value) for name, value in _secrets_of(home) if value]
    found = []
    for path, data in files.items():
        for name, value in needles:
            if value in data or value.hex().encode() in data:
                found.append(f"{name} in {path.relative_to(home)}")
    return found


def _secrets_of(home: Path) -> Iterator[tuple[str, bytes]]:
    secrets = read_secrets(home / DATABASE)
    yield "key", secrets.key
    yield "lots", secrets.lots
    for file in (home / TOKENS).glob("*"):
        yield f"token of {file.name}", file.read_text().rpartition("=")[2].strip().encode()
    with closing(sqlite3.connect(f"file:{home / DATABASE}?mode=ro", uri=True)) as db:
        sets = db.execute("SELECT number, attempt, is_complete FROM sets").fetchall()
        matches = db.execute("SELECT number, attempt, turn, record FROM matches").fetchall()
    shown = {(number, attempt) for number, attempt, is_complete in sets if is_complete}
    for number, _, _ in sets:
        for attempt in range(MOST_VOIDS + 1):
            if (number, attempt) not in shown:
                yield f"seed of {number}", seed_of_set(secrets.key, number, attempt)
    for number, attempt, turn, packed in matches:
        record = load(packed)
        if (number, attempt) not in shown:
            yield f"nonce of {number}.{turn}", bytes.fromhex(record.nonce)
            if len(record.moves) >= TELLING_MOVES:
                moves = [msgspec.msgpack.encode(each) for each in record.moves[-TELLING_MOVES:]]
                assert b"".join(moves) in packed
                yield f"moves of {number}.{turn}", b"".join(moves)


def as_nobody(call: Callable[[], object]) -> str:
    """Make a call in a child process, as a user that owns nothing if this one is root; return what
    it returned or raised, as text.

    Everything that the call imports must be loaded: that user may not read the modules.
    """
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(NOBODY, NOBODY, NOBODY)
                os.setresuid(NOBODY, NOBODY, NOBODY)
            found = str(call())
        except BaseException as error:
            found = f"{type(error).__name__}: {error}"
        os.write(write, found.encode())
        os._exit(0)
    os.close(write)
    with open(read, encoding="utf-8") as told:
        text = told.read()
    os.waitpid(child, 0)
    return text
