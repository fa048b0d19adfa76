from __future__ import annotations

from protocol.order import FROM_BOT, TRANSITIONS, Event, State


def test_every_state_has_a_row_and_every_event_a_place() -> None:
    assert set(TRANSITIONS) == set(State)
    assert {event for row in TRANSITIONS.values() for event in row} == set(Event)


def test_every_state_can_be_reached_and_left_but_closed() -> None:
    reached = {State.OPENED}
    for _ in State:
        reached |= {after for state in reached for after in TRANSITIONS[state].values()}
    assert reached == set(State)
    for state, row in TRANSITIONS.items():
        assert (row == {}) == (state is State.CLOSED)


def test_the_server_may_say_bye_at_any_time() -> None:
    for state, row in TRANSITIONS.items():
        assert (row.get(Event.BYE) is State.CLOSED) == (state is not State.CLOSED)


def test_only_an_open_request_can_be_answered() -> None:
    assert [state for state, row in TRANSITIONS.items() if Event.ACTION in row] == [State.ASKED]
    assert set(FROM_BOT) == {Event.HELLO, Event.ACTION, Event.STALE}
