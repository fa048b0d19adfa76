"""Tokens of bots that dial in: invited, renewed, revoked and listed."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from typing import Any

from arena.league.control.acts import ActRefused
from arena.league.control.bots import admit
from arena.league.control.whole import ActDone, ActedOn, to_come
from arena.league.entry.stored import league_of_store, retired_bots
from arena.league.entry.tokens import adopt_files, renewed, revoked
from arena.league.file.sources import DIALS_IN
from arena.league.file.tokens import file_of, settings_for_author
from arena.league.file.told_address import doubt, to_dial
from arena.league.model.config import League
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.store.store import Store, StoredToken
from arena.league.store.tokens import has_had_one, renew, token_of
from arena.league.store.tokens import invite as first_token
from arena.text import did_you_mean, plain
from arena.utc import now


def invite(of: ActedOn, name: str, owner: str | None, expires: str | None) -> ActDone:
    """Enter a bot that dials in, and tell its token once."""
    until = to_come(expires)
    table: dict[str, Any] = {"name": name, DIALS_IN: True}
    if owner is not None:
        table["owner"] = owner
    done = admit(of, table, is_invited=True)
    draw = renew if has_had_one(of.store, name) else first_token
    drawn = draw(of.store, name, until)
    assert done.league is not None
    # A doubt about the address was told already if other bots entered with this one.
    told = _told_once(name, of.as_it_listens(done.league), drawn)
    lines = dict.fromkeys((*done.lines, *told))
    return replace(done, lines=tuple(lines), tokens=_tokens(of.store, name))


def renew_token(of: ActedOn, name: str, expires: str | None) -> ActDone:
    """Draw a new token: into the file for the author, or told once if the one before was told."""
    until = to_come(expires)
    adopt_files(of.store, of.folder)
    callers = [each.name for each in of.store.entrants() if each.content == UNKNOWN_CONTENT]
    _refuse_unknown(name, callers)
    league = of.as_it_listens(league_of_store(of.file, of.store, may_be_few=True))
    if league.listen is None:
        raise ActRefused(
            f"`listen` is missing in {of.file.name}, and {name} dials in: put it back into the file"
        )
    before = [each for each in of.store.tokens() if each.bot == name]
    if before and not before[-1].in_file:
        drawn = renew(of.store, name, until)
        return ActDone(tuple(_told_once(name, league, drawn)), None, _tokens(of.store, name))
    file = renewed(league, of.store, of.folder, name, until)
    told = f"{name} has a new token, in {file}: give that to its author"
    return ActDone((told, *doubt(league)), None, _tokens(of.store, name))


def revoke_token(of: ActedOn, name: str) -> ActDone:
    """End a token."""
    adopt_files(of.store, of.folder)
    _refuse_unknown(name, [each.bot for each in of.store.tokens()])
    if token_of(of.store, name) is None:
        since = max(each.revoked for each in of.store.tokens() if each.bot == name and each.revoked)
        raise ActRefused(f"the token of {name} is revoked already, since {since}")
    revoked(of.store, of.folder, name)
    told = f"the token of {name} is revoked: it cannot dial in until it is renewed"
    return ActDone((told,), None, {name: None})


def list_tokens(of: ActedOn) -> ActDone:
    """Tell of each bot its newest token, and where that is."""
    adopt_files(of.store, of.folder)
    newest = {each.bot: each for each in sorted(of.store.tokens(), key=lambda each: each.created)}
    if not newest:
        none = "no bot of this league has a token: none dials in, or none was played with yet"
        return ActDone((none,))
    retired = retired_bots(of.store) | of.store.roster().retired  # by name in the file, and of row
    return ActDone(tuple(_listed(of, newest[name], retired) for name in sorted(newest)))


def _listed(of: ActedOn, token: StoredToken, retired: Container[str]) -> str:
    name = token.bot
    if token.revoked is not None:
        return f"{name}: revoked at {token.revoked}"
    if token.token.has_expired(now()):
        return f"{name}: expired at {token.token.expires}"
    until = f", until {token.token.expires}" if token.token.expires else ""
    out = ", but it is retired" if name in retired else ""
    where = f"; in {file_of(of.folder, name)}" if token.in_file else ""
    return f"{name}: valid, since {token.created}{until}{out}{where}"


def _told_once(name: str, league: League, token: str) -> Iterator[str]:
    yield (
        f"send these lines to the author of {name}, and to nobody else: who has the token is"
        f" {name}. It is told this once, and kept nowhere"
    )
    for setting, value in settings_for_author(to_dial(league), token).items():
        yield f"{setting}={value}"
    yield from doubt(league)


def _tokens(store: Store, name: str) -> dict[str, Any]:
    token = token_of(store, name)
    return {name: None if token is None else token.token}


def _refuse_unknown(name: str, known: list[str]) -> None:
    if name not in known:
        hint = did_you_mean(name, known)
        raise ActRefused(f"{plain(name)!r} is no bot with a token here.{hint}", is_misnamed=True)
