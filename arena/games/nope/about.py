"""NOPE! about itself: endings, kinds of decisions, trials, drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from arena.games.description import DecisionKind, Drawing, Trials
from arena.games.interface import View

ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        "last": "one player alone still held cards, and won",
        "turns": "the turn limit was reached: more cards in hand rank higher, then those who "
        "went out later",
    }
)

DECISIONS = (
    DecisionKind("lay"),
    DecisionKind("draw"),
    DecisionKind("action card alone"),
    DecisionKind("set"),
    # A select opens one deal in ten, a four-coloured one in fifty; the seat after the dealer
    # is asked then.
    DecisionKind("choose", is_rare=True),
    DecisionKind("choose, with a colour", is_rare=True),
)

TRIALS = Trials(
    short={"max_turns": 60},
    unusual={"actions": False, "hand": 3},
    long={"hand": 16, "max_turns": 150},
    sweep=(
        {"max_turns": 60},
        {},
        {"actions": False},
        {"hand": 3, "max_turns": 40},
        {"hand": 14},
    ),
)

IN_SHORT = (
    "Keep your cards: the last player who holds any wins. The others rank by when they went out, "
    "later is better.",
    "The top card of the discard pile demands one to three cards that all show one of its colours. "
    "Who holds such a set must lay it, or one action card alone that shows one of the colours. "
    "Who holds no set lays such an action card or draws; if there is no set even then, the player "
    "says Nope and has lost nothing. The demand stays until somebody lays cards.",
    "A joker shows all colours. Reset: the next player lays any one card. See-through: the card "
    "below it makes the demand. Select: whoever laid it names the next player, and how many cards "
    "that player must lay.",
)
DRAWING = Drawing("piles", in_short=IN_SHORT)


def kind_of(view: View, legal: Sequence[str]) -> str:
    """The kind of a decision: its phase, divided further where bots must tell cases apart."""
    match view["phase"]:
        case "lay" if "draw" in legal:
            return "draw"
        case "lay" if any(action.endswith("!") for action in legal):
            return "action card alone"
        case "choose" if legal[0][-1].isalpha():
            return "choose, with a colour"
        case phase:
            return str(phase)
