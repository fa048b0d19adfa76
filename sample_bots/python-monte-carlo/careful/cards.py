"""The cards of the three trick games, and what a settled board makes of them."""

from collections import Counter
from functools import cache

# By game: the rank that is loot, the ranks of one colour, and what three seats take out (11.1).
LOW = {"nyet": 1, "njet": 0, "njet-it": 1}
RANKS = {
    "nyet": [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    "njet": [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 8, 9],
    "njet-it": [1, 1, 2, 3, 4, 5, 6, 7, 8, 9],
}
COLOURS = {"nyet": "RBYG", "njet": "RKBY", "njet-it": "RKBG"}
OUT_WITH_THREE = {"nyet": [11, 12, 13], "njet": [7, 7, 7], "njet-it": []}


@cache
def deck(game, seats):
    """How many of each card are in play. Copy it before you change it."""
    ranks = Counter(RANKS[game])
    if seats == 3:
        ranks -= Counter(OUT_WITH_THREE[game])
    return {f"{c}{rank}": n for c in COLOURS[game] for rank, n in ranks.items()}


TRUMP, SUPERTRUMP = 200, 300  # the least power of a trump, and of a supertrump


class Terms:
    """What trump and supertrump mean for the cards (11.4, 11.5); `-` for none."""

    def __init__(self, game, trump, supertrump):
        self.trump = trump
        self.low = set()  # the cards that are loot when the other team takes them
        self.suit = {}  # by card: the colour it serves
        self.power = {}  # by card: the strongest takes, among equals the one played last
        for card in deck(game, 0):
            colour, rank = card[0], int(card[1:])
            self.suit[card] = colour
            self.power[card] = rank + TRUMP * (colour == trump)
            if rank == LOW[game]:
                self.low.add(card)
                if colour == supertrump:
                    self.power[card] = SUPERTRUMP
                    if game == "nyet":  # the double agent
                        self.suit[card] = trump

    def strength(self, card, led):
        """The power of a card when this suit was led; -1 if it can take nothing."""
        power = self.power[card]
        return power if power >= TRUMP or self.suit[card] == led else -1


terms_of = cache(Terms)
