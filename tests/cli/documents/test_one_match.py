"""A match as a JSON value, by name."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from arena.cli.documents.one_match import match_as_json_value
from arena.record import FaultEntry, Move
from tests.play import random_record

RECORD = random_record("nope", 3)


def by_seat(key: str, match: dict[str, Any]) -> list[Any]:
    return [seat[key] for seat in match["seats"]]


def test_a_void_match_has_neither_places_nor_scores() -> None:
    void = match_as_json_value(replace(RECORD, ending="void", scores=(), places=(), annulled=1))
    assert by_seat("place", void) == by_seat("score", void) == [None, None, None]
    assert void["ending"] == "void"


def test_a_match_cut_short_has_places_and_no_scores() -> None:
    fault = FaultEntry(2, 3, "gone", "closed", "it went away", True)
    cut = match_as_json_value(
        replace(RECORD, scores=(), places=(1, 2, 2), forfeits=(2, 1), faults=(fault,))
    )
    assert by_seat("place", cut) == [1, 2, 2]
    assert by_seat("score", cut) == [None, None, None]
    assert by_seat("is_forfeited", cut) == [False, True, True]
    assert by_seat("faults", cut) == [0, 0, 1]
    assert cut["faults"] == [
        {
            "seat": 2,
            "bot": RECORD.names[2],
            "move": 3,
            "kind": "gone",
            "code": "closed",
            "text": "it went away",
            "is_forfeit": True,
        }
    ]


def test_times_are_those_of_decisions_that_took_time() -> None:
    moves = (Move(0, "draw", 1500), Move(1, "draw", 0), Move(0, "draw", 0), Move(0, "draw", 2001))
    timed = match_as_json_value(replace(RECORD, moves=moves))
    assert by_seat("decisions", timed) == [2, 0, 0]
    assert by_seat("think_ms", timed) == [1.75, None, None]
    assert by_seat("slowest_ms", timed) == [2.001, None, None]
