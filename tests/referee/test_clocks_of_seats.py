"""Matches in which one seat has a clock of its own, over socket pairs, on a clock that jumps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import trio
from trio.testing import MockClock

from arena.record.timing import BotClock, Timing
from arena.referee.match import Plan
from tests.referee.small_table import Script, ScriptedBot, on_request, play_scripted, random_bot

TIMING = Timing(decision_ms=100, bank_ms=0, hang_ms=1000, faults_to_forfeit=2)
SLOW = BotClock(decision_ms=500, bank_ms=100, hang_ms=3000)


def after(seconds: float) -> Script:
    """A bot that thinks for so long first."""
    usual = random_bot()

    async def act(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await trio.sleep(seconds)
        await usual(bot, message)

    return act


async def test_each_seat_is_told_its_own_clock(autojump_clock: MockClock) -> None:
    _, bots = await play_scripted([random_bot()] * 2, timing=TIMING, clocks=(None, SLOW))
    own = {**TIMING.in_words(), "decision_ms": 500, "bank_ms": 100, "hang_ms": 3000}
    assert [bot.of("start")[0]["clock"] for bot in bots] == [TIMING.in_words(), own]
    assert [bot.of("request")[0]["time_us"] for bot in bots] == [100_000, 600_000]


async def test_a_seat_is_late_by_its_own_clock(autojump_clock: MockClock) -> None:
    slow = [on_request(1, after(0.55)) for _ in range(2)]
    played, _ = await play_scripted(slow, timing=TIMING, clocks=(None, SLOW))
    assert {(fault.seat, fault.code) for fault in played.record.faults} == {(0, "out-of-time")}
    later = on_request(1, after(0.600_001))
    played, _ = await play_scripted([random_bot(), later], timing=TIMING, clocks=(None, SLOW))
    assert {(fault.seat, fault.code) for fault in played.record.faults} == {(1, "out-of-time")}


async def silent(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
    """Never answers."""


async def test_a_silent_seat_is_gone_after_its_own_time(autojump_clock: MockClock) -> None:
    played, _ = await play_scripted([random_bot(), silent], timing=TIMING, clocks=(None, SLOW))
    assert played.evidence[-1].code == "hung"
    assert "nothing for 3000 ms" in played.evidence[-1].text


async def test_the_record_keeps_the_clocks_of_seats(autojump_clock: MockClock) -> None:
    played, _ = await play_scripted([random_bot()] * 2, timing=TIMING, clocks=(None, SLOW))
    assert played.record.clocks == (None, SLOW)
    played, _ = await play_scripted([random_bot()] * 2, timing=TIMING)
    assert played.record.clocks == ()


def test_faults_that_forfeit_are_those_of_the_league_for_every_seat() -> None:
    plan = Plan("", "nope", 2, b"", ("fox", "owl"), timing=TIMING, clocks=(SLOW, None))
    assert [timing.faults_to_forfeit for timing in plan.timings] == [2, 2]
