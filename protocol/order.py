"""The table of the messages allowed in each state; both ends follow it (SPEC 5.1).

    opened ──hello──> greeted ──welcome──> idle ──start──> playing ──request──> asked
                                            ^                │  ^                 │
                                            └──────end───────┘  └─action or ruling┘

A `ruling` is a fault that names the open request: it settles the request, as an action does.
Any other fault changes nothing. A `stale` is an action that answers a request settled
before. After a hello that asks for evidence, `evidence` comes any number of times and `welcome`
never does. `bye` ends every state.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class ConnectionState(Enum):
    """The state of a connection."""

    OPENED = "opened"
    GREETED = "greeted"
    IDLE = "idle"
    PLAYING = "playing"
    ASKED = "asked"
    CLOSED = "closed"

    __hash__ = object.__hash__  # an enum's own hashes the name again at every look-up


class Event(Enum):
    """The meaning of a message for the state: one message may have several, by its `id`."""

    HELLO = "hello"
    ACTION = "action"
    STALE = "stale"
    WELCOME = "welcome"
    START = "start"
    REQUEST = "request"
    RULING = "ruling"
    FAULT = "fault"
    END = "end"
    EVIDENCE = "evidence"
    BYE = "bye"

    __hash__ = object.__hash__


FROM_BOT = (Event.HELLO, Event.ACTION, Event.STALE)

TRANSITIONS: Mapping[ConnectionState, Mapping[Event, ConnectionState]] = {
    ConnectionState.OPENED: {
        Event.HELLO: ConnectionState.GREETED,
        Event.BYE: ConnectionState.CLOSED,
    },
    ConnectionState.GREETED: {
        Event.WELCOME: ConnectionState.IDLE,
        Event.EVIDENCE: ConnectionState.GREETED,
        Event.BYE: ConnectionState.CLOSED,
    },
    ConnectionState.IDLE: {
        Event.STALE: ConnectionState.IDLE,
        Event.START: ConnectionState.PLAYING,
        Event.FAULT: ConnectionState.IDLE,
        Event.BYE: ConnectionState.CLOSED,
    },
    ConnectionState.PLAYING: {
        Event.STALE: ConnectionState.PLAYING,
        Event.REQUEST: ConnectionState.ASKED,
        Event.FAULT: ConnectionState.PLAYING,
        Event.END: ConnectionState.IDLE,
        Event.BYE: ConnectionState.CLOSED,
    },
    ConnectionState.ASKED: {
        Event.ACTION: ConnectionState.PLAYING,
        Event.STALE: ConnectionState.ASKED,
        Event.RULING: ConnectionState.PLAYING,
        Event.FAULT: ConnectionState.ASKED,
        Event.END: ConnectionState.IDLE,
        Event.BYE: ConnectionState.CLOSED,
    },
    ConnectionState.CLOSED: {},
}
