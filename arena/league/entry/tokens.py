"""The tokens of bots that dial in made ready for a run: in the store, and in files for authors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from arena.league.file.tokens import (
    file_of,
    names_of_files,
    remove_file,
    token_in_file,
    write_file,
)
from arena.league.file.told_address import doubt, to_dial
from arena.league.model.config import League
from arena.league.store.store import Store, StoredToken
from arena.league.store.tokens import adopt, has_had_one, invite, renew, revoke, token_of
from arena.tokens import KnownToken, digest_of
from arena.utc import now


def tokens_of(
    league: League, store: Store, folder: Path, tell: Callable[[str], object]
) -> Mapping[str, KnownToken]:
    """Return the tokens of the bots that dial in, by name, and bring the files up to date.

    A bot gets a token when it first appears, and another when its file is gone or holds no token
    that is valid. One that is revoked, or has expired, gets none here. `tell` is called with lines
    for the operator.
    """
    adopt_files(store, folder)
    found = {}
    for name in league.callers:
        _made_ready(store, folder, name, to_dial(league), tell)
        token = token_of(store, name)
        if token is None:
            tell(f"{name} cannot dial in: its token is revoked, and it has no other")
            continue
        if token.token.has_expired(now()):
            tell(f"{name} cannot dial in: its token expired at {token.token.expires}")
        found[name] = token.token
    for line in doubt(league) if found else ():
        tell(line)
    return found


def readdressed(league: League, store: Store, folder: Path) -> list[str]:
    """Write the address anew in the files for authors; return the bots whose files were others."""
    tokens = {name: token_in_file(folder, name) for name in league.callers}
    return [
        name
        for name, in_file in tokens.items()
        if in_file is not None
        and _is_it(token_of(store, name), in_file)
        and write_file(folder, name, to_dial(league), in_file)
    ]


def renewed(league: League, store: Store, folder: Path, name: str, expires: str | None) -> Path:
    """Draw a new token for a bot that dials in, and return the file for its author.

    The one before ends. `expires`: the first second in which the new one is not valid, UTC.
    """
    change = renew if has_had_one(store, name) else invite
    write_file(folder, name, to_dial(league), change(store, name, expires, in_file=True))
    return file_of(folder, name)


def revoked(store: Store, folder: Path, name: str) -> None:
    """Revoke the token of a bot, and remove the file for its author."""
    revoke(store, name)
    remove_file(folder, name)


def adopt_files(store: Store, folder: Path) -> None:
    """Enter the hashes of tokens in files of an earlier version, which stay valid.

    To be called before any token is changed: one that is revoked must be known by then, or the
    next run would take it for one of an earlier version. A token in the file of a bot that has, or
    had, one in the store is never believed: the file may be an old copy.
    """
    for name in names_of_files(folder):
        token = token_in_file(folder, name)
        if token is not None and not has_had_one(store, name):
            adopt(store, name, token)


def _made_ready(
    store: Store, folder: Path, name: str, address: str, tell: Callable[[str], object]
) -> None:
    """Draw a token for a bot if it has to have one, and write or remove its file."""
    in_file, token = token_in_file(folder, name), token_of(store, name)
    if _is_it(token, in_file):
        assert in_file is not None
        write_file(folder, name, address, in_file)
    elif not has_had_one(store, name):
        write_file(folder, name, address, invite(store, name, in_file=True))
    elif token is not None and token.in_file and not token.token.has_expired(now()):
        drawn = renew(store, name, token.token.expires, in_file=True)
        write_file(folder, name, address, drawn)
        tell(f"{name} has a new token, as its file was gone or held no valid one")
    elif in_file is not None:
        remove_file(folder, name)
        tell(f"{file_of(folder, name)} is removed: its token was not valid any more")


def _is_it(token: StoredToken | None, in_file: str | None) -> bool:
    return token is not None and in_file is not None and token.token.is_of(digest_of(in_file))
