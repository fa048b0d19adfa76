"""Events are documented, and enough to work the table out from."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.sets import PlannedSet
from arena.league.store import events
from arena.league.table.ledger import Ledger
from arena.league.table.live import rounds_of, standings_of
from arena.league.table.maker import RunFacts, TableMaker
from arena.record import FORMAT, VERSION, FaultEntry, Record
from tests.league.leagues import Simulated, settings_of, simulate
from tests.markdown import code, table

DOCUMENT = Path(__file__).parents[3] / "docs" / "events.md"


def tables() -> str:
    """The generated part of the document."""
    parts = []
    for name, kind in events.KINDS.items():
        rows = [(code(field), meaning) for field, meaning in kind.fields.items()]
        parts += [f"### {code(name)}", "", kind.meaning, "", *table(("field", "meaning"), rows), ""]
    return "\n".join(parts)


def test_every_event_and_field_is_documented() -> None:
    text = DOCUMENT.read_text()
    assert text.endswith(tables()), "run: python -m tests.league.store.test_events --write"


@pytest.mark.parametrize(
    "league",
    [
        Simulated(sets=12),
        Simulated(sets=12, illegal=("mole",)),
        Simulated(sets=12, absent=("crow",), options={"rounds": 2}),
        Simulated(sets=12, game="nope", seats=3, options={"max_turns": 60}),
    ],
    ids=["clean", "forfeits", "absent", "nope"],
)
def test_the_table_can_be_worked_out_from_the_events(tmp_path: Path, league: Simulated) -> None:
    with simulate(tmp_path, league) as store:
        lines = [events.line(0, each) for each in told(list(store.complete_sets()))]
        whole = standings_of(store)
        entrants = store.entrants()
    settings, ledger = settings_of(league), Ledger(league.bots)
    for one in read_again(lines):
        ledger.grow((), [PlannedSet(one.number, one.matches[0].record.names)])
        ledger.enter(one)
    again = TableMaker(settings, rounds_of(settings), ledger).standings(
        entrants, voids={}, run=RunFacts(None, False, False, "", ()), with_history=True
    )
    for name in ("rows", "benched", "waiting", "versus", "history"):
        for row, same in zip(getattr(whole, name), getattr(again, name), strict=True):
            assert without_times(row) == without_times(same)


def told(sets: list[PlayedSet]) -> list[events.Event]:
    found = []
    for one in sets:
        found += [events.match(played) for played in one.matches]
        found.append(events.complete(one))
    return found


def read_again(lines: list[str]) -> list[PlayedSet]:
    """As another program would: matches of sets that are complete, with their faults."""
    sets = []
    matches: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for line in lines:
        event = json.loads(line)
        if event["event"] == "match":
            matches.setdefault((event["set"], event["attempt"]), []).append(event)
        elif event["event"] == "set":
            played = [
                _played(match, opened)
                for match, opened in zip(
                    matches[event["set"], event["attempt"]], event["matches"], strict=True
                )
            ]
            sets.append(PlayedSet(event["set"], event["attempt"], tuple(played)))
    return sets


def _played(match: dict[str, Any], opened: dict[str, Any]) -> LeagueMatch:
    faults = tuple(
        FaultEntry(each["seat"], each["move"], each["kind"], each["code"], each["text"])
        for each in opened["faults"]
    )
    record = Record(
        FORMAT,
        VERSION,
        "nyet",
        len(match["bots"]),
        {},
        "",
        tuple(match["bots"]),
        (),
        tuple(match["scores"]),
        tuple(match["places"]),
        match["ending"],
        faults=faults,
        forfeits=tuple(match["forfeits"]),
    )
    return LeagueMatch(
        match["set"], match["turn"], match["attempt"], record, (), match["at"], False
    )


def without_times(row: Any) -> Any:
    return (
        row if isinstance(row, str | tuple) else {**vars(row), "think_ms": None, "slowest_ms": None}
    )


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    text = DOCUMENT.read_text()
    DOCUMENT.write_text(text[: text.index("### `league`")] + tables())
