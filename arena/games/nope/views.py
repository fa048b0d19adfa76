"""Views, built from the seat's own knowledge (SPEC 12.9, 12.11).

Nothing here looks at another seat's hand but to count it, or at the draw pile but to count it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.description import EVERY_PHASE, ViewField, ViewRecord
from arena.games.interface import View
from arena.games.nope.cards import KINDS

if TYPE_CHECKING:
    from arena.games.nope.state import NopeState

PHASES = LAY, SET, CHOOSE, OVER = ("lay", "set", "choose", "over")
UNFINISHED = (LAY, SET, CHOOSE)

DEMAND = ViewRecord(
    "Demand",
    "What must be laid.",
    (
        ViewField("count", "number", "how many cards"),
        ViewField("colours", "text", "the letters of the colours, in the order `RGBY`"),
    ),
)
CHOICE = ViewRecord(
    "Choice",
    "The choice that made a demand.",
    (
        ViewField("by", "number", "the seat that made it"),
        ViewField("to", "number", "the seat it named"),
    ),
)
TURN = ViewRecord(
    "NopeTurn",
    "A turn that a seat has finished.",
    (
        ViewField("number", "number", "counted from 1, over the turns of all seats"),
        ViewField("count", "number", "of the demand"),
        ViewField("colours", "text", "of the demand"),
        ViewField("drawn", "number", "how many cards were drawn"),
    ),
    rest=ViewField(
        "laid",
        "text",
        "each card laid, in order, none being Nope; and the choice for a select, if one was made",
    ),
)

FIELDS: tuple[ViewField, ...] = (
    ViewField("game", "text", "`nope`"),
    ViewField("seats", "number", "how many sit at the table"),
    ViewField("seat", "number or nil", "your seat, from 0; nil: a spectator"),
    ViewField("options", "map", "every option of 12.8 with the value in force"),
    ViewField(
        "phase",
        "text",
        "`lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; "
        "`choose`: a select asks for its choice (12.5); `over`",
        values=PHASES,
    ),
    ViewField("dealer", "number", "the dealer; the next seat began"),
    ViewField(
        "turn", "number or nil", "the seat that owes a decision; nil when over", nil_in=(OVER,)
    ),
    ViewField("turns", "number", "turns finished so far, by all seats together"),
    ViewField(
        "hand",
        "list of texts or nil",
        "your cards, in the order of 12.10, copies repeated; nil for a spectator",
    ),
    ViewField("chosen", "list of texts", "the cards of your set so far, no longer in `hand`"),
    ViewField(
        "hand_sizes", "list of numbers", "by seat, the cards held, those in `chosen` included"
    ),
    ViewField(
        "demand",
        "map or nil",
        'what must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order '
        "`RGBY`; nil while a choice is open, and when over",
        record=DEMAND,
        nil_in=(CHOOSE, OVER),
    ),
    ViewField(
        "choice",
        "map or nil",
        'the choice that made this demand: `{"by":0,"to":2}`, the seat that made it and the seat '
        "it named; it stays under see-throughs, though another seat plays; nil where a card made "
        "it",
        record=CHOICE,
        nil_in=EVERY_PHASE,
    ),
    ViewField("discard", "list of texts", "the whole discard pile, bottom to top"),
    ViewField("draw_pile", "number", "how many cards the draw pile has"),
    ViewField("out", "list of numbers", "the seats that are out, in the order they went"),
    ViewField(
        "drew",
        "number",
        "cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn "
        "that laid the select, 0 if it was opened first; 0 when over",
    ),
    ViewField(
        "recent",
        "list of lists of lists",
        "by seat, its last four turns, oldest first. A turn is a list: its number, counted from "
        "1 over the turns of all seats as `turns` is; the count and the colours demanded; how "
        "many cards were drawn; each card laid, in order, none being Nope; and the choice for a "
        'select, if one was made: `[17,2,"RG",0,"SR","to2:3"]`',
        record=TURN,
    ),
    ViewField(
        "places",
        "list of numbers or nil",
        "by seat, its place, from 1; nil until over",
        nil_in=UNFINISHED,
    ),
    ViewField(
        "ending", "text or nil", "how the match ended (10.1); nil until over", nil_in=UNFINISHED
    ),
)


def view(state: NopeState, seat: int | None) -> View:
    """All that this seat may know; None is a spectator at the table."""
    table = state.table
    if seat is not None:
        seat = state.seat_number(seat, "12.11")
    turn = state.seat
    hand_sizes = list(map(len, state.hands))
    phase = LAY
    chosen: list[str] = []
    if state.chosen:
        hand_sizes[turn] += len(state.chosen)
        if seat == turn:
            phase = SET
            chosen = [KINDS[kind] for kind in state.chosen]
    demand = choice = None
    outcome = None
    if turn < 0:
        phase = OVER
        outcome = state.outcome()
    elif state.selecting >= 0:
        phase = CHOOSE
    else:
        demand = {"count": state.demand.count, "colours": state.demand.colours}
        if state.choice is not None:
            by, to = state.choice
            choice = {"by": by, "to": to}
    return {
        "game": table.game.name,
        "seats": table.seats,
        "seat": seat,
        "options": table.shown_options(),
        "phase": phase,
        "dealer": table.dealer,
        "turn": turn if turn >= 0 else None,
        "turns": state.turns,
        "hand": None if seat is None else [KINDS[kind] for kind in sorted(state.hands[seat])],
        "chosen": chosen,
        "hand_sizes": hand_sizes,
        "demand": demand,
        "choice": choice,
        "discard": list(state.named_discard()),
        "draw_pile": len(state.draw_pile),
        "out": list(state.out),
        "drew": state.drew,
        "recent": [[[*turn] for turn in turns] for turns in state.recent_turns()],
        "places": list(outcome.places) if outcome else None,
        "ending": outcome.ending if outcome else None,
    }
