"""Both ends do in each cell of the table what the table says: move, or refuse and stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from protocol.bot_end import BotEnd
from protocol.breach import Breach
from protocol.errors import Breached, Misuse
from protocol.messages import Bye, End, Fault, FaultEvidence, Start, Welcome
from protocol.order import FROM_BOT, TRANSITIONS, ConnectionState, Event
from protocol.server_end import ServerEnd
from tests.helpers import ConnectionPair, packed, pair_in

CELLS = [(state, event) for state in ConnectionState for event in Event]

HELLO = {"type": "hello", "protocol": 1, "token": "token"}
MESSAGES: Mapping[Event, Welcome | Start | Fault | End | FaultEvidence | Bye] = {
    Event.WELCOME: Welcome(1, "fox", (), {}),
    Event.START: Start("m-1", "toy", {}, 2, ("seat 0", "seat 1"), 0, {}, ""),
    Event.RULING: Fault("m-1", 3, "late", "out-of-time", "", "", "G9", 1, False, ""),
    Event.FAULT: Fault("m-1", None, "out-of-turn", "second-hello", "", "", None, 1, False, ""),
    Event.END: End("m-1", (1, 0), (1, 2), "played-out", (), ()),
    Event.EVIDENCE: FaultEvidence(
        *("1.0.0", "1.1", 0, 9, "gone", "closed", "", "", "", None, "", 0, None, 0, 0),
        more=False,
    ),
    Event.BYE: Bye("stopping", ""),
}


def pair_at(state: ConnectionState) -> ConnectionPair:
    """Both ends in this state; from `idle` on, three requests were made in match m-1."""
    if state is ConnectionState.GREETED:
        pair = ConnectionPair()
        pair.to_server(pair.bot.hello("token"))
        return pair
    if state is ConnectionState.CLOSED:
        pair = pair_in("idle")
        pair.to_bot(pair.server.send(Bye("stopping", "")))
        return pair
    return pair_in(state.value)


def event_in(state: ConnectionState, event: Event) -> Event:
    """The event that the message for `event` is in this state.

    A fault can name the open request only where one is open; elsewhere it is any other fault.
    An action can come to a settled request only where one was made; before, it is no stale one.
    """
    if event is Event.RULING and state is not ConnectionState.ASKED:
        return Event.FAULT
    if event is Event.STALE and state in (ConnectionState.OPENED, ConnectionState.GREETED):
        return Event.ACTION
    return event


def says_to_server(end: ServerEnd, event: Event) -> bool:
    """Send or receive the message of an event at the server's end; True if it was accepted."""
    if event in FROM_BOT:
        id_ = 3 if event is Event.ACTION else 1
        action = {"type": "action", "match": "m-1", "id": id_, "action": "G2"}
        if event is Event.ACTION and not end.asked:
            action["id"] = 4  # three were made; an answer to one of them would be stale
        got = end.receive(packed(HELLO if event is Event.HELLO else action))
        assert got is not None
        return not isinstance(got, Breach)
    try:
        if event is Event.REQUEST:
            end.request("m-1", {}, ("G2",), 10_100_000, 0)
        else:
            end.send(MESSAGES[event])
    except Misuse:
        return False
    return True


def says_to_bot(end: BotEnd, event: Event) -> bool:
    """The same at the bot's end."""
    sends: Mapping[Event, Callable[[], bytes]] = {
        Event.HELLO: lambda: end.hello("token"),
        Event.ACTION: lambda: end.action("G2"),
    }
    try:
        if event in sends:
            sends[event]()
        else:
            end.receive(packed(from_server(event)))
    except (Misuse, Breached):
        return False
    return True


def from_server(event: Event) -> object:
    if event is Event.REQUEST:
        return {"type": "request", "match": "m-1", "id": 4, "legal": ["G2"]}
    if event in (Event.RULING, Event.FAULT):
        return {"type": "fault", "id": 3 if event is Event.RULING else None, "text": ""}
    return {"type": event.value}


@pytest.mark.parametrize(("state", "event"), CELLS)
def test_the_servers_end_follows_the_table_in_every_cell(
    state: ConnectionState, event: Event
) -> None:
    end = pair_at(state).server
    assert end.state is state
    after = TRANSITIONS[state].get(event_in(state, event))
    assert says_to_server(end, event) == (after is not None)
    assert end.state is (after or state)
    assert (end.asked != 0) == (end.state is ConnectionState.ASKED)


# No bot's end makes a stale answer: it answers the open request or nothing.
@pytest.mark.parametrize(
    ("state", "event"), [(state, event) for state, event in CELLS if event is not Event.STALE]
)
def test_the_bots_end_follows_the_table_in_every_cell(state: ConnectionState, event: Event) -> None:
    end = pair_at(state).bot
    assert end.state is state
    after = TRANSITIONS[state].get(event_in(state, event))
    assert says_to_bot(end, event) == (after is not None)
    assert end.state is (after or state)
    assert (end.asked is not None) == (end.state is ConnectionState.ASKED)


@pytest.mark.parametrize(
    "answer",
    [
        {"type": "weather"},
        {"type": "action", "match": "m-1", "id": 4, "action": "G2"},
        {"type": "action", "match": "m-2", "id": 3, "action": "G2"},
        {"type": "action", "match": "m-1", "id": 3, "action": "R7"},
    ],
)
def test_a_wrong_answer_moves_the_servers_end_as_a_good_one_does(answer: object) -> None:
    end = pair_at(ConnectionState.ASKED).server
    assert isinstance(end.receive(packed(answer)), Breach)
    assert end.state is TRANSITIONS[ConnectionState.ASKED][Event.ACTION]
    assert end.asked == 0


@pytest.mark.parametrize("state", ConnectionState)
def test_the_end_of_the_connection_closes_every_state(state: ConnectionState) -> None:
    end = pair_at(state).server
    end.closed()
    assert end.state is ConnectionState.CLOSED
