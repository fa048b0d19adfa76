"""The standings as JSON, and its schema."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from typing import Any

import pytest

from arena.league.model.course import CourseTable
from arena.league.model.entrants import Presence
from arena.league.table.ratings import Rating
from arena.league.table.standings import (
    Benched,
    Facts,
    Moment,
    SeatEdge,
    Standing,
    Standings,
    Versus,
)
from arena.outputs.json_ import KEYS, json_text, rounded
from arena.record.timing import BotClock
from tests.league.leagues import NASTY, Simulated
from tests.outputs import schema
from tests.outputs.tables import EDGES, MET, PROVISIONAL, ROW, by_hand, hostile, rated, simulated

VALUES = {
    "document": (Standings, {"format", "version"}),
    "facts": (Facts, {"is_finished"}),
    "benched": (Benched, set[str]()),
    "versus": (Versus, {"bot", "other"}),
    "history": (Moment, set[str]()),
    "seat_edges": (SeatEdge, set[str]()),
    "presence": (Presence, set[str]()),
}


def names_of(value: type) -> set[str]:
    return {field.name for field in fields(value)}


def read(standings: Standings) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json_text(standings))
    return found


@pytest.mark.parametrize("section", [*VALUES])
def test_the_schema_names_everything_that_standings_have(section: str) -> None:
    value, more = VALUES[section]
    assert {*KEYS[section]} == names_of(value) | more


def test_the_schema_names_everything_of_a_row_but_what_is_for_debugging() -> None:
    of_rating = names_of(Rating) - {"plain_half_width"}
    renamed = {"bot": "name", "games": "matches", "group": "part"}
    expected = {renamed.get(name, name) for name in of_rating} | names_of(Standing) - {"rating"}
    assert {*KEYS["rows"]} == expected


def test_the_documented_schema_is_this_one() -> None:
    assert schema.FILE.read_text() == schema.document(), "python -m tests.outputs.schema --write"


def test_a_document_has_the_keys_of_the_schema_and_no_others() -> None:
    course = (CourseTable("Swiss", ("bot",), [("fox",)], "by points"),)
    here = (Presence("fox", True, "2026-11-19T20:30:59Z"),)
    full = replace(hostile(), seat_edges=EDGES, versus=MET, course=course, presence=here)
    for standings in (full, by_hand(), simulated(Simulated(), 0)):
        found = read(standings)
        assert (found["format"], found["version"]) == ("arena-standings", 1)
        assert [*found] == [*KEYS["document"]]
        assert [*found["facts"]] == [*KEYS["facts"]]
        for section in ("rows", "benched", "versus", "history", "seat_edges", "course", "presence"):
            for each in found[section]:
                assert [*each] == [*KEYS[section]]
    assert all(read(full)[section] for section in KEYS if section != "document")


def test_values_are_those_of_the_table() -> None:
    found = read(by_hand(PROVISIONAL, versus=MET, waiting=("cat",), retired=("hen",)))
    (row,) = found["rows"]
    assert row["lacks"] == ["sets", "bar", "connection"]
    assert row["ahead"] == {"value": 0.5523, "bar": 0.0344}
    assert row["rank_interval"] == [1, 2]
    assert row["places"] == [50, 40, 40, 30]
    assert row["faults"]["late"] == 3
    assert found["waiting"] == ["cat"]
    assert found["retired"] == ["hen"]
    assert found["versus"][0] == {
        "bot": "fox",
        "other": "owl",
        "ahead": 0.6,
        "meetings": 100,
        "superiority": 0.9,
    }
    last = read(hostile())["history"][-1]
    assert last["sets"] == hostile().facts.sets
    assert last["elo"]["owl"] == [
        round(hostile().history[-1].elo["owl"][0], 6),
        round(hostile().history[-1].elo["owl"][1] or 0, 6),
    ]


def test_names_come_back_as_they_were_though_the_file_is_ascii() -> None:
    text = json_text(hostile())
    assert text.isascii()
    assert "\x1b" not in text
    assert NASTY in [row["name"] for row in read(hostile())["rows"]]
    assert NASTY in hostile().history[-1].elo


def test_what_json_cannot_say_is_null_and_zero_has_no_sign() -> None:
    assert rounded([math.nan, math.inf, -0.0000001, 0.12345678]) == [None, None, 0.0, 0.123457]
    assert str(rounded(-0.0)) == "0.0"
    assert read(by_hand(rated(ROW, half_width=math.inf)))["rows"][0]["half_width"] is None


def test_a_row_tells_the_clock_of_its_own_and_null_without_one() -> None:
    clock = BotClock(decision_ms=5000, bank_ms=10_000, hang_ms=6000)
    rows = read(by_hand(replace(ROW, clock=clock), ROW))["rows"]
    assert [row["clock"] for row in rows] == [
        {"decision_ms": 5000, "bank_ms": 10_000, "hang_ms": 6000},
        None,
    ]


def test_presence_is_an_array_of_objects() -> None:
    at = "2026-11-19T20:30:59Z"
    found = read(by_hand(presence=(Presence("fox", True, at), Presence(NASTY, False, at))))
    assert found["presence"] == [
        {"name": "fox", "is_here": True, "since": at},
        {"name": NASTY, "is_here": False, "since": at},
    ]
    assert read(by_hand())["presence"] == []
