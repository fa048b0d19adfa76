from __future__ import annotations

from protocol.order import FROM_BOT, TRANSITIONS, ConnectionState, Event


def test_every_state_has_a_row_and_every_event_a_place() -> None:
    assert set(TRANSITIONS) == set(ConnectionState)
    assert {event for row in TRANSITIONS.values() for event in row} == set(Event)


def test_every_state_can_be_reached_and_left_but_closed() -> None:
    reached = {ConnectionState.OPENED}
    for _ in ConnectionState:
        reached |= {after for state in reached for after in TRANSITIONS[state].values()}
    assert reached == set(ConnectionState)
    for state, row in TRANSITIONS.items():
        assert (row == {}) == (state is ConnectionState.CLOSED)


def test_the_server_may_say_bye_at_any_time() -> None:
    for state, row in TRANSITIONS.items():
        assert (row.get(Event.BYE) is ConnectionState.CLOSED) == (
            state is not ConnectionState.CLOSED
        )


def test_only_an_open_request_can_be_answered() -> None:
    assert [state for state, row in TRANSITIONS.items() if Event.ACTION in row] == [
        ConnectionState.ASKED
    ]
    assert set(FROM_BOT) == {Event.HELLO, Event.ACTION, Event.STALE}
