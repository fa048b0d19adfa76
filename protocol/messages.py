"""The messages, one class each: the only place that says which fields there are (SPEC 4).

SPEC's tables, the checks on what bots send and the encoder all read these classes.
The server's side only: bots see plain maps and never load msgspec.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from protocol import limits


class _FromBot(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Unknown fields are refused, so that a misspelt one surfaces."""


class _FromServer(Struct, frozen=True, tag_field="type"):
    """Bots ignore fields they do not know."""


_Number = Annotated[int, Meta(ge=0, le=limits.MAX_NUMBER)]


class Hello(_FromBot, frozen=True, tag="hello"):
    """The first message of a connection; the server says nothing before it."""

    protocol: Annotated[_Number, Meta(description="the protocol you speak: 1")]
    token: Annotated[
        str,
        Meta(max_length=limits.MAX_TOKEN_CHARS, description="what ARENA_TOKEN held, unchanged"),
    ]
    version: Annotated[
        str,
        Meta(max_length=limits.MAX_VERSION_CHARS, description="your bot's version, for people"),
    ] = ""
    author: Annotated[
        str, Meta(max_length=limits.MAX_AUTHOR_CHARS, description="who wrote it, for people")
    ] = ""
    language: Annotated[
        str,
        Meta(max_length=limits.MAX_LANGUAGE_CHARS, description="what it is written in, for people"),
    ] = ""
    offers: Annotated[
        tuple[Annotated[str, Meta(max_length=limits.MAX_OFFER_CHARS)], ...],
        Meta(
            max_length=limits.MAX_OFFERS,
            description="what you could do beyond this protocol; unknown offers are ignored",
        ),
    ] = ()


class Action(_FromBot, frozen=True, tag="action", gc=False):
    """The answer to the open request."""

    match: Annotated[
        str,
        Meta(max_length=limits.MAX_MATCH_CHARS, description="the `match` of the request"),
    ]
    id: Annotated[_Number, Meta(description="the `id` of the request")]
    action: Annotated[
        str,
        Meta(
            max_length=limits.MAX_ACTION_CHARS,
            description="one of the texts in the request's `legal`",
        ),
    ]
    note: Annotated[
        str,
        Meta(
            max_length=limits.MAX_NOTE_CHARS,
            description="a remark kept in the record, published when the set is complete",
        ),
    ] = ""


class Welcome(_FromServer, frozen=True, tag="welcome"):
    """The hello was accepted."""

    protocol: Annotated[int, Meta(description="the protocol spoken from here on")]
    name: Annotated[str, Meta(description="the entrant you are, as your token says")]
    offers: Annotated[Sequence[str], Meta(description="which of your offers are in use")]
    limits: Annotated[
        Mapping[str, int], Meta(description="the limits of SPEC 8 by name, as they hold here")
    ]


class Start(_FromServer, frozen=True, tag="start"):
    """A match begins. Nothing is to be answered."""

    match: Annotated[str, Meta(description="the match's name, random; all its messages carry it")]
    game: Annotated[str, Meta(description="the rule set: nyet, njet, njet-it or nope")]
    options: Annotated[
        Mapping[str, Any], Meta(description="every option of the game with its value")
    ]
    seats: Annotated[int, Meta(description="how many play")]
    names: Annotated[
        Sequence[str],
        Meta(description="by seat: `seat 0` ..., or entrants' names if the league shows them"),
    ]
    seat: Annotated[int, Meta(description="yours, from 0")]
    clock: Annotated[
        Mapping[str, int],
        Meta(description="`decision_ms`, `bank_ms`, `hang_ms` and `faults_to_forfeit`"),
    ]
    commitment: Annotated[
        str, Meta(description="64 hexadecimal digits that fix the deal beforehand (SPEC 13.2)")
    ]


class Request(_FromServer, frozen=True, tag="request", gc=False):
    """You owe a decision: answer with an `action`."""

    match: Annotated[str, Meta(description="which match")]
    id: Annotated[int, Meta(description="counts up from 1 on each connection")]
    view: Annotated[Mapping[str, Any], Meta(description="all that your seat may know (SPEC 10.3)")]
    legal: Annotated[
        Sequence[str],
        Meta(description="what you may do: at least one, each once, in the game's order"),
    ]
    time_us: Annotated[
        int,
        Meta(description="microseconds from the sending of this until you are late, bank included"),
    ]
    charged_us: Annotated[
        int,
        Meta(
            description="microseconds your last decision in this match was counted as; 0 at first"
        ),
    ]


class Fault(_FromServer, frozen=True, tag="fault"):
    """You broke a rule. Nothing is to be answered."""

    match: Annotated[str | None, Meta(description="which match; nil between matches")]
    id: Annotated[
        int | None,
        Meta(description="the request this settles; nil if it settles none"),
    ]
    kind: Annotated[str, Meta(description="one of the kinds of SPEC 7.1")]
    code: Annotated[str, Meta(description="one of the codes of SPEC 7.2")]
    came: Annotated[str, Meta(description="what came, in words")]
    expected: Annotated[str, Meta(description="what was expected, in words")]
    played: Annotated[str | None, Meta(description="what was played for you, if anything was")]
    faults: Annotated[int, Meta(description="your faults in this match, this one counted")]
    forfeit: Annotated[bool, Meta(description="true: the seat is forfeited, no more requests come")]
    text: Annotated[str, Meta(description="all of it in one sentence, and what to do")]


class End(_FromServer, frozen=True, tag="end"):
    """The match is over. Nothing is to be answered."""

    match: Annotated[str, Meta(description="which match")]
    scores: Annotated[
        Sequence[int], Meta(description="by seat; empty if it was void or cut short (7.4)")
    ]
    places: Annotated[
        Sequence[int],
        Meta(description="by seat, from 1, ties share the best place; empty if it was void"),
    ]
    ending: Annotated[
        str, Meta(description="an ending of the game (SPEC 10.1), `forfeit` or `void` (SPEC 7.4)")
    ]
    faults: Annotated[Sequence[str], Meta(description="the codes of your faults, in order")]
    forfeits: Annotated[Sequence[int], Meta(description="the seats that were forfeited")]


class Bye(_FromServer, frozen=True, tag="bye"):
    """The server hangs up."""

    reason: Annotated[str, Meta(description="one of the reasons of SPEC 4.8")]
    text: Annotated[str, Meta(description="the same in a sentence")]


FromBot: TypeAlias = Hello | Action
FromServer: TypeAlias = Welcome | Start | Request | Fault | End | Bye

# In the order of SPEC 4.1 to 4.8.
FROM_BOT: Mapping[str, type[Hello] | type[Action]] = {"hello": Hello, "action": Action}
FROM_SERVER: Mapping[str, type[FromServer]] = {
    "welcome": Welcome,
    "start": Start,
    "request": Request,
    "fault": Fault,
    "end": End,
    "bye": Bye,
}
