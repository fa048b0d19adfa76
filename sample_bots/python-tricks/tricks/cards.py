"""The cards of the three trick games, and what a settled board makes of them."""

from collections import Counter
from functools import cache

# By game (SPEC 11.1): the rank that is loot, the ranks of one colour, the colours, and the ranks
# that are taken out of each colour at a table of three.
LOW = {"nyet": 1, "njet": 0, "njet-it": 1}
RANKS = {
    "nyet": [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    "njet": [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 8, 9],
    "njet-it": [1, 1, 2, 3, 4, 5, 6, 7, 8, 9],
}
COLOURS = {"nyet": "RBYG", "njet": "RKBY", "njet-it": "RKBG"}
OUT_WITH_THREE = {"nyet": [11, 12, 13], "njet": [7, 7, 7], "njet-it": []}

# The least power of a trump, and the power of a supertrump. Any numbers do that are further apart
# than the ranks, which end at 13.
TRUMP, SUPERTRUMP = 200, 300

TAKES_NOTHING = -1
"""The strength of a card that neither follows nor is trump: below that of every other card."""


@cache
def deck(game, seats):
    """Return how many of each card are in play. It is kept: copy it before you change it."""
    ranks = Counter(RANKS[game])
    if seats == 3:
        ranks -= Counter(OUT_WITH_THREE[game])
    return {f"{c}{rank}": n for c in COLOURS[game] for rank, n in ranks.items()}


class Terms:
    """What trump and supertrump, `-` for none, mean for the cards (SPEC 11.4, 11.5).

    `low`: the cards that are loot when the other team takes them. `suit`: by card, the suit that it
    follows. `power`: by card, how strong it is; of equals the one played last takes.
    """

    def __init__(self, game, trump, supertrump):
        self.trump = trump
        self.low = set()
        self.suit = {}
        self.power = {}
        for card in deck(game, 4):  # the names of all cards; three seats use fewer of them
            colour, rank = card[0], int(card[1:])
            self.suit[card] = colour
            self.power[card] = rank + TRUMP * (colour == trump)
            if rank == LOW[game]:
                self.low.add(card)
                if colour == supertrump:
                    self.power[card] = SUPERTRUMP
                    if game == "nyet":  # only there it is of the trump suit
                        self.suit[card] = trump

    def strength(self, card, led):
        """Return the power of a card where the suit `led` was led, or TAKES_NOTHING."""
        power = self.power[card]
        return power if power >= TRUMP or self.suit[card] == led else TAKES_NOTHING


terms_of = cache(Terms)
