"""A recorded match put to a scripted bot again, over a real link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from arena.asking.again import Again, Asked
from arena.asking.answers import FAULT, Answer, Compared
from arena.record import Record
from arena.record.decisions import decisions
from arena.record.timing import Timing
from arena.referee.table import stepped
from arena.referee.wire.lookout import Lookout
from protocol.commitment import commit
from protocol.messages import End, Start
from tests.play import random_record
from tests.referee.small_table import (
    Punctual,
    Script,
    ScriptedBot,
    connected,
    on_request,
    play_scripted,
    random_bot,
    run_bot,
    virtual_us,
)
from tests.referee.test_match import AtOnce

TIMING = Timing(decision_ms=50, bank_ms=20, hang_ms=100, faults_to_forfeit=3)


async def ask_scripted(asked: Asked, script: Script) -> tuple[Sequence[Answer], ScriptedBot]:
    """Ask a scripted bot as `arena ask` asks a real one."""
    lookout = Lookout(virtual_us, Punctual(virtual_us))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        link, bot = connected("bot", lookout)
        async with trio.open_nursery() as playing:
            playing.start_soon(run_bot, bot, script)
            answers = await stepped(Again(asked, link, lambda _: None).steps(), [link])
            link.hang_up("done")
            link.drop()
            playing.cancel_scope.deadline = trio.current_time() + 60
        nursery.cancel_scope.cancel()
    return answers, bot


@pytest.fixture
async def played(autojump_clock: MockClock) -> tuple[Record, Sequence[ScriptedBot]]:
    """A match between scripted bots, and what they were told in it.

    A test that uses it names `autojump_clock` too: pytest-trio takes a clock from the test's own
    arguments alone.
    """
    result, bots = await play_scripted(
        [random_bot(seed) for seed in (1, 2)], options={"max_turns": 12}, timing=TIMING
    )
    return result.record, bots


async def test_the_bot_gets_the_messages_of_the_match_again(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    """All but times and ids: `start`, every request with view and legal actions, and `end`."""
    record, bots = played
    for seat, before in enumerate(bots):
        _, again = await ask_scripted(Asked(record, seat, timing=TIMING), random_bot(9))
        for kind in ("request", "end"):
            assert [content(each) for each in again.of(kind)] == [
                content(each) for each in before.of(kind)
            ]
        (start,), (original,) = again.of("start"), before.of("start")
        if not record.nonce:  # the plan of a scripted match has no commitment
            assert start == original


def content(message: Mapping[str, Any]) -> dict[str, Any]:
    left_out = ("time_us", "charged_us")
    return {key: value for key, value in message.items() if key not in left_out}


async def test_start_has_the_commitment_that_the_records_nonce_opens(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    record = replace(played[0], nonce="0f" * 32)
    _, bot = await ask_scripted(Asked(record, 0), random_bot())
    (start,) = bot.of("start")
    assert start["commitment"] == commit(record.match, b"\x0f" * 32, record.seed_bytes)


async def test_the_game_goes_on_as_recorded_whatever_the_bot_answers(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    record, _ = played
    answers, _ = await ask_scripted(Asked(record, 1), random_bot(7))
    own = [each for each in decisions(record) if each.seat == 1]
    assert [each.number for each in answers] == [each.number for each in own]
    assert any(a.action != each.move.action for a, each in zip(answers, own, strict=True))


async def test_a_bot_that_plays_as_before_answers_what_was_played(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    record, _ = played
    answers, _ = await ask_scripted(Asked(record, 0), random_bot(1))
    mine = [move.action for move in record.moves if move.seat == 0]
    assert [each.action for each in answers] == mine


async def test_with_a_last_move_nothing_after_it_is_asked_and_no_end_is_told(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    record, _ = played
    own = [each.number for each in decisions(record) if each.seat == 0]
    asked = Asked(record, 0, last=own[2])
    answers, bot = await ask_scripted(asked, random_bot())
    assert [each.number for each in answers] == own[:3]
    assert asked.requests == 3
    assert bot.of("end") == []


async def test_an_illegal_answer_is_a_fault_with_the_rule_and_what_is_legal(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    """The bot is told what the record has in its place, and asked on."""
    record, _ = played
    own = [each for each in decisions(record) if each.seat == 0]
    wrong = next(name for name in ("R1", "G1", "J", "X", "B3") if name not in own[0].legal)
    bad = partial(_answer_with, wrong)
    answers, bot = await ask_scripted(Asked(record, 0), on_request(1, bad))
    assert len(answers) == len(own)
    assert answers[0].action is None
    (fault,) = answers[0].faults
    assert (fault.kind, fault.code) == ("illegal", "not-legal")
    assert all(action in fault.text for action in own[0].legal)
    (told,) = bot.of("fault")
    assert told["played"] == own[0].move.action
    assert "First fault in this match" in told["text"]
    assert "fault in this match" not in fault.text  # nothing is counted for the author
    assert answers[1].faults == ()


async def test_a_fault_that_is_not_late_leaves_the_bank_as_it_was(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    bad = partial(_answer_with, "no action")
    _, bot = await ask_scripted(Asked(played[0], 0, timing=TIMING), on_request(1, bad))
    assert len(bot.of("fault")) == 1
    assert {request["time_us"] for request in bot.of("request")} == {70_000}


async def test_a_late_answer_takes_all_of_the_bank(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    async def late(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await trio.sleep(0.09)
        await bot.answer(message["legal"][0])

    answers, bot = await ask_scripted(Asked(played[0], 0, timing=TIMING), on_request(1, late))
    assert [fault.kind for fault in answers[0].faults] == ["late"]
    assert [request["time_us"] for request in bot.of("request")][:3] == [70_000, 50_000, 50_000]
    assert 70_000 <= bot.of("request")[1]["charged_us"] < 100_000


def test_a_link_is_prepared_for_the_match_with_the_faults_that_forfeit_it() -> None:
    record = random_record("nope", 2, options={"max_turns": 4})
    link, told = AtOnce(), list[int]()
    with pytest.raises(StopIteration) as over:
        next(Again(Asked(record, 0, timing=TIMING), link, told.append).steps())
    answers = over.value.value
    assert link.begun_with == 3
    assert [type(message) for message in link.told] == [Start, End]
    assert told == [*range(1, len(answers) + 1)]


async def _answer_with(action: str, bot: ScriptedBot, message: Mapping[str, Any]) -> None:
    # The bot's own end would refuse to write an action that is not legal.
    bot.end.pretend_to_be_asked(message["match"], message["id"])
    await bot.send(bot.end.action(action))


async def test_the_clock_charges_the_bot_that_is_asked(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    """60 ms where 50 are free take the rest out of the bank."""

    async def slow(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await trio.sleep(0.06)
        await bot.answer(message["legal"][0])

    _, bot = await ask_scripted(Asked(played[0], 0, timing=TIMING), on_request(1, slow))
    first, second = bot.of("request")[:2]
    assert first["time_us"] == 70_000
    assert 60_000 <= second["charged_us"] < 70_000
    assert second["time_us"] == 70_000 - (second["charged_us"] - 50_000)


async def test_faults_do_not_forfeit_the_seat(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    record, _ = played

    async def silent(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        if message["type"] == "request":
            await trio.sleep(0.2)
            await bot.answer(message["legal"][0])

    timing = Timing(decision_ms=50, bank_ms=0, hang_ms=10_000, faults_to_forfeit=3)
    asked = Asked(record, 0, timing=timing)
    answers, _ = await ask_scripted(asked, silent)
    assert len(answers) == asked.requests > 3
    assert {fault.kind for each in answers for fault in each.faults} == {"late"}


async def test_a_bot_that_goes_away_is_asked_nothing_more(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    async def leave(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        bot.sock.close()

    answers, _ = await ask_scripted(Asked(played[0], 0), on_request(2, leave))
    assert [each.action is None for each in answers] == [False, True]
    assert answers[1].faults[0].kind == "gone"


async def test_a_note_is_kept(
    autojump_clock: MockClock, played: tuple[Record, Sequence[ScriptedBot]]
) -> None:
    async def remark(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await bot.answer(message["legal"][0], "a plan")

    answers, _ = await ask_scripted(Asked(played[0], 0), on_request(1, remark))
    assert answers[0].note == "a plan"


def test_answers_are_counted_the_most_frequent_first() -> None:
    answers = tuple(Answer(4, action, "", 0, ()) for action in ("R1", "G2", "G2", None))
    compared = Compared(4, 0, "G2", True, ("R1", "G2"), answers)
    assert compared.counts == [("G2", 2), ("R1", 1), (FAULT, 1)]
    assert not compared.is_same
    assert Compared(4, 0, "G2", True, ("R1", "G2"), (answers[1],)).is_same


def test_the_decisions_of_a_seat_are_counted() -> None:
    record = random_record("nyet", 4)
    assert Asked(record, 2).requests == sum(move.seat == 2 for move in record.moves)
