"""An act performed on a league that rests: with its lock, on its store, in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.league.control.acts import Act, ActRefused, Told
from arena.league.control.perform import perform
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.store.database import Tell, untold
from arena.league.store.folder import DATABASE
from arena.league.store.lock import is_held, locked
from arena.league.store.reader import Reader
from arena.league.store.store import Store

HERE, AWAY = "here", "away"


def perform_at_rest(act: Act, file: Path, folder: Path, tell: Tell = untold) -> Told:
    """Perform an act on the league of this file. Raises AlreadyRunning, StoreError.

    `tell` is called with a line for the operator if the store had to be upgraded.
    """
    with locked(folder), Store.open(folder / DATABASE, tell=tell) as store:
        try:
            return Told(tuple(perform(act, file, store, folder).lines))
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
    """The last event of each bot about its presence."""

    KINDS = (HERE, AWAY)

    def __init__(self) -> None:
        self._last: dict[str, Mapping[str, Any]] = {}

    def __repr__(self) -> str:
        return f"<LastSeen of {len(self._last)} bots>"

    def tell(self, event: Mapping[str, Any]) -> None:
        self._last[event["name"]] = event

    def lines(self, reader: Reader) -> Iterator[str]:
        """Yield a line for each bot that dials in, and one for all others."""
        entrants, retired = reader.entrants(), reader.roster().retired
        for each in entrants:
            if each.content == UNKNOWN_CONTENT:
                out = ", and is retired" if each.name in retired else ""
                yield f"{each.name} dials in, {self._words(each.name)}{out}"
        started = [each.name for each in entrants if each.content != UNKNOWN_CONTENT]
        if started:
            yield f"started by the league itself: {', '.join(started)}"

    def _words(self, name: str) -> str:
        event = self._last.get(name)
        if event is None:
            return "and was never here"
        if event["event"] == HERE:
            return f"and was here from {event['at']} until the league was stopped"
        return f"and has been away since {event['at']}"
