"""Judging whole matches: which decisions, in which order, with which effort."""

from __future__ import annotations

from dataclasses import replace as replace_fields
from functools import cache
from itertools import count
from typing import cast

import pytest
from msgspec.structs import replace

from arena.games import GAMES, Game, State
from arena.judge.document import document
from arena.judge.judgement import ActionValue, Decided, Judgement
from arena.judge.judging import Effort, judge, questions_of, weigh
from arena.judge.weighing import Question, Weighing
from arena.record import DoesNotFit, FaultEntry, Move, Record
from arena.record.decisions import decisions
from tests.judge.equal_actions import EqualValues, NoCards, wide
from tests.play import random_record

GAME = "nope"
RECORD = random_record(GAME, 3, options={"max_turns": 12})
WORLDS = 8


def untold(what: str, done: int, of: int) -> None:
    pass


@cache
def judged(seed: str = "0", seats: tuple[int, ...] = (0, 1, 2)) -> Judgement:
    return judge(RECORD, seats, Effort(WORLDS, seed=seed), untold)


def test_every_decision_with_a_choice_is_judged_once_and_in_order() -> None:
    own = [each.number for each in decisions(RECORD) if len(each.legal) > 1]
    assert [each.number for each in judged().decided] == own


def test_every_legal_action_has_a_value_and_the_one_played_is_compared_with_itself() -> None:
    by_number = {each.number: each for each in decisions(RECORD)}
    for decided in judged().decided:
        asked = by_number[decided.number]
        assert {each.action for each in decided.actions} == {*asked.legal}
        assert decided.played == asked.move.action
        played = next(each for each in decided.actions if each.action == decided.played)
        assert (played.more, played.bar, played.worlds) == (0, 0, WORLDS)


def test_the_counts_of_a_seat_are_all_its_decisions() -> None:
    for seat, told in judged().seats.items():
        moves = sum(move.seat == seat for move in RECORD.moves)
        assert told.judged + told.forced + told.not_own + told.unlooked == moves


def test_one_seat_alone_is_judged_with_bars_for_its_own_comparisons() -> None:
    alone, whole = judged(seats=(1,)), judged()
    assert {each.seat for each in alone.decided} == {1}
    assert alone.comparisons < whole.comparisons
    assert [*alone.seats] == [1]


def test_the_same_seed_and_worlds_give_the_same_judgement_and_another_seed_another() -> None:
    again = judge(RECORD, (0, 1, 2), Effort(WORLDS, seed="0"), untold)
    assert document(RECORD, again) == document(RECORD, judged())
    assert document(RECORD, judged("1")) != document(RECORD, judged())


def test_a_decision_is_judged_in_the_same_worlds_with_or_without_the_other_seats() -> None:
    alone = {each.number: each for each in judged(seats=(1,)).decided}
    whole = {each.number: each for each in judged().decided}
    for number, decided in alone.items():
        values = {each.action: each.value for each in decided.actions}
        assert values == {each.action: each.value for each in whole[number].actions}


def test_decisions_that_the_referee_made_in_a_bots_place_are_not_judged() -> None:
    choices, _, _ = questions_of(RECORD, GAMES[GAME], (0, 1, 2))
    fault = FaultEntry(choices[0].seat, choices[0].number, "illegal", "not-legal", "text")
    record = replace(RECORD, faults=(fault,))
    left, _, not_own = questions_of(record, GAMES[GAME], (0, 1, 2))
    assert [each.number for each in left] == [each.number for each in choices[1:]]
    assert not_own[choices[0].seat] == 1


def test_an_effort_that_ends_early_tells_which_decisions_it_did_not_reach() -> None:
    calls = count()
    effort = Effort(WORLDS, is_over=lambda: next(calls) >= 3 * WORLDS)
    judgement = judge(RECORD, (0, 1, 2), effort, untold)
    assert len(judgement.decided) == 3
    assert judgement.worlds == 3 * WORLDS
    unlooked = sum(each.unlooked for each in judgement.seats.values())
    assert unlooked == len(judged().decided) - 3


class SureAndUnsure:
    """Seat 0 loses much with every action but its own; for seat 1 all is luck."""

    measure = EqualValues(wide).measure

    def value(self, world: State, seat: int, action: int, seed: int) -> float:
        return -10.0 * action if seat == 0 else EqualValues(wide).value(world, seat, action, seed)


