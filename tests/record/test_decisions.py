"""The decisions of a match as they were asked for, under the numbers that everything uses."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.games import GAMES
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.record import DoesNotFit, FaultEntry, Move, NoSuchMove, Note, Record
from arena.record.decisions import decision, decisions
from tests.audit.honest import Honest, honest
from tests.play import random_record

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]
RECORD = random_record("njet", 3)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_move_is_a_decision_with_the_view_and_the_actions_before_it(
    name: str, seats: int
) -> None:
    record = random_record(name, seats)
    game = GAMES[name]
    state = game.deal(seats, record.seed_bytes, record.options)
    for number, each in enumerate(decisions(record)):
        move = record.moves[number]
        assert (each.number, each.move, each.seat) == (number, move, move.seat)
        assert each.view() == state.view(move.seat)
        assert [*each.legal] == [game.actions.name(code) for code in state.legal(move.seat)]
        assert move.action in each.legal
        state.apply(move.seat, game.actions.code(move.action))
    assert each.number == len(record.moves) - 1


def test_one_decision_is_the_same_as_among_all_and_keeps_its_state() -> None:
    views = [(each.number, each.legal, each.view()) for each in decisions(RECORD)]
    for number in (0, 1, len(RECORD.moves) - 1):
        one = decision(RECORD, number)
        assert (one.number, one.legal, one.view()) == views[number]


@pytest.mark.parametrize("number", [-1, len(RECORD.moves), 10**9])
def test_a_number_that_no_move_has_is_told_with_those_there_are(number: int) -> None:
    words = f"this match has moves 0 to {len(RECORD.moves) - 1}; got {number}"
    with pytest.raises(NoSuchMove, match=words):
        decision(RECORD, number)
    with pytest.raises(NoSuchMove, match=r"this match has no moves; got 0"):
        decision(replace(RECORD, moves=()), 0)


def test_notes_and_faults_are_with_the_decision_that_they_belong_to() -> None:
    other = (RECORD.moves[5].seat + 1) % 3
    fault = FaultEntry(other, 5, "out-of-turn", "nothing-asked", "not asked")
    marked = replace(RECORD, notes=(Note(4, "hm"),), faults=(fault,))
    found = [*decisions(marked)]
    assert [each.number for each in found if each.note] == [4]
    assert found[4].note == "hm"
    assert [each.faults for each in found if each.faults] == [(fault,)]
    assert found[5].faults == (fault,)
    assert all(each.is_own for each in found), "an out-of-turn plays nothing"


def test_actions_that_the_referee_played_are_no_bots_own(tmp_path: Path) -> None:
    """Those of a fault that settles a request, and all of a forfeited seat."""
    home = honest(tmp_path, Honest(illegal=("hare",), sets=4))
    with Reader.read(home / DATABASE) as store:
        records = [each.record for one in store.complete_sets() for each in one.matches]
    hare = [record for record in records if "hare" in record.names]
    assert hare
    for record in records:
        seat = record.names.index("hare") if "hare" in record.names else None
        for each in decisions(record):
            assert each.is_own == (each.seat != seat), each.number


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Move(RECORD.moves[9].seat, "draw"), "no action of this game is called 'draw'"),
        (Move(9, RECORD.moves[9].action), "move 9 "),
        (RECORD.moves[0], "move 9 "),
    ],
)
def test_a_move_that_does_not_fit_is_no_decision(wrong: Move, words: str) -> None:
    broken: Record = replace(RECORD, moves=(*RECORD.moves[:9], wrong, *RECORD.moves[10:]))
    found: list[int] = []
    with pytest.raises(DoesNotFit, match=words):
        found.extend(each.number for each in decisions(broken))
    assert decision(broken, 8).number == 8
    with pytest.raises(DoesNotFit, match=words):
        decision(broken, 9)


def test_the_end_is_compared_as_in_a_replay() -> None:
    with pytest.raises(DoesNotFit, match="the match is not over"):
        list(decisions(replace(RECORD, moves=RECORD.moves[:-1])))
    with pytest.raises(DoesNotFit, match="the match is over"):
        list(decisions(replace(RECORD, moves=(*RECORD.moves, RECORD.moves[-1]))))
