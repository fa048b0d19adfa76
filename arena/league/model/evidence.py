"""The evidence of a league's faults, each with a place that stays what it is."""

from __future__ import annotations

from dataclasses import dataclass

from arena.league.model.sets import Place
from arena.record.evidence import Evidence


@dataclass(frozen=True, order=True)
class EvidencePlace:
    """The place of the evidence of a fault among all of a league.

    Sets come in the order in which they were completed, so what comes later stands later.
    """

    event: int  # the number of the event that tells that the set is complete
    turn: int  # of its match, from 0
    fault: int  # of the match, from 0

    def __str__(self) -> str:
        return f"{self.event}.{self.turn}.{self.fault}"

    @classmethod
    def parse(cls, text: str) -> EvidencePlace | None:
        """Return the place that a text names; None if it names none."""
        parts = text.split(".")
        if len(text) > MOST_CHARS or len(parts) != len(("event", "turn", "fault")):
            return None
        if not all(part.isascii() and part.isdecimal() for part in parts):
            return None
        event, turn, fault = map(int, parts)
        return cls(event, turn, fault) if event <= LARGEST_EVENT else None


# SQLite's largest whole number; no text that names a place is longer.
LARGEST_EVENT = 2**63 - 1
MOST_CHARS = 32
BEFORE_ALL = EvidencePlace(0, 0, 0)


@dataclass(frozen=True)
class StoredEvidence:
    """The evidence of a fault in a match of a complete set."""

    place: EvidencePlace
    match: Place
    evidence: Evidence
