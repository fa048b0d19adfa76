"""The board: cover the box that spoils it most for this hand."""

from statistics import mean

from tricks.worth import hand_worth, worth

# What it is worth to be first player, in takes: the lead, and the choice of a team. It is as good
# where points are negative.
FIRST = 1.5

# What the first and the second card are worth that a usual hand gives away: its worst, about a low
# card, and the next. A discard helps a hand whose worst cards are worse than these.
USUAL_GIFTS = (-1.15, -0.9)

# Low cards are worth less than this, and all other cards more.
LOW_BELOW = -1


def cover(view, legal):
    """Return the token that raises the average of the boxes left open in its row by most."""
    values = values_of(view)

    def gain(token):
        row = values[token.split(":")[0]]
        # The average without this box, less the average with it.
        return (mean(row.values()) - row[token]) / (len(row) - 1)

    return max(legal, key=gain)


def values_of(view):
    """Return by row, by open box, the points that it would be worth to us if it stayed open.

    The rows hang together: a trump is worth much where tricks count 4, and does harm at -2. So each
    box is valued with the average of what is still open in the other rows.
    """
    rows = {}
    for box in view["open"]:
        rows.setdefault(box.split(":")[0], []).append(box)
    trumps, supertrumps = rows["trump"], rows["supertrump"]
    hands = {(t, s): hand_worth(view, t[-1], s[-1]) for t in trumps for s in supertrumps}
    points = {box: int(box.split(":")[1]) for box in rows["points"]}
    stake = mean(points.values())
    return {
        "first": {
            box: FIRST * abs(stake) * (int(box[-1]) == view["seat"]) for box in rows["first"]
        },
        "discard": {box: stake * relief(view, box.split(":")[1], hands) for box in rows["discard"]},
        "trump": {t: stake * mean(hands[t, s] for s in supertrumps) for t in trumps},
        "supertrump": {s: stake * mean(hands[t, s] for t in trumps) for s in supertrumps},
        "points": {box: number * mean(hands.values()) for box, number in points.items()},
    }


def relief(view, box, boards):
    """Return how much worse than usual are the cards that a box of row 2 takes off us.

    `boards`: the pairs of trump and supertrump that are still open. A box that passes cards on
    brings others, so it counts 0, as the box without discard does.
    """
    count = int(box[0]) if box[0].isdigit() else 0
    total = 0
    for trump, supertrump in boards if count else ():
        board = view["game"], view["seats"], trump[-1], supertrump[-1]
        cards = sorted(worth(*board, card) for card in view["hand"])
        if box.endswith("x"):  # low cards must stay
            cards = [value for value in cards if value > LOW_BELOW] or cards
        total += sum(
            usual - value for usual, value in zip(USUAL_GIFTS, cards[:count], strict=False)
        )
    return total / len(boards)
