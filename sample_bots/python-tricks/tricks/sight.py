"""What one seat can tell from its view in the middle of the tricks."""

from tricks.cards import TRUMP, deck, terms_of


class Sight:
    """Who sits where, which cards are still out, and who cannot hold which.

    `ours`: the seats of our team. `void`: by seat, the suits that it has shown not to hold.
    `hidden`: how many cards we do not see. `out`: by suit, the powers of those cards. `ruffs`: the
    suit and power of each of them that can take a trick of another suit.
    """

    def __init__(self, view):
        self.seats = view["seats"]
        self.me = view["seat"]
        self.sizes = view["hand_sizes"]
        self.bonus = view["bonus"]
        team = view["team"]
        self.ours = {s for s in range(self.seats) if (s in team) == (self.me in team)}
        self.terms = terms = terms_of(view["game"], view["trump"], view["supertrump"])
        self.trick = view["tricks"][-1]
        self.leader = view["leaders"][-1]
        self.void = [set() for _ in range(self.seats)]

        unseen = dict(deck(view["game"], self.seats))
        for card in view["hand"]:
            unseen[card] -= 1
        if not view["discard"].startswith(("left", "right")):  # a passed card is still in play
            for card in view["given"]:
                unseen[card] -= 1
        suit_of = terms.suit
        for trick, leader in zip(view["tricks"], view["leaders"], strict=True):
            for place, card in enumerate(trick):
                unseen[card] -= 1
                if suit_of[card] != suit_of[trick[0]]:
                    self.void[(leader + place) % self.seats].add(suit_of[trick[0]])

        self.hidden = sum(unseen.values())
        self.out = {}
        self.ruffs = []
        for card, count in unseen.items():
            if count:
                suit, power = suit_of[card], terms.power[card]
                self.out.setdefault(suit, []).extend([power] * count)
                if power >= TRUMP:
                    self.ruffs += [(suit, power)] * count

    def seat_of(self, place):
        """Return the seat that played, or will play, the card at this place of the trick."""
        return (self.leader + place) % self.seats

    def chance_to_beat(self, seat, strength, led):
        """Return how likely this seat can beat a card of this strength; `led` is the suit led."""
        void = self.void[seat]
        ruffs = 0
        for suit, power in self.ruffs:
            if power >= strength and suit != led and suit not in void:
                ruffs += 1
        # The chance that one card of those not seen is not in this hand. It is taken for the same
        # for each, so that of n cards none is there with the chance other**n.
        other = 1 - self.share(seat)
        if led in void:
            return 1 - other**ruffs
        serving = self.out.get(led, ())
        above = 0
        for power in serving:
            if power >= strength:
                above += 1
        # It holds a higher card of the suit; or none of the suit, and one that takes it anyway.
        return (1 - other**above) + other ** len(serving) * (1 - other**ruffs)

    def share(self, seat):
        """Return the part of the cards not seen that is in this hand."""
        return min(self.sizes[seat] / self.hidden, 1) if self.hidden else 0
