"""The rule that a refused action broke, in words for the bot's author (SPEC 12.10).

Called only for an action that legality.py does not list: this finds the reason, it does not judge.
The reason has nothing that the seat itself may not know. The text for bots is put together in
`with_broken_rule` of referee/match.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.errors import IllegalAction, OutOfTurn, RefusedAction, UnknownAction
from arena.games.nope.actions import (
    ACTIONS,
    ALONE_LESS_KIND,
    CHOICE_OF,
    DRAW,
    FIRST_ALONE,
    FIRST_CHOICE,
)
from arena.games.nope.cards import (
    KINDS,
    SELECT_ANY,
    SHOWS,
    colour_bits,
    colour_letters,
    colour_list,
    named,
)

if TYPE_CHECKING:
    from arena.games.nope.state import NopeState

_TURN = "12.4"
_ACTION_CARDS = "12.5"
_ACTIONS = "12.10"


NOT_ASKED = "you owe no decision now (SPEC 5.1)"


def broken_rule(state: NopeState, seat: int, action: int) -> str | None:
    """See `arena.games.interface.State.refusal`."""
    legal = state.legal(seat)
    if action in legal:
        return None
    if not legal:
        return NOT_ASKED
    reason, where = _reason(state, action)
    return f"{reason} (SPEC {where})"


def refused(state: NopeState, seat: object, action: object) -> RefusedAction:
    """The error for an action that is not legal for this seat now."""
    if not state.to_act():
        return OutOfTurn(
            f"the match is over; nothing can be played, got {action!r} of seat {seat!r}",
            came=seat,
            allowed=(),
            where=_TURN,
        )
    if type(seat) is not int or seat != state.seat:
        return OutOfTurn(
            f"seat {seat!r} owes no decision now; it is the turn of seat {state.seat}",
            came=seat,
            allowed=state.to_act(),
            where=_TURN,
        )
    if type(action) is not int or not 0 <= action < len(ACTIONS):
        return UnknownAction(
            f"actions of nope are numbered 0 to {len(ACTIONS) - 1}; got {action!r}",
            came=action,
            allowed=legal_names(state),
            where=_ACTIONS,
        )
    reason, where = _reason(state, action)
    legal = legal_names(state)
    return IllegalAction(
        f'you chose "{ACTIONS.names[action]}", but {reason}. Legal: {", ".join(legal)}',
        came=ACTIONS.names[action],
        allowed=legal,
        where=where,
    )


def legal_names(state: NopeState) -> tuple[str, ...]:
    """The legal actions, by name."""
    return tuple(ACTIONS.names[code] for code in state.legal(state.seat))


def _reason(state: NopeState, action: int) -> tuple[str, str]:
    """The rule that forbids this action, and its section."""
    if state.selecting >= 0:
        return _not_this_choice(state, action), _ACTION_CARDS
    if action >= FIRST_CHOICE:
        return "no select of yours asks for a choice", _ACTION_CARDS
    if action == DRAW:
        return _no_drawing(state), _TURN
    if action >= FIRST_ALONE:
        return _not_alone(state, action - ALONE_LESS_KIND), _TURN
    return _not_in_a_set(state, action), _TURN


def _not_this_choice(state: NopeState, action: int) -> str:
    """A choice names another player in the game, a count, and a colour for S* only (12.5)."""
    select = KINDS[state.selecting]
    if action < FIRST_CHOICE:
        return f"your select {select} first asks whom you choose and how many cards"
    named_seat, _, colour = CHOICE_OF[action]
    if named_seat == state.seat:
        return "a select names another player, not yourself"
    if named_seat >= state.table.seats:
        return f"there is no seat {named_seat} at this table"
    if not state.hands[named_seat]:
        return f"seat {named_seat} is out of the game"
    if state.selecting == SELECT_ANY:
        return f"the four-coloured select {select} asks for a colour too"
    assert colour
    own = colour_list(colour_letters(SHOWS[state.selecting]))
    return f"the colour of the select {select} is its own, {own}"


def _no_drawing(state: NopeState) -> str:
    """Drawing is for a player without a set (12.4)."""
    if state.chosen:
        return f"you have begun a set with {_list(state.chosen)}"
    if state.drew:
        return f"you have drawn, and now hold a set for the demand of {state.demand}"
    return f"you hold a set for the demand of {state.demand}, and must lay"


def _not_alone(state: NopeState, kind: int) -> str:
    """An action card alone must be held, fit, and come before a set is begun (12.4)."""
    name = KINDS[kind]
    if kind not in state.hands[state.seat]:
        return f"you do not hold {name}"
    if state.chosen:
        return f"you have begun a set with {_list(state.chosen)}"
    if state.demand.count == 1:
        return f'where one card is demanded, laying {name} is simply "{name}"'
    return f"{name} shows no colour of the demand of {state.demand}"


def _not_in_a_set(state: NopeState, kind: int) -> str:
    """A card must be held, show a demanded colour, and belong to a set that is held (12.4)."""
    name = KINDS[kind]
    hand = state.hands[state.seat]
    demand = state.demand
    if kind not in hand:
        return f"you do not hold {name}" + (" any more" if kind in state.chosen else "")
    if state.chosen:
        return (
            f"after {_list(state.chosen)} it would not leave a set of {demand.count} cards that "
            "show one same colour"
        )
    shared = SHOWS[kind] & colour_bits(demand.colours)
    if not shared:
        return f"{name} shows no colour of the demand of {demand}"
    holds = " and ".join(
        f"{sum(SHOWS[held] >> bit & 1 for held in hand)} showing {colour_list(letter)}"
        for bit, letter in enumerate("RGBY")
        if shared >> bit & 1
    )
    return f"you must lay {demand} and hold only {holds}"


def _list(cards: bytes) -> str:
    return ", ".join(named(cards))
