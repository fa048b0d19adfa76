"""An act performed on a league that rests: with its lock, on its store, in this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.league.control.acts import Act, ActRefused, Told
from arena.league.control.perform import nothing_new, perform
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.store.database import Tell, untold
from arena.league.store.folder import DATABASE
from arena.league.store.lock import is_held, locked
from arena.league.store.reader import Reader
from arena.league.store.store import Store

HERE, REVOKED, RETIRED = "here", "revoked", "retired"

# What is known of a bot by the last of these events that tells of it. A run that stops enters no
# event of the bots that are here.
LAST_WORDS: Mapping[str, str] = {
    HERE: "came at {at}, and was not seen to leave before the league stopped",
    "away": "and has been away since {at}",
    REVOKED: "and its token was revoked at {at}",
    "renewed": "and has not come since its token was renewed at {at}",
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


class LastSeen:
    """The last event of each bot from which its presence follows."""

    KINDS = tuple(LAST_WORDS)

    def __init__(self) -> None:
        self._last: dict[str, Mapping[str, Any]] = {}
        self._ever_here: set[str] = set()

    def __repr__(self) -> str:
        return f"<LastSeen of {len(self._last)} bots>"

    def tell(self, event: Mapping[str, Any]) -> None:
        self._last[event["name"]] = event
        if event["event"] == HERE:
            self._ever_here.add(event["name"])

    def lines(self, reader: Reader) -> Iterator[str]:
        """Yield a line for each bot that dials in, and one for all others."""
        entrants, retired = reader.entrants(), reader.roster().retired
        for each in entrants:
            if each.content == UNKNOWN_CONTENT:
                yield f"{each.name} dials in, {self._words(each.name, each.name in retired)}"
        started = [each.name for each in entrants if each.content != UNKNOWN_CONTENT]
        if started:
            yield f"started by the league itself: {', '.join(started)}"

    def _words(self, name: str, is_retired: bool) -> str:
        event = self._last.get(name, {"event": "", "at": ""})
        kind = event["event"]
        last = LAST_WORDS.get(kind, "").format(at=event["at"])
        out = ", and is retired" if is_retired else ""
        if name not in self._ever_here:
            return f"and was never here{f', {last}' if kind == REVOKED else ''}{out}"
        return last if kind == RETIRED else f"{last}{out}"
