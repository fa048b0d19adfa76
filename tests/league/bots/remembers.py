"""Plays to lose, but in a deal that it has seen before: then it plays to win.

It knows a deal again by its own hand, which another seat held in an earlier match of the set.
With an argument it remembers in a file of that name, which all its processes share; without, in
its own memory, where no second match of a set ever comes.
"""

import os
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from protocol import run

# Where it may write: its scratch folder if it is confined, else its own.
PLACE = os.environ.get("TMPDIR", ".")
FILE = Path(PLACE, sys.argv[1]) if len(sys.argv) > 1 else None
# Of a hand so many cards are seen when it is noted, and so many must be the same to know it.
NOTED, KNOWN = 10, 8
hands: list[str] = []


def remembered() -> list[str]:
    if FILE is None:
        return hands
    return FILE.read_text().splitlines() if FILE.exists() else []


def note(view: Mapping[str, Any]) -> None:
    """What every seat has played by now."""
    cards: dict[int, list[str]] = {}
    for leader, trick in zip(view["leaders"], view["tricks"], strict=True):
        for place, card in enumerate(trick):
            cards.setdefault((leader + place) % view["seats"], []).append(card)
    lines = [" ".join(cards[seat]) for seat in cards if seat != view["seat"]]
    if FILE is None:
        hands.extend(lines)
    else:
        with FILE.open("a") as file:
            file.writelines(f"{line}\n" for line in lines)


class Player:
    def __init__(self) -> None:
        self.match = ""
        self.has_noted = self.knows = False

    def choose(self, request: Mapping[str, Any]) -> str:
        view: Mapping[str, Any] = request["view"]
        legal: list[str] = request["legal"]
        if request["match"] != self.match:
            self.match, self.has_noted = request["match"], False
            mine = Counter(view["hand"])
            self.knows = any(
                (mine & Counter(line.split())).total() >= KNOWN for line in remembered()
            )
        if view["phase"] != "play":
            return legal[0]
        if len(view["tricks"]) > NOTED and not self.has_noted:
            self.has_noted = True
            note(view)
        by_rank = sorted(legal, key=lambda card: (card[0] == view["trump"], int(card[1:])))
        wants_tricks = self.knows == (view["points"] >= 0)
        return by_rank[-1 if wants_tricks else 0]


run(Player().choose, version="1")
