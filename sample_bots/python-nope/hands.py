"""What a demand costs a hand: ours, which we see, and the others', at which we guess.

The cost is in cards: those of the set, if the hand holds one; if not, less than nothing, for
who says Nope keeps a card more.
"""

from functools import cache
from math import comb

from colours import COLOURS, DEMANDS, shows

DRAWN = 0.6  # what a card drawn is worth: less than one, as it may complete a set at once


def counts_of(cards):
    """By colour, how many of these cards show it."""
    shown = [shows(card) for card in cards]
    return tuple(sum(colour in its for its in shown) for colour in COLOURS)


@cache
def exposure(counts, draws):
    """What the next demand costs a hand with these counts, on the average of all demands."""
    cost = 0
    for (count, colours), often in DEMANDS.items():
        holds_set = any(counts[COLOURS.index(colour)] >= count for colour in colours)
        cost += often * (count if holds_set else -draws * DRAWN)
    return cost / sum(DEMANDS.values())


@cache
def chance_of_set(size, count, colours):
    """How likely so many hidden cards hold a set: about half of all cards show a given colour."""
    if count == 1 and len(colours) == len(COLOURS):
        return 1.0
    too_few = sum(comb(size, shown) for shown in range(min(count, size + 1))) / 2**size
    return 1 - too_few ** len(colours)


def damage(size, count, colours, draws):
    """What a demand costs a hidden hand of this size."""
    holds_set = chance_of_set(size, count, colours)
    return holds_set * min(count, size) - (1 - holds_set) * draws * DRAWN
