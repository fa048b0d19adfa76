"""Tokens of bots that dial in, drawn, renewed and revoked, each change with its event.

They are in `league.db`: a change and its event are one transaction there, and a token that was
revoked can never come back with the copy of another file. The table has hashes only. A bot has one
token that is not revoked, or none; the rows of its earlier ones stay.
"""

from __future__ import annotations

from arena.league.store import events
from arena.league.store.store import Store, StoredToken
from arena.tokens import KnownToken, new_token
from arena.utc import now


class TokenRefused(Exception):
    """The token of a bot cannot be changed like this; the text says why and what to do."""


def token_of(store: Store, bot: str) -> StoredToken | None:
    """Return the token of a bot that is not revoked; it may have expired."""
    return next((one for one in store.tokens() if one.bot == bot and one.revoked is None), None)


def has_had_one(store: Store, bot: str) -> bool:
    """Tell whether a bot has a token, or had one that is revoked."""
    return any(one.bot == bot for one in store.tokens())


def invite(store: Store, bot: str, expires: str | None = None, *, in_file: bool = False) -> str:
    """Draw the first token of a bot and return it: it is told once, and kept nowhere.

    `expires`: the first second in which it is not valid, such as 2026-01-31T12:00:00Z. `in_file`:
    it is also kept in the file for the author, so a run that finds the file gone draws another.
    """
    if has_had_one(store, bot):
        raise TokenRefused(f"{bot} has been invited already: renew its token")
    drawn = _drawn(store)
    new = StoredToken(bot, KnownToken.of(drawn, expires), now(), in_file=in_file)
    store.change_tokens((), new, events.invited(bot, expires))
    return drawn


def renew(store: Store, bot: str, expires: str | None = None, *, in_file: bool = False) -> str:
    """Revoke the token of a bot, draw another and return it. `expires`, `in_file`: as above."""
    if not has_had_one(store, bot):
        raise TokenRefused(f"{bot} has no token that could be renewed: invite it")
    drawn = _drawn(store)
    new = StoredToken(bot, KnownToken.of(drawn, expires), now(), in_file=in_file)
    store.change_tokens((bot,), new, events.renewed(bot, expires))
    return drawn


def revoke(store: Store, bot: str) -> None:
    """Revoke the token of a bot. It gets another when it is renewed, and not before."""
    if token_of(store, bot) is None:
        raise TokenRefused(f"{bot} has no token that could be revoked")
    store.change_tokens((bot,), None, events.revoked(bot))


def adopt(store: Store, bot: str, token: str) -> bool:
    """Enter a token out of the file of an earlier version, for a bot that never had one here.

    Returns False if it cannot be: another bot has the same token, as in the copy of a file.
    """
    assert not has_had_one(store, bot)
    kept = KnownToken.of(token)
    if any(one.token.id == kept.id for one in store.tokens()):
        return False
    store.change_tokens((), StoredToken(bot, kept, now(), in_file=True), None)
    return True


def _drawn(store: Store) -> str:
    """Draw a token with an id that no other has."""
    taken = {one.token.id for one in store.tokens()}
    while KnownToken.of(drawn := new_token()).id in taken:
        pass
    return drawn
