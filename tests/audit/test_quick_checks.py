"""The quick checks of a match without faults say of every record what the thorough ones say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.audit.lateness import of_lateness, was_in_time, wrong_rulings
from arena.audit.match import misplays, of_play, plays_out
from arena.games import GAMES
from arena.record import FaultEntry, Move, Record
from arena.record.timing import BotClock, Timing
from tests.play import random_record

RECORDS = {name: random_record(name, 4 if 4 in game.seats else 2) for name, game in GAMES.items()}
RECORD = RECORDS["nyet"]
TIMING = Timing(decision_ms=100, bank_ms=300)
CLOCK = BotClock(decision_ms=50, bank_ms=1_000, hang_ms=5_000)
FIRST, *OTHERS = RECORD.moves

TAMPERINGS: list[dict[str, Any]] = [
    {"moves": ()},
    {"moves": RECORD.moves[:-1]},
    {"moves": (*RECORD.moves, FIRST)},
    {"moves": tuple(OTHERS)},
    {"moves": (Move(FIRST.seat, "no-such"), *OTHERS)},
    {"moves": (Move(FIRST.seat, ""), *OTHERS)},
    {"moves": (Move((FIRST.seat + 1) % 4, FIRST.action), *OTHERS)},
    {"moves": RECORD.moves[::-1]},
    {"scores": ()},
    {"scores": RECORD.scores[::-1]},
    {"scores": (*RECORD.scores[:-1], RECORD.scores[-1] + 1)},
    {"places": (1, 1, 1, 1)},
    {"places": tuple(place + 1 for place in RECORD.places)},
    {"places": RECORD.places[:-1]},
    {"ending": "forfeit"},
    {"ending": "moo"},
    {"ending": "forfeit", "moves": RECORD.moves[:-1]},
    {"seed": "00" * 32},
    {"options": {"rounds": 5}},
    {"options": {"moo": 5}},
    {"seats": 3},
    {"game": "njet"},
    {"forfeits": (0,)},
    {"faults": (FaultEntry(0, 0, "out-of-turn", "nothing-asked", "a fault"),)},
]


@pytest.mark.parametrize("name", GAMES)
def test_a_match_as_it_was_played_takes_the_quick_way(name: str) -> None:
    assert plays_out(RECORDS[name])
    assert was_in_time(RECORDS[name], TIMING)
    assert [*misplays(RECORDS[name])] == [*wrong_rulings(RECORDS[name], TIMING)] == []


@pytest.mark.parametrize("change", TAMPERINGS, ids=str)
def test_a_match_that_was_tampered_with_is_told_in_the_words_of_the_thorough_check(
    change: dict[str, Any],
) -> None:
    record = replace(RECORD, **change)
    words = [*misplays(record)]
    assert [*of_play(record)] == words
    if not (record.faults or record.forfeits):
        assert plays_out(record) is (words == [])


@given(
    st.integers(0, len(RECORD.moves) - 1),
    st.integers(0, 3),
    st.sampled_from(GAMES["nyet"].actions.names),
)
def test_any_other_move_is_judged_alike(at: int, seat: int, action: str) -> None:
    moves = (*RECORD.moves[:at], Move(seat, action), *RECORD.moves[at + 1 :])
    record = replace(RECORD, moves=moves)
    assert plays_out(record) is ([*misplays(record)] == [])


def slow(times: dict[int, int], clocks: tuple[BotClock | None, ...]) -> Record:
    """The record with these times in microseconds by number of move; all others took none."""
    moves = tuple(
        replace(move, time_us=times.get(number, 0)) for number, move in enumerate(RECORD.moves)
    )
    return replace(RECORD, moves=moves, clocks=clocks)


# Around what is free, what is in the bank, and what both allow.
TIMES = st.sampled_from([0, 50_000, 50_001, 99_999, 100_000, 100_001, 200_000, 400_000, 400_001])


@given(
    st.dictionaries(st.integers(0, len(RECORD.moves) - 1), TIMES, max_size=20),
    st.sampled_from([(), (CLOCK, None, None, CLOCK)]),
)
def test_any_times_are_judged_alike(
    times: dict[int, int], clocks: tuple[BotClock | None, ...]
) -> None:
    record = slow(times, clocks)
    words = [*wrong_rulings(record, TIMING)]
    assert was_in_time(record, TIMING) is (words == [])
    assert [*of_lateness(record, TIMING)] == words


def test_with_a_fault_the_thorough_check_decides() -> None:
    """It may be a late ruling, which empties the bank."""
    fault = FaultEntry(FIRST.seat, 0, "late", "out-of-time", "it was late")
    record = replace(RECORD, faults=(fault,))
    assert not was_in_time(record, TIMING)
    assert [*of_lateness(record, TIMING)] == [*wrong_rulings(record, TIMING)] != []
