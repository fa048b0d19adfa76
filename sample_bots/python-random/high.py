"""A second example: take tricks as cheaply as you can; all other decisions by lot.

To play it, change the first import of bot.py to `from high import high as decide`.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from cards import TRICK_GAMES, is_with_me, strength, taker

if TYPE_CHECKING:
    from views import Request, TrickPlayView


def high(request: Request) -> str:
    """Play the cards of the trick games by the rule of thumb, and anything else by lot."""
    view, legal = request["view"], request["legal"]
    if view["game"] in TRICK_GAMES and view["phase"] == "play":
        return play(view, legal)
    return random.choice(legal)


def play(view: TrickPlayView, legal: list[str]) -> str:
    """Lead the strongest card. Take a trick with the weakest card that does, unless a teammate
    has it already; else throw the weakest. Where tricks cost points, the other way round."""
    trick = view["tricks"][-1]

    def power(card: str) -> int:
        return strength(card, trick[0] if trick else card, view)

    tricks_cost = view["points"] < 0
    if not trick:
        return min(legal, key=power) if tricks_cost else max(legal, key=power)
    to_beat = max(map(power, trick))
    taking = [card for card in legal if power(card) >= to_beat]  # of equals the later takes
    losing = [card for card in legal if power(card) < to_beat]
    if tricks_cost:
        return max(losing or legal, key=power)
    if taking and not is_with_me(taker(view), view):
        return min(taking, key=power)
    return min(legal, key=power)
