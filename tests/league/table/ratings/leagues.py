"""Made-up leagues: of a kind whose luck is known, or of any shape at all."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from arena.league.table.ratings import Scored
from arena.league.table.ratings.results import Floats


@dataclass(frozen=True)
class Kind:
    """How luck comes about in a match of four: a seat's result is the sum of these."""

    noise: float  # of each seat of each match
    luck: float = 1.5  # of each hand
    same_hands: bool = True  # in all seatings of a set
    shock: float = 0.0  # shared by the seats 0 and 2, and by 1 and 3


KINDS = {
    "duplicate": Kind(noise=1.0),
    "fresh hands": Kind(noise=1.0, same_hands=False),
    "shared shocks": Kind(noise=1.0, shock=1.0),
    "much duplicate": Kind(noise=0.3),
}

SKILLS = np.linspace(-0.7, 0.7, 8)


def league(kind: Kind, seed: int, skills: Floats = SKILLS, sets: int = 250) -> list[Scored]:
    """Sets of four bots drawn anew, each played in its four cyclic seatings."""
    rng = np.random.default_rng(seed)
    line_up = np.array([rng.permutation(len(skills))[:4] for _ in range(sets)])
    bots = np.stack([np.roll(line_up, -turn, axis=1) for turn in range(4)], axis=1)
    hands = rng.normal(0, kind.luck, (sets, 1 if kind.same_hands else 4, 4))
    sides = rng.normal(0, kind.shock, (sets, 4, 2))[:, :, [0, 1, 0, 1]]
    result = skills[bots] + hands + sides + rng.normal(0, kind.noise, bots.shape)
    places = (-result).argsort(axis=2).argsort(axis=2) + 1
    return [
        Scored(number, turn, tuple(seated), tuple(placed))
        for number, of_set in enumerate(zip(bots.tolist(), places.tolist(), strict=True))
        for turn, (seated, placed) in enumerate(zip(*of_set, strict=True))
    ]


def any_league(seed: int, bots: int = 7, sets: int = 40) -> list[Scored]:
    """Two to five seats, ties, forfeits, bots that meet themselves, sets of any length."""
    rng = random.Random(seed)
    matches = []
    for number in range(sets):
        seats = rng.randint(2, 5)
        line_up = tuple(rng.choices(range(bots), k=seats))
        for turn in range(rng.randint(1, seats)):
            forfeits = tuple(seat for seat in range(seats) if rng.random() < 0.1)
            kept = seats - len(forfeits)
            results = [rng.randint(0, 3) for _ in range(seats)]
            places = tuple(
                kept + 1
                if seat in forfeits
                else 1
                + sum(
                    results[other] > results[seat]
                    for other in range(seats)
                    if other not in forfeits
                )
                for seat in range(seats)
            )
            points = tuple(float(result) for result in results) if rng.random() < 0.9 else ()
            seated = line_up[turn:] + line_up[:turn]
            matches.append(Scored(number, turn, seated, places, points, forfeits))
    return matches
