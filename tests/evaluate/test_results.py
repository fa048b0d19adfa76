"""The results of an evaluation, worked out by hand."""

from __future__ import annotations

import math

import pytest

from arena.evaluate.results import (
    EloBar,
    PolicyFault,
    PolicyTime,
    against,
    faults_of,
    forfeits_of,
    superiority,
    time_of,
)
from arena.record import FORMAT, VERSION, FaultEntry, Move, Record
from arena.stats import Mean


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
    assert against([one], [1]).ahead == Mean(0.75, None)
    assert against([one], [2]).ahead == Mean(0.5, None)
    assert against([one], [1, 2]).ahead == Mean((1 + 0.25) / 2, None)


def test_the_ends_of_a_bar_are_those_of_the_share_in_elo() -> None:
    bar = EloBar.of(Mean(0.6, 0.1))
    assert (bar.elo, bar.low, bar.high) == pytest.approx(
        tuple(400 * math.log10(share / (1 - share)) for share in (0.6, 0.5, 0.7)), abs=1e-9
    )
    assert EloBar.of(Mean(0.9, 0.2)).high == math.inf
    assert EloBar.of(Mean(0.1, 0.2)).low == -math.inf
    assert EloBar.of(Mean(0.5, None)) == EloBar(0, -math.inf, math.inf)


def test_the_chance_to_be_better_is_students() -> None:
    # Mean 0.7, standard error 0.1 (sd 0.2236 over 5): t = 2 with 4 degrees of freedom.
    shares = [0.7 + 0.1 * math.sqrt(5) * each for each in (-1.2649111, -0.6324555, 0)]
    shares += [0.7 + 0.1 * math.sqrt(5) * each for each in (0.6324555, 1.2649111)]
    assert superiority(shares) == pytest.approx(0.9419, abs=1e-4)
    assert superiority([1 - each for each in shares]) == pytest.approx(0.0581, abs=1e-4)
    assert superiority([0.5] * 9) == 0.5
    assert superiority(shares[:4]) is None
    assert superiority([1.0] * 5) == pytest.approx(1)


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
