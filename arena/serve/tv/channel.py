"""The broadcast's choice: which match is shown next, and when another one takes over. Pure.

A match is shown until its deal is over, however exciting the next one is: nobody likes to be taken
away in the middle. At the end of a deal another match takes over if it is better by a factor; at
the end of a match the best one that was not shown yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.league.model.played import LeagueMatch
from arena.serve.tv.excitement import Excitement
from arena.serve.tv.pace import ShownDeal

# By how much a match has to be better than the one on the air, to take over between two deals.
BETTER = 1.17
# Matches that are remembered: the most exciting that were not shown yet, then the last shown.
KEPT = 20


@dataclass(frozen=True)
class Candidate:
    """A match of a complete set that may be shown."""

    played: LeagueMatch
    deals: Sequence[ShownDeal]
    rated: Excitement

    @property
    def place(self) -> str:
        return str(self.played.place)


@dataclass(frozen=True)
class OnAir:
    """The deal that is shown."""

    candidate: Candidate
    deal: int

    @property
    def shown(self) -> ShownDeal:
        return self.candidate.deals[self.deal]


class TvChannel:
    """The matches that may be shown, and the order in which they are."""

    def __init__(self) -> None:
        self._waiting: list[Candidate] = []
        self._shown: list[Candidate] = []  # the last one last
        self.now: OnAir | None = None

    def __repr__(self) -> str:
        on = self.now.candidate.place if self.now else "nothing"
        return f"<TvChannel showing {on}, {len(self._waiting)} waiting>"

    def add(self, candidate: Candidate) -> None:
        """Take a match that may be shown; of many the most exciting are kept."""
        self._waiting.append(candidate)
        self._waiting.sort(key=lambda each: each.rated, reverse=True)
        del self._waiting[KEPT:]

    def go_on(self) -> OnAir | None:
        """Go on to the deal or match after the one that is over; None: there is nothing to show."""
        now = self.now
        if now is not None and now.deal + 1 < len(now.candidate.deals):
            best = self._waiting[0] if self._waiting else None
            if best is None or best.rated.total < BETTER * now.candidate.rated.total:
                self.now = OnAir(now.candidate, now.deal + 1)
                return self.now
        if self._waiting:
            following = self._waiting.pop(0)
        elif self._shown:
            following = self._shown.pop(0)  # nothing new: the one that was shown longest ago
        else:
            self.now = None
            return None
        self._shown = [*self._shown, following][-KEPT:]
        self.now = OnAir(following, 0)
        return self.now
