"""Check the events of a league against everything else that is kept of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from arena.audit.findings import Misfits
from arena.league.model.sets import Place, PlannedSet
from arena.league.model.settings import Settings
from arena.league.plan.planner import Planned, Planner
from arena.league.plan.roster import Roster
from arena.league.store import events
from arena.record.timing import BotClock
from arena.utc import seconds

# Kinds of events that must be there exactly once, each with the fields that identify one.
# Fields that events of earlier versions lack.
LATER = {
    "match": frozenset({"confinement"}),
    "league": frozenset(
        {
            *("challengers", "sets_per_line_up", "rounds", "sets_per_table"),
            *("most_sets_per_tie", "pairing", "stop"),
        }
    ),
}

KEYS = {"match": ("set", "turn", "attempt"), "void": ("set", "attempt"), "set": ("set",)}


# By kind, key and number, so that the events of a match are found without holding all events.
_TABLE = """
CREATE TABLE told (
    at INTEGER PRIMARY KEY,
    number,
    body TEXT NOT NULL,
    kind TEXT NOT NULL,
    one, two, three,
    is_left INTEGER NOT NULL
);
CREATE INDEX by_key ON told (kind, one, two, three);
PRAGMA cache_size = -8000;
PRAGMA journal_mode = OFF;
"""


class Events:
    """The events of a store, with their numbers.

    They are in a file of SQLite's that is gone with this object: as objects those of a long league
    take hundreds of megabytes.
    """

    def __init__(self, rows: Iterable[tuple[Any, Any]], findings: Misfits):
        self._findings = findings
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(_TABLE)
        self._length = 0
        expected = 1
        self._db.execute("BEGIN")
        for number, body in rows:
            if number != expected:
                findings.add("events", f"after event {expected - 1} comes event {number}")
            expected = number + 1
            with findings.guard(f"event {number}"):
                event = json.loads(body)
                what = event["event"]
                if what not in events.KINDS:
                    findings.add(f"event {number}", f"there is no event {what!r}")
                    continue
                self._length += 1
                self._keep(number, body, event)
        self._db.execute("COMMIT")
        if not self._length:
            findings.add("events", "there are none")

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        return f"<Events {len(self)}>"

    def _keep(self, number: int, body: str, event: Mapping[str, Any]) -> None:
        kind, key = event["event"], (None, None, None)
        try:
            if kind in KEYS:
                key = _key([event[name] for name in KEYS[kind]])
        finally:
            self._db.execute(
                "INSERT INTO told (number, body, kind, one, two, three, is_left)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (number, body, kind, *key, key[0] is not None),
            )

    @property
    def all(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """All events, in the order of their numbers, each with its number."""
        for number, body in self._db.execute("SELECT number, body FROM told ORDER BY at"):
            yield number, json.loads(body)

    def of(self, *kinds: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yield the events of these kinds, each with its number."""
        rows = self._db.execute(
            f"SELECT number, body FROM told WHERE kind IN ({', '.join('?' for _ in kinds)})"
            " ORDER BY at",
            kinds,
        )
        for number, body in rows:
            yield number, json.loads(body)

    def about(self, what: str, *key: object) -> list[Mapping[str, Any]]:
        """Return the events of this kind with these values of the fields that identify one; values
        that are left out may be any."""
        names = [f"{name} IS ?" for name, _ in zip(("one", "two", "three"), key, strict=False)]
        rows = self._db.execute(
            f"SELECT body FROM told WHERE kind = ? AND {' AND '.join(names)} ORDER BY at",
            (what, *key),
        )
        return [json.loads(body) for (body,) in rows]

    def clocks(self) -> Mapping[str, BotClock]:
        """Return the clocks of the bots that have one of their own, by name.

        A clock stays the same from the first match of its bot, so the last that is told counts.
        """
        roster = Roster()
        for _, event in self.of(*Roster.KINDS):
            roster.tell(event)
        return roster.clocks

    def expect(self, where: str, told: events.Event) -> None:
        """Expect exactly one event with these fields, and add a finding if it is not so."""
        what = told["event"]
        key = _key([told[name] for name in KEYS[what]])
        found = self._db.execute(
            "SELECT at, number, body FROM told WHERE is_left AND kind = ?"
            " AND one IS ? AND two IS ? AND three IS ? ORDER BY at",
            (what, *key),
        ).fetchall()
        if not found:
            self._findings.add(where, f"no {what!r} event tells it")
        for _, number, _ in found[1:]:
            self._findings.add(f"event {number}", f"{where} was told before")
        for _, number, body in found[:1]:
            for name in differences(json.loads(body), as_stored(told)):
                self._findings.add(f"event {number}", f"its {name} is not what is kept of {where}")
        self._db.executemany(
            "UPDATE told SET is_left = 0 WHERE at = ?", [(at,) for at, _, _ in found]
        )

    def expect_no_more(self) -> None:
        """Add a finding for each event left over once everything that is kept was expected."""
        left = "SELECT number, kind, one, two FROM told WHERE is_left ORDER BY at"
        for number, what, one, two in self._db.execute(left):
            of = Place(one, two) if what == "match" else f"set {one}"
            self._findings.add(f"event {number}", f"tells a {what!r} of {of} that is not kept")


