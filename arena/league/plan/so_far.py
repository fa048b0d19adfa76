"""A league as its events tell it: all that a planner looks at.

Told one event after the other, by the runner as they are stored and by `arena verify` as they are
read, so both know the same at the same event. The line-ups of the schedule are in no event: they
are handed over before the event that tells of them, by the runner that planned them, from the
store, or drawn again.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from sys import intern
from typing import Any, ClassVar

from arena.league.model.entrants import UNKNOWN_CONTENT, Presence
from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import Basis, MatchResult, Past, SetResult
from arena.league.plan.roster import Roster
from arena.utc import seconds

MOST_OPEN_SETS = 8
"""The sets in which a bot that the league starts may sit at once on a ladder: a slow one cannot
take all lanes of the runner. A bot that dials in sits in one for each of its connections."""


class SoFar:
    """The sets that were planned and how they went, with the bots that take part.

    `with_results`: keep the winners; else only which sets are over. `counts_at_once`: of the
    format; then sets planned before a bot of theirs was benched are played and count.
    """

    KINDS_OF_BOTS: ClassVar[Sequence[str]] = (*Roster.KINDS, "here")
    """The kinds of events that tell which bots take part, and which of them are here."""

    def __init__(self, *, with_results: bool, counts_at_once: bool = False) -> None:
        self._counts_at_once = counts_at_once
        self.terms: LeagueTerms | None = None  # before the first event
        self.roster = Roster()
        self.sets: list[PlannedSet] = []
        self.left_out: set[int] = set()
        self.results: dict[int, SetResult] = {}
        self.began: int | None = None  # when the first match was over, in seconds since 1970, UTC
        self.ended: str | None = None  # why it was ended early
        self._handed: list[PlannedSet] = []  # sets whose event is still to be told
        self._with_results = with_results
        self._matches: dict[int, dict[tuple[int, int], MatchResult]] = {}  # by set, of sets begun
        self._decisions: list[Basis] = []
        self._busy_most: dict[str, int] = {}
        self._idle_since: dict[str, int] = {}
        self._presence: dict[str, Presence] = {}  # of the bots that dial in, once they came

    def __repr__(self) -> str:
        return f"<SoFar {len(self.sets)} sets, {len(self.results)} over, {self.roster!r}>"

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of events that matter."""
        matches = ("match",) if self._with_results else ()
        return (*self.KINDS_OF_BOTS, "league", "schedule", "set", *matches)

    @property
    def is_told_sets(self) -> bool:
        """True if events of complete sets tell more than their numbers."""
        return self._with_results

    def take_over(self, numbers: Iterable[int]) -> None:
        """Take sets as over of which no event is told; their winners are not looked at."""
        self.results.update((number, SetResult(number, ())) for number in numbers)

    def taking_part_without(self, absent: Collection[str]) -> frozenset[str]:
        """Return the names of the bots that take part and are not absent."""
        return frozenset(name for name, _ in self.roster.taking_part if name not in absent)

    def is_here(self, name: str) -> bool:
        """Tell whether a bot that dials in came, and was not away since."""
        return name in self._presence and self._presence[name].is_here

    @property
    def ever_here(self) -> Container[str]:
        """The names of the bots that dial in and came."""
        return self._presence.keys()

    @property
    def away(self) -> frozenset[str]:
        """The names of the bots that were here, and are away since."""
        return frozenset(each.name for each in self._presence.values() if not each.is_here)

    @property
    def presence(self) -> tuple[Presence, ...]:
        """The presence of each bot that dials in and came, in the order in which they entered.

        Bots that are retired or replaced are left out: nothing tells of them when the league goes
        on, as no bot may dial in by their tokens.
        """
        roster = self.roster
        out = roster.retired | roster.replaced.keys()
        return tuple(
            self._presence[name]
            for name, row in roster.rows.items()
            if name in self._presence and row.content == UNKNOWN_CONTENT and name not in out
        )

    def hand_over(self, sets: Iterable[PlannedSet]) -> None:
        """Take the line-ups of sets of which the next `schedule` events will tell."""
        self._handed += sets

    def take_handed(self) -> None:
        """Take sets into the schedule of which no event tells."""
        self._plan(self._handed)
        self._handed = []

    def tell(self, event: Mapping[str, Any]) -> None:
        """Take the next event. Raises KeyError if it lacks something or names no row."""
        match event["event"]:
            case "league":
                self.terms = LeagueTerms.of_event(event)
            case "schedule":
                told = max(0, event["sets"] - len(self.sets))
                self._plan(self._handed[:told], event.get("absent", ()))
                del self._handed[:told]
            case "match" if self._with_results:
                self._enter_match(event)
            case "set":
                self._complete(event)
            case "entrant":
                self.roster.tell(event)
                self._know_busy_most(event["name"])
            case "here":
                self._tell_presence(event)
                self._idle_since[event["name"]] = seconds(event["at"])
            case "retired" | "admitted_again":
                self.roster.tell(event)
                self._leave_out(self.sets)
            case "benched" | "replaced" | "changed" | "ended_early" | "away" | "set_aside":
                self.roster.tell(event)
                if event["event"] == "changed":
                    self._know_busy_most(event["name"])
                if event["event"] == "away":
                    self._tell_presence(event)
                self._leave_out(self.sets)
                if event["event"] == "ended_early":
                    self.ended = event["reason"]

    def _tell_presence(self, event: Mapping[str, Any]) -> None:
        name = event["name"]
        self._presence[name] = Presence(name, event["event"] == "here", event["at"])

    def _know_busy_most(self, name: str) -> None:
        row = self.roster.rows[name]
        dials_in = row.content == UNKNOWN_CONTENT
        self._busy_most[name] = row.connections if dials_in else MOST_OPEN_SETS

    def past(self) -> Past:
        """Return the facts for a planner; they stay as they are only until the next event."""
        return Past(
            self.roster.taking_part,
            self.sets,
            self.left_out,
            self._decisions,
            busy_most=self._busy_most,
            idle_since=self._idle_since,
        )

    def _plan(self, sets: Sequence[PlannedSet], absent: Collection[str] = ()) -> None:
        if sets:
            here = self.taking_part_without(absent)
            basis = Basis(len(self.sets) + 1, self.roster.taking_part, here)
            # A format that counts at once has no rounds. It decides for each set, and the bots of
            # all its decisions would fill the memory.
            if not self._counts_at_once:
                self._decisions.append(basis)
            self.sets += sets
            self._leave_out(sets)

    def _enter_match(self, event: Mapping[str, Any]) -> None:
        self.began = self.began or seconds(event["at"])
        place = event["attempt"], event["turn"]
        # A name is in memory once, and not once for each match of a long league.
        bots = tuple(map(intern, event["bots"]))
        result = MatchResult(bots, tuple(event["places"]), tuple(event["scores"]))
        self._matches.setdefault(event["set"], {})[place] = result

    def _complete(self, event: Mapping[str, Any]) -> None:
        number = event["set"]
        matches = self._matches.pop(number, {})
        counted = sorted(place for place in matches if place[0] == event["attempt"])
        result = SetResult(number, tuple(matches[place] for place in counted))
        self.results[number] = result
        if result.matches:
            at = seconds(event["at"])
            self._idle_since.update(dict.fromkeys(result.matches[0].bots, at))

    def _leave_out(self, sets: Sequence[PlannedSet]) -> None:
        benched, dropped = self.roster.benched, self.roster.dropped
        if self._counts_at_once:
            benched = {}
        self.left_out.update(
            planned.number
            for planned in sets
            if planned.number in dropped
            or any(planned.number > benched.get(name, planned.number) for name in planned.line_up)
        )
