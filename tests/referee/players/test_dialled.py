"""Bots that dial in: over real sockets, in a house, on the real clock."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from arena.record.timing import Timing
from arena.referee.door.addresses import TcpAddress
from arena.referee.house import House, open_house
from arena.referee.players.dialled import DialledPlayer
from arena.referee.table import sit_down
from arena.tokens import KnownToken, new_token
from tests.bots.programs import SAFETY_SECONDS, Family
from tests.referee.callers import hello
from tests.referee.real_match import a_good_bot, a_plan, descriptors
from tests.referee.small_table import Script, ScriptedBot, on_request, random_bot, run_bot

AMPLE = Timing(decision_ms=5_000, bank_ms=10_000, hang_ms=1_000)


@asynccontextmanager
async def a_house() -> AsyncIterator[tuple[House, trio.Nursery]]:
    """One where bots can dial in; it leaves nothing."""
    before = descriptors()
    with trio.fail_after(SAFETY_SECONDS):
        async with open_house(listen=TcpAddress()) as house, trio.open_nursery() as nursery:
            yield house, nursery
            nursery.cancel_scope.cancel()
    assert descriptors() == before


def dialled(
    house: House, seconds: float = SAFETY_SECONDS, again_ms: int = 5_000
) -> tuple[DialledPlayer, str]:
    """A bot that dials in, and its token."""
    token = new_token()
    kept = KnownToken.of(token)
    player = DialledPlayer(house.lobby, "fox", kept, first_seconds=seconds, again_ms=again_ms)
    return player, token


async def dial(house: House, token: str, **otherwise: object) -> ScriptedBot:
    """A bot of ours, on the line and with its hello said: a good one, but for what is said."""
    _, host, port = house.listens_at.split(":")
    stream = await trio.open_tcp_stream(host, int(port))
    bot = ScriptedBot(stream.socket)
    await bot.send(hello(token, **otherwise) if otherwise else bot.end.hello(token))
    return bot


async def dial_and_play(house: House, token: str, script: Script) -> None:
    await run_bot(await dial(house, token), script)


async def test_it_is_waited_for_and_plays_from_match_to_match_on_one_connection() -> None:
    family = Family()
    async with a_house() as (house, nursery):
        (player, token), other = dialled(house), house.player(a_good_bot(family))
        nursery.start_soon(dial_and_play, house, token, random_bot(1))
        for _ in range(2):
            match = await sit_down(a_plan(2, AMPLE), [player, other])
            assert match.is_begun
            assert match.evidence == ()
        assert player.starts == 1
        assert player.guest.hello is not None
        assert await player.tails() is None
        assert player.exit is None
        await player.say_bye("done")
        await other.say_bye("done")


async def test_who_does_not_come_is_absent_and_soon_not_waited_for_any_more() -> None:
    async with a_house() as (house, _):
        waits: list[float] = []
        player = DialledPlayer(
            house.lobby,
            "fox",
            None,
            first_seconds=1,
            again_ms=10,
            on_wait=lambda: waits.append(trio.current_time()),
        )
        began = trio.current_time()
        for _ in range(3):
            match = await sit_down(a_plan(1, AMPLE), [player])
            (fault,) = match.evidence
            assert (match.is_begun, fault.code) == (False, "no-connection")
        took = (trio.current_time() - waits[2]) * 1000
        said = re.fullmatch(r"no connection with a hello on it in (\d+) ms", fault.came)
        assert said is not None
        assert 10 <= int(said[1]) <= took + 1
        first, second, third = waits
        assert first - began < second - first
        assert second - first > third - second


async def test_who_was_there_once_is_not_waited_for_as_one_who_must_be_started() -> None:
    async with a_house() as (house, _):
        player, token = dialled(house, again_ms=10)
        bot = await dial(house, token)
        assert await player.ready() is None
        bot.sock.close()
        breach = await player.ready()
        assert breach is not None
        assert breach.code == "no-connection"
        assert player.starts == 1


async def test_whoever_has_no_good_hello_is_absent_for_that() -> None:
    """And not for never having come."""
    async with a_house() as (house, _):
        player, token = dialled(house, seconds=0.3, again_ms=10)
        bot = await dial(house, token, protocol=0)
        bye = await bot.receive()
        assert bye is not None
        assert bye["reason"] == "bad-version"
        breach = await player.ready()
        assert breach is not None
        assert breach.code == "hello-refused"
        assert "You said protocol 0" in breach.came
        bot.sock.close()
        good = await dial(house, token)
        assert await player.ready() is None
        good.sock.close()
        breach = await player.ready()
        assert breach is not None
        assert breach.code == "no-connection"


async def test_who_is_told_to_go_is_told_why_and_its_token_is_nobodys() -> None:
    async with a_house() as (house, _):
        player, _ = dialled(house)
        await player.say_bye("done")  # to nobody
        player, token = dialled(house)
        bot = await dial(house, token)
        assert await player.ready() is None
        await bot.receive()
        await player.say_bye("stopping", "for today")
        bye = await bot.receive()
        assert bye is not None
        assert (bye["type"], bye["reason"]) == ("bye", "stopping")
        assert "for today" in bye["text"]
        assert await bot.receive() is None
        assert player.guest.link is None
        again = await dial(house, token)
        refused = await again.receive()
        assert refused is not None
        assert refused["reason"] == "bad-token"
        for each in (bot, again):
            each.sock.close()


async def test_a_token_is_good_for_one_connection_at_a_time_and_another_for_none() -> None:
    async with a_house() as (house, _):
        player, token = dialled(house)
        bot = await dial(house, token)
        welcome = await bot.receive()
        assert welcome is not None
        assert welcome["type"] == "welcome"
        # In use: the first one stays.
        second = await dial(house, token)
        bye = await second.receive()
        assert bye is not None
        assert (bye["type"], bye["reason"]) == ("bye", "token-in-use")
        assert await player.ready() is None
        bot.sock.close()
        second.sock.close()
        # A token that nobody has.
        third = await dial(house, token + "x")
        refused = await third.receive()
        assert refused is not None
        assert refused["reason"] == "bad-token"
        third.sock.close()


async def test_who_was_lost_in_a_match_dials_in_again_and_plays_the_next() -> None:
    family = Family()

    async def hang_up(bot: ScriptedBot, message: object) -> None:
        bot.sock.close()

    async with a_house() as (house, nursery):
        (player, token), other = dialled(house), house.player(a_good_bot(family))
        lost = on_request(2, hang_up)
        nursery.start_soon(dial_and_play, house, token, lost)
        match = await sit_down(a_plan(2, AMPLE), [player, other])
        assert match.is_begun
        assert [kept.code for kept in match.evidence] == ["closed"]
        assert match.record.forfeits == (0,)
        nursery.start_soon(dial_and_play, house, token, random_bot(1))
        match = await sit_down(a_plan(2, AMPLE), [player, other])
        assert match.is_begun
        assert match.evidence == ()
        assert (player.starts, other.starts) == (2, 1)
        await other.say_bye("done")
