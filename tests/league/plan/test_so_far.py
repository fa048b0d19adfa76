"""Who of the bots that dial in is here, as the events of a league tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.league.model.entrants import UNKNOWN_CONTENT, Presence
from arena.league.model.sets import PlannedSet
from arena.league.plan.so_far import SoFar
from arena.league.store import events

NOON, ONE, TWO = (f"2026-01-31T{hour}:00:00Z" for hour in (12, 13, 14))
DIAL_IN = tuple(events.entrant(name, name, UNKNOWN_CONTENT) for name in ("owl", "fox", "hen"))


def at(time: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**event, "at": time}


def after(*told: Mapping[str, Any]) -> SoFar:
    so_far = SoFar(with_results=False)
    for event in (*DIAL_IN, *told):
        so_far.tell(event)
    return so_far


def test_presence_has_the_time_of_the_last_event_of_each_bot_that_came() -> None:
    told = (at(NOON, events.here("fox")), at(ONE, events.away("fox", ())))
    assert after().presence == ()
    assert after(*told[:1]).presence == (Presence("fox", True, NOON),)
    assert after(*told).presence == (Presence("fox", False, ONE),)
    again = after(*told, at(ONE, events.here("owl")), at(TWO, events.here("fox")))
    assert again.presence == (Presence("owl", True, ONE), Presence("fox", True, TWO))
    assert (again.is_here("fox"), again.is_here("hen"), again.away) == (True, False, frozenset())
    assert after(*told).away == {"fox"}


def test_bots_that_are_not_let_in_any_more_have_no_presence() -> None:
    """Of a bot that was retired while the league rested its last event may say that it is here."""
    here = [at(NOON, events.here(name)) for name in ("fox", "owl", "hen")]
    gone = [
        events.retired("fox", ()),
        events.replaced("owl", "owl+2", ()),
        events.changed("hen", "hen", "hash of hen", ()),
    ]
    assert [each.name for each in after(*here).presence] == ["owl", "fox", "hen"]
    assert after(*here, *gone).presence == ()
    again = after(*here, *gone, events.admitted_again("fox"))
    assert [each.name for each in again.presence] == ["fox"]


def test_each_event_of_the_schedule_takes_only_the_sets_that_it_tells_of() -> None:
    """All sets are handed over before the events when a league is opened again."""
    sets = [PlannedSet(number, ("owl", "fox")) for number in range(1, 7)]
    so_far = after()
    so_far.hand_over(sets)
    for number in (1, 3, 4, 6):
        so_far.tell(events.schedule(number))
        assert so_far.sets == sets[:number]
    assert [basis.first for basis in so_far.past().decisions] == [1, 2, 4, 5]
