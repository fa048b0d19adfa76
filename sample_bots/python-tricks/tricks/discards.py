"""What to discard or pass on: the worst card, which at -2 is the best."""

from tricks.worth import sign_of, worth


def give(view, legal):
    """Return the card to part with."""
    board = view["game"], view["seats"], view["trump"], view["supertrump"]
    return min(legal, key=lambda card: sign_of(view["points"]) * worth(*board, card))
