"""Bots that are started: what the player does with its process, its guest and the lobby."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from arena.bots.launch import Exit, KeepPieces, Launch, Tail, Tails
from arena.bots.program import Program
from arena.bots.refused import CannotStart, HostFull
from arena.referee.door.guests import Guest
from arena.referee.players.started import GRACE_MS, StartedPlayer
from arena.tokens import KnownToken
from protocol import limits
from protocol.breach import Breach
from protocol.breaches import cannot_start, exited, no_connection, no_hello, out_of_time

START_MS = 3_000
FOX = Program("fox", (sys.executable,), Path("/"))
NOTHING = Tail(b"", b"", 0)


class Surroundings:
    """All that a player works with; what is called is noted, with the second in which it is."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, str]] = []
        self.began = trio.current_time()
        self.guests: list[Guest] = []
        self.launches: list[Launch] = []
        # The bot: seconds after its start.
        self.comes_after: float | None = None
        self.ends_after: float | None = None
        self.cannot: Exception | None = None
        # The lobby.
        self.strangers = False
        self.seen = False
        self.turned_away: Breach | None = None
        # The process.
        self.pid = 77
        self.exit: Exit | None = None
        self.printed_bytes = 0
        self.ended = trio.Event()

    def player(self) -> StartedPlayer:
        mine = cast(Any, self)
        return StartedPlayer(mine, mine, mine, "unix:/door", FOX, START_MS)

    def note(self, words: str) -> None:
        self.calls.append((trio.current_time() - self.began, words))

    # The lobby.

    def expect(self, name: str, token: KnownToken) -> Guest:
        self.note(f"expect {name}")
        self.guests.append(Guest(name, token, dials_in=False))
        return self.guests[-1]

    def forget(self, guest: Guest) -> None:
        self.note(f"forget token {self.guests.index(guest)}")

    def forget_session(self, session: int) -> None:
        self.note(f"forget session {session}")

    def send_away(self, session: int) -> bool:
        self.note(f"send away {session}")
        return self.strangers

    def refused(self, session: int) -> Breach | None:
        assert session == self.pid
        return self.turned_away

    def has_seen(self, session: int) -> bool:
        assert session == self.pid
        return self.seen

    # The confiner, and the warden.

    def launch(self, program: Program, own: Mapping[str, str], address: str) -> Launch:
        assert address == "unix:/door"
        return Launch(program.name, program.command, dict(own), program.folder)

    async def start(self, launch: Launch) -> Surroundings:
        await trio.lowlevel.checkpoint()
        if self.cannot is not None:
            raise self.cannot
        self.note("start")
        self.launches.append(launch)
        self.exit, self.ended, self.printed_bytes = None, trio.Event(), 0
        self.pid += 1
        if self.comes_after == 0:
            self.come(self.guests[-1])
        return self

    def come(self, guest: Guest) -> None:
        guest.links.append(cast(Any, NotedLink(self)))
        guest.has_come.set()

    # The process.

    async def exited(self) -> Exit:
        if self.ends_after is not None and self.exit is None:
            await trio.sleep(self.ends_after)
            self.leave()
        await self.ended.wait()
        assert self.exit is not None
        return self.exit

    def leave(self) -> None:
        self.exit = Exit.from_status(3, asked=False)
        self.ended.set()

    async def end(self) -> Exit:
        await trio.lowlevel.checkpoint()
        self.note("end")
        if self.exit is None:
            self.leave()
        assert self.exit is not None
        return self.exit

    async def tails(self) -> Tails:
        await trio.lowlevel.checkpoint()
        return Tails(NOTHING, NOTHING)

    async def plays(self, word: str) -> None:
        await trio.lowlevel.checkpoint()
        self.note(f"plays {word}")

    def has_played(self) -> None:
        self.note("has played")

    async def written(self) -> None:
        await trio.lowlevel.checkpoint()
        self.note("written")

    def look_at_scratch(self) -> None:
        self.note("look at its scratch folder")


class NotedLink:
    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self.alive = True

    def is_alive(self) -> bool:
        return self.alive

    def hang_up(self, reason: str, detail: str) -> None:
        self.around.note(f"hang up: {reason} {detail}")

    def drop(self) -> None:
        self.around.note("drop")


async def test_a_bot_that_comes_is_there_until_its_link_has_ended(
    autojump_clock: MockClock,
) -> None:
    around = Surroundings()
    around.comes_after = 0
    player = around.player()
    assert repr(player) == "<StartedPlayer 'fox', started 0 times>"
    assert (player.name, player.guest, player.exit, player.printed_bytes) == ("fox", None, None, 0)
    assert await player.ready() is None
    assert await player.ready() is None
    assert around.calls == [(0, "expect fox"), (0, "start"), (0, "look at its scratch folder")]
    link = cast(Any, player.link)
    assert player.guest is around.guests[0]
    around.calls.clear()
    around.printed_bytes = 40
    link.alive = False
    assert await player.ready() is None
    assert around.calls == [
        (0, "forget token 0"),
        (0, "drop"),
        (0, "end"),
        (0, "forget session 78"),
        (0, "expect fox"),
        (0, "start"),
        (0, "look at its scratch folder"),
    ]
    assert player.guest is around.guests[1]
    assert around.guests[0].link is None
    assert (player.starts, repr(player)) == (2, "<StartedPlayer 'fox', started 2 times>")
    around.printed_bytes = 2
    assert player.printed_bytes == 40 + 2
    first, second = around.launches
    for launch, guest in zip((first, second), around.guests, strict=True):
        assert launch.env.keys() == {limits.CONNECT_VARIABLE, limits.TOKEN_VARIABLE}
        assert launch.env[limits.CONNECT_VARIABLE] == "unix:/door"
        assert KnownToken.of(launch.env[limits.TOKEN_VARIABLE]) == guest.token
        assert (launch.is_shown, launch.pieces) == (True, None)


