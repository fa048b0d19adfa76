"""The states of a match again, and proof that it was played by the rules."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from arena.games import GAMES
from arena.record import DoesNotFit, Move, Record
from arena.record.replay import replay
from tests.play import random_record

RECORD = random_record("njet", 3)
TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_replay_gives_every_state_again(name: str, seats: int) -> None:
    record = random_record(name, seats)
    steps = [(step.number, step.move, step.state.view(None)) for step in replay(record)]
    assert [number for number, _, _ in steps] == [*range(-1, len(record.moves))]
    assert [move for _, move, _ in steps] == [None, *record.moves]
    state = GAMES[name].deal(seats, record.seed_bytes, record.options)
    assert steps[0][2] == state.view(None)
    assert [*replay(record)][-1].state.outcome() is not None


def broken(number: int, move: Move) -> Record:
    moves = (*RECORD.moves[:number], move, *RECORD.moves[number + 1 :])
    return replace(RECORD, moves=moves)


def test_the_first_action_that_does_not_fit_is_named() -> None:
    wrong = RECORD.moves[20]
    with pytest.raises(DoesNotFit, match=r"move 30 \(seat .*does not fit the rules") as caught:
        list(replay(broken(30, wrong)))
    assert caught.value.move == 30


def test_a_move_out_of_turn_does_not_fit() -> None:
    move = RECORD.moves[4]
    with pytest.raises(DoesNotFit, match="owes no decision now") as caught:
        list(replay(broken(4, Move((move.seat + 1) % 3, move.action))))
    assert caught.value.move == 4


def test_an_action_of_another_game_does_not_fit() -> None:
    with pytest.raises(DoesNotFit, match="no action of this game is called 'draw'"):
        list(replay(broken(0, Move(RECORD.moves[0].seat, "draw"))))


def test_a_match_that_is_not_over_does_not_fit() -> None:
    with pytest.raises(DoesNotFit, match="the match is not over: seats") as caught:
        list(replay(replace(RECORD, moves=RECORD.moves[:-1])))
    assert caught.value.move is None


def test_moves_after_the_end_do_not_fit() -> None:
    with pytest.raises(DoesNotFit, match="the match is over"):
        list(replay(replace(RECORD, moves=(*RECORD.moves, RECORD.moves[-1]))))


@pytest.mark.parametrize(
    "change",
    [{"scores": (9, 9, 9)}, {"places": (1, 2, 3)}, {"ending": "target"}],
)
def test_an_end_that_the_moves_do_not_lead_to_does_not_fit(change: dict[str, object]) -> None:
    assert RECORD.places != (1, 2, 3)
    with pytest.raises(DoesNotFit, match="its moves lead to"):
        list(replay(replace(RECORD, **change)))


def test_with_a_forfeited_seat_the_places_are_the_referees() -> None:
    record = replace(RECORD, places=(3, 1, 2), forfeits=(0,))
    assert len([*replay(record)]) == len(RECORD.moves) + 1


def test_a_match_cut_short_by_forfeits_fits_if_one_seat_is_left() -> None:
    short = replace(RECORD, moves=RECORD.moves[:9], ending="forfeit")
    assert len([*replay(replace(short, forfeits=(0, 2)))]) == 10
    for forfeits, ending in (((0,), "forfeit"), ((0, 2), "rounds")):
        with pytest.raises(DoesNotFit, match="not over"):
            list(replay(replace(short, forfeits=forfeits, ending=ending)))


@pytest.mark.parametrize("change", [{"game": "chess"}, {"seats": 7}, {"options": {"colour": 1}}])
def test_a_match_that_cannot_be_dealt_does_not_fit(change: dict[str, object]) -> None:
    with pytest.raises(DoesNotFit, match="cannot have been dealt"):
        list(replay(replace(RECORD, **change)))


def test_a_misfit_is_told_in_whole_sentences() -> None:
    """Of the words of the game itself only the end."""
    wrong, last = RECORD.moves[20], len(RECORD.moves) - 1
    owing = RECORD.moves[-1].seat
    told = {
        "action": broken(30, wrong),
        "deal": replace(RECORD, seats=9),
        "over": replace(RECORD, moves=RECORD.moves[:-1]),
        "end": replace(RECORD, ending="target"),
    }
    found = {}
    for name, record in told.items():
        with pytest.raises(DoesNotFit) as caught:
            list(replay(record))
        found[name] = str(caught.value), caught.value.move
    action, deal = found.pop("action"), found.pop("deal")
    assert action[0].startswith(
        f"move 30 (seat {wrong.seat}, {wrong.action!r}) does not fit the rules: "
    )
    assert deal[0].startswith("this match cannot have been dealt: ")
    assert (action[1], deal[1]) == (30, None)
    ending = (RECORD.scores, RECORD.ending, RECORD.places)
    assert found == {
        "over": (
            f"after its last move ({last} in all) the match is not over: seats {owing} are to act",
            None,
        ),
        "end": (
            f"the record tells the end {(RECORD.scores, 'target', RECORD.places)}, its moves lead"
            f" to {ending}",
            None,
        ),
    }


def test_a_match_with_one_seat_left_need_not_be_over_and_with_two_it_must() -> None:
    """Forfeits may end it before its game does."""
    cut = replace(RECORD, moves=RECORD.moves[:-1], ending="forfeit")
    assert [*replay(replace(cut, forfeits=(0, 2)))]
    for forfeits, ending in (((0,), "forfeit"), ((0, 2), RECORD.ending)):
        with pytest.raises(DoesNotFit, match="the match is not over"):
            list(replay(replace(cut, forfeits=forfeits, ending=ending)))
