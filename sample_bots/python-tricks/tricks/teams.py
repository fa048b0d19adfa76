"""The first player's choice: be few with a good hand, and with those whom the board suits."""

from tricks.worth import hand_worth, sign_of

# By seats: how much better than usual a hand must be, in takes, to play in the smaller team with
# the bonus card, which counts double. Found by playing: alone against two it takes a much better
# hand than in a team of two against three.
FEW = {3: 2.5, 5: 1.0}

# How much better the board suits a seat for each token that it laid in one of these rows: it
# covered a colour that it did not want, and another is open. Trump matters more than supertrump.
COVERED_COLOUR = {"trump": 0.5, "supertrump": 0.3}

# The same, or as much worse, for a token on the points. It tells more, because good hands cover the
# small numbers and bad hands the great ones.
COVERED_POINTS = 1.2

# In the smaller team we hold the bonus card ourselves, whoever comes along: a seat lays about four
# tokens, so the liking of two seats differs by less than this.
BONUS_IS_OURS = 10


def choose_team(view, legal):
    """Return the team to play in, as an action."""
    me, seats = view["seat"], view["seats"]
    mine = sign_of(view["points"]) * hand_worth(view, view["trump"], view["supertrump"])
    few = seats in FEW and mine > FEW[seats]

    def value(action):
        members, _, bonus = action.removeprefix("team:").partition("*")
        team = [int(seat) for seat in members]
        score = sum(liking(view, seat) for seat in team if seat != me)
        if bonus:  # its holder is always in the team of two
            holder = int(bonus)
            if not few:
                score -= liking(view, holder)
            elif holder == me:
                score += BONUS_IS_OURS
        return (len(team) * 2 < seats) == few, score

    return max(legal, key=value)


def liking(view, seat):
    """Return how well the board suits another seat, as far as its tokens tell: it covered what it
    did not want, and something else is open."""
    score = 0.0
    for number, token in enumerate(view["tokens"]):
        if (view["first_token"] + number) % view["seats"] != seat:
            continue
        row, _, box = token.partition(":")
        if row == "points":
            # A seat with a good hand covers the small numbers; at -2 that is bad news.
            wanted_more = view["points"] < 0 or int(box) < view["points"]
            score += COVERED_POINTS if wanted_more else -COVERED_POINTS
        else:
            score += COVERED_COLOUR.get(row, 0)
    return score
