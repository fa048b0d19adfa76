"""The broadcast of one league: its clock is here, and no watcher decides anything."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.league.model.played import LeagueMatch, StoredSet
from arena.outputs.pages.sets.page import match_shown, set_data
from arena.record import RecordError
from arena.serve.live.hub import Hub
from arena.serve.live.watched import LeagueLook
from arena.serve.thread import OneThread
from arena.serve.tv.channel import Candidate, OnAir, TvChannel
from arena.serve.tv.excitement import excitement
from arena.serve.tv.pace import DEAL_MS, deals_of

# Of the sets that became complete since the last look, so many matches are rated, the last ones:
# each is replayed, which costs a few milliseconds.
MOST_RATED = 4
# Before it is asked again whether there is something to show.
NOTHING_SECONDS = 2.0
_LOGGER = logging.getLogger(__name__)


class Broadcast:
    """Shows one deal after the other, as long as the server runs."""

    def __init__(self, hub: Hub, thread: OneThread, clock: Callable[[], float] = time.monotonic):
        """`thread`: that of the league, for the replays. `clock`: seconds that only grow."""
        self._hub = hub
        self._thread = thread
        self._clock = clock
        self._channel = TvChannel()
        self._began = 0.0  # when the deal on the air began
        self._told: Mapping[str, Any] = {}  # the message about it for watchers

    def __repr__(self) -> str:
        return f"<Broadcast of {self._channel!r}>"

    async def take(self, look: LeagueLook, sets: Sequence[StoredSet]) -> None:
        """Rate the matches of sets that are complete now."""
        for candidate in await self._thread.run(lambda: rated(look, sets), always=True):
            self._channel.add(candidate)

    async def run(self) -> None:
        """Show deals until it is cancelled."""
        self._hub.begin(self.whole)
        while True:
            on = self._channel.go_on()
            if on is None:
                await asyncio.sleep(NOTHING_SECONDS)
                continue
            try:
                await self.show(on)
            except Exception:  # a bug with one match, and the next one may be shown
                _LOGGER.exception("%r", self)
                await asyncio.sleep(NOTHING_SECONDS)
                continue
            await asyncio.sleep(on.shown.ms / 1000)

    async def show(self, on: OnAir) -> None:
        """Begin a deal."""
        self._told = await self._thread.run(lambda: told(on), always=True)
        self._began = self._clock()
        self._hub.publish(self.whole(), self.whole)

    def whole(self) -> Mapping[str, Any]:
        """Return what is on the air, and for how long it has been."""
        return {**self._told, "elapsed": round(1000 * (self._clock() - self._began))}


def rated(look: LeagueLook, sets: Sequence[StoredSet]) -> list[Candidate]:
    """Return the last matches of these sets with how worth watching each was."""
    matches = [played for one in sets for played in one.matches if played.is_begun]
    elo = {row.name: row.rating.elo for row in look.standings.rows}
    found = []
    for played in matches[-MOST_RATED:]:
        candidate = candidate_of(played, elo)
        if candidate is not None:
            found.append(candidate)
    return found


def candidate_of(played: LeagueMatch, elo: Mapping[str, float]) -> Candidate | None:
    """Return a match as one that may be shown; None if there is nothing to step through."""
    record = played.record
    try:
        deals = deals_of(record)
    except RecordError:
        return None  # the page of its set says so
    if not deals:
        return None
    scores = [deal.scores for deal in deals if deal.scores]
    return Candidate(played, deals, excitement(record.names, record.places, scores, elo))


def told(on: OnAir) -> dict[str, Any]:
    """Return a deal as its watchers are told it: the match as on the page of its set, and times.

    `stays`: for each move of the deal how long it is to be seen, after `first_ms` for the cards.
    """
    shown = match_shown(on.candidate.played, b"")
    assert shown.steps is not None  # it was replayed before
    data = set_data([shown])
    (match,) = data["matches"]
    return {
        "match": {
            **{key: data[key] for key in ("game", "drawing", "seats")},
            **match,
            "lines": shown.steps.lines if "view" in match else (),
        },
        "set": on.candidate.played.set,
        "first": on.shown.first,
        "firstMs": DEAL_MS,
        "stays": on.shown.stays_ms,
        "deal": [on.deal + 1, len(on.candidate.deals)],
        "rated": [round(on.candidate.rated.upset, 2), round(on.candidate.rated.lead, 2)],
    }
