"""The trick games: worlds, and what a card comes to in each."""

from play import later, now
from rollout import play_out
from rungs import ladder_of
from search import best_of
from sight import Sight
from worth import sign_of

from arena.games import GAMES

MOST_GIFTS = 8  # cards to discard or pass that are looked at, the worst first
TRICK = 0.15  # what a trick more is worth, in the measure of `Round.value`


class Round:
    """What a view says of a round whose board and teams are settled."""

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
        """By seat, the rungs held in a random world that agrees with the view."""
        world = GAMES[self.view["game"]].imagine(self.view, self.rng)
        hands = [world.view(seat)["hand"] for seat in range(self.seats)]
        return [self.ladder.rungs(hand) for hand in hands]

    def play_out(self, suits, leader, trick=()):
        """What it comes to when these hands are played to the end, from this trick on."""
        bonus = self.view["bonus"]
        positive = self.sign > 0
        return self.value(
            self.balance + play_out(self.ladder, suits, self.ours, bonus, leader, trick, positive)
        )

    def value(self, balance):
        """What a round's balance is worth to us: every point a little, and in the last round to
        be ahead of another much."""
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
    """A card for the trick."""
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
    """These cards without those that are as good as the one before: both ours alone, and
    nothing between them that anybody else could play."""
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
    """A card to discard or to pass on."""
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


# What each box of row 2 means: how many cards, and how many seats further they go, if they do.
GIFTS = {"1": (1, 0), "2": (2, 0), "1x": (1, 0), "2x": (2, 0), "left1": (1, 1), "right2": (2, -1)}


def after_gifts(this, hands, mine):
    """The hands after all gifts: `mine` is our next, the others are everybody's worst cards."""
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
