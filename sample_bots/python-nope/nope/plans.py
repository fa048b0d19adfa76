"""Every way to finish a turn, and what becomes of us and of the next player.

A set is asked for card by card, but it has to be chosen as a whole: which cards go, and which
of them comes last and makes the next demand.
"""

from itertools import combinations

from nope.colours import COLOURS, demand_of, is_action_card, shows
from nope.hands import SHOW_IT, counts_of, damage, exposure

# What an action card in the hand is worth beyond its being a card: it can be laid alone where three
# cards would have to go.
SPARE = 0.6

# The value of being out, which no hand is as bad as.
OUT = -100

# A colour is tried with so many of the cards that show it: in threes these are 660 ways already.
MOST_CARDS = 12


def plans(view, legal):
    """Yield the actions of each way to finish the turn, as tuples."""
    for action in legal:
        if action == "draw" or action.endswith("!"):
            yield (action,)
    if not set(legal) & set(view["hand"]):
        return
    missing = view["demand"]["count"] - len(view["chosen"])
    for colour in view["demand"]["colours"]:
        if all(colour in shows(card) for card in view["chosen"]):
            showing = sorted(card for card in view["hand"] if colour in shows(card))
            for cards in set(combinations(showing[:MOST_CARDS], missing)):
                for last in set(cards):
                    others = [*cards]
                    others.remove(last)
                    yield (*others, last)


class Prospects:
    """What a turn may lead to, weighed in cards."""

    def __init__(self, view):
        self.view = view
        self.draws = 2 if view["seats"] == 2 else 1
        self.demand = view["demand"]["count"], view["demand"]["colours"]
        # Harm to one other is worth the less, the more others there are.
        self.malice = 1 / view["seats"]
        sizes, me = view["hand_sizes"], view["seat"]
        seats = [(me + i) % view["seats"] for i in range(1, view["seats"])]
        self.others = [sizes[seat] for seat in seats if sizes[seat]]  # the next player first

    def value(self, plan):
        """Return the cards that we keep, less what they are exposed to, and the harm to others."""
        if plan == ("draw",):
            return self.value_of_drawing()
        cards = [action.rstrip("!") for action in plan]
        hand = [*self.view["hand"]]
        for card in cards:
            hand.remove(card)
        harm = self.malice * self.harm([*self.view["chosen"], *cards])
        if not hand:
            return OUT + harm
        spare = SPARE * sum(map(is_action_card, hand))
        return spare + harm - len(cards) - exposure(counts_of(hand), self.draws)

    def value_of_drawing(self):
        """Return the same for drawing: a card more and Nope; or a set after all, which must go."""
        count, colours = self.demand
        held = counts_of(self.view["hand"])
        missing = min(count - held[COLOURS.index(colour)] for colour in colours)
        completes = 0.0 if missing > self.draws else 1 - (1 - SHOW_IT) ** len(colours)
        harm = self.malice * damage(self.others[0], count, colours, self.draws)
        kept = self.draws - completes * count + (1 - completes) * harm
        spare = SPARE * sum(map(is_action_card, self.view["hand"]))
        return spare + kept - exposure(held, self.draws)

    def harm(self, laid):
        """Return what the next demand costs the seat that has to answer it."""
        while laid and laid[-1][0] == "T":  # a see-through looks at the card below
            laid = laid[:-1]
        if not laid:
            return damage(self.others[0], *self.demand, self.draws)
        if laid[-1][0] == "S":
            return max(
                damage(size, count, "R", self.draws) for size in self.others for count in (1, 2, 3)
            )
        return damage(self.others[0], *demand_of(laid[-1]), self.draws)


def cost_of(view, choice):
    """Return what a select's choice, such as `to2:3R`, costs the seat that it names."""
    seat, _, demand = choice.removeprefix("to").partition(":")
    draws = 2 if view["seats"] == 2 else 1
    # Any one colour is as likely in a hidden hand as any other, so "R" stands for the card's own.
    return damage(view["hand_sizes"][int(seat)], int(demand[0]), demand[1:] or "R", draws)
