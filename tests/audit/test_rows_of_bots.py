"""Rows that mix two contents, found from the events of a league."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from arena.audit.events import Events, check_rows
from arena.audit.findings import Misfits
from arena.audit.recount import sets_that_count
from arena.league.model.sets import PlannedSet
from arena.league.store import events

FOX, OWL = events.entrant("fox", "fox", "1"), events.entrant("owl", "owl", "2")
FOX_2 = events.entrant("fox+2", "fox", "3", "fox")


def match(number: int, *bots: str) -> events.Event:
    return {"event": "match", "set": number, "turn": 0, "attempt": 0, "bots": bots}


def told(*happened: events.Event) -> Events:
    return Events(enumerate(map(json.dumps, happened), 1), Misfits())


@pytest.mark.parametrize(
    ("happened", "words"),
    [
        ((match(1, "fox", "owl"), events.changed("fox", "ann", "1", ())), []),
        ((events.changed("fox", "fox", "9", ()), match(1, "fox", "owl")), []),
        (
            (match(1, "fox", "owl"), events.changed("fox", "fox", "9", ())),
            ["event 4: fox had played with other files: its row mixes two bots"],
        ),
        (
            (FOX_2, events.replaced("fox", "fox+2", (1,)), match(2, "owl", "fox+2")),
            [],
        ),
        (
            (FOX_2, events.replaced("fox", "fox+2", (1,)), match(2, "owl", "fox")),
            ["event 5: fox plays, and fox+2 had replaced it"],
        ),
        (
            (FOX_2, events.replaced("fox", "fox+2", (1,)), match(1, "owl", "fox+2")),
            ["event 5: set 1 had been given up before"],
        ),
        (
            (
                *(FOX_2, events.schedule(2), events.replaced("fox", "fox+2", (1,))),
                match(2, "owl", "fox"),
                *(events.schedule(3), match(3, "owl", "fox")),
            ),
            ["event 8: fox plays, and fox+2 had replaced it"],
        ),
        ((match(1, "fox", "owl"), events.retired("fox", (2,)), match(1, "fox", "owl")), []),
        (
            (events.retired("fox", (1,)), match(1, "fox", "owl")),
            ["event 4: set 1 had been given up before"],
        ),
        (
            (match(1, "fox", "owl"), events.retired("fox", (1, 2))),
            ["event 4: fox leaves set 1, which had begun"],
        ),
    ],
)
def test_a_row_that_mixes_two_bots_is_found(
    happened: Sequence[events.Event], words: list[str]
) -> None:
    findings = Misfits()
    roster = check_rows(told(FOX, OWL, *happened), findings)
    assert [str(each) for each in findings.all] == words
    assert "owl" in roster.rows


def test_sets_that_were_given_up_make_no_gap_in_the_count() -> None:
    planned = [PlannedSet(number, ("fox", "owl")) for number in (1, 2, 3, 4, 5, 6)]
    complete = [{"event": "set", "set": number, "attempt": 0} for number in (1, 4, 6)]
    happened = told(
        *(FOX, OWL, *complete, events.replaced("fox", "fox+2", (2,))),
        events.changed("owl", "ann", "2", (3,)),
        events.retired("owl", (5,)),
    )
    found = sets_that_count(happened, planned, {}, at_once=False)
    assert [event["set"] for event, _ in found] == [1, 4, 6]
