"""The idea of this bot: cover the board for what the round is about.

Before the last round that is points, as python-tricks has it. In the last round it is to be ahead:
a round of one point wins as well as a round of four, so only the sign of the points matters.
"""

from statistics import mean

from tricks.tokens import FIRST, relief
from tricks.worth import hand_worth

# How much the estimates of python-tricks count, by row, where 1 is as much as there. Found by
# playing: what a discard takes off us is worth little, as the others throw away their worst cards
# too; and a colour of trump tells more of a hand than the points of the round do.
COUNTS = {"first": 0.8, "discard": 0.2, "trump": 1.2, "supertrump": 1.0, "points": 0.7}


def cover(view, legal):
    """Return the token that raises the average of the boxes left open in its row by most."""
    values = values_of(view)

    def gain(token):
        row = token.split(":")[0]
        boxes = values[row]
        # The average without this box, less the average with it.
        return COUNTS[row] * (mean(boxes.values()) - boxes[token]) / (len(boxes) - 1)

    return max(legal, key=gain)


def stake_of(view, points):
    """Return what a take counts for us in a round with these points, up to a factor."""
    if view["round"] < view["rounds"]:
        return points
    return 1 if points > 0 else -1


def values_of(view):
    """Return by row, by open box, what it would be worth to us if it stayed open.

    Each box is valued with the average of what is still open in the other rows, as in
    python-tricks, whose estimates these are.
    """
    rows = {}
    for box in view["open"]:
        rows.setdefault(box.split(":")[0], []).append(box)
    trumps, supertrumps = rows["trump"], rows["supertrump"]
    hands = {(t, s): hand_worth(view, t[-1], s[-1]) for t in trumps for s in supertrumps}
    stakes = {box: stake_of(view, int(box.split(":")[1])) for box in rows["points"]}
    stake = mean(stakes.values())
    return {
        "first": {
            box: FIRST * abs(stake) * (int(box[-1]) == view["seat"]) for box in rows["first"]
        },
        "discard": {box: stake * relief(view, box.split(":")[1], hands) for box in rows["discard"]},
        "trump": {t: stake * mean(hands[t, s] for s in supertrumps) for t in trumps},
        "supertrump": {s: stake * mean(hands[t, s] for t in trumps) for s in supertrumps},
        "points": {box: its * mean(hands.values()) for box, its in stakes.items()},
    }
