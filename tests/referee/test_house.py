"""Players of a house, in real processes: started, started again, seated, seen off."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from arena.bots.program import Program
from arena.groups import leaves
from arena.record.timing import Timing
from arena.referee.house import House, open_house
from arena.referee.table import sit_down
from tests.bots.programs import SAFETY_SECONDS, Family, until
from tests.referee.real_match import (
    a_bot,
    a_good_bot,
    a_plan,
    all_ready,
    descriptors,
    see_off,
)

AMPLE = Timing(decision_ms=5_000, bank_ms=10_000, hang_ms=1_000)


@asynccontextmanager
async def a_house(family: Family) -> AsyncIterator[House]:
    """One that takes no longer than it should, and leaves nothing."""
    before = descriptors()
    with trio.fail_after(SAFETY_SECONDS):
        async with open_house() as house:
            yield house
    assert not family.alive()
    assert not house.folder.exists()
    assert descriptors() == before


async def test_players_stay_from_match_to_match_on_unix_sockets_and_on_tcp() -> None:
    family = Family()
    async with a_house(family) as house:
        programs = [a_good_bot(family), a_good_bot(family, tcp=True)]
        players = await all_ready(house, programs)
        matches = []
        for _ in range(2):
            match = await sit_down(a_plan(2, AMPLE), players)
            assert match.is_begun
            assert match.evidence == ()
            matches.append(match.record.match)
        assert len({*matches}) == 2
        assert [player.starts for player in players] == [1, 1]
        assert [player.link.sock.family.name for player in players] == ["AF_UNIX", "AF_INET"]
        await see_off(players)
        assert [str(player.exit) for player in players] == ["exit code 0"] * 2


async def test_a_player_whose_process_has_died_is_started_again_with_a_new_token() -> None:
    family = Family()
    async with a_house(family) as house:
        players = await all_ready(house, [a_good_bot(family), a_good_bot(family)])
        guest, process = players[0].guest, players[0]._process
        assert guest is not None
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        await process.exited()
        match = await sit_down(a_plan(2, AMPLE), players)
        assert match.is_begun
        assert match.evidence == ()
        assert [player.starts for player in players] == [2, 1]
        assert players[0].guest is not None
        assert players[0].guest.token != guest.token


async def test_who_was_gone_in_one_match_plays_from_the_next_on() -> None:
    family = Family()
    async with a_house(family) as house:
        players = await all_ready(house, [a_bot("closes_and_lives", family), a_good_bot(family)])
        for starts in (1, 2):
            match = await sit_down(a_plan(2, AMPLE), players)
            assert match.is_begun
            assert [kept.code for kept in match.evidence] == ["closed"]
            assert match.record.places == (2, 1)
            assert [player.starts for player in players] == [starts, 1]
            # Who closes its connection and lives is ended before another takes its place.
            assert len(family.alive()) == len(house.lobby._guests) == 2


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("no-such-program",), "no program 'no-such-program'"),
        (("./no-such-file",), "there is no './no-such-file'"),
        ((sys.executable, "-c", "exit(3)"), "exit code 3"),
        (("perl bot.pl",), 'write ["perl", "bot.pl"]; expected a program that runs.'),
        (("~/bot.pl",), "only a shell replaces '~'"),
        (("../lynx/bot.pl",), "a bot runs in a copy of its folder"),
    ],
)
async def test_who_cannot_be_started_is_absent_and_nobody_else(
    command: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    family = Family()
    async with a_house(family) as house:
        program = Program("broken", command, tmp_path, family.env)
        players = [house.player(program), house.player(a_good_bot(family))]
        for starts in (1, 2):
            match = await sit_down(a_plan(2, AMPLE), players)
            (fault,) = match.evidence
            assert (match.is_begun, fault.seat, fault.code) == (False, 0, "exited")
            assert says in fault.text
            assert [player.starts for player in players] == [starts, 1]
            assert len(house.lobby._guests) == 1
        assert players[1].link.is_alive()


async def test_of_who_never_ran_there_is_nothing_to_tell() -> None:
    family = Family()
    async with a_house(family) as house:
        player = house.player(Program("broken", ("no-such-program",), Path(), family.env))
        assert (await player.tails(), player.exit) == (None, None)
        assert await player.ready() is not None
        assert (await player.tails(), player.exit) == (None, None)
        await player.exited()
        await player.say_bye("done")


async def test_who_is_never_started_in_time_is_ended_and_its_token_is_nobodys() -> None:
    family = Family()
    async with a_house(family) as house:
        player = house.player(a_bot("never_connects", family), 300)
        breach = await player.ready()
        assert breach is not None
        assert breach.code == "no-connection"
        assert not family.alive()
        assert player.guest is None
        assert not house.lobby._guests
        assert player.exit is not None


async def test_silence_and_a_wrong_hello_are_told_from_not_coming() -> None:
    family = Family()
    codes: dict[str, str] = {}
    async with a_house(family) as house, trio.open_nursery() as nursery:

        async def start(name: str) -> None:
            breach = await house.player(a_bot(name, family), 1_500).ready()
            assert breach is not None
            codes[name] = breach.code

        for name in ("never_connects", "silent_at_start", "half_a_hello", "wrong_token"):
            nursery.start_soon(start, name)
    assert codes == {
        "never_connects": "no-connection",
        "silent_at_start": "no-hello",
        "half_a_hello": "no-hello",
        "wrong_token": "hello-refused",
    }


async def test_who_says_no_hello_in_time_is_told_before_it_is_ended() -> None:
    family = Family()
    async with a_house(family) as house:
        player = house.player(a_bot("waits_for_bye", family), 1_500)
        breach = await player.ready()
        assert breach is not None
        assert breach.code == "no-hello"
        tails = await player.tails()
        assert tails is not None
        assert str(tails.stdout) == "no-hello\n"


async def test_what_was_printed_is_there_when_a_bot_was_never_started() -> None:
    family = Family()
    async with a_house(family) as house:
        player = house.player(a_bot("crashes_at_start", family))
        assert await player.ready() is not None
        tails = await player.tails()
        assert tails is not None
        assert "RuntimeError: no such table: openings" in str(tails.stderr)


async def test_a_cancelled_start_leaves_nothing() -> None:
    family = Family()
    async with a_house(family) as house:
        player = house.player(a_bot("silent_at_start", family))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.ready)
            while await player.tails() is None:
                await trio.sleep(0.001)
            assert family.alive()
            nursery.cancel_scope.cancel()
        assert player.guest is not None
        assert player.guest.link is None
        await player.say_bye("done")
        assert not family.alive()
        assert not house.lobby._guests


async def test_the_token_of_a_start_that_is_cancelled_at_once_is_forgotten() -> None:
    """No process will ever present it, so it must not stay good until the house closes."""
    family = Family()
    async with a_house(family) as house:
        player = house.player(a_good_bot(family))
        with trio.CancelScope() as scope:
            scope.cancel()
            await player.ready()
        assert scope.cancelled_caught
        assert player.guest is not None
        assert not house.lobby._guests
        assert await player.ready() is None
        assert len(house.lobby._guests) == 1
        await player.say_bye("done")


async def test_an_exception_in_the_house_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = Family()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def fail() -> None:
        async with open_house() as house:
            await all_ready(house, [a_good_bot(family)])
            raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as caught:
        await fail()
    assert [type(error) for error in leaves(caught.value)] == [ZeroDivisionError]
    await until(lambda: not family.alive())
    assert [*tmp_path.iterdir()] == []


async def test_bots_get_nothing_of_our_environment_but_what_they_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not for bots")
    family = Family()
    async with a_house(family) as house:
        program = a_good_bot(family)
        show = "import os; print(dict(os.environ))"
        player = house.player(replace(program, command=(sys.executable, "-c", show)))
        assert await player.ready() is not None
        tails = await player.tails()
        assert tails is not None
        assert "ARENA_TOKEN" in str(tails.stdout)
        assert "AWS_SECRET_ACCESS_KEY" not in str(tails.stdout)
