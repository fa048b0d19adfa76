"""The results of an evaluation, worked out by hand."""

from __future__ import annotations

import math

import pytest

from arena.evaluate.results import (
    PolicyFault,
    PolicyTime,
    ShareBar,
    against,
    faults_of,
    forfeits_of,
    time_of,
)
from arena.evaluate.shares import superiority
from arena.record import FORMAT, VERSION, FaultEntry, Move, Record


def match(
    places: tuple[int, ...],
    *,
    moves: tuple[Move, ...] = (),
    faults: tuple[FaultEntry, ...] = (),
    forfeits: tuple[int, ...] = (),
) -> Record:
    return Record(
        format=FORMAT,
        version=VERSION,
        game="nyet",
        seats=len(places),
        options={},
        seed="00",
        names=tuple(f"bot {seat}" for seat in range(len(places))),
        moves=moves,
        scores=(0,) * len(places),
        places=places,
        ending="rounds",
        faults=faults,
        forfeits=forfeits,
    )


def test_the_share_is_of_pairs_with_the_bots_that_are_asked_for() -> None:
    # The policy (0) is first, then it ties with bot 1 behind bot 2.
    one = [((0, 1, 2), match((1, 2, 3))), ((1, 2, 0), match((2, 1, 2)))]
    assert against([one], [1]).ahead == 0.75
    assert against([one], [2]).ahead == 0.5
    assert against([one], [1, 2]).ahead == (1 + 0.25) / 2


def test_the_ends_of_a_bar_are_those_of_the_share_in_elo() -> None:
    assert ShareBar(0.5, 0.7).elo == pytest.approx((0, 400 * math.log10(0.7 / 0.3)))
    assert ShareBar(0.0, 1.0).elo == (-math.inf, math.inf)


def test_five_sets_won_have_a_lower_end_and_four_no_bar() -> None:
    won = [((0, 1), match((1, 2))), ((1, 0), match((2, 1)))]
    found = against([won] * 5, [1])
    assert (found.ahead, found.elo) == (1, math.inf)
    assert found.bar is not None
    assert -100 < found.bar.elo[0] < 0
    assert found.bar.elo[1] == math.inf
    assert found.los == superiority([1.0] * 5)
    few = against([won] * 4, [1])
    assert (few.ahead, few.bar, few.los) == (1, None, None)


def test_times_are_those_of_the_policys_own_decisions() -> None:
    moves = (*(Move(1, "R1", 100 * each) for each in range(1, 101)), Move(0, "R2", 7))
    played_for_it = (Move(1, "R3", 0),)
    matches = [((1, 0), match((1, 2), moves=moves + played_for_it))]
    assert time_of(matches) == PolicyTime(100, 5050, 9900)
    assert time_of([]) is None


def test_faults_are_counted_by_bot_and_code_the_policys_first() -> None:
    late = FaultEntry(0, 1, "late", "out-of-time", "", False)
    gone = FaultEntry(1, 2, "gone", "closed", "", True)
    matches = [
        ((0, 1), match((2, 1), faults=(gone, late, late))),
        (
            (1, 0),
            match(
                (1, 2), faults=(FaultEntry(1, 0, "late", "out-of-time", "", True),), forfeits=(1,)
            ),
        ),
    ]
    assert faults_of(matches) == [
        PolicyFault(0, "late", "out-of-time", 3, 2),
        PolicyFault(1, "gone", "closed", 1, 1),
    ]
    assert forfeits_of(matches) == 1
