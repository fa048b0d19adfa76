"""The rule that a refused action broke, in words for the author of the bot that chose it.

Only ever reached when something was refused, so it may take its time. `broken_rule` is read by the
bot, and has nothing that its seat may not know. The text for bots is put together in
`with_broken_rule` of referee/match.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.errors import IllegalAction, OutOfTurn, RefusedAction, UnknownAction
from arena.games.nyet.actions import NO_ROW, ROWS
from arena.games.nyet.phases import DISCARD, PLAY, TEAM, TOKENS
from arena.games.nyet.rulesets import COLOUR_NAMES
from arena.games.nyet.terms import suit_of

if TYPE_CHECKING:
    from arena.games.nyet.position import Position

# By phase: the task of the seat, and its section of SPEC.
ASKED = {
    TOKENS: ("cover an open box of a row that has two or more", "11.3.2"),
    TEAM: ("choose a team of yours", "11.3.3"),
    DISCARD: ("choose a card of your hand to give away", "11.3.4"),
    PLAY: ("play a card of your hand", "11.4"),
}


NOT_ASKED = "you owe no decision now (SPEC 5.1)"


def broken_rule(state: Position, seat: int, action: int) -> str | None:
    """See `arena.games.interface.State.refusal`."""
    legal = state.legal(seat)
    if action in legal:
        return None
    if not legal:
        return NOT_ASKED
    where = ASKED[state.phase][1]
    return f"{REASONS[state.phase](state, seat, action)} (SPEC {where})"


def refused(state: Position, seat: object, action: object) -> RefusedAction:
    """The error to raise; the state is only read."""
    if type(seat) is not int or seat not in state.to_act():
        owing = ", ".join(map(str, state.to_act())) or "nobody, the match is over"
        return OutOfTurn(
            f"seat {seat!r} owes no decision now; to act: {owing}",
            came=seat,
            allowed=state.to_act(),
            where="5.1",
        )
    actions = state.match.tables.actions
    if type(action) is not int or not 0 <= action < len(actions):
        return UnknownAction(
            f"actions are numbered 0 to {len(actions) - 1}; got {action!r}",
            came=action,
            allowed=range(len(actions)),
            where="11.10",
        )
    legal = [actions.names[code] for code in state.legal(seat)]
    asked, where = ASKED[state.phase]
    reason = REASONS[state.phase](state, seat, action)
    return IllegalAction(
        f"you chose {actions.names[action]!r}, but {reason}; {asked}. Legal: {', '.join(legal)}",
        came=actions.names[action],
        allowed=legal,
        where=where,
    )


def _no_token(state: Position, seat: int, action: int) -> str:
    actions = state.match.tables.actions
    if actions.row_of[action] == NO_ROW:
        return "the tokens are being placed"
    if action in state.log:
        return "this box is covered already"
    if action in state.match.table.boxes:
        row = ROWS[actions.row_of[action]]
        return f"this is the last open box of row {row!r}, which is settled"
    return f"nobody has this seat at a table of {state.match.seats}"


def _no_team(state: Position, seat: int, action: int) -> str:
    if action < state.match.tables.actions.first_team:
        return "the teams are being chosen"
    return f"this is no team of seat {seat} at a table of {state.match.seats}"


def _not_held(state: Position, seat: int, action: int) -> str | None:
    deck = state.match.tables.deck
    if action >= len(deck.names):
        return "a card is asked for"
    if action not in state.hands[seat]:
        return "you do not hold this card"
    return None


def _no_gift(state: Position, seat: int, action: int) -> str:
    return _not_held(state, seat, action) or (
        "low cards may not be discarded while you hold others [D5]"
    )


def _no_card(state: Position, seat: int, action: int) -> str:
    missing = _not_held(state, seat, action)
    if missing:
        return missing
    deck, terms = state.match.tables.deck, state.terms
    assert terms is not None
    if state.led is None:
        return "this card may not be led while you hold others"
    led = state.log[len(state.log) - led_ago(state)]
    suit = suit_of(deck, led, terms.trumps.trump, terms.trumps.supertrump)
    assert suit is not None
    colour = COLOUR_NAMES[deck.rules.colours[suit]]
    words = f"trump ({colour})" if suit == terms.trumps.trump else colour
    held = ", ".join(deck.names[kind] for kind in state.legal(seat))
    return f"{words} was led and you hold {held}"


def led_ago(state: Position) -> int:
    """The number of cards in the open trick."""
    (seat,) = state.to_act()
    return (seat - state.leader) % state.match.seats


REASONS = {TOKENS: _no_token, TEAM: _no_team, DISCARD: _no_gift, PLAY: _no_card}
