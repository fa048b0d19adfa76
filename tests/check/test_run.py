"""The run of a check: how long silence is waited for, and when the rest is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.check.bench import Bench
from arena.check.catalogue import STEPS, CheckStep
from arena.check.measure import LEAST_PATIENCE_US
from arena.check.opponent import ALLOWED_US, Silence
from arena.check.run import CheckOrder, StepBegun, StepResult, check, chosen
from arena.referee.house import open_house
from tests.bots.programs import Family
from tests.referee.real_match import a_good_bot


async def test_a_quick_bot_silent_in_two_steps_gets_less_time_and_after_three_in_a_row_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patience: list[int] = []

    async def answers(bench: Bench) -> None:
        bench.has_started = True
        bench.runs.measures.decisions_us.append(1_000)
        patience.append(bench.patience_us())

    async def is_silent(bench: Bench) -> None:
        await answers(bench)
        raise Silence("no answer")

    runs = [is_silent, answers, is_silent, answers, is_silent, is_silent, is_silent, answers]
    steps = [CheckStep(number, "a step", "4.4", run) for number, run in enumerate(runs, 1)]
    monkeypatch.setattr("arena.check.run.chosen", lambda order: [*steps])
    told: list[StepBegun | StepResult] = []
    async with open_house() as house:
        order = CheckOrder(a_good_bot(Family()), ("nope",), ("unix",))
        report = await check(house, order, told.append)
    assert patience == [ALLOWED_US] * 3 + [LEAST_PATIENCE_US] * 4
    assert [result.step for result in report.results] == steps[:7]
    assert [*report.left_out] == steps[7:]
    assert len(told) == 2 * 7


def test_the_steps_of_a_check_are_those_that_apply_or_the_one_that_is_wanted() -> None:
    order = CheckOrder(a_good_bot(Family()), ("nope",), ("unix",))
    kept = [step for step in STEPS if step.applies_to(("nope",), ("unix",))]
    assert chosen(order) == kept
    assert chosen(replace(order, only=kept[3].number)) == [kept[3]]
    tcp = next(step for step in STEPS if step.kind == "tcp")
    assert chosen(replace(order, only=tcp.number)) == []
    assert chosen(order, [tcp, kept[1]]) == [kept[1]]
