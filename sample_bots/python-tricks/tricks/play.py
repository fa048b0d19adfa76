"""The tricks: what a card brings now, less what it would bring later."""

from tricks.cards import SUPERTRUMP, TRUMP
from tricks.sight import Sight
from tricks.worth import sign_of

# How often an opponent takes a trick when its hand could, and a teammate when that saves the trick
# for us. Neither always does: it may keep the card for a better trick.
EAGER = 0.85
HELPFUL = 0.7

# What a card brings later, as a chance to take a trick. A supertrump is beaten only by another one.
SUPERTRUMP_LATER = 0.9
# The highest trump takes as surely: 0.3 + 0.6. A trump takes 0.3 however many are above it, because
# it can be played to a trick of another suit; of the other 0.6 each trump above it that is in
# somebody's hand takes 15 % away.
TRUMP_ANYWAY, TRUMP_IF_HIGH, TRUMP_ABOVE = 0.3, 0.6, 0.15
# The highest of another suit takes less often, 0.7, as it may be trumped; and each card above it
# that is in somebody's hand takes 60 % of that away.
SIDE_IF_HIGH, SIDE_ABOVE = 0.7, 0.6
# A low card that is kept goes to a trick of the others half of the time, as loot.
LOOT_LATER = 0.5


def play(view, legal):
    """Return the card for which `now` is most above `later`; at -2, most below."""
    sight = Sight(view)
    sign = sign_of(view["points"])
    return max(legal, key=lambda card: sign * (now(sight, card) - later(sight, card)))


def now(sight, card):
    """Return what this trick brings us less what it brings them, on average, with this card."""
    terms = sight.terms
    trick = [*sight.trick, card]
    led = terms.suit[trick[0]]
    strengths = [terms.strength(each, led) for each in trick]
    best = max(strengths)
    # Of equals the one played last takes.
    place = max(place for place, strength in enumerate(strengths) if strength == best)
    holder = sight.seat_of(place)

    # The chance that our team takes the trick, after each seat that still plays to it.
    ours = 1.0 if holder in sight.ours else 0.0
    for place in range(len(trick), sight.seats):
        seat = sight.seat_of(place)
        beats = sight.chance_to_beat(seat, best, led)
        if seat in sight.ours:
            ours += (1 - ours) * beats * HELPFUL
        else:
            ours *= 1 - beats * EAGER

    # A trick counts 1, and each low card of the other team in it 1 more.
    lows = [sight.seat_of(i) in sight.ours for i, each in enumerate(trick) if each in terms.low]
    gain = (1 + lows.count(False)) * weight(sight, holder, True)
    loss = (1 + lows.count(True)) * weight(sight, holder, False)
    return ours * gain - (1 - ours) * loss


def weight(sight, holder, ours):
    """Return how often a take of our team, or of the other, counts: that of the bonus card's holder
    counts twice.

    Where `holder`, who has the trick now, is of the other team, any seat of this one may take it.
    """
    team = {seat for seat in range(sight.seats) if (seat in sight.ours) == ours}
    if sight.bonus not in team:
        return 1
    if holder in team:
        return 2 if holder == sight.bonus else 1
    return 1 + 1 / len(team)


def later(sight, card):
    """Return what the card brings us less what it brings them if we keep it."""
    terms = sight.terms
    power = terms.power[card]
    if power >= SUPERTRUMP:
        return SUPERTRUMP_LATER
    # Of the cards that we do not see, the share that is in hands; the others lie aside.
    others = sum(sight.sizes) - sight.sizes[sight.me]
    in_hands = others / sight.hidden if sight.hidden else 0
    above = sum(power <= other < SUPERTRUMP for other in sight.out.get(terms.suit[card], ()))
    if power >= TRUMP:
        value = TRUMP_ANYWAY + TRUMP_IF_HIGH * (1 - TRUMP_ABOVE * in_hands) ** above
    else:
        value = SIDE_IF_HIGH * (1 - SIDE_ABOVE * in_hands) ** above
    return value - LOOT_LATER if card in terms.low else value
