"""Faults as everyone may see them: on the page of the set, and on those of bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.outputs.pages.names import address_of_match
from arena.outputs.pages.sets.steps import asked_after
from arena.record import FaultEntry, RecordError
from arena.record.replay import replay


@dataclass(frozen=True)
class PublicFault:
    """A fault as everyone may see it: its reason and the legal actions; no bytes, no output."""

    place: Place
    entry: FaultEntry
    legal: tuple[str, ...]  # the actions it could have chosen; () if nothing was asked

    @property
    def moment(self) -> str:
        """The moment of the request as an address has it, seen by its seat."""
        move = self.entry.move - 1 if self.entry.move else "deal"
        return f"move={move}&as=seat{self.entry.seat}"

    @property
    def address(self) -> str:
        """The link to its match at that moment."""
        return f"{address_of_match(self.place)}&{self.moment}"


def public_faults(
    played: LeagueMatch, legal: Sequence[tuple[str, ...]] | None = None
) -> list[PublicFault]:
    """Return the faults of a match. `legal`: the actions of each; None: found by a replay."""
    record = played.record
    if legal is None:
        legal = _asked(played) if record.faults and played.is_begun else [()] * len(record.faults)
    return [
        PublicFault(played.place, entry, asked)
        for entry, asked in zip(record.faults, legal, strict=True)
    ]


def _asked(played: LeagueMatch) -> list[tuple[str, ...]]:
    record = played.record
    legal: list[tuple[str, ...]] = [()] * len(record.faults)
    try:
        for step in replay(record):
            for number, asked in asked_after(step, record):
                legal[number] = asked
    except RecordError:
        pass  # the page of its set says so
    return legal
