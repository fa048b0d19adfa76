"""Matches over real socket pairs with scripted bots as tasks, on a clock that jumps.

The real I/O path, deterministic: what the referee does with sockets is what is tested, and
seconds of waiting take no time.
"""

from __future__ import annotations

import random
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

import trio

from arena.games import GAMES
from arena.record.timing import BotClock, Timing
from arena.referee.match import OnMove, Plan, Result
from arena.referee.table import play
from arena.referee.wire.lag import LagMeter
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout
from protocol.bot_end import BotEnd
from protocol.messages import Hello, Welcome
from protocol.order import ConnectionState
from protocol.server_end import ServerEnd


def virtual_us() -> int:
    """Trio's clock in whole microseconds, also when it is a mock."""
    return round(trio.current_time() * 1_000_000)


class Punctual(LagMeter):
    """A machine that never lags: on a clock that jumps, a jump must not pass for slowness."""

    def looks(self, now: int) -> None:
        """As it always does."""

    @property
    def arrived(self) -> int:
        return virtual_us()

    @arrived.setter
    def arrived(self, value: int) -> None:
        """What it would estimate does not matter."""


class Liar(BotEnd):
    """A bot's end that can be made to answer what it was not asked."""

    def pretend_to_be_asked(self, match: str, id_: int) -> None:
        self.asked = {"match": match, "id": id_}
        self.state = ConnectionState.ASKED


class ScriptedBot:
    """A bot's side of a socket pair; a script decides what it does with each message."""

    def __init__(self, sock: trio.socket.SocketType):
        self.sock = sock
        self.end = Liar()
        self.seen: list[Mapping[str, Any]] = []
        self.left_early = False  # it has not read all that there was for it

    async def receive(self) -> Mapping[str, Any] | None:
        """The next message; None when the referee has hung up."""
        message = self.end.receive()
        while message is None:
            try:
                data = await self.sock.recv(65536)
            except OSError:
                return None
            if not data:
                return None
            message = self.end.receive(data)
        self.seen.append(message)
        return message

    async def send(self, data: bytes) -> None:
        while data:
            data = data[await self.sock.send(data) :]

    async def answer(self, action: str, note: str = "") -> None:
        await self.send(self.end.action(action, note))

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        """The messages of this type that it has seen."""
        return [message for message in self.seen if message["type"] == kind]


Script: TypeAlias = Callable[[ScriptedBot, Mapping[str, Any]], Awaitable[None]]
"""What a bot does with a message; called for every one."""


def random_bot(seed: int = 1) -> Script:
    """Answers every request at once with a random legal action."""
    chance = random.Random(seed)

    async def script(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        if message["type"] == "request":
            await bot.answer(chance.choice(message["legal"]))

    return script


def on_request(number: int, act: Script, otherwise: Script | None = None) -> Script:
    """Does something else with its request of this number, from 1."""
    usual = otherwise or random_bot()
    asked = 0

    async def script(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        nonlocal asked
        asked += message["type"] == "request"
        await (act if message["type"] == "request" and asked == number else usual)(bot, message)

    return script


async def run_bot(bot: ScriptedBot, script: Script) -> None:
    with bot.sock:
        while (message := await bot.receive()) is not None:
            try:
                await script(bot, message)
            except OSError:
                bot.left_early = True
                return


def connected(name: str, lookout: Lookout) -> tuple[Link, ScriptedBot]:
    """A link past its hello and welcome, and the bot at its other side."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    end = ServerEnd()
    bot = ScriptedBot(trio.socket.from_stdlib_socket(theirs))
    hello = end.receive(bot.end.hello("token"))
    assert isinstance(hello, Hello)
    link = Link(ours, end, lookout, name)
    link.tell(Welcome(1, name, (), {}))
    return link, bot


async def play_scripted(
    scripts: Sequence[Script],
    *,
    game: str = "nope",
    options: Mapping[str, object] | None = None,
    seed: bytes = b"scripted",
    timing: Timing | None = None,
    clocks: tuple[BotClock | None, ...] = (),
    watch: OnMove | None = None,
) -> tuple[Result, list[ScriptedBot]]:
    """One match between scripted bots."""
    if options is None:
        options = GAMES[game].trials.short
    lookout = Lookout(virtual_us, Punctual(virtual_us))
    names = tuple(f"bot{number}" for number in range(len(scripts)))
    plan = Plan("m-1", game, len(scripts), seed, names, options, timing or Timing(), clocks)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        pairs = [connected(name, lookout) for name in names]
        links = [link for link, _ in pairs]
        bots = [bot for _, bot in pairs]
        async with trio.open_nursery() as playing:
            for bot, script in zip(bots, scripts, strict=True):
                playing.start_soon(run_bot, bot, script)
            played = await play(plan, links, watch)
            for link in links:
                link.hang_up("done")
            # Some bots never end by themselves.
            playing.cancel_scope.deadline = trio.current_time() + 60
        nursery.cancel_scope.cancel()
    return played, bots
