"""What a card, or a hand, is worth before the tricks, if the board is settled in a certain way.

Worth is counted in takes, tricks and loot: what a card adds to the take of our team, less what it
adds to that of the others. The numbers were fitted on some thousand rounds that this bot played
against itself: they are those that explain best by how much the teams' takes differed.
"""

from functools import cache

from tricks.cards import SUPERTRUMP, TRUMP, deck, terms_of

# A supertrump takes its trick, unless a later supertrump does; and sometimes loot in it.
SUPER = 1.4
# A low card is loot sooner or later, which is a take for the others; it hardly takes any.
LOW = -1.15
# A low trump can take a trick in which another suit was led, and that about makes up for it.
LOW_TRUMP = -0.05

# The other cards by their height, 0 for the lowest of a colour and 1 for the highest: worth is
# LEAST + RISE * height**LATE. So LEAST is what the lowest is worth, LEAST + RISE the highest, and
# the greater LATE is, the fewer cards below the highest are worth more than the lowest.
# The lowest trumps take a trick every other time: 0.55. The highest is worth 1.65.
TRUMP_LEAST, TRUMP_RISE, TRUMP_LATE = 0.55, 1.1, 4
# A card of another colour takes nothing and leaves its trick to the others as often as not: -0.55.
# The highest is worth 1.05, and the third from the top next to nothing.
SIDE_LEAST, SIDE_RISE, SIDE_LATE = -0.55, 1.6, 6


@cache
def worth(game, seats, trump, supertrump, card):
    """Return what a card adds to our take less theirs."""
    terms = terms_of(game, trump, supertrump)
    power = terms.power[card]
    if power >= SUPERTRUMP:
        return SUPER
    if card in terms.low:
        return LOW_TRUMP if power >= TRUMP else LOW
    height = height_of(game, seats, card)
    if power >= TRUMP:
        return TRUMP_LEAST + TRUMP_RISE * height**TRUMP_LATE
    return SIDE_LEAST + SIDE_RISE * height**SIDE_LATE


def height_of(game, seats, card):
    """Return the share of the other cards of its colour that are below a card."""
    same = [(int(name[1:]), n) for name, n in deck(game, seats).items() if name[0] == card[0]]
    below = sum(n for rank, n in same if rank < int(card[1:]))
    return below / (sum(n for _, n in same) - 1)


@cache
def average(game, seats, trump, supertrump):
    """Return what any card is worth on this board."""
    cards = deck(game, seats)
    total = sum(n * worth(game, seats, trump, supertrump, card) for card, n in cards.items())
    return total / sum(cards.values())


def hand_worth(view, trump, supertrump):
    """Return how much more our hand is worth on a board than a usual hand."""
    board = view["game"], view["seats"], trump, supertrump
    return sum(worth(*board, card) for card in view["hand"]) - len(view["hand"]) * average(*board)


def sign_of(points):
    """Return -1 in a round at -2, where all that is good elsewhere is bad, else 1."""
    return -1 if points < 0 else 1