def test_what_is_not_settled_gets_more_worlds_and_nothing_else_does() -> None:
    game = cast(Game, NoCards())
    weighings = [
        Weighing(game, SureAndUnsure(), Question(seat, seat, {}, (0, 1, 2), 0), "0")
        for seat in (0, 1)
    ]
    weigh(weighings, 4, Effort(256), untold)
    assert [each.worlds for each in weighings] == [32, 256]
    assert [each.result.verdict for each in weighings if each.result] == ["fine", "undecided"]


def test_the_value_of_an_action_is_its_mean_over_the_worlds() -> None:
    game = cast(Game, NoCards())
    weighing = Weighing(game, SureAndUnsure(), Question(0, 0, {}, (0, 1, 2), 1), "0")
    weigh([weighing], 2, Effort(32), untold)
    assert weighing.result is not None
    assert [each.value for each in weighing.result.actions] == [0.0, -10.0, -20.0]


class WorseButUnsure:
    """Action 1 is a little worse than 0 on average, and much differs from world to world."""

    measure = EqualValues(wide).measure

    def value(self, world: State, seat: int, action: int, seed: int) -> float:
        return EqualValues(wide).value(world, seat, action, seed) - 0.5 * action


def test_an_action_that_is_only_probably_worse_gets_more_worlds() -> None:
    game = cast(Game, NoCards())
    weighing = Weighing(game, WorseButUnsure(), Question(0, 0, {}, (0, 1), 0), "0")
    weigh([weighing], 1, Effort(128), untold)
    assert weighing.result is not None
    other = next(each for each in weighing.result.actions if each.more)
    assert other.more < 0 < other.most
    assert other.worlds == 128


class NearlyAMistake:
    """For seat 1 action 1 is better than 0, though by less than the bar of a few worlds."""

    measure = EqualValues(wide).measure

    def value(self, world: State, seat: int, action: int, seed: int) -> float:
        return EqualValues(wide).value(world, seat, action, seed) + 3 * action * seat


def test_the_decision_that_is_nearest_to_a_mistake_gets_more_worlds_first() -> None:
    game = cast(Game, NoCards())
    weighings = [
        Weighing(game, NearlyAMistake(), Question(seat, seat, {}, (0, 1), 0), "0")
        for seat in (0, 1)
    ]
    calls = count()
    weigh(weighings, 2, Effort(is_over=lambda: next(calls) >= 96), untold)
    assert [each.worlds for each in weighings] == [32, 64]


def test_mistakes_come_worst_first() -> None:
    def mistake(number: int, more: float) -> Decided:
        actions = (ActionValue("B", more, more, 0.1, 64), ActionValue("A", 0.0, 0.0, 0.0, 64))
        return Decided(number, 0, "A", actions, negligible=0.25)

    decided = (mistake(3, 1.0), mistake(5, 4.0), mistake(8, 0.05), mistake(9, 2.0))
    judgement = replace_fields(judged(), decided=decided)
    assert [each.number for each in judgement.mistakes] == [5, 9, 3]


def test_progress_is_told_with_a_total() -> None:
    told: list[tuple[str, int, int]] = []
    judge(RECORD, (0, 1, 2), Effort(16), lambda *news: told.append(news))
    whole = len(judged().decided)
    assert {what for what, _, _ in told} == {"decisions looked at"}
    assert [done for _, done, _ in told] == [*range(whole)]
    assert {of for _, _, of in told} == {whole}


def test_a_record_that_breaks_the_rules_is_refused() -> None:
    first = RECORD.moves[0]
    wrong = replace(RECORD, moves=(Move(first.seat, "R3" * 9), *RECORD.moves[1:]))
    with pytest.raises(DoesNotFit, match="move 0"):
        judge(wrong, (0,), Effort(WORLDS), untold)


def test_a_match_without_choices_has_an_empty_judgement() -> None:
    """Every decision of this match had one legal action."""
    record: Record = replace(RECORD, faults=tuple(everything_faulty()))
    judgement = judge(record, (0, 1, 2), Effort(WORLDS), untold)
    assert judgement.decided == ()
    assert judgement.comparisons == 0


def everything_faulty() -> list[FaultEntry]:
    return [
        FaultEntry(move.seat, number, "illegal", "not-legal", "text")
        for number, move in enumerate(RECORD.moves)
    ]
