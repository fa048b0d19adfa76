"""Your idea goes here, and nowhere else: a request goes in, one of its legal actions comes out."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for your editor and for mypy: a bot that runs does not load it
    from views import Request


def decide(request: Request) -> str:
    """Play any legal action.

    request["view"]      all that your seat may know; views.py has its fields
    request["legal"]     the actions you may take, at least one
    request["time_us"]   microseconds until you are late

    A view is read like this:

        view = request["view"]
        if view["game"] != "nope" and view["phase"] == "play":
            trick = view["tricks"][-1]  # the cards on the table, in order of play

    cards.py answers questions about cards, and high.py is a second example.
    """
    return random.choice(request["legal"])
