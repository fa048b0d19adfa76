"""Late and not late, by the times of a record."""

from __future__ import annotations

from msgspec.structs import replace

from arena.audit.lateness import of_lateness
from arena.record import FaultEntry, Record
from arena.record.timing import BotClock, Timing
from tests.play import random_record

TIMING = Timing(decision_ms=100, bank_ms=300)
RECORD = random_record("nyet", 2)
# The numbers of the first decisions of seat 0.
FIRST, SECOND, THIRD, *_ = [at for at, move in enumerate(RECORD.moves) if move.seat == 0]


def took(*times: tuple[int, int], faults: tuple[FaultEntry, ...] = ()) -> Record:
    """The record with these times in milliseconds by number of move; all others took 1 ms."""
    by_move = dict(times)
    moves = tuple(
        replace(move, time_us=by_move.get(at, 1) * 1000) for at, move in enumerate(RECORD.moves)
    )
    return replace(RECORD, moves=moves, faults=faults)


def fault(move: int, kind: str, *, forfeit: bool = False) -> FaultEntry:
    return FaultEntry(0, move, kind, "a code", "a text", forfeit)


def found(record: Record) -> list[str]:
    return [*of_lateness(record, TIMING)]


def test_times_within_the_free_time_and_the_bank_fit() -> None:
    assert found(took((FIRST, 250), (SECOND, 250))) == []
    assert found(took((FIRST, 400), (SECOND, 100))) == []


def test_a_decision_beyond_what_was_left_is_found() -> None:
    told = found(took((FIRST, 250), (SECOND, 251)))
    assert told == [f"move {SECOND} of seat 0 took 251000 of 250000 us, and was not ruled late"]


def test_a_ruling_in_time_is_found() -> None:
    told = found(took((FIRST, 399), faults=(fault(FIRST, "late"),)))
    assert told == [f"move {FIRST} of seat 0 took 399000 of 400000 us, and was ruled late"]
    assert found(took((FIRST, 400), faults=(fault(FIRST, "late"),))) == []


def test_after_a_late_ruling_the_bank_is_empty() -> None:
    late = fault(FIRST, "late")
    assert found(took((FIRST, 401), (SECOND, 100), faults=(late,))) == []
    assert len(found(took((FIRST, 401), (SECOND, 101), faults=(late,)))) == 1


def test_an_answer_that_is_not_legal_may_come_late_and_is_paid_for() -> None:
    illegal = fault(FIRST, "illegal")
    assert found(took((FIRST, 500), faults=(illegal,))) == []
    assert len(found(took((FIRST, 300), (SECOND, 201), faults=(illegal,)))) == 1


def test_a_message_out_of_turn_excuses_nothing() -> None:
    assert len(found(took((FIRST, 401), faults=(fault(FIRST, "out-of-turn"),)))) == 1


def test_of_a_forfeited_seat_no_time_matters() -> None:
    forfeits = fault(SECOND, "gone", forfeit=True)
    assert found(took((SECOND, 9000), (THIRD, 9000), faults=(forfeits,))) == []


def test_a_seat_is_judged_by_its_own_clock() -> None:
    clocks = (BotClock(decision_ms=500, bank_ms=0, hang_ms=5000), None)
    slow = took((FIRST, 500), (SECOND, 500))
    assert len(found(slow)) == 2
    assert found(replace(slow, clocks=clocks)) == []
    assert len(found(replace(slow, clocks=clocks[::-1]))) == 2
