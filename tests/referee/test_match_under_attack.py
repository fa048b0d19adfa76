"""What a bot may send to do harm, over socket pairs and on a clock that jumps."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgpack
import pytest
import trio
from trio.testing import MockClock

from arena.record.timing import Timing
from arena.referee.clock import SeatClock
from arena.referee.match import Plan, Result
from arena.referee.replies import Chose, Failed
from arena.referee.table import play
from arena.referee.wire.connection import MOST_UNSENT_BYTES
from arena.referee.wire.link import MOST_ASIDES, Link
from arena.referee.wire.lookout import Lookout
from protocol.breach import Breach
from tests.helpers import packed
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

HELLO = {"type": "hello", "protocol": 1, "token": ""}


def a_lookout() -> Lookout:
    return Lookout(virtual_us, Punctual(virtual_us))


def codes(played: Result) -> list[str]:
    return [kept.code for kept in played.evidence]


async def play_in_turn(
    links: list[Link],
    bots: list[ScriptedBot],
    scripts: list[Script],
    lookout: Lookout,
    timing: Timing,
) -> list[Result]:
    """Two matches on the same links, a minute between them."""
    played = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        for bot, script in zip(bots, scripts, strict=True):
            nursery.start_soon(run_bot, bot, script)
        for name in ("m-1", "m-2"):
            names = tuple(link.name for link in links)
            options = {"rounds": 1}
            plan = Plan(name, "nyet", len(links), b"seed", names, options, timing)
            played.append(await play(plan, links))
            await trio.sleep(60)
        for link in links:
            link.hang_up("done")
        nursery.cancel_scope.cancel()
    return played


async def test_who_is_late_at_the_very_end_of_a_match_is_not_hung_in_the_next(
    autojump_clock: MockClock,
) -> None:
    """It was told not to answer any more, and nobody has asked it anything since."""
    requests = 0

    async def late_with_its_last(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        nonlocal requests
        if message["type"] == "request":
            requests += 1
            if message["match"] == "m-1" and len(message["view"]["hand"]) == 1:
                return
        await usual(bot, message)

    usual = random_bot(1)
    lookout = a_lookout()
    (link, bot), (other_link, other) = connected("late", lookout), connected("good", lookout)
    timing = Timing(bank_ms=0, hang_ms=1000)
    first, second = await play_in_turn(
        [link, other_link], [bot, other], [late_with_its_last, random_bot(2)], lookout, timing
    )
    assert codes(first) == ["out-of-time"]
    assert codes(second) == []
    assert second.record.forfeits == ()


async def test_silence_does_not_count_while_nothing_is_asked(autojump_clock: MockClock) -> None:
    """Late once and then fine, while the others use all the time they have."""

    async def say_nothing(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        """It does as the fault tells it: the request is settled."""

    async def ponder(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        if message["type"] == "request":
            await trio.sleep(3)
            await usual(bot, message)

    usual = random_bot(2)
    timing = Timing(decision_ms=4_000, bank_ms=0, hang_ms=5_000)
    played, _ = await play_scripted(
        [on_request(1, say_nothing), ponder, ponder, ponder], game="nyet", timing=timing
    )
    assert codes(played) == ["out-of-time"]
    assert played.record.forfeits == ()


async def test_an_answer_that_came_in_two_pieces_long_ago_is_no_unfinished_frame(
    autojump_clock: MockClock,
) -> None:
    async def in_two_pieces(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        frame = bot.end.action(message["legal"][0])
        await bot.send(frame[:5])
        await trio.sleep(0.05)
        await bot.send(frame[5:])

    async def ponder(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        if message["type"] == "request":
            await trio.sleep(0.09)
            await usual(bot, message)

    async def say_nothing(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        """Late once."""

    usual = random_bot(3)
    script = on_request(1, in_two_pieces, on_request(6, say_nothing))
    timing = Timing(decision_ms=100, bank_ms=0, hang_ms=150)
    played, _ = await play_scripted([script, ponder], game="nyet", timing=timing)
    assert codes(played) == ["out-of-time"]


async def test_what_is_not_read_piles_up_to_a_limit_and_then_the_bot_is_gone(
    autojump_clock: MockClock,
) -> None:
    lookout = a_lookout()
    link, bot = connected("deaf", lookout)
    other_link, other = connected("good", lookout)
    link.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    timing = Timing(decision_ms=1, bank_ms=0, hang_ms=10_000_000)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        nursery.start_soon(run_bot, other, random_bot(1))
        plan = Plan("m-1", "nyet", 2, b"seed", ("deaf", "good"), {"rounds": 20}, timing)
        played = await play(plan, [link, other_link])
        nursery.cancel_scope.cancel()
    for each in (link, other_link):
        each.drop()
    bot.sock.close()
    assert codes(played)[-1] == "closed"
    assert str(MOST_UNSENT_BYTES) in played.evidence[-1].came
    assert played.record.forfeits == (0,)
    assert played.record.ending == "forfeit"


async def test_a_flood_is_listened_to_until_it_has_forfeited_the_seat(
    autojump_clock: MockClock,
) -> None:
    """Not for as long as the clock of the request runs, and not all that was read."""
    came = 0

    async def flood(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        nonlocal came
        data = packed(HELLO) * 100
        while True:
            await bot.send(data)
            came += len(data)

    played, _ = await play_scripted([on_request(1, flood), random_bot()], game="nyet")
    assert codes(played) == ["second-hello"] * 3
    assert played.record.forfeits == (0,)
    assert virtual_us() < 61_000_000  # the minute that `play_scripted` leaves it; no decision


@pytest.mark.parametrize("junk", [b"\0\0\0\x01\xc1", packed(HELLO), packed({"type": "action"})])
async def test_a_flood_between_matches_is_told_a_bounded_number_of_times(
    autojump_clock: MockClock, junk: bytes
) -> None:
    lookout = a_lookout()
    link, bot = connected("floods", lookout)
    await bot.send(junk * (8_000 // len(junk)))
    link.begin(3)
    with trio.move_on_after(1):
        while True:
            await bot.receive()
    assert 0 < len(bot.of("fault")) <= MOST_ASIDES
    assert {fault["faults"] for fault in bot.of("fault")} == {0}
    link.drop()
    bot.sock.close()


async def test_what_came_with_the_hello_answers_nothing(autojump_clock: MockClock) -> None:
    lookout = a_lookout()
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        link, bot = connected("early", lookout)
        early = {"type": "action", "match": "m-1", "id": 1, "action": "R1"}
        # As the lobby hands it over: read, and not looked at.
        link.end.receive(b"\0")
        link.end.receive(packed(early)[1:] + packed(early)[:-3])
        link.end.receive(packed(early)[-3:])
        with bot.sock:
            link.begin(3)
            link.drop()
    ours.close()
    assert link.end.is_between_frames


async def test_a_print_to_the_socket_between_matches_is_named_as_such(
    autojump_clock: MockClock,
) -> None:
    lookout = a_lookout()
    link, bot = connected("prints", lookout)
    other_link, other = connected("good", lookout)
    await bot.send(b"Hello, world\n")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        nursery.start_soon(run_bot, other, random_bot(1))
        plan = Plan("m-1", "nyet", 2, b"seed", ("prints", "good"))
        played = await play(plan, [link, other_link])
        nursery.cancel_scope.cancel()
    assert codes(played) == ["frame-too-long"]
    while await bot.receive() is not None:
        pass
    assert bot.seen[-1]["reason"] == "frame-too-long"
    bot.sock.close()
    other_link.drop()


async def test_a_flood_with_a_good_answer_behind_it_has_forfeited_the_seat(
    autojump_clock: MockClock,
) -> None:
    async def both(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await bot.send(packed(HELLO) * 3 + bot.end.action(message["legal"][0]))

    played, bots = await play_scripted([on_request(1, both), random_bot()], game="nyet")
    assert codes(played) == ["second-hello"] * 3
    assert played.lag is None
    assert played.record.forfeits == (0,)
    assert [message["type"] for message in bots[0].seen[-2:]] == ["end", "bye"]


async def test_who_floods_and_then_prints_is_hung_up_on(autojump_clock: MockClock) -> None:
    """The seat is forfeited already; the connection is no good any more all the same."""

    async def both(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await bot.send(packed(HELLO) * 2 + b"Hello, world\n")

    timing = Timing(faults_to_forfeit=2)
    played, bots = await play_scripted(
        [on_request(1, both), random_bot(), random_bot()], game="nyet", timing=timing
    )
    assert codes(played) == ["second-hello"] * 2
    assert played.record.forfeits == (0,)
    assert bots[0].seen[-1]["type"] == "bye"


async def test_a_link_whose_bot_has_gone_is_not_alive_whatever_it_left_behind() -> None:
    link, bot = connected("leaves", a_lookout())
    assert link.is_alive()
    await bot.send(b"last words")
    assert link.is_alive()
    bot.sock.close()
    assert not link.is_alive()
    link.drop()
    assert not link.is_alive()


async def test_a_link_whose_bot_has_closed_half_of_it_is_not_alive() -> None:
    """It can never answer anything."""
    link, bot = connected("half", a_lookout())
    bot.sock.shutdown(socket.SHUT_WR)
    assert not link.is_alive()
    link.drop()
    bot.sock.close()


async def test_an_illegal_answer_after_its_time_leaves_no_debt() -> None:
    clock = SeatClock(Timing(decision_ms=100, bank_ms=50))
    clock.charge(155_000)
    assert clock.bank_us == 0
    assert clock.allowed_us == 100_000


@pytest.mark.parametrize("stage", ["begin", "ask"])
async def test_a_bug_of_ours_at_one_link_ends_it_and_costs_nobody_anything(
    autojump_clock: MockClock, stage: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Link):
        def _read_unasked(self) -> Breach | None:
            if stage == "begin":
                raise RuntimeError("a bug")
            return super()._read_unasked()

        def _read(self, began: int) -> Chose | Failed | None:
            raise RuntimeError("a bug")

    async def answer_if_it_is_heard(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        with suppress(OSError):
            await usual(bot, message)

    usual = random_bot(2)
    lookout = a_lookout()
    good, bot = connected("unlucky", lookout)
    link = Broken(good.sock, good.end, lookout, "unlucky")
    other_link, other = connected("good", lookout)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        nursery.start_soon(run_bot, other, random_bot(1))
        nursery.start_soon(run_bot, bot, answer_if_it_is_heard)
        plan = Plan("m-1", "nyet", 2, b"seed", ("unlucky", "good"))
        played = await play(plan, [link, other_link])
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    other_link.drop()
    assert played.record.ending == "void"
    assert played.lag is not None
    assert played.evidence == ()
    assert bot.seen[-1]["reason"] == "server-error"
    assert other.seen[-1]["ending"] == "void"
    assert "a bug in arena" in caplog.text


async def test_stale_answers_may_be_as_many_as_requests_and_no_more(
    autojump_clock: MockClock,
) -> None:
    async def again_and_again(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        if message["type"] == "request":
            frame = bot.end.action(message["legal"][0])
            await bot.send(frame * (3 if message["id"] == 1 else 1))

    played, _ = await play_scripted([again_and_again, random_bot()], game="nyet")
    assert codes(played) == ["too-many-answers"]
    assert played.record.forfeits == ()


async def test_a_body_that_msgpack_unpacks_to_a_bomb_is_one_fault(
    autojump_clock: MockClock,
) -> None:
    """A list that announces four thousand million values; nested lists to any depth."""
    bombs = [b"\xdd\xff\xff\xff\xff", b"\x91" * 4_000, b"\xdf\xff\xff\xff\xff" * 800]

    async def bomb(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        if message["type"] == "request":
            body = bombs[message["id"] - 1]
            bot.end.action("bomb")
            await bot.send(len(body).to_bytes(4, "big") + body)

    played, _ = await play_scripted([bomb, random_bot()], game="nyet")
    assert len(codes(played)) == 3
    assert {kept.kind for kept in played.evidence} == {"unreadable"}
    assert msgpack.unpackb(played.evidence[0].request[4:])["id"] == 1


async def test_who_is_late_with_every_answer_is_late_anew_each_time(
    autojump_clock: MockClock,
) -> None:
    """Its stale answers come while the next request is open, and are answers (SPEC 6.4)."""

    async def ponder(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        if message["type"] == "request":
            frame = packed({"type": "action", "match": "m-1", "id": message["id"], "action": "any"})
            await trio.sleep(0.15)
            await bot.send(frame)

    timing = Timing(decision_ms=100, bank_ms=0)
    played, _ = await play_scripted([ponder, random_bot()], game="nyet", timing=timing)
    assert {*codes(played)} == {"out-of-time"}
    assert played.record.forfeits == (0,)
    assert "Third fault" in played.evidence[-1].text
