"""What may come when, as a table. Both ends of a connection follow it (SPEC 5.1).

    opened ──hello──> greeted ──welcome──> idle ──start──> playing ──request──> asked
                                            ^                │  ^                 │
                                            └──────end───────┘  └─action or ruling┘

A `ruling` is a fault that names the open request: it settles the request, as an action does.
Any other fault changes nothing. A `stale` is an action that answers a request settled
before. `bye` ends every state.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class State(Enum):
    """Where a connection is."""

    OPENED = "opened"
    GREETED = "greeted"
    IDLE = "idle"
    PLAYING = "playing"
    ASKED = "asked"
    CLOSED = "closed"

    __hash__ = object.__hash__  # the default hashes the name again at every look-up


class Event(Enum):
    """What moves it: a message, told apart where one message can mean two things."""

    HELLO = "hello"
    ACTION = "action"
    STALE = "stale"
    WELCOME = "welcome"
    START = "start"
    REQUEST = "request"
    RULING = "ruling"
    FAULT = "fault"
    END = "end"
    BYE = "bye"

    __hash__ = object.__hash__


FROM_BOT = (Event.HELLO, Event.ACTION, Event.STALE)

TRANSITIONS: Mapping[State, Mapping[Event, State]] = {
    State.OPENED: {
        Event.HELLO: State.GREETED,
        Event.BYE: State.CLOSED,
    },
    State.GREETED: {
        Event.WELCOME: State.IDLE,
        Event.BYE: State.CLOSED,
    },
    State.IDLE: {
        Event.STALE: State.IDLE,
        Event.START: State.PLAYING,
        Event.FAULT: State.IDLE,
        Event.BYE: State.CLOSED,
    },
    State.PLAYING: {
        Event.STALE: State.PLAYING,
        Event.REQUEST: State.ASKED,
        Event.FAULT: State.PLAYING,
        Event.END: State.IDLE,
        Event.BYE: State.CLOSED,
    },
    State.ASKED: {
        Event.ACTION: State.PLAYING,
        Event.STALE: State.ASKED,
        Event.RULING: State.PLAYING,
        Event.FAULT: State.ASKED,
        Event.END: State.IDLE,
        Event.BYE: State.CLOSED,
    },
    State.CLOSED: {},
}
