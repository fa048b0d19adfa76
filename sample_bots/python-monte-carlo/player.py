"""A Monte Carlo player of all four games: it tries actions in many imagined worlds.

How it covers the board, and how long it thinks, is said by the bot that plays it: this one, or
another that includes this module.
"""

import os
import random
import sys

import rounds
import turns
from tricks.teams import choose_team

from protocol import run

# Of all the time that is left, bank included, so that it is never used up.
LAST_PART = 0.1


class Player:
    """Decides, and keeps of a match only the free time that its clock allows."""

    def __init__(self, cover, think_ms, free_part, rng):
        """`cover`: from a view and the legal tokens to one of them. `think_ms`: at most, for a
        decision. `free_part`: of the free time for a decision; the rest is for the way there and
        back, and for a machine that is busy with other things, as time beyond the free time comes
        out of the bank."""
        self.cover = cover
        self.think_ms = think_ms
        self.free_part = free_part
        self.rng = rng
        self.free_ms = None

    def start(self, message):
        self.free_ms = message["clock"]["decision_ms"]

    def decide(self, request):
        """A request goes in, one of its legal actions comes out."""
        return self.think(request["view"], request["legal"], self.budget(request["time_us"]))

    def budget(self, time_us):
        """Return the seconds to think, with so many microseconds until we are late."""
        limits = [self.think_ms, LAST_PART * time_us / 1000]
        if self.free_ms is not None:
            limits.append(self.free_part * self.free_ms)
        return min(limits) / 1000

    def think(self, view, legal, budget):
        """Return an action after so many seconds at most.

        The team is python-tricks' own choice; all but that and the tokens is tried in worlds.
        """
        if len(legal) == 1:
            return legal[0]
        if view["game"] == "nope":
            return turns.play(view, legal, self.rng, budget)
        match view["phase"]:
            case "tokens":
                return self.cover(view, legal)
            case "team":
                return choose_team(view, legal)
            case "discard":
                return rounds.give(view, legal, self.rng, budget)
            case _:
                return rounds.play(view, legal, self.rng, budget)


def play(cover, think_ms, free_part, variable):
    """Play until the server says `bye`. The first argument of the program, or this variable of its
    environment, says another number of milliseconds to think."""
    told = sys.argv[1] if len(sys.argv) > 1 else os.environ.get(variable)
    player = Player(cover, float(told) if told else think_ms, free_part, random.Random())
    run(player.decide, on_start=player.start, version="1.0", author="the arena authors")
