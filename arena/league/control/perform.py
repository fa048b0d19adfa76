"""An act performed: the change in the open store, and what a running league has to know of it."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_never

from arena.league.control import bots, tokens
from arena.league.control.acts import (
    Act,
    ActRefused,
    Admit,
    AdmitAgain,
    Invite,
    Merge,
    Renew,
    Retire,
    Revoke,
    Tokens,
    Who,
)
from arena.league.control.whole import ActDone, ActedOn, merged
from arena.league.entry.opening import CannotGoOn
from arena.league.file.problems import BadLeague
from arena.league.model.config import League
from arena.league.store.store import Store
from arena.league.store.tokens import TokenRefused
from arena.tokens import KnownToken

# These may be the first that is done with a league: they begin it.
_BEGINNING = (Admit, Invite, Merge)


@dataclass(frozen=True)
class Performed:
    """The outcome of an act.

    `lines`: none if the file was read again and has nothing new, as far as the store can tell; a
    run may know of a change that is not in the store. `events`: the new events, in the order in
    which they were stored. `league`: the league as file and store give it now, with the names of
    rows; None if the act cannot have changed it, or, after a bot was retired, if the file cannot
    be read now. `tokens`: by name of a bot those that have changed; None: it has none that is
    valid any more.
    """

    lines: Sequence[str]
    events: Sequence[Mapping[str, Any]]
    league: League | None
    tokens: Mapping[str, KnownToken | None]


def perform(
    act: Act,
    file: Path,
    store: Store,
    folder: Path,
    taken: Container[int] = (),
    listen: str | None = None,
) -> Performed:
    """Make the change that an act orders, with its events, as one transaction.

    `file`: league.toml. `folder`: that of the store, for the files with tokens. `taken`: the
    numbers of sets that are being played. `listen`: the address at which a run of the league
    listens; None: no run does. It takes no lock and opens nothing but the league's
    file and its bots' files: to be called where the store is written, while the league runs or
    rests. Raises ActRefused, or StoreError, and has then changed nothing in the store.
    """
    league = ActedOn(file, store, folder, taken, listen)
    last = store.last_event()
    begins = not store.has_begun
    try:
        if not (store.has_begun or isinstance(act, _BEGINNING)):
            raise ActRefused(
                f"this league was never begun: `arena league {league.named}` begins it"
            )
        with store.as_one():
            done = _done_or_refused(act, league)
    except BadLeague as error:
        raise ActRefused("\n".join(league.problems(error))) from None
    except (CannotGoOn, TokenRefused) as error:
        raise ActRefused(str(error)) from None
    new = [event for _, event in store.events(last)]
    first = (f"a new league begins, in {folder}",) if begins and store.has_begun else ()
    return Performed((*first, *done.lines), new, done.league, done.tokens or {})


def nothing_new(file: Path) -> str:
    """Return the line for the operator where an act has none, and its caller has none either."""
    return f"{file.name} has nothing new"


def _done_or_refused(act: Act, league: ActedOn) -> ActDone:
    try:
        return _done(act, league)
    except OSError as error:  # of a bot's files, or of those with tokens; the store has its own
        raise ActRefused(f"{error.filename}: {error.strerror}") from None


def _done(act: Act, league: ActedOn) -> ActDone:
    match act:
        case Admit(bot):
            return bots.admit(league, bot)
        case AdmitAgain(name):
            return bots.admit_again(league, name)
        case Merge():
            return merged(league, tells_disagreements=True)
        case Retire(name):
            return bots.retire(league, name)
        case Invite(name, owner, expires):
            return tokens.invite(league, name, owner, expires)
        case Renew(name, expires):
            return tokens.renew_token(league, name, expires)
        case Revoke(name):
            return tokens.revoke_token(league, name)
        case Tokens():
            return tokens.list_tokens(league)
        case Who():
            raise ValueError("a running league answers who is here, and `rest` for one that rests")
        case _:
            assert_never(act)
