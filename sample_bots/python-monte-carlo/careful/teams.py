"""The first player's choice: be few with a good hand, and with those whom the board suits."""

from worth import hand_worth, sign_of

# How much better than usual a hand must be to be worth playing in the smaller team, with the
# bonus card: by seats. Found by playing.
FEW = {3: 2.5, 5: 1.0}
DISLIKED_COLOUR = {"trump": 0.5, "supertrump": 0.3}
DISLIKED_POINTS = 1.2


def choose_team(view, legal):
    me, seats = view["seat"], view["seats"]
    mine = sign_of(view["points"]) * hand_worth(view, view["trump"], view["supertrump"])
    few = seats in FEW and mine > FEW[seats]

    def value(action):
        members, _, bonus = action.removeprefix("team:").partition("*")
        team = [int(seat) for seat in members]
        score = sum(liking(view, seat) for seat in team if seat != me)
        if bonus:  # the bonus card is always in the team of two
            holder = int(bonus)
            if not few:
                score -= liking(view, holder)
            elif holder == me:
                score += 10
        return (len(team) * 2 < seats) == few, score

    return max(legal, key=value)


def liking(view, seat):
    """How well the board suits another seat, as far as its tokens tell: what it covered it did
    not want, and what is open is something else."""
    score = 0.0
    for number, token in enumerate(view["tokens"]):
        if (view["first_token"] + number) % view["seats"] != seat:
            continue
        row, _, box = token.partition(":")
        if row == "points":
            # Who has a good hand covers the small numbers; at -2 that is bad news.
            wanted_more = view["points"] < 0 or int(box) < view["points"]
            score += DISLIKED_POINTS if wanted_more else -DISLIKED_POINTS
        else:
            score += DISLIKED_COLOUR.get(row, 0)
    return score
