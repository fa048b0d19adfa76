"""The board: cover the box that spoils it most for this hand."""

from statistics import mean

from worth import hand_worth, worth

FIRST = 1.5  # what it is worth to be first player: the lead, and the choice of a team
USUAL_LOSS = (-1.15, -0.9)  # the worth of the cards that a usual hand discards first


def cover(view, legal):
    """The token that most betters the average of the boxes it leaves open in its row."""
    values = values_of(view)

    def gain(token):
        row = values[token.split(":")[0]]
        return (mean(row.values()) - row[token]) / (len(row) - 1)

    return max(legal, key=gain)


def values_of(view):
    """By row, by open box: what it would be worth to us if it stayed open.

    The rows hang together (a trump is worth much where tricks count 4, and harm at -2), so each
    box is looked at with the average of what is open in the other rows.
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
    """How much worse than usual are the cards that this box of row 2 takes off us."""
    count = int(box[0]) if box[0].isdigit() else 0  # a pass takes and gives
    total = 0
    for trump, supertrump in boards if count else ():
        board = view["game"], view["seats"], trump[-1], supertrump[-1]
        cards = sorted(worth(*board, card) for card in view["hand"])
        if box.endswith("x"):  # low cards stay
            cards = [value for value in cards if value > -1] or cards
        total += sum(usual - value for usual, value in zip(USUAL_LOSS, cards[:count], strict=False))
    return total / len(boards)
