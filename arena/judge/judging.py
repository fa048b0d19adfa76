"""Judging all decisions of a match: few worlds for each, then more where it is not settled yet.

Pure: whether there is time left is asked of the caller.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from arena.games import GAMES, Game
from arena.judge.bars import MOST_LOOKS, MOST_WORLDS, Level, worlds_at
from arena.judge.judgement import Judgement, SeatCount
from arena.judge.policies import values_of
from arena.judge.weighing import Question, Weighing
from arena.record import Record
from arena.record.decisions import decisions

Tell: TypeAlias = Callable[[str, int, int], object]
"""Called with the things counted, their number so far, and their total."""


@dataclass(frozen=True)
class Effort:
    """The effort of a judgement.

    `most_worlds`: for one decision. `is_over`: asked before each world, and True ends the work.
    With the same seed and no end by `is_over` a judgement is the same on any machine.
    """

    most_worlds: int = MOST_WORLDS
    is_over: Callable[[], bool] = field(default=lambda: False)
    seed: str = "0"

    def worlds_at(self, look: int) -> int:
        return min(worlds_at(look), self.most_worlds)

    def is_last(self, look: int) -> bool:
        return look == MOST_LOOKS or worlds_at(look) >= self.most_worlds


def judge(record: Record, seats: Collection[int], effort: Effort, tell: Tell) -> Judgement:
    """Judge the decisions of these seats. Raises DoesNotFit if the record breaks the rules.

    Left out are decisions with a single legal action, and those that the referee made in the place
    of a bot.
    """
    game = GAMES[record.game]
    questions, forced, not_own = questions_of(record, game, seats)
    values = values_of(game)
    weighings = [Weighing(game, values, question, effort.seed) for question in questions]
    comparisons = sum(len(question.legal) - 1 for question in questions)
    weigh(weighings, comparisons, effort, tell)
    decided = tuple(each.result for each in weighings if each.result is not None)
    judged = Counter(each.seat for each in decided)
    verdicts = Counter((each.seat, each.verdict) for each in decided)
    chosen = Counter(each.seat for each in questions)
    counts = {
        seat: SeatCount(
            judged=judged[seat],
            mistakes=verdicts[seat, "mistake"],
            undecided=verdicts[seat, "undecided"],
            forced=forced[seat],
            not_own=not_own[seat],
            unlooked=chosen[seat] - judged[seat],
        )
        for seat in sorted(seats)
    }
    worlds = sum(each.worlds for each in weighings)
    return Judgement(values.measure, decided, counts, worlds, comparisons, effort.seed)


def questions_of(
    record: Record, game: Game, seats: Collection[int]
) -> tuple[list[Question], Counter[int], Counter[int]]:
    """Return the decisions to be judged; by seat, how many were forced, and not the bot's own."""
    questions: list[Question] = []
    forced: Counter[int] = Counter()
    not_own: Counter[int] = Counter()
    code = game.actions.code
    for each in decisions(record):
        if each.seat not in seats:
            continue
        if not each.is_own:
            not_own[each.seat] += 1
        elif len(each.legal) == 1:
            forced[each.seat] += 1
        else:
            legal = tuple(map(code, each.legal))
            questions.append(
                Question(each.number, each.seat, each.view(), legal, code(each.move.action))
            )
    return questions, forced, not_own


def weigh(weighings: Sequence[Weighing], comparisons: int, effort: Effort, tell: Tell) -> None:
    """Look at each decision once; then again, with twice the worlds, at those not settled.

    Those that are nearest to a mistake come first, in case the effort ends before all are settled.
    """
    level = Level(max(comparisons, 1))
    for number, weighing in enumerate(weighings):
        tell("decisions looked at", number, len(weighings))
        if not looked(weighing, level, effort):
            return
    waiting: list[tuple[float, int]] = []

    def queue(number: int) -> None:
        weighing = weighings[number]
        result = weighing.result
        assert result is not None
        if not result.is_settled and not effort.is_last(weighing.looks):
            heapq.heappush(waiting, (-result.promise, number))

    for number in range(len(weighings)):
        queue(number)
    while waiting:
        tell("decisions settled", len(weighings) - len(waiting), len(weighings))
        number = heapq.heappop(waiting)[1]
        if not looked(weighings[number], level, effort):
            return
        queue(number)


def looked(weighing: Weighing, level: Level, effort: Effort) -> bool:
    """Add worlds up to the next look and take it; return False if the effort ended before."""
    goal = effort.worlds_at(weighing.looks + 1)
    while weighing.worlds < goal:
        if effort.is_over():
            return False
        weighing.add_world()
    weighing.look(level)
    return True
