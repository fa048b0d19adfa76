"""One rule of thumb: take tricks, as cheaply as you can; the rest is left to chance.

python3 bot.py          a different game every time
python3 bot.py SEED     the same answer to the same request, always
"""

import random
import sys

from protocol import run

SEED = sys.argv[1] if len(sys.argv) > 1 else None


def decide(request):
    """A request goes in, one of its legal actions comes out."""
    rng = random.Random(f"{SEED} {request['view']}") if SEED is not None else random
    return choose(request["view"], request["legal"], rng)


def choose(view, legal, rng):
    """The rule of thumb for the tricks; tokens, teams, discards and NOPE! go by lot."""
    if view["phase"] != "play":
        return rng.choice(legal)
    trick = view["tricks"][-1]
    shy = view["points"] < 0  # a round in which tricks cost points

    def strength(card):
        return strength_of(card, trick[0] if trick else card, view)

    if not trick:
        return min(legal, key=strength) if shy else max(legal, key=strength)
    to_beat = max(map(strength, trick))
    # Of two cards that are equally strong the later takes the trick.
    taking = [card for card in legal if strength(card) >= to_beat]
    losing = [card for card in legal if strength(card) < to_beat]
    if shy:
        return max(losing or legal, key=strength)
    if taking and not is_with_me(holder(trick, strength, view), view):
        return min(taking, key=strength)
    return min(legal, key=strength)


def strength_of(card, led, view):
    """Supertrumps above trumps, trumps above the colour that was led, the rest below (11.5)."""
    colour, rank = card[0], int(card[1:])
    low = 0 if view["game"] == "njet" else 1
    if rank == low and colour == view["supertrump"]:
        return 300
    if colour == view["trump"]:
        return 200 + rank
    return 100 + rank if colour == led[0] else rank


def holder(trick, strength, view):
    """The seat that takes the trick as it lies."""
    place = max(range(len(trick)), key=lambda place: (strength(trick[place]), place))
    return (view["leaders"][-1] + place) % view["seats"]


def is_with_me(seat, view):
    """Whether this seat is on my team, and its tricks are mine too."""
    return (seat in view["team"]) == (view["seat"] in view["team"])


if __name__ == "__main__":
    run(decide, version="1.0", author="the arena authors")
