"""The shape of a bracket: which places meet in which round, known before the first set.

Every table is full. The final is one table, and each round before it halves the bots: k seats,
2k bots, 4k bots and so on. Other numbers are brought to the next of these below in the first round,
in which those of the highest seeds do not play (byes). 16 bots at tables of four: seeds 1-8-9-16,
2-7-10-15, 3-6-11-14, 4-5-12-13; two of each go on.

The places of a round are numbered from 1, the best first; those of the first round are the seeds.
Whoever goes on from a tie takes over the places that its favourites would have had, the best of
the tie the best. So the path of each tie is fixed.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TieShape:
    """A tie: the places that meet, and for each that goes on its place in the next round."""

    places: tuple[int, ...]
    next_places: tuple[int, ...]  # best first


@dataclass(frozen=True)
class RoundShape:
    """A round: the places that go on without playing, as many as `byes`, come first."""

    bots: int
    byes: int
    ties: tuple[TieShape, ...]


def shape(bots: int, seats: int) -> tuple[RoundShape, ...]:
    """Return the rounds of a bracket, the final last. Needs at least `seats` bots."""
    rounds = []
    while bots > seats:
        size = seats
        while 2 * size < bots:
            size *= 2
        rounds.append(_round(bots, size, seats))
        bots = size
    return (*rounds, RoundShape(seats, 0, (TieShape(tuple(range(1, seats + 1)), (1,)),)))


def _round(bots: int, stay: int, seats: int) -> RoundShape:
    """Return a round after which so many stay.

    About half of each table goes on, so twice as many bots play as have to go, if there are as
    many; where the numbers do not divide, one more goes on from the ties of higher seeds.
    """
    ties = min(-(-2 * (bots - stay) // seats), bots // seats)
    byes = bots - ties * seats
    tables = [tuple(byes + place for place in snake(tie, ties, seats)) for tie in range(ties)]
    each, more = divmod(stay - byes, ties)
    places = [table[: each + (tie < more)] for tie, table in enumerate(tables)]
    order = sorted(place for those in places for place in those)
    new = {place: byes + at for at, place in enumerate(order, 1)}
    return RoundShape(
        bots,
        byes,
        tuple(
            TieShape(table, tuple(new[place] for place in those))
            for table, those in zip(tables, places, strict=True)
        ),
    )


def snake(tie: int, ties: int, seats: int) -> list[int]:
    """Return the places of a tie, from 1: to and fro over the ties, so that all are as strong."""
    return [row * ties + (tie + 1 if row % 2 == 0 else ties - tie) for row in range(seats)]
