"""An act performed on a league that rests: with its lock, on its store, in this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.league.control.acts import Act, ActRefused, Told
from arena.league.control.perform import nothing_new, perform
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.plan.roster import Roster
from arena.league.store.database import Tell, untold
from arena.league.store.folder import DATABASE
from arena.league.store.lock import is_held, locked
from arena.league.store.reader import Reader
from arena.league.store.store import Store

HERE, AWAY, REVOKED, RENEWED, RETIRED = "here", "away", "revoked", "renewed", "retired"
RENEWED_HERE = "renewed while it was here"
LEFT = (AWAY, RETIRED)

# What is known of a bot by the last of these events that tells of it. A run that stops enters no
# event of the bots that are here.
LAST_WORDS: Mapping[str, str] = {
    HERE: "came at {at}, and was not seen to leave before the league stopped",
    AWAY: "and has been away since {at}",
    REVOKED: "and its token was revoked at {at}",
    RENEWED: "and has not come since its token was renewed at {at}",
    RENEWED_HERE: "came back with the token renewed at {at}, or the league stopped within a minute",
    RETIRED: "and was retired at {at}",
    "admitted_again": "and has not come since it was admitted again at {at}",
}


def perform_at_rest(
    act: Act,
    file: Path,
    folder: Path,
    tell: Tell = untold,
    wait: Callable[[float], object] = time.sleep,
) -> Told:
    """Perform an act on the league of this file. Raises AlreadyRunning, StoreError.

    `tell` is called with a line for the operator if the store had to be upgraded. `wait`: as for
    `locked`.
    """
    with locked(folder, wait), Store.open(folder / DATABASE, tell=tell) as store:
        try:
            return Told(tuple(perform(act, file, store, folder).lines) or (nothing_new(file),))
        except ActRefused as refused:
            return refused.told


def who_was_here(reader: Reader) -> Told:
    """Tell when each bot that dials in was here last, as far as the store knows: nobody answers at
    the control socket."""
    seen = LastSeen()
    reader.follow(seen, LastSeen.KINDS)
    is_played = is_held(reader.path.parent)
    first = (
        "the league is just starting or ending: who is here cannot be told now"
        if is_played
        else "the league rests: nobody is here"
    )
    return Told((first, *seen.lines(reader)))


def started_bots(roster: Roster) -> Iterator[str]:
    """Yield a line for the bots that the league starts, if there are any, without earlier versions
    and retired bots."""
    started = [
        f"{row.name} (benched)" if row.name in roster.benched else row.name
        for row in roster.rows.values()
        if row.content != UNKNOWN_CONTENT
        and row.name not in roster.retired | roster.replaced.keys()
    ]
    if started:
        yield f"started by the league itself: {', '.join(started)}"


class LastSeen:
    """The last event of each bot from which its presence follows."""

    KINDS = tuple(kind for kind in LAST_WORDS if kind != RENEWED_HERE)

    def __init__(self) -> None:
        self._last: dict[str, Mapping[str, Any]] = {}
        self._ever_here: set[str] = set()
        self._here: set[str] = set()

    def __repr__(self) -> str:
        return f"<LastSeen of {len(self._last)} bots>"

    def tell(self, event: Mapping[str, Any]) -> None:
        name, kind = event["name"], event["event"]
        if kind == RENEWED and name in self._here:
            # One that comes back within a minute was not away: there is no event of it.
            event = {"event": RENEWED_HERE, "at": event["at"]}
        elif kind == HERE:
            self._here.add(name)
            self._ever_here.add(name)
        elif kind in LEFT:
            self._here.discard(name)
        self._last[name] = event

    def lines(self, reader: Reader) -> Iterator[str]:
        """Yield a line for each bot that dials in, and one for all others."""
        roster = reader.roster()
        for each in reader.entrants():
            if each.content == UNKNOWN_CONTENT:
                words = self._words(each.name, each.name in roster.retired)
                yield f"{each.name} dials in, {words}"
        yield from started_bots(roster)

    def _words(self, name: str, is_retired: bool) -> str:
        event = self._last.get(name, {"event": "", "at": ""})
        kind = event["event"]
        last = LAST_WORDS.get(kind, "").format(at=event["at"])
        out = ", and is retired" if is_retired else ""
        if name not in self._ever_here:
            return f"and was never here{f', {last}' if kind == REVOKED else ''}{out}"
        return last if kind == RETIRED else f"{last}{out}"
