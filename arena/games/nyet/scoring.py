"""The score of a round for each seat (SPEC 11.6 and 11.7), and the places at the end."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.nyet.actions import Team
from arena.games.nyet.past import LOOT, LOOT_BITS
from arena.games.options import Value


def take_by_seat(takes: bytes, seats: int) -> list[int]:
    """Each seat's take: the tricks it took and the loot in them (SPEC 11.6).

    `takes`: a byte for each finished trick of the round, see `arena.games.nyet.past`.
    """
    taken = [0] * seats
    for take in takes:
        taken[take >> LOOT_BITS] += 1 + (take & LOOT)
    return taken


def score_round(
    takes: Sequence[int], team: Team, points: int, *, bonus: Value, scoring: Value
) -> tuple[int, ...]:
    """Return each seat's score for the round.

    `takes`: the take of each seat; `team`: the first player's. `bonus`: "take", the bonus
    card doubles its holder's own take inside the team's sum [D6]; or "score", it doubles its
    holder's round score and no other. `scoring`: "full", each member scores the team's sum; or
    "difference", each member of the higher team scores the difference, others nothing.
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


def round_bounds(
    tricks: int, low_cards: int, points: Sequence[int], *, has_bonus: bool, scoring: Value
) -> tuple[int, int]:
    """A number that no seat's score for a round falls below, and one that none exceeds.

    One team takes all tricks and captures all low cards; a bonus card doubles that at most.
    """
    most = (tricks + low_cards) * (2 if has_bonus else 1)
    lowest = 0 if scoring == "difference" else min(*points, 0)
    highest = max(map(abs, points)) if scoring == "difference" else max(points)
    return most * lowest, most * highest


def places(scores: Sequence[int]) -> tuple[int, ...]:
    """Most points win; ties share the place."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
