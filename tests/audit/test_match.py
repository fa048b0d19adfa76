"""One match of a complete set, and the bounds of what its record may name."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from arena.audit.match import is_about_its_seats, is_time, of_forfeits, of_play
from arena.record import FaultEntry, Move, Note
from tests.play import random_record

RECORD = random_record("nyet", 4)
MOVES = len(RECORD.moves)


def moved(seat: int, time_us: int) -> dict[str, Any]:
    """The first move is by this seat, in this time."""
    first, *others = RECORD.moves
    return {"moves": (Move(seat, first.action, time_us), *others)}


def noted(*moves: int) -> dict[str, Any]:
    return {"notes": tuple(Note(move, "a remark") for move in moves)}


def faulty(seat: int, move: int, kind: str = "illegal") -> dict[str, Any]:
    return {"faults": (FaultEntry(seat, move, kind, "not-legal", "a fault"),)}


@pytest.mark.parametrize(
    "change",
    [
        {},
        moved(0, 0),
        moved(3, 1),
        noted(0, MOVES - 1),
        faulty(0, 0),
        faulty(3, MOVES),  # in the decision that was not made any more
        {"scores": ()},
    ],
)
def test_a_record_may_name_all_its_seats_and_moves(change: dict[str, Any]) -> None:
    assert is_about_its_seats(replace(RECORD, **change))


@pytest.mark.parametrize(
    "change",
    [
        moved(-1, 1),
        moved(4, 1),
        moved(0, -1),
        noted(-1),
        noted(0, MOVES),
        faulty(-1, 0),
        faulty(4, 0),
        faulty(0, -1),
        faulty(0, MOVES + 1),
        faulty(0, 0, "party"),
        {"places": (1, 2, 3)},
        {"places": (1, 2, 3, 4, 5)},
        {"scores": (1,)},
        {"scores": (1, 2, 3)},
        {"scores": (1, 2, 3, 4, 5)},
    ],
)
def test_a_record_that_names_other_seats_or_moves_is_damaged(change: dict[str, Any]) -> None:
    assert not is_about_its_seats(replace(RECORD, **change))


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("2026-01-31T23:59:59Z", True),
        ("2026-02-31T23:59:59Z", False),
        ("2026-01-31", False),
        ("2026-1-31T23:59:59Z", False),
        ("2026-01-31T23:59:9Z", False),
        ("", False),
    ],
)
def test_a_time_is_told_from_other_text(text: str, so: bool) -> None:
    assert is_time(text) is so


@pytest.mark.parametrize(
    ("forfeit", "to_forfeit", "wrong"),
    [
        ((False, False), 3, []),
        ((False, True), 2, []),
        ((False, True), 3, ["fault 2 forfeits seat 1 too early"]),
        ((False, False), 2, ["fault 2 should forfeit seat 1, and does not"]),
        ((True, True), 2, ["fault 1 forfeits seat 1 too early"]),
    ],
)
def test_the_fault_that_is_one_too_many_forfeits_and_none_before(
    forfeit: tuple[bool, ...], to_forfeit: int, wrong: list[str]
) -> None:
    faults = tuple(FaultEntry(1, 0, "illegal", "not-legal", "a fault", each) for each in forfeit)
    forfeits = tuple(1 for each in forfeit if each)
    assert [*of_forfeits(replace(RECORD, faults=faults, forfeits=forfeits), to_forfeit)] == wrong


class Unsliced(tuple[FaultEntry, ...]):
    """Faults of which no part may be copied: a copy for each fault takes time by their square."""

    def __getitem__(self, at: Any) -> Any:
        assert not isinstance(at, slice)
        return super().__getitem__(at)


def test_faults_are_gone_through_once() -> None:
    faults = Unsliced(FaultEntry(1, 0, "illegal", "not-legal", "a fault") for _ in range(10_000))
    wrong = [*of_forfeits(replace(RECORD, faults=faults), 9_999)]
    assert wrong == [
        "fault 9999 should forfeit seat 1, and does not",
        "fault 10000 should forfeit seat 1, and does not",
    ]


def test_a_match_that_was_cut_short_has_no_scores_and_ends_by_forfeit() -> None:
    wrong = "it was cut short, and has scores"
    gone = tuple(FaultEntry(seat, MOVES - 1, "gone", "closed", "left", True) for seat in (0, 2, 3))
    short = replace(
        RECORD,
        moves=RECORD.moves[:-1],
        faults=gone,
        forfeits=(0, 2, 3),
        places=(2, 1, 2, 2),
        ending="forfeit",
        scores=(),
    )
    assert [*of_play(short)] == []
    assert [*of_play(replace(short, places=(1, 1, 2, 2)))] == [
        "its places are 1, 1, 2, 2; by its moves and forfeits 2, 1, 2, 2"
    ]
    assert [*of_play(replace(short, scores=(1, 2, 3, 4)))] == [wrong]
    assert [*of_play(replace(short, ending=RECORD.ending))] == [
        f"after its last move ({MOVES - 1} in all) the match is not over: seats 1 are to act"
    ]
