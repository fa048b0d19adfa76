"""The result of sets in words, from records without bots."""

from __future__ import annotations

from msgspec.structs import replace

from arena.cli.match_text import told_results
from arena.compare.play import Comparison, SeatedResult
from arena.compare.sets import seatings
from arena.record import FaultEntry
from arena.referee.match import Plan, Result
from protocol.breaches import out_of_time
from tests.helpers import fault_of
from tests.play import random_record

RECORD = random_record("nope", 2)
PLAN = Plan(match="", game="nope", seats=2, seed=b"seed", names=("fox", "owl"))


def compared(wins: str, wanted: int) -> Comparison:
    """A comparison of sets that the first bot (1), the other (0) or neither (-) won."""
    comparison = Comparison(PLAN, wanted, [(0,), (1,)])
    for each in wins:
        places = {"1": (1, 2), "0": (2, 1), "-": (1, 1)}[each]
        comparison.played.append(
            [
                SeatedResult(
                    seating,
                    Result(replace(RECORD, places=tuple(places[bot] for bot in seating)), (), None),
                )
                for seating in seatings(2)
            ]
        )
    assert len([*comparison.count()]) == len(wins)
    return comparison


def test_of_many_misses_it_is_told_which_are_no_faults() -> None:
    """Misses in a row are one fault (SPEC 6.4)."""
    comparison = compared("11", 2)
    late = out_of_time(2, 1)
    entries = [
        FaultEntry(0, move, "late", "out-of-time", fault_of(late, again=move > 0).text, False)
        for move in range(4)
    ]
    first = comparison.played[0][0]
    record = replace(first.result.record, faults=tuple(entries), names=("fox", "owl"))
    comparison.played[0][0] = SeatedResult(first.seating, Result(record, (), None))
    assert "fox: late (out-of-time) 4 times, in 1 match, 3 of them no faults (SPEC 6.4)" in [
        *told_results(comparison)
    ]


def last_line(wins: str, wanted: int) -> str:
    return list(told_results(compared(wins, wanted)))[-1]


def test_separated_is_told_when_all_sets_that_were_asked_for_are_played() -> None:
    """To look before, and to stop when it suits, would call equal bots different."""
    assert last_line("111-11", 6) == "fox over owl: 0.833 ±0.428, separated"
    assert last_line("111-11", 7) == (
        "fox over owl: 0.833 ±0.428, no verdict before all sets are played"
    )


def test_of_bots_that_are_not_separated_the_sets_for_a_sure_verdict_are_told() -> None:
    assert last_line("1101-010", 8) == (
        "fox over owl: 0.125 ±0.829, not separated; a comparison of 817 sets would separate them"
        " in 95 of 100 cases, if they differ as much as here"
    )
    assert last_line("10", 2) == "fox over owl: 0.000 ±?, level or too few sets to tell"
