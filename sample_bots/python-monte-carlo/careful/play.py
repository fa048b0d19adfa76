"""The tricks: what a card brings now, less what it would bring later."""

from cards import SUPERTRUMP, TRUMP
from sight import Sight
from worth import sign_of

EAGER = 0.85  # how often an opponent who can take a trick does
HELPFUL = 0.7  # how often a teammate who can save a trick does


def play(view, legal):
    sight = Sight(view)
    sign = sign_of(view["points"])
    return max(legal, key=lambda card: sign * (now(sight, card) - later(sight, card)))


def now(sight, card):
    """What this trick brings us less what it brings them, on average, with this card in it."""
    terms = sight.terms
    trick = [*sight.trick, card]
    led = terms.suit[trick[0]]
    strengths = [terms.strength(each, led) for each in trick]
    best = max(strengths)
    place = max(place for place, strength in enumerate(strengths) if strength == best)
    holder = sight.seat_of(place)
    ours = 1.0 if holder in sight.ours else 0.0  # the chance that we take it
    for place in range(len(trick), sight.seats):
        seat = sight.seat_of(place)
        beats = sight.chance_to_beat(seat, best, led)
        if seat in sight.ours:
            ours += (1 - ours) * beats * HELPFUL
        else:
            ours *= 1 - beats * EAGER
    lows = [sight.seat_of(i) in sight.ours for i, each in enumerate(trick) if each in terms.low]
    gain = (1 + lows.count(False)) * weight(sight, holder, True)
    loss = (1 + lows.count(True)) * weight(sight, holder, False)
    return ours * gain - (1 - ours) * loss


def weight(sight, holder, ours):
    """What a trick of this team counts: those of the bonus card's holder count twice."""
    team = {seat for seat in range(sight.seats) if (seat in sight.ours) == ours}
    if sight.bonus not in team:
        return 1
    if holder in team:
        return 2 if holder == sight.bonus else 1
    return 1 + 1 / len(team)


def later(sight, card):
    """What the card brings us less what it brings them, if we keep it: the more cards above it
    are out, the less."""
    terms = sight.terms
    power = terms.power[card]
    if power >= SUPERTRUMP:
        return 0.9
    others = sum(sight.sizes) - sight.sizes[sight.me]
    in_hands = others / sight.hidden if sight.hidden else 0  # of the cards still out
    above = sum(power <= other < SUPERTRUMP for other in sight.out.get(terms.suit[card], ()))
    if power >= TRUMP:
        value = 0.3 + 0.6 * (1 - 0.15 * in_hands) ** above
    else:
        value = 0.7 * (1 - 0.6 * in_hands) ** above
    return value - 0.5 if card in terms.low else value
