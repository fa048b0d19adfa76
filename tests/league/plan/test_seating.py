"""The order of the bots of a set: the same whether a past is told at once or as it grows."""

from __future__ import annotations

import random
from itertools import permutations

from arena.league.model.sets import PlannedSet
from arena.league.plan.format import Past
from arena.league.plan.seating import SeatsTaken

NAMES = ("ant", "bee", "cat", "dog", "eel")
TURNS = [list(order) for order in permutations(NAMES, 3)]


def turns_of(taken: SeatsTaken) -> list[list[str]]:
    return [taken.fairly_turned(turn) for turn in TURNS]


def at_once(past: Past) -> SeatsTaken:
    taken = SeatsTaken()
    taken.tell(past)
    return taken


def test_what_is_told_as_it_grows_is_as_if_it_were_told_at_once() -> None:
    draw = random.Random(7)
    kept, sets, left_out = SeatsTaken(), list[PlannedSet](), set[int]()
    for number in range(1, 60):
        sets.append(PlannedSet(number, tuple(draw.sample(NAMES, 3))))
        if number % 3 == 0:
            left_out.add(draw.randrange(1, number + 1))
        past = Past(sets=tuple(sets), left_out=frozenset(left_out))
        kept.tell(past)
        assert turns_of(kept) == turns_of(at_once(past))
    shorter = Past(sets=tuple(sets[:9]), left_out=frozenset({2}))
    kept.tell(shorter)
    assert turns_of(kept) == turns_of(at_once(shorter))


def test_a_bot_sits_where_it_sat_least_often() -> None:
    taken = at_once(Past(sets=[PlannedSet(1, ("ant", "bee", "cat"))]))
    assert taken.fairly_turned(["ant", "bee", "cat"]) == ["bee", "cat", "ant"]
    taken.seat(("bee", "cat", "ant"))
    assert taken.fairly_turned(["ant", "bee", "cat"]) == ["cat", "ant", "bee"]
    taken.unseat(("bee", "cat", "ant"))
    assert taken.fairly_turned(["ant", "bee", "cat"]) == ["bee", "cat", "ant"]
    assert repr(taken) == "<SeatsTaken by 3 bots in 1 sets>"
