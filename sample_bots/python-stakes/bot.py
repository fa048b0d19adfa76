"""A Monte Carlo player that covers the board for what the round is about: points, or being ahead.

python3 bot.py          thinks for up to 80 ms a decision
python3 bot.py MS       thinks for up to so many; STAKES_MS in the environment says it too
"""

import os
import random
import sys

import rounds
import turns
from board import cover
from tricks.teams import choose_team

from protocol import run

THINK_MS = 80.0

# Of the free time for a decision: the rest is for the way there and back, and for a machine that is
# busy with other things. Time beyond the free time comes out of the bank.
FREE_PART = 0.8

# Of all the time that is left, bank included, so that it is never used up.
LAST_PART = 0.1


class Player:
    """Decides, and keeps of a match only the free time that its clock allows."""

    def __init__(self, think_ms, rng):
        self.think_ms = think_ms
        self.rng = rng
        self.free_ms = None

    def start(self, message):
        self.free_ms = message["clock"]["decision_ms"]

    def decide(self, request):
        """A request goes in, one of its legal actions comes out."""
        return think(request["view"], request["legal"], self.rng, self.budget(request["time_us"]))

    def budget(self, time_us):
        """Return the seconds to think, with so many microseconds until we are late."""
        limits = [self.think_ms, LAST_PART * time_us / 1000]
        if self.free_ms is not None:
            limits.append(FREE_PART * self.free_ms)
        return min(limits) / 1000


def think(view, legal, rng, budget):
    """Return an action after so many seconds at most.

    The token is the idea of this bot. The team is python-tricks' choice, and all else is tried in
    worlds as python-monte-carlo does it.
    """
    if len(legal) == 1:
        return legal[0]
    if view["game"] == "nope":
        return turns.play(view, legal, rng, budget)
    match view["phase"]:
        case "tokens":
            return cover(view, legal)
        case "team":
            return choose_team(view, legal)
        case "discard":
            return rounds.give(view, legal, rng, budget)
        case _:
            return rounds.play(view, legal, rng, budget)


if __name__ == "__main__":
    told = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("STAKES_MS")
    player = Player(float(told) if told else THINK_MS, random.Random())
    run(player.decide, on_start=player.start, version="1.0", author="the arena authors")
