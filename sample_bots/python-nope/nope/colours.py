"""The cards of NOPE! and the demands they make (SPEC 12.1, 12.3)."""

from itertools import combinations

COLOURS = "RGBY"

# By card: how many there are.
DECK = {f"{colour}{number}": 1 if number == 3 else 2 for colour in COLOURS for number in (1, 2, 3)}
DECK |= {
    f"{a}{b}{number}": 3 if number == 3 else 4
    for a, b in combinations(COLOURS, 2)
    for number in (1, 2, 3)
}
DECK |= {"J": 4, "X": 4, "S*": 2}
DECK |= {f"{kind}{colour}": 1 for kind in "TS" for colour in COLOURS}


def is_action_card(card):
    """Return True for a reset, a see-through or a select."""
    return card[0] in "XTS"


def shows(card):
    """Return the colours that a card counts as."""
    if card in ("J", "X", "S*"):
        return COLOURS
    return card[1:] if is_action_card(card) else card[:-1]


def demand_of(card):
    """Return the count and the colours that a card on top demands; None if they are not its own."""
    if card in ("J", "X"):
        return 1, COLOURS
    return None if is_action_card(card) else (int(card[-1]), card[:-1])


# The demands that the cards of the deck make, each as often as there are cards for it.
DEMANDS = [demand_of(card) for card, copies in DECK.items() for _ in range(copies)]
DEMANDS = {made: DEMANDS.count(made) for made in DEMANDS if made is not None}
