"""Excitement of a match, worked out when it is over. Pure.

    excitement = 2 * upset + lead + closeness

upset      how much better those are rated that somebody finished ahead of: over all pairs of seats
           the mean of the difference in Elo, in units of 400, where the lower rated one was ahead
lead       the share of deals after the first at whose end somebody else led than before
closeness  1 where the first two ended level, 0 where the second was as far away as the last; a
           match without scores has none

The upset counts double because it is the rarer thing: at a table of four equals it is near 0, and
where the last of the table wins it is about one half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

UPSET_WEIGHT = 2.0
ELO_UNIT = 400.0


@dataclass(frozen=True, order=True)
class Excitement:
    """The sum, and the parts that it is made of."""

    total: float
    upset: float
    lead: float
    closeness: float


def excitement(
    names: Sequence[str],
    places: Sequence[int],
    deals: Sequence[Sequence[int]],
    elo: Mapping[str, float],
) -> Excitement:
    """Rate a match. `deals`: the scores by seat at the end of each deal; `elo`: of rated bots."""
    upset, lead, close = upset_of(names, places, elo), lead_of(deals), closeness_of(deals)
    return Excitement(UPSET_WEIGHT * upset + lead + close, upset, lead, close)


def upset_of(names: Sequence[str], places: Sequence[int], elo: Mapping[str, float]) -> float:
    """Return the mean surprise over all pairs of seats; a bot without a rating surprises nobody."""
    pairs = list(combinations(range(len(names)), 2))
    surprises = 0.0
    for one, other in pairs:
        if names[one] not in elo or names[other] not in elo or places[one] == places[other]:
            continue
        ahead, behind = (one, other) if places[one] < places[other] else (other, one)
        surprises += max(0.0, elo[names[behind]] - elo[names[ahead]]) / ELO_UNIT
    return surprises / len(pairs) if pairs else 0.0


def lead_of(deals: Sequence[Sequence[int]]) -> float:
    """Return the share of deals after the first that changed the leader."""
    leaders = [frozenset(_best(scores)) for scores in deals]
    changes = sum(before != after for before, after in pairwise(leaders))
    return changes / (len(leaders) - 1) if len(leaders) > 1 else 0.0


def closeness_of(deals: Sequence[Sequence[int]]) -> float:
    """Return how close the first two were in the end."""
    if not deals or len(deals[-1]) < 2:
        return 0.0
    first, second, *_ = sorted(deals[-1], reverse=True)
    spread = first - min(deals[-1])
    return 1 - (first - second) / spread if spread else 1.0


def _best(scores: Sequence[int]) -> list[int]:
    return [seat for seat, score in enumerate(scores) if score == max(scores)]
