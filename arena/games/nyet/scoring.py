"""What a round is worth to each seat (SPEC 11.6 and 11.7), and who is where at the end."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.nyet.actions import Team
from arena.games.options import Value


def score_round(
    takes: Sequence[int], team: Team, points: int, *, bonus: Value, scoring: Value
) -> tuple[int, ...]:
    """Each seat's score for the round.

    `takes` are tricks plus loot of each seat, `team` the first player's. `bonus` is what the
    bonus card doubles: "take", its holder's own take inside the team's sum [D6]; "score", its
    holder's round score and nobody else's. `scoring` is "full": each member scores the team's
    sum; or "difference": each member of the higher team scores the difference, others nothing.
    """
    members, holder = team.seats, team.bonus
    ours = sum([takes[seat] for seat in members])
    theirs = sum(takes) - ours
    if holder is not None and bonus == "take":
        if holder in members:
            ours += takes[holder]
        else:
            theirs += takes[holder]
    ours *= points
    theirs *= points
    if scoring == "difference":
        ours, theirs = max(ours - theirs, 0), max(theirs - ours, 0)
    scores = [theirs] * len(takes)
    for seat in members:
        scores[seat] = ours
    if holder is not None and bonus == "score":
        scores[holder] *= 2
    return tuple(scores)


def places(scores: Sequence[int]) -> tuple[int, ...]:
    """Most points win; ties share the place."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
