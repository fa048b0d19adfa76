"""The messages, one class each: the only place that lists their fields (SPEC 4).

The tables of SPEC, the checks on messages from bots and the encoder all read these classes.
Only the server loads this module: bots see plain maps and never load msgspec.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from protocol import limits


class _FromBot(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """A message from a bot: unknown fields are refused, so that a misspelt one is noticed."""


class _FromServer(Struct, frozen=True, tag_field="type"):
    """A message from the server: bots ignore fields that they do not know."""


_Number = Annotated[int, Meta(ge=0, le=limits.MAX_NUMBER)]


class Hello(_FromBot, frozen=True, tag="hello"):
    """The first message of a connection; the server says nothing before it."""

    protocol: Annotated[_Number, Meta(description="the protocol you speak: 1")]
    token: Annotated[
        str,
        Meta(max_length=limits.MAX_TOKEN_CHARS, description="the value of ARENA_TOKEN, unchanged"),
    ]
    version: Annotated[
        str,
        Meta(max_length=limits.MAX_VERSION_CHARS, description="your bot's version, for people"),
    ] = ""
    author: Annotated[
        str, Meta(max_length=limits.MAX_AUTHOR_CHARS, description="its author, for people")
    ] = ""
    language: Annotated[
        str,
        Meta(
            max_length=limits.MAX_LANGUAGE_CHARS, description="its programming language, for people"
        ),
    ] = ""
    offers: Annotated[
        tuple[Annotated[str, Meta(max_length=limits.MAX_OFFER_CHARS)], ...],
        Meta(
            max_length=limits.MAX_OFFERS,
            description="abilities beyond this protocol; unknown offers are ignored",
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
    game: Annotated[str, Meta(description="the rule set, by its name (10.1)")]
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
        Meta(
            description="yours (SPEC 6): `decision_ms`, `bank_ms`, `hang_ms`, `faults_to_forfeit`"
        ),
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
        Meta(description="the actions you may take: at least one, each once, in the game's order"),
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
    came: Annotated[str, Meta(description="the thing that came, in words")]
    expected: Annotated[str, Meta(description="the thing that was expected, in words")]
    played: Annotated[str | None, Meta(description="the action played for you; nil if none was")]
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
    view: Annotated[
        Mapping[str, Any] | UnsetType,
        Meta(description="all that your seat may know at the end (SPEC 10.3)"),
    ] = UNSET


class FaultEvidence(_FromServer, frozen=True, tag="evidence"):
    """One fault of yours in a complete set, for a hello with the offer `evidence` (SPEC 2.7)."""

    at: Annotated[
        str,
        Meta(description="where it stands: the offer `evidence:` with it asks for what follows"),
    ]
    match: Annotated[
        str,
        Meta(description="the match by its place in the league: `17.4` is the fourth of set 17"),
    ]
    seat: Annotated[int, Meta(description="yours in it, from 0")]
    move: Annotated[int, Meta(description="how many moves all seats had played before")]
    kind: Annotated[str, Meta(description="one of the kinds of SPEC 7.1")]
    code: Annotated[str, Meta(description="one of the codes of SPEC 7.2")]
    came: Annotated[str, Meta(description="the thing that came, in words")]
    expected: Annotated[str, Meta(description="the thing that was expected, in words")]
    text: Annotated[str, Meta(description="all of it in one sentence, and what to do")]
    request: Annotated[
        Mapping[str, Any] | None,
        Meta(description="the request, as it was sent; nil if there was none, or it was too long"),
    ]
    reply: Annotated[
        str,
        Meta(description="the body that came, its first 2048 bytes, as hexadecimal digits"),
    ]
    reply_bytes: Annotated[int, Meta(description="how many it had; 0 if none came")]
    played: Annotated[str | None, Meta(description="the action played for you; nil if none was")]
    allowed_us: Annotated[int, Meta(description="microseconds you had, bank included")]
    took_us: Annotated[int, Meta(description="microseconds you took")]
    more: Annotated[bool, Meta(description="true: there is evidence after this")]


class Bye(_FromServer, frozen=True, tag="bye"):
    """The server hangs up."""

    reason: Annotated[str, Meta(description="one of the reasons of SPEC 4.8")]
    text: Annotated[str, Meta(description="the same in a sentence")]


FromBot: TypeAlias = Hello | Action
FromServer: TypeAlias = Welcome | Start | Request | Fault | End | FaultEvidence | Bye

# In the order of SPEC 4.1 to 4.9.
FROM_BOT: Mapping[str, type[Hello] | type[Action]] = {"hello": Hello, "action": Action}
FROM_SERVER: Mapping[str, type[FromServer]] = {
    "welcome": Welcome,
    "start": Start,
    "request": Request,
    "fault": Fault,
    "end": End,
    "bye": Bye,
    "evidence": FaultEvidence,
}
