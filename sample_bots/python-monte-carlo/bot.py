"""A Monte Carlo player of all four games: it asks in many imagined worlds what comes of it.

python3 bot.py          thinks for up to 40 ms a decision
python3 bot.py MS       thinks for up to so many; MONTE_CARLO_MS in the environment says it too
"""

import os
import random
import sys
from pathlib import Path

# python-tricks and python-nope, unchanged: what is thought of an action beforehand.
sys.path.append(str(Path(__file__).parent / "careful"))

import rounds
import turns
from teams import choose_team
from tokens import cover

from protocol import run

THINK_MS = 40.0
MARGIN = 0.4
"""Of the free time for a decision: the rest is for the way there and back, and for a machine
that is busy with other things. What is overrun comes out of the bank."""
LAST_PART = 0.1
"""Of all the time that is left, bank included: so it is never used up."""


class Player:
    """Keeps of a match only what its clock allows."""

    def __init__(self, think_ms, rng):
        self.think_ms = think_ms
        self.rng = rng
        self.free_ms = None

    def start(self, message):
        self.free_ms = message["clock"]["decision_ms"]

    def budget(self, time_us):
        """Seconds to think, with so many microseconds until we are late."""
        limits = [self.think_ms, LAST_PART * time_us / 1000]
        if self.free_ms is not None:
            limits.append(MARGIN * self.free_ms)
        return min(limits) / 1000

    def decide(self, request):
        """A request goes in, one of its legal actions comes out."""
        return choose(request["view"], request["legal"], self.rng, self.budget(request["time_us"]))


def choose(view, legal, rng, budget):
    if len(legal) == 1:
        return legal[0]
    if view["game"] == "nope":
        return turns.choose(view, legal, rng, budget)
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
    told = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("MONTE_CARLO_MS")
    player = Player(float(told) if told else THINK_MS, random.Random())
    run(player.decide, on_start=player.start, version="1.0", author="the arena authors")