async def test_a_bot_that_comes_later_is_waited_for(autojump_clock: MockClock) -> None:
    around = Surroundings()
    player = around.player()
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def come() -> None:
            await trio.sleep(2.9)
            around.come(around.guests[0])

        assert await player.ready() is None
    when, words = around.calls[-1]
    assert words == "look at its scratch folder"
    assert when == pytest.approx(2.9)
    assert player.exit is None


async def test_what_it_prints_in_its_next_match_goes_where_that_is_told(
    autojump_clock: MockClock,
) -> None:
    around = Surroundings()
    around.comes_after = 0
    player = around.player()
    pieces = KeepPieces(Path("/pieces"), "1.2")
    player.has_played()  # it never ran
    await player.written()
    assert await player.tails() is None
    await player.exited()
    await player.plays(pieces)
    assert around.calls == []
    await player.ready()
    assert around.launches[0].pieces == pieces
    around.calls.clear()
    await player.plays(KeepPieces(Path("/pieces"), "1.3"))
    player.has_played()
    await player.written()
    assert around.calls == [(0, "plays 1.3"), (0, "has played"), (0, "written")]
    assert await player.tails() == Tails(NOTHING, NOTHING)


AWAY = out_of_time(1, 1)


@pytest.mark.parametrize(
    ("bot", "absent", "seconds"),
    [
        ({}, no_connection(START_MS), 3),
        ({"seen": True}, no_hello(START_MS), 3),
        ({"seen": True, "strangers": True}, no_hello(START_MS), 3 + GRACE_MS / 1000),
        ({"turned_away": AWAY, "seen": True}, AWAY, 3),
        ({"ends_after": 1.0, "strangers": True}, exited("exit code 3"), 1),
        ({"ends_after": 1.0, "turned_away": AWAY}, AWAY, 1),
        # It may print what it thinks of the `bye`.
        ({"ends_after": 3.1, "strangers": True, "seen": True}, no_hello(START_MS), 3.1 + 3),
    ],
)
async def test_a_bot_that_does_not_come_is_ended_and_the_reason_told(
    bot: dict[str, Any], absent: Breach, seconds: float, autojump_clock: MockClock
) -> None:
    around = Surroundings()
    vars(around).update(bot)
    player = around.player()
    assert await player.ready() == absent
    took = trio.current_time() - around.began
    assert took == pytest.approx(min(seconds, 3 + GRACE_MS / 1000))
    sent_away = ["send away 78"] if "ends_after" not in bot or bot["ends_after"] > 3 else []
    assert [words for _, words in around.calls] == [
        "expect fox",
        "start",
        *sent_away,
        "forget token 0",
        "forget token 0",
        "end",
        "forget session 78",
    ]
    assert player.guest is None


async def test_a_hello_that_was_refused_is_the_reason_before_all_others(
    autojump_clock: MockClock,
) -> None:
    around = Surroundings()
    player = around.player()
    around.ends_after, around.turned_away = 1.0, AWAY
    own = no_hello(7)
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def refuse() -> None:
            await trio.sleep(0.5)
            around.guests[0].refused = own

        assert await player.ready() == own


async def test_what_cannot_be_started_is_told_and_nobody_is_expected(
    autojump_clock: MockClock,
) -> None:
    around = Surroundings()
    player = around.player()
    around.cannot = CannotStart("not-found", "no such program")
    assert await player.ready() == cannot_start("no such program")
    assert [words for _, words in around.calls] == ["expect fox", "forget token 0"]
    around.cannot = HostFull("no room")
    with pytest.raises(HostFull):
        await player.ready()
    assert [words for _, words in around.calls][-2:] == ["expect fox", "forget token 1"]


@pytest.mark.parametrize(("leaves_after", "seconds"), [(None, 0.5), (0.2, 0.2)])
async def test_a_bot_that_was_told_bye_has_its_grace(
    leaves_after: float | None, seconds: float, autojump_clock: MockClock
) -> None:
    assert GRACE_MS == 500
    around = Surroundings()
    around.comes_after = 0
    player = around.player()
    await player.ready()
    around.calls.clear()
    around.ends_after = leaves_after
    await player.say_bye("done", "all of it")
    assert around.calls == [
        (0, "hang up: done all of it"),
        (pytest.approx(seconds), "forget token 0"),
        (pytest.approx(seconds), "drop"),
        (pytest.approx(seconds), "end"),
        (pytest.approx(seconds), "forget session 78"),
    ]
    assert player.guest is None
    assert player.exit == Exit.from_status(3, asked=False)
    await player.exited()
    around.calls.clear()
    await around.player().say_bye("done")  # it was never started
    assert around.calls == []
