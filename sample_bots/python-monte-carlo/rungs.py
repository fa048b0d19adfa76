"""A board's cards as numbers: the higher, the stronger. For playing rounds out quickly."""

from functools import cache

from cards import TRUMP, deck, terms_of
from worth import worth


class Ladder:
    """The cards from the weakest to the strongest: a card takes from one of its suit that is
    not above it, and from rung `ruff` up from one of any suit (SPEC 11.4, 11.5)."""

    def __init__(self, game, seats, trump, supertrump):
        terms = terms_of(game, trump, supertrump)
        copies = deck(game, seats)
        self.cards = sorted(copies, key=terms.power.__getitem__)
        self.rung = {card: rung for rung, card in enumerate(self.cards)}
        suits = sorted({terms.suit[card] for card in self.cards})
        self.suits = len(suits)
        # By rung:
        self.suit = [suits.index(terms.suit[card]) for card in self.cards]
        self.low = [card in terms.low for card in self.cards]
        self.worth = [worth(game, seats, trump, supertrump, card) for card in self.cards]
        self.copies = [copies[card] for card in self.cards]
        self.ruff = sum(terms.power[card] < TRUMP for card in self.cards)
        self.trump = suits.index(trump) if trump in suits else None

    def rungs(self, cards):
        return [self.rung[card] for card in cards]

    def by_suit(self, hands):
        """By suit, then seat, what these hands hold of it, ascending."""
        suits = [[[] for _ in hands] for _ in range(self.suits)]
        for seat, hand in enumerate(hands):
            for rung in sorted(hand):
                suits[self.suit[rung]][seat].append(rung)
        return suits


ladder_of = cache(Ladder)
