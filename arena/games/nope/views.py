"""What a seat may know, built from what it knows (SPEC 12.9, 12.11).

Nothing here looks at another seat's hand but to count it, or at the draw pile but to count it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.errors import no_such_seat
from arena.games.interface import Field, View
from arena.games.nope.cards import KINDS

if TYPE_CHECKING:
    from arena.games.nope.state import NopeState

NAME = "nope"

FIELDS: tuple[Field, ...] = (
    Field("game", "text", '"nope"'),
    Field("seats", "whole number", "seats at the table, 2 to 6"),
    Field("seat", "whole number or nil", "your seat, from 0; nil: a spectator"),
    Field("options", "map", "every option of 12.8 with the value in force"),
    Field(
        "phase",
        "text",
        '"lay": a turn (12.4); "set": you have begun a set, only you see it; '
        '"choose": a select asks for its choice (12.5); "over"',
    ),
    Field("dealer", "whole number", "the dealer; the next seat began"),
    Field("turn", "whole number or nil", "the seat that owes a decision; nil when over"),
    Field("turns", "whole number", "turns taken so far, by all together"),
    Field("hand", "array of text or nil", "your cards, in kind order; nil for a spectator"),
    Field("chosen", "array of text", "the cards of your set so far, no longer in `hand`"),
    Field("hand_sizes", "array of whole numbers", "cards held by each seat, those chosen included"),
    Field(
        "demand",
        "map or nil",
        'in force: {"count": 2, "colours": "RG"}; nil while a choice is open, and when over',
    ),
    Field(
        "choice",
        "map or nil",
        'the choice that made the demand in force: {"by": 0, "to": 2}, the seats that made it '
        "and that it named; nil where the demand is a card's own",
    ),
    Field("discard", "array of text", "the whole discard pile, bottom to top"),
    Field("draw_pile", "whole number", "cards in the draw pile"),
    Field("out", "array of whole numbers", "the seats that are out, in the order they went"),
    Field("drew", "whole number", "cards drawn so far in the turn of the seat `turn`"),
    Field(
        "recent",
        "array of arrays",
        "for each seat its last four turns, oldest first, each an array: the turn's number (from "
        "1), the count and the colours demanded, cards drawn, then each card laid, in order (none: "
        'Nope), then the choice of a select, if made: [17, 2, "RG", 0, "SR", "to2:3"]',
    ),
    Field("places", "array of whole numbers or nil", "each seat's place, from 1; nil until over"),
    Field("ending", "text or nil", "how the match ended; nil until over"),
)


def view(state: NopeState, seat: int | None) -> View:
    """What this seat may know; None is a spectator at the table."""
    table = state.table
    if seat is not None and not (type(seat) is int and 0 <= seat < table.seats):
        raise no_such_seat(seat, table.seats, "12.11")
    turn = state.seat
    hand_sizes = list(map(len, state.hands))
    phase = "lay"
    chosen: list[str] = []
    if state.chosen:
        hand_sizes[turn] += len(state.chosen)
        if seat == turn:
            phase = "set"
            chosen = [KINDS[kind] for kind in state.chosen]
    demand = choice = None
    outcome = None
    if turn < 0:
        phase = "over"
        outcome = state.outcome()
    elif state.selecting >= 0:
        phase = "choose"
    else:
        demand = {"count": state.demand.count, "colours": state.demand.colours}
        if state.choice is not None:
            by, to = state.choice
            choice = {"by": by, "to": to}
    return {
        "game": NAME,
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
