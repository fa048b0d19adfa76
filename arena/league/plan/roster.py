"""The bots of a league as its events tell them: those that still take part, and the sets left out.

Pure, and worked out from the events alone, so that `arena verify` can follow it from the first
event to the last. A row of the table has one content for ever. A bot that is changed plays on in a
row of its own, a later version, and the row before takes no further part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from arena.record.timing import BotClock


@dataclass
class RosterRow:
    """One row. `base`: the name that the league's file has for it."""

    name: str
    owner: str
    content: str
    base: str
    clock: BotClock | None = None  # None: that of the league
    connections: int = 1  # with which it may dial in at once


class Roster:
    """Told one event after the other; those that do not matter here are passed over."""

    KINDS: ClassVar[Sequence[str]] = (
        *("entrant", "benched", "replaced", "changed", "ended_early", "away", "set_aside"),
        *("retired", "admitted_again"),
    )
    """The kinds of events that matter."""

    def __init__(self) -> None:
        self.rows: dict[str, RosterRow] = {}  # in the order in which they entered
        self.benched: dict[str, int] = {}  # the number of the set after which
        self.replaced: dict[str, str] = {}  # by name, the row of the version that plays instead
        self.retired: set[str] = set()
        self.dropped: set[int] = set()  # sets that will not be played, as bots or owners changed

    def __repr__(self) -> str:
        return f"<Roster of {len(self.rows)} rows>"

    @property
    def clocks(self) -> Mapping[str, BotClock]:
        """The clocks of the rows that have one of their own, by name."""
        return {row.name: row.clock for row in self.rows.values() if row.clock is not None}

    @property
    def taking_part(self) -> list[tuple[str, str]]:
        """The names and owners of all that further sets are planned for."""
        out = self.benched.keys() | self.replaced.keys() | self.retired
        return [(row.name, row.owner) for row in self.rows.values() if row.name not in out]

    def versions(self, base: str) -> list[RosterRow]:
        """Return the rows of one bot of the file, in the order in which they entered."""
        return [row for row in self.rows.values() if row.base == base]

    def current(self, base: str) -> RosterRow | None:
        """Return the row in which a bot of the file plays; None if it has not entered."""
        return next((row for row in self.versions(base) if row.name not in self.replaced), None)

    def tell(self, event: Mapping[str, Any]) -> None:
        """Take the next event. Raises KeyError if it lacks something or names no row."""
        match event["event"]:
            case "entrant":
                name = event["name"]
                base = event.get("version_of") or name
                self.rows[name] = RosterRow(name, event["owner"], event["content"], base)
                self._enter_terms(event)
            case "benched":
                self.benched[event["name"]] = event["set"]
            case "replaced":
                self.replaced[event["name"]] = event["by"]
                self.replaced.pop(event["by"], None)
                self.dropped.update(event["sets"])
            case "retired":
                self.retired.add(event["name"])
                self.dropped.update(event["sets"])
            case "admitted_again":
                self.retired.discard(event["name"])
            case "ended_early" | "away" | "set_aside":
                self.dropped.update(event["sets"])
            case "changed":
                row = self.rows[event["name"]]
                row.owner, row.content = event["owner"], event["content"]
                self._enter_terms(event)
                self.dropped.update(event["sets"])

    def _enter_terms(self, event: Mapping[str, Any]) -> None:
        """Take the terms of a bot. Events of earlier versions lack them: all bots had the same."""
        row = self.rows[event["name"]]
        row.clock = BotClock.told(event.get("clock"))
        row.connections = event.get("connections", 1)
