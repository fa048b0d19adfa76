"""What a hand is worth before the tricks, if the board is settled in a certain way.

One number for each card, by its place in its colour. They were fitted: in some thousand rounds
of this bot against itself, what the cards of a hand add to the take of its team, less the take
of the others.
"""

from functools import cache

from cards import SUPERTRUMP, TRUMP, deck, terms_of

SUPER = 1.4
LOW = -1.15  # a card of the low rank is loot sooner or later,
LOW_TRUMP = -0.05  # unless it ruffs


@cache
def worth(game, seats, trump, supertrump, card):
    """What a card adds to our take less theirs."""
    terms = terms_of(game, trump, supertrump)
    power = terms.power[card]
    if power >= SUPERTRUMP:
        return SUPER
    if card in terms.low:
        return LOW_TRUMP if power >= TRUMP else LOW
    same = [(int(name[1:]), n) for name, n in deck(game, seats).items() if name[0] == card[0]]
    below = sum(n for rank, n in same if rank < int(card[1:]))
    height = below / (sum(n for _, n in same) - 1)  # 1 for the highest of its colour
    return 0.55 + 1.1 * height**4 if power >= TRUMP else -0.55 + 1.6 * height**6


@cache
def average(game, seats, trump, supertrump):
    """What any card is worth on this board."""
    cards = deck(game, seats)
    total = sum(n * worth(game, seats, trump, supertrump, card) for card, n in cards.items())
    return total / sum(cards.values())


def hand_worth(view, trump, supertrump):
    """How much more than the usual hand ours is worth on a board."""
    board = view["game"], view["seats"], trump, supertrump
    return sum(worth(*board, card) for card in view["hand"]) - len(view["hand"]) * average(*board)


def sign_of(points):
    """In a round at -2 all that is good elsewhere is bad."""
    return -1 if points < 0 else 1
