"""What a demand costs a hand: ours, which we see, and the others', at which we guess.

The cost is in cards: those of the set, if the hand holds one; if not, less than nothing, because a
seat that says Nope has drawn.
"""

from functools import cache
from math import comb

from nope.colours import COLOURS, DEMANDS, shows

# What a card that is drawn is worth: less than one, as it may complete a set at once, which must be
# laid then.
DRAWN = 0.6

# About half of all cards show a given colour.
SHOW_IT = 1 / 2


def counts_of(cards):
    """Return by colour how many of these cards show it."""
    shown = [shows(card) for card in cards]
    return tuple(sum(colour in its for its in shown) for colour in COLOURS)


@cache
def exposure(counts, draws):
    """Return what the next demand costs a hand with these counts, on the average of all demands.

    `draws`: how many cards a seat draws that holds no set.
    """
    cost = 0
    for (count, colours), often in DEMANDS.items():
        holds_set = any(counts[COLOURS.index(colour)] >= count for colour in colours)
        cost += often * (count if holds_set else -draws * DRAWN)
    return cost / sum(DEMANDS.values())


@cache
def chance_of_set(size, count, colours):
    """Return how likely so many hidden cards hold a set."""
    if count == 1 and len(colours) == len(COLOURS):
        return 1.0
    # With one half, each of the 2**size ways to show the colour or not is as likely as another.
    too_few = sum(comb(size, shown) for shown in range(min(count, size + 1))) * SHOW_IT**size
    return 1 - too_few ** len(colours)


def damage(size, count, colours, draws):
    """Return what a demand costs a hidden hand of this size."""
    holds_set = chance_of_set(size, count, colours)
    return holds_set * min(count, size) - (1 - holds_set) * draws * DRAWN
