"""The bots of a league as events tell them."""

from __future__ import annotations

import pytest

from arena.league.plan.roster import Roster
from arena.league.store import events
from arena.record.timing import BotClock


def roster(*told: events.Event) -> Roster:
    found = Roster()
    for event in told:
        found.tell(event)
    return found


SLOW = BotClock(decision_ms=5000, bank_ms=10_000, hang_ms=5000)
FOX = events.entrant("fox", "ann", "1")
OWL = events.entrant("owl", "owl", "2")
FOX_2 = events.entrant("fox+2", "ann", "3", "fox")


def test_everybody_who_entered_takes_part() -> None:
    found = roster(FOX, OWL, events.schedule(9))
    assert found.taking_part == [("fox", "ann"), ("owl", "owl")]
    assert [row.name for row in found.versions("fox")] == ["fox"]
    assert found.current("crow") is None


def test_a_row_has_its_own_clock_and_its_connections() -> None:
    fox = events.entrant("fox", "ann", "1", clock=SLOW, connections=4)
    found = roster(fox, OWL)
    assert found.clocks == {"fox": SLOW}
    assert [row.connections for row in found.rows.values()] == [4, 1]
    found.tell(events.changed("owl", "owl", "2", (), clock=SLOW, connections=2))
    found.tell(events.changed("fox", "ann", "1", ()))
    assert found.clocks == {"owl": SLOW}
    assert [row.connections for row in found.rows.values()] == [1, 2]


def test_events_of_earlier_versions_tell_neither_clock_nor_connections() -> None:
    later = {"clock", "connections"}
    old = {key: value for key, value in FOX.items() if key not in later}
    moved = {
        key: value
        for key, value in events.changed("fox", "bob", "1", ()).items()
        if key not in later
    }
    found = roster(old, moved)
    assert (found.clocks, found.rows["fox"].connections) == ({}, 1)


def test_a_benched_bot_takes_no_part_and_keeps_its_row() -> None:
    found = roster(FOX, OWL, events.benched("fox", "it did not start", 4))
    assert found.taking_part == [("owl", "owl")]
    assert found.benched == {"fox": 4}
    assert found.current("fox") is found.rows["fox"]


def test_a_replaced_version_takes_no_part_and_its_sets_are_given_up() -> None:
    found = roster(FOX, OWL, FOX_2, events.replaced("fox", "fox+2", (3, 5)))
    assert found.taking_part == [("owl", "owl"), ("fox+2", "ann")]
    assert found.dropped == {3, 5}
    assert found.replaced == {"fox": "fox+2"}
    assert found.current("fox") is found.rows["fox+2"]
    assert [row.name for row in found.versions("fox")] == ["fox", "fox+2"]


def test_a_version_of_before_comes_back_to_its_row() -> None:
    found = roster(
        *(FOX, OWL, FOX_2, events.replaced("fox", "fox+2", (3,))),
        events.replaced("fox+2", "fox", (7,)),
    )
    assert found.taking_part == [("fox", "ann"), ("owl", "owl")]
    assert found.replaced == {"fox+2": "fox"}
    assert found.dropped == {3, 7}


def test_a_row_gets_another_owner_or_content() -> None:
    found = roster(FOX, OWL, events.changed("owl", "ann", "9", (2,)))
    assert found.taking_part == [("fox", "ann"), ("owl", "ann")]
    assert found.rows["owl"].content == "9"
    assert found.dropped == {2}


def test_an_entrant_of_earlier_versions_is_a_first_version() -> None:
    found = roster({"event": "entrant", "name": "fox", "owner": "fox", "content": "1"})
    assert found.rows["fox"].base == "fox"


def test_a_change_of_a_row_that_never_entered_is_an_error() -> None:
    with pytest.raises(KeyError):
        roster(events.changed("owl", "ann", "9", ()))


def test_a_retired_bot_takes_no_part_until_it_is_admitted_again() -> None:
    gone = (FOX, OWL, events.retired("fox", (3, 5)))
    found = roster(*gone)
    assert found.taking_part == [("owl", "owl")]
    assert (found.retired, found.dropped) == ({"fox"}, {3, 5})
    assert found.current("fox") is found.rows["fox"]
    found = roster(*gone, events.admitted_again("fox"))
    assert found.taking_part == [("fox", "ann"), ("owl", "owl")]
    assert (found.retired, found.dropped) == (set(), {3, 5})
