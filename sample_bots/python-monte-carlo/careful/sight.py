"""What one seat can tell from its view in the middle of the tricks."""

from cards import TRUMP, deck, terms_of


class Sight:
    """Who sits where, which cards are still out, and who cannot hold which."""

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
        self.void = [set() for _ in range(self.seats)]  # by seat: suits it has shown not to hold
        unseen = dict(deck(view["game"], self.seats))
        for card in view["hand"]:
            unseen[card] -= 1
        if not str(view["discard"]).startswith(("left", "right")):
            for card in view["given"]:  # what was passed on is still in play
                unseen[card] -= 1
        suit_of = terms.suit
        for trick, leader in zip(view["tricks"], view["leaders"], strict=True):
            for place, card in enumerate(trick):
                unseen[card] -= 1
                if suit_of[card] != suit_of[trick[0]]:
                    self.void[(leader + place) % self.seats].add(suit_of[trick[0]])
        self.hidden = sum(unseen.values())
        # The powers of the cards still out, by suit; and of those that can take other suits.
        self.out = {}
        self.ruffs = []
        for card, count in unseen.items():
            if count:
                suit, power = suit_of[card], terms.power[card]
                self.out.setdefault(suit, []).extend([power] * count)
                if power >= TRUMP:
                    self.ruffs += [(suit, power)] * count

    def seat_of(self, place):
        """Who played, or will play, the card at this place of the trick."""
        return (self.leader + place) % self.seats

    def chance_to_beat(self, seat, strength, led):
        """How likely this seat can beat a card of this strength; `led` is the suit led."""
        void = self.void[seat]
        ruffs = 0
        for suit, power in self.ruffs:
            if power >= strength and suit != led and suit not in void:
                ruffs += 1
        # Each unseen card lies in this hand with the same chance, but for what it cannot hold.
        other = 1 - self.share(seat)
        if led in void:
            return 1 - other**ruffs
        serving = self.out.get(led, ())
        above = 0
        for power in serving:
            if power >= strength:
                above += 1
        return (1 - other**above) + other ** len(serving) * (1 - other**ruffs)

    def share(self, seat):
        """The part of the unseen cards that this hand is."""
        return min(self.sizes[seat] / self.hidden, 1) if self.hidden else 0
