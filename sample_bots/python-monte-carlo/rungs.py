"""A board's cards as numbers: the higher, the stronger. For playing rounds out quickly."""

from functools import cache

from tricks.cards import TRUMP, deck, terms_of
from tricks.worth import worth


class Ladder:
    """The cards from the weakest to the strongest, as rungs 0, 1, 2 ...

    A card takes the trick from one of its suit that is not above it; from rung `ruff` up, where
    trumps and supertrumps are, from one of any suit (SPEC 11.4, 11.5).
    `suit`, `low`, `worth` and `copies` are lists by rung; suits are numbers too.
    """

    def __init__(self, game, seats, trump, supertrump):
        terms = terms_of(game, trump, supertrump)
        copies = deck(game, seats)
        self.cards = sorted(copies, key=terms.power.__getitem__)
        self.rung = {card: rung for rung, card in enumerate(self.cards)}
        suits = sorted({terms.suit[card] for card in self.cards})
        self.suits = len(suits)
        self.suit = [suits.index(terms.suit[card]) for card in self.cards]
        self.low = [card in terms.low for card in self.cards]
        self.worth = [worth(game, seats, trump, supertrump, card) for card in self.cards]
        self.copies = [copies[card] for card in self.cards]
        self.ruff = sum(terms.power[card] < TRUMP for card in self.cards)
        self.trump = suits.index(trump) if trump in suits else None

    def rungs(self, cards):
        """Return the rungs of cards that are given by name."""
        return [self.rung[card] for card in cards]

    def by_suit(self, hands):
        """Return the rungs that hands hold by suit, then by seat, ascending."""
        suits = [[[] for _ in hands] for _ in range(self.suits)]
        for seat, hand in enumerate(hands):
            for rung in sorted(hand):
                suits[self.suit[rung]][seat].append(rung)
        return suits


ladder_of = cache(Ladder)
