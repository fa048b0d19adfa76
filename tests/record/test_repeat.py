"""Recorded seats that repeat their actions in another match from the same deal."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from arena.games import GAMES
from arena.record import Move, Record
from arena.record.repeat import Departure, Repeated, first_departure, first_forced
from tests.play import random_record

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]


def played_again(record: Record, seat: int, chance: int | None = None) -> Record:
    """The match in which all others repeat the record; the seat plays at random, if chance is
    given."""
    game = GAMES[record.game]
    state = game.deal(record.seats, record.seed_bytes, record.options)
    others = [Repeated(record, each) for each in range(record.seats)]
    rng = random.Random(chance)
    moves: list[Move] = []
    while owing := state.to_act():
        number = len(moves)
        asked = record.moves[number].seat if chance is None else owing[0]
        legal = [game.actions.name(code) for code in state.legal(asked)]
        own = asked == seat and chance is not None
        action = rng.choice(legal) if own else others[asked].pick(state.view(asked), legal)
        assert action in legal
        state.apply(asked, game.actions.code(action))
        moves.append(Move(asked, action))
    return replace(record, moves=tuple(moves))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_where_nobody_does_otherwise_the_match_is_the_recorded_one(name: str, seats: int) -> None:
    record = random_record(name, seats, options=GAMES[name].trials.short)
    again = played_again(record, 0)
    assert [(each.seat, each.action) for each in again.moves] == [
        (each.seat, each.action) for each in record.moves
    ]
    assert first_departure(record, again) is None
    assert first_forced(record, again, 0) is None


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_after_a_difference_the_others_play_on_legally_and_the_same_each_time(
    name: str, seats: int
) -> None:
    record = random_record(name, seats)
    for chance in range(5):
        again = played_again(record, 0, chance)
        assert again == played_again(record, 0, chance)
        departed = first_departure(record, again)
        if departed is None:
            continue
        assert departed.seat == 0
        before = departed.move
        assert [each.action for each in again.moves[:before]] == [
            each.action for each in record.moves[:before]
        ]
        assert again.moves[before].action == departed.played != departed.recorded
        forced = first_forced(record, again, 0)
        assert forced is None or forced.move > departed.move
        assert forced is None or forced.seat != 0


def test_an_action_that_is_not_legal_now_waits_and_a_later_one_is_played() -> None:
    record = random_record("nyet", 4)
    seat = record.moves[-1].seat
    own = [move.action for move in record.moves if move.seat == seat]
    repeated = Repeated(record, seat)
    assert repeated.pick({"round": 1}, own[1:]) == own[1]
    assert repeated.pick({"round": 1}, own) == own[0]
    assert repeated.pick({"round": 1}, own) == own[2]


def test_actions_of_another_round_are_not_played_in_this_one() -> None:
    record = random_record("nyet", 4, options={"rounds": 2})
    repeated = Repeated(record, 0)
    first, second = (
        [one.action for one in record.moves[half] if one.seat == 0]
        for half in (slice(0, len(record.moves) // 2), slice(len(record.moves) // 2, None))
    )
    assert repeated.pick({"round": 2}, [first[0], second[0]]) == second[0]
    assert repeated.pick({"round": 1}, [first[0], second[0]]) == first[0]


def test_where_nothing_recorded_is_legal_a_lot_decides_the_same_each_time() -> None:
    record = random_record("nope", 2)
    legal = [f"other {number}" for number in range(20)]
    drawn = [[Repeated(record, seat).pick({}, legal) for _ in range(2)] for seat in (0, 1)]
    assert drawn[0][0] == drawn[0][1]
    repeated = Repeated(record, 0)
    assert len({repeated.pick({}, legal) for _ in range(20)}) > 5
    assert drawn[0] != drawn[1]


RECORD = replace(
    random_record("nope", 2), moves=(Move(0, "a"), Move(1, "x"), Move(0, "b"), Move(1, "y"))
)


@pytest.mark.parametrize(
    ("moves", "departed", "forced"),
    [
        (RECORD.moves, None, None),
        ((Move(0, "b"), Move(1, "x")), Departure(0, 0, "b", "a"), None),
        (
            (Move(0, "b"), Move(1, "y"), Move(1, "x")),
            Departure(0, 0, "b", "a"),
            Departure(1, 1, "y", "x"),
        ),
        (
            (Move(0, "a"), Move(1, "x"), Move(1, "y"), Move(1, "z")),
            Departure(2, 1, "y", None),
            Departure(3, 1, "z", None),
        ),
        ((*RECORD.moves, Move(0, "c")), Departure(4, 0, "c", None), None),
    ],
)
def test_departures_are_the_first_of_all_and_the_first_that_was_forced(
    moves: tuple[Move, ...], departed: Departure | None, forced: Departure | None
) -> None:
    again = replace(RECORD, moves=moves)
    assert first_departure(RECORD, again) == departed
    assert first_forced(RECORD, again, 0) == forced


def test_it_tells_how_much_of_the_record_is_left() -> None:
    record = random_record("nyet", 4)
    own = [move.action for move in record.moves if move.seat == 2]
    again = Repeated(record, 2)
    assert repr(again) == f"<Repeated, {len(own)} actions left>"
    again.pick({"round": 1}, own[:1])
    assert repr(again) == f"<Repeated, {len(own) - 1} actions left>"
