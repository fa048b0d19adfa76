"""A request and the views in it, as types (SPEC 4.4, 11.11, 12.11): for your editor and for mypy.

    if view["game"] == "nope":          # a NopeView, else a TrickView
    if view["phase"] == "play":         # a TrickPlayView, whose view["trump"] is never None

A view is a dict as it came, and nothing is checked when the bot runs: a later server may send more
fields, other texts and other games. Made from the tables of the games: do not change it by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict


class Request(TypedDict):
    """You owe a decision."""

    type: Literal["request"]
    # which match
    match: str
    # counts up from 1 on each connection
    id: int
    # all that your seat may know (SPEC 10.3)
    view: View
    # the actions you may take: at least one, each once, in the game's order
    legal: list[str]
    # microseconds from the sending of this until you are late, bank included
    time_us: int
    # microseconds your last decision in this match was counted as; 0 at first
    charged_us: int


class PreviousRound(TypedDict):
    """The round finished last."""

    # its number, from 1
    round: int
    # its dealer
    dealer: int
    # row 1: its first player
    first: int
    # row 2: the open box
    discard: str
    # row 3: a colour letter, or `-` for none
    trump: str
    # row 4: a colour letter, or `-` for none
    supertrump: str
    # row 5: what a trick and a piece of loot were worth
    points: int
    # the first player's team, ascending
    team: list[int]
    # the seat that held the bonus card; None with 2 or 4 seats
    bonus: int | None
    # by seat, the tricks taken
    tricks_won: list[int]
    # by seat, the loot captured
    loot: list[int]
    # by seat, the points of that round alone
    scored: list[int]
    # the seat that led its last trick
    last_leader: int
    # the cards of its last trick, in order of play
    last_trick: list[str]
    # the seat that took it
    last_winner: int


class Demand(TypedDict):
    """What must be laid."""

    # how many cards
    count: int
    # the letters of the colours, in the order `RGBY`
    colours: str


class Choice(TypedDict):
    """The choice that made a demand."""

    # the seat that made it
    by: int
    # the seat it named
    to: int


@dataclass(frozen=True)
class NopeTurn:
    """A turn that a seat has finished.

    A view has it as a list, and `NopeTurn.read(it)` gives its places these names.
    """

    # counted from 1, over the turns of all seats
    number: int
    # of the demand
    count: int
    # of the demand
    colours: str
    # how many cards were drawn
    drawn: int
    # each card laid, in order, none being Nope; and the choice for a select, if one was made
    laid: list[str]

    @classmethod
    def read(cls, places: list[Any]) -> NopeTurn:
        number, count, colours, drawn, *laid = places
        return cls(number, count, colours, drawn, laid)


class _TrickView(TypedDict):
    """A view of nyet, njet and njet-it."""

    # the name of the rule set (11.1)
    game: Literal["nyet", "njet", "njet-it"]
    # how many sit at the table
    seats: int
    # your seat, from 0
    seat: int
    # every option of 11.7 with the value in force
    options: dict[str, Any]
    # the round being played, from 1
    round: int
    # the match has at most so many rounds
    rounds: int
    # this round's dealer
    dealer: int
    # by seat, the points of all finished rounds
    scores: list[int]
    # your cards, in the order of 11.10, copies repeated, without those you have chosen to discard
    # or pass
    hand: list[str]
    # by seat, the cards held; in phase `discard` still those dealt
    hand_sizes: list[int]
    # the boxes not covered, in the order of 11.10
    open: list[str]
    # the boxes covered this round, first to last
    tokens: list[str]
    # the seat that placed, or will place, the first token; the others follow clockwise
    first_token: int
    # the seat that holds the bonus card; None until chosen, and with 2 or 4 seats
    bonus: int | None
    # the cards you have discarded or passed this round, as chosen
    given: list[str]
    # the cards passed to you this round, once all have chosen
    received: list[str]
    # every trick of the round, each its cards in order of play; no trick before phase `play`; in
    # phase `play` the last is the open one, and may be empty
    tricks: list[list[str]]
    # for each of `tricks`, the seat that led it
    leaders: list[int]
    # by seat, the tricks taken this round
    tricks_won: list[int]
    # by seat, the loot captured this round (11.6)
    loot: list[int]

    # The class of each phase adds these:
    #   phase: `tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over`
    #   turn: the seat that owes a decision; None in phase `discard`, where all do, and when over
    #   first: row 1: the first player; None until all rows are settled
    #   discard: row 2: the open box, such as `1x`; None until settled
    #   trump: row 3: a colour letter, or `-` for none; None until settled
    #   supertrump: row 4: a colour letter, or `-` for none; None until settled
    #   points: row 5: what a trick and a piece of loot are worth; None until settled
    #   team: the first player's team, ascending; all others are the other team; None until chosen
    #   previous: the round finished last; None in the first round


class TrickTokensView(_TrickView):
    phase: Literal["tokens"]
    turn: int
    first: int | None
    discard: str | None
    trump: str | None
    supertrump: str | None
    points: int | None
    team: list[int] | None
    previous: PreviousRound | None


class TrickTeamView(_TrickView):
    phase: Literal["team"]
    turn: int
    first: int
    discard: str
    trump: str
    supertrump: str
    points: int
    team: list[int] | None
    previous: PreviousRound | None


class TrickDiscardView(_TrickView):
    phase: Literal["discard"]
    turn: int | None
    first: int
    discard: str
    trump: str
    supertrump: str
    points: int
    team: list[int]
    previous: PreviousRound | None


class TrickPlayView(_TrickView):
    phase: Literal["play"]
    turn: int
    first: int
    discard: str
    trump: str
    supertrump: str
    points: int
    team: list[int]
    previous: PreviousRound | None


class TrickOverView(_TrickView):
    phase: Literal["over"]
    turn: int | None
    first: int
    discard: str
    trump: str
    supertrump: str
    points: int
    team: list[int]
    previous: PreviousRound


TrickView: TypeAlias = (
    TrickTokensView | TrickTeamView | TrickDiscardView | TrickPlayView | TrickOverView
)


class _NopeView(TypedDict):
    """A view of nope."""

    # `nope`
    game: Literal["nope"]
    # how many sit at the table
    seats: int
    # your seat, from 0
    seat: int
    # every option of 12.8 with the value in force
    options: dict[str, Any]
    # the dealer; the next seat began
    dealer: int
    # turns finished so far, by all seats together
    turns: int
    # your cards, in the order of 12.10, copies repeated
    hand: list[str]
    # the cards of your set so far, no longer in `hand`
    chosen: list[str]
    # by seat, the cards held, those in `chosen` included
    hand_sizes: list[int]
    # the choice that made this demand: `{"by":0,"to":2}`, the seat that made it and the seat it
    # named; it stays under see-throughs, though another seat plays; None where a card made it
    choice: Choice | None
    # the whole discard pile, bottom to top
    discard: list[str]
    # how many cards the draw pile has
    draw_pile: int
    # the seats that are out, in the order they went
    out: list[int]
    # cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn that
    # laid the select, 0 if it was opened first; 0 when over
    drew: int
    # by seat, its last four turns, oldest first. A turn is a list: its number, counted from 1 over
    # the turns of all seats as `turns` is; the count and the colours demanded; how many cards were
    # drawn; each card laid, in order, none being Nope; and the choice for a select, if one was
    # made: `[17,2,"RG",0,"SR","to2:3"]`
    recent: list[list[list[Any]]]

    # The class of each phase adds these:
    #   phase: `lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; `choose`:
    #     a select asks for its choice (12.5); `over`
    #   turn: the seat that owes a decision; None when over
    #   demand: what must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order `RGBY`;
    #     None while a choice is open, and when over
    #   places: by seat, its place, from 1; None until over
    #   ending: how the match ended (10.1); None until over


class NopeLayView(_NopeView):
    phase: Literal["lay"]
    turn: int
    demand: Demand
    places: list[int] | None
    ending: str | None


class NopeSetView(_NopeView):
    phase: Literal["set"]
    turn: int
    demand: Demand
    places: list[int] | None
    ending: str | None


class NopeChooseView(_NopeView):
    phase: Literal["choose"]
    turn: int
    demand: Demand | None
    places: list[int] | None
    ending: str | None


class NopeOverView(_NopeView):
    phase: Literal["over"]
    turn: int | None
    demand: Demand | None
    places: list[int]
    ending: str


NopeView: TypeAlias = NopeLayView | NopeSetView | NopeChooseView | NopeOverView


View: TypeAlias = TrickView | NopeView
