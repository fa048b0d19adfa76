"""The trick games: worlds, and what a card comes to in each."""

from rollout import play_out
from rungs import ladder_of
from search import best_of
from tricks.play import later, now
from tricks.sight import Sight
from tricks.worth import sign_of

from arena.games import GAMES

# Cards to discard or to pass that are tried, the worst first.
MOST_GIFTS = 8

# What a take more is worth in the measure of `Round.value`: python-tricks' estimates are in takes,
# and are added to the values of worlds. There it counts 0.1, as a lead of one point does in a round
# of one point, and something more in the last round, where it may decide who is ahead.
TRICK = 0.15


class Round:
    """What a view says of a round whose board and teams are settled.

    `ours`: by seat, if it is of our team. `sign`: -1 in a round at -2, else 1. `balance`: our takes
    so far less theirs, those of the bonus card's holder counted twice.
    """

    def __init__(self, view, rng):
        self.view = view
        self.rng = rng
        self.seats, self.me = view["seats"], view["seat"]
        self.ladder = ladder_of(view["game"], self.seats, view["trump"], view["supertrump"])
        self.sign = sign_of(view["points"])
        mine = self.me in view["team"]
        self.ours = [(seat in view["team"]) == mine for seat in range(self.seats)]
        self.balance = sum(
            (won + loot) * (1 if ours else -1) * (2 if seat == view["bonus"] else 1)
            for seat, (won, loot, ours) in enumerate(
                zip(view["tricks_won"], view["loot"], self.ours, strict=True)
            )
        )

    def hands(self):
        """Return by seat the rungs held in a random world that agrees with the view."""
        world = GAMES[self.view["game"]].imagine(self.view, self.rng)
        hands = [world.view(seat)["hand"] for seat in range(self.seats)]
        return [self.ladder.rungs(hand) for hand in hands]

    def play_out(self, suits, leader, trick=()):
        """Return the value for us when these hands are played to the end, from this trick on."""
        bonus = self.view["bonus"]
        positive = self.sign > 0
        return self.value(
            self.balance + play_out(self.ladder, suits, self.ours, bonus, leader, trick, positive)
        )

    def value(self, balance):
        """Return what a balance at the end of the round is worth to us, on the average of the other
        team's seats: each point a little, and in the last round to be ahead much."""
        view = self.view
        is_last = view["round"] == view["rounds"]
        total = 0.0
        for seat, ours in enumerate(self.ours):
            if not ours:
                lead = view["scores"][self.me] - view["scores"][seat] + balance * view["points"]
                total += lead / abs(view["points"]) / 10
                if is_last:
                    total += (lead > 0) - (lead < 0)
        return total / self.ours.count(False)


def play(view, legal, rng, budget):
    """Return a card for the trick."""
    this = Round(view, rng)
    ladder, me = this.ladder, this.me
    trick = ladder.rungs(view["tricks"][-1])

    def sample():
        base = ladder.by_suit(this.hands())

        def value_of(card):
            suits = [[hand[:] for hand in suit] for suit in base]
            suits[ladder.suit[card]][me].remove(card)
            return this.play_out(suits, view["leaders"][-1], [*trick, card])

        return value_of

    sight = Sight(view)
    prior = {}
    for card in different(ladder, view, ladder.rungs(legal)):
        name = ladder.cards[card]
        prior[card] = TRICK * this.sign * (now(sight, name) - later(sight, name))
    return ladder.cards[best_of(prior, sample, budget)]


def different(ladder, view, cards):
    """Leave out each card that does the same as the next lower one of ours: both are of one suit,
    and nobody else can hold a card from the one to the other."""
    seen = ladder.rungs([card for trick in view["tricks"][:-1] for card in trick])
    seen += ladder.rungs(view["hand"])
    is_out = [seen.count(rung) < copies for rung, copies in enumerate(ladder.copies)]
    kept = []
    before = None
    for card in sorted(cards, key=lambda card: (ladder.suit[card], card)):
        if before is None or not (
            ladder.suit[before] == ladder.suit[card]
            and ladder.low[before] == ladder.low[card]
            and not any(
                is_out[rung] and ladder.suit[rung] == ladder.suit[card]
                for rung in range(before, card + 1)
            )
        ):
            kept.append(card)
        before = card
    return kept


def give(view, legal, rng, budget):
    """Return a card to discard or to pass on."""
    this = Round(view, rng)
    ladder = this.ladder

    def sample():
        hands = this.hands()

        def value_of(card):
            kept = after_gifts(this, hands, card)
            return this.play_out(ladder.by_suit(kept), view["first"])

        return value_of

    worth = {card: this.sign * ladder.worth[card] for card in ladder.rungs(legal)}
    worst = sorted(worth, key=worth.__getitem__)[:MOST_GIFTS]
    return ladder.cards[best_of({card: -TRICK * worth[card] for card in worst}, sample, budget)]


# What each box of row 2 means: how many cards, and how many seats further they go; 0: out of play.
GIFTS = {"1": (1, 0), "2": (2, 0), "1x": (1, 0), "2x": (2, 0), "left1": (1, 1), "right2": (2, -1)}


def after_gifts(this, hands, mine):
    """Return the hands after all gifts: ours are those chosen already and `mine`, then our worst
    cards, and the others give their worst cards."""
    view, ladder = this.view, this.ladder
    count, step = GIFTS[view["discard"]]
    kept = [[*hand] for hand in hands]
    given = [[] for _ in hands]
    given[this.me] = [*ladder.rungs(view["given"]), mine]
    kept[this.me].remove(mine)
    for seat, hand in enumerate(kept):
        hand.sort(key=lambda card: this.sign * ladder.worth[card])
        if view["discard"].endswith("x"):  # low cards only if there is nothing else
            hand.sort(key=ladder.low.__getitem__)
        missing = count - len(given[seat])
        given[seat] += hand[:missing]
        del hand[:missing]
    if step:
        for seat, gift in enumerate(given):
            kept[(seat + step) % this.seats] += gift
    return kept