def _key(values: Sequence[Any]) -> tuple[Any, Any, Any]:
    """Return the fields that identify an event, filled up to three."""
    one, two, three = [*values, None, None][:3]
    if any(isinstance(value, list | dict) for value in values):
        raise TypeError(f"{values} name no match or set")
    return one, two, three


def differences(found: Mapping[str, Any], expected: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields that differ, also those of the matches in a `set`."""
    later = LATER.get(expected["event"], frozenset()) - found.keys()
    names = [
        name
        for name in {**expected, **found}
        if name not in later and found.get(name) != expected.get(name)
    ]
    if "matches" not in names:
        return names
    names.remove("matches")
    theirs, ours = found.get("matches"), expected["matches"]
    if not isinstance(theirs, list) or len(theirs) != len(ours):
        return [*names, "list of matches"]
    return names + [
        f"{name} of match {turn}"
        for turn, (one, other) in enumerate(zip(theirs, ours, strict=True), 1)
        for name in other
        if one.get(name) != other[name]
    ]


def as_stored(event: events.Event) -> Mapping[str, Any]:
    """Return the event as it comes back from JSON: its tuples become lists."""
    stored: Mapping[str, Any] = json.loads(json.dumps(event))
    return stored


def check_league(
    told: Events,
    settings: Settings,
    entrants: Sequence[tuple[Any, ...]],
    planned: Sequence[PlannedSet],
    lots: bytes,
    findings: Misfits,
) -> None:
    """Compare settings, entrants and schedule with the events; draw the schedule again."""
    leagues = [*told.of("league")]
    if not leagues:
        findings.add("events", "no 'league' event tells the settings")
    for number, event in leagues[-1:]:
        for name in differences(event, as_stored(events.league(settings))):
            if name != "at":
                findings.add(f"event {number}", f"its {name} is not the league's")
    with findings.guard("events"):
        roster = check_rows(told, findings)
        entered = [(row.name, row.owner, row.content) for row in roster.rows.values()]
        if entered != [*entrants]:
            findings.add("events", "the entrants that they tell are not those of the league")
    with findings.guard("schedule"):
        check_schedule(told, settings, planned, lots, findings)


def check_rows(told: Events, findings: Misfits) -> Roster:
    """Follow the rows through the events; add a finding where one would mix two contents."""
    roster = Roster()
    played: set[str] = set()
    begun: set[int] = set()
    planned = 0  # sets, by now
    planned_before: dict[str, int] = {}  # by row, the sets that were planned when it was replaced
    for number, event in told.all:
        where = f"event {number}"
        if event["event"] == "match":
            if event["set"] in roster.dropped:
                findings.add(where, f"set {event['set']} had been given up before")
            for name in sorted({*event["bots"]} & roster.replaced.keys()):
                if event["set"] <= planned_before[name]:
                    continue  # it was in play, and is played to its end
                findings.add(where, f"{name} plays, and {roster.replaced[name]} had replaced it")
            played.update(event["bots"])
            begun.add(event["set"])
        if event["event"] == "schedule":
            planned = event["sets"]
        if event["event"] == "replaced":
            planned_before[event["name"]] = planned
        if event["event"] == "retired":
            for each in sorted(begun.intersection(event["sets"])):
                findings.add(where, f"{event['name']} leaves set {each}, which had begun")
        if event["event"] == "changed" and event["name"] in played:
            name, content = event["name"], event["content"]
            if content != roster.rows[name].content:
                findings.add(where, f"{name} had played with other files: its row mixes two bots")
            if BotClock.told(event.get("clock")) != roster.rows[name].clock:
                findings.add(where, f"{name} had played with another clock")
        roster.tell(event)
    return roster


def check_schedule(
    told: Events,
    settings: Settings,
    planned: Sequence[PlannedSet],
    lots: bytes,
    findings: Misfits,
) -> None:
    """Decide again which sets were played next, each time from the events before that."""
    planner = Planner(settings.terms, lots)
    drawn = planner.so_far.sets
    for number, event in told.all:
        if event["event"] == "league" and event["sets"] is not None:
            # Of damaged settings no more sets are drawn than show the damage.
            event = {**event, "sets": min(event["sets"], len(planned) + 1)}
        if event["event"] == "schedule":
            answer = planner.next(seconds(event["at"]), event.get("absent", ()))
            if isinstance(answer, Planned):
                planner.hand_over(answer.sets)
            decided = len(drawn) + (len(answer.sets) if isinstance(answer, Planned) else 0)
            if event["sets"] != decided:
                findings.add(
                    f"event {number}",
                    f"tells {event['sets']} planned sets; decided again they are {decided}",
                )
        if event["event"] == "ended_early":
            why = planner.why_end(seconds(event["at"]))
            if why != event["reason"]:
                findings.add(f"event {number}", f"its reason, found again, is {why!r}")
        planner.tell(event)
    planner.so_far.take_handed()
    if len(drawn) != len(planned):
        findings.add("schedule", f"events tell {len(drawn)} sets, and {len(planned)} are kept")
    for one, other in zip(drawn, planned, strict=False):
        if one != other:
            findings.add(
                f"set {other.number}",
                f"its line-up is {', '.join(other.line_up)}; drawn again it is"
                f" {', '.join(one.line_up)}",
            )
