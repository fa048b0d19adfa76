"""A referee process of a league: it gets orders, plays sets, and sends back each match.

`play_set` does that; the rest of this module is the process around it, which ends when its standard
input does, in a hurry if the runner was killed. Its bots live from set to set.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from itertools import count

import trio

from arena.bots.program import DialIn, Program
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.league.play.held_output import word_of
from arena.league.play.orders import (
    Awaited,
    Channel,
    EvidenceAsked,
    EvidenceGiven,
    LeagueOver,
    MatchOver,
    Order,
    PlaySet,
    Said,
    SetOver,
    Setup,
    StrangersTold,
)
from arena.parent import end_after
from arena.record.confinement import DIALLED_IN
from arena.referee.door.addresses import TcpAddress
from arena.referee.door.evidence import EvidencePage
from arena.referee.door.lobby import Lobby
from arena.referee.house import House, open_house
from arena.referee.match import Plan
from arena.referee.players.dialled import DialledPlayer
from arena.referee.players.player import Player
from arena.referee.players.pool import Pool, Seated
from arena.utc import now

# Time for all bots together to end after `bye`.
GOODBYE_SECONDS = 2.0
# Between two counts of connections with wrong tokens.
COUNT_SECONDS = 60.0


async def play_set(pool: Pool, order: PlaySet) -> AsyncGenerator[LeagueMatch, None]:
    """Play the turns of an order and yield each match as it ends; a void one is the last."""
    try:
        for turn in order.turns:
            played = await play_match(pool, order, turn)
            yield played
            if played.is_void:
                return
    finally:
        pool.forget(order.number)


async def play_match(pool: Pool, order: PlaySet, turn: int) -> LeagueMatch:
    """Play one match of a set, on processes that have played none of it."""
    names = order.planned.seating(turn)
    plan = Plan(
        match="",
        game=order.game,
        seats=len(names),
        seed=order.seed,
        names=names,
        options=order.options,
        timing=order.timing,
        clocks=tuple(map(order.clocks.get, names)) if order.clocks else (),
        shown_names=names if order.show_names else None,
        may_void=order.may_void,
    )
    word = word_of(Place(order.number, turn), order.attempt)
    result, processes = await pool.play(plan, order.number, word=word)
    return LeagueMatch(
        order.number,
        turn,
        order.attempt,
        result.record,
        processes,
        ended=now(),
        stood=result.stood,
        evidence=result.evidence,
    )


def pool_of(house: House, setup: Setup, on_wait: Callable[[str], None]) -> Pool:
    """Make places for all processes of the bots.

    `on_wait` is called with the name of a bot that dials in, when a match waits for it.
    """

    def places(bot: Program | DialIn) -> list[Seated]:
        if isinstance(bot, Program):
            return [Seated(house.player(bot, setup.start_ms)) for _ in range(setup.processes)]
        player = DialledPlayer(
            house.lobby,
            bot.name,
            setup.tokens.get(bot.name),
            first_seconds=setup.dial_in_ms / 1000,
            again_ms=setup.start_ms,
            on_wait=partial(on_wait, bot.name),
        )
        return [Seated(player, is_ours=False)]

    house.confine_by(setup.confine)
    are_started = any(isinstance(bot, Program) for bot in setup.bots)
    word = house.confiner.word if are_started else DIALLED_IN
    return Pool({bot.name: places(bot) for bot in setup.bots}, word, setup.pieces)


class RunnersEvidence:
    """Asks the runner for evidence, which alone may read the league."""

    def __init__(self, channel: Channel[Order]):
        self._channel = channel
        self._tickets = count(1)
        self._waiting: dict[int, trio.MemorySendChannel[EvidenceGiven]] = {}

    def __repr__(self) -> str:
        return f"<RunnersEvidence, {len(self._waiting)} asked for>"

    async def __call__(self, name: str, after: str) -> EvidencePage:
        """Return evidence of a bot, as an EvidenceSource."""
        send, receive = trio.open_memory_channel[EvidenceGiven](1)
        ticket = next(self._tickets)
        self._waiting[ticket] = send
        try:
            # Whoever asks may leave at any moment; half an order would be the end of the pipe.
            with trio.CancelScope(shield=True):
                await self._channel.send(EvidenceAsked(ticket, name, after))
            given = await receive.receive()
        finally:
            del self._waiting[ticket]
        if given.trouble:
            raise RuntimeError(given.trouble)
        if given.page is None:
            raise ValueError(f"No evidence stands at {after!r}")
        return given.page

    def given(self, given: EvidenceGiven) -> None:
        """Hand over an answer; one that nobody waits for any more is dropped."""
        if (waiting := self._waiting.get(given.ticket)) is not None:
            waiting.send_nowait(given)


class JobProcess:
    """The process: reads orders from a pipe, plays each in a task, writes news to another pipe."""

    def __init__(self, channel: Channel[Order]):
        self._channel = channel
        self._evidence = RunnersEvidence(channel)
        self._said: dict[str, Said] = {}

    async def run(self) -> None:
        """Play until no more orders come, then see the bots off."""
        orders = self._channel.__aiter__()
        setup = await anext(orders, None)
        if not isinstance(setup, Setup):
            return
        listen = TcpAddress.of(setup.listen) if setup.listen is not None else None
        async with (
            open_house(hello_ms=setup.start_ms, listen=listen, evidence=self._evidence) as house,
            trio.open_nursery() as nursery,
        ):

            def tell_awaited(name: str) -> None:
                nursery.start_soon(self._channel.send, Awaited(name))

            pool = pool_of(house, setup, tell_awaited)
            nursery.start_soon(self._tell_wrong_tokens, house.lobby)
            reason = "stopping"  # unless the league is said to be over
            try:
                async for order in orders:
                    match order:
                        case PlaySet():
                            nursery.start_soon(self._play, pool, order)
                        case EvidenceGiven():
                            self._evidence.given(order)
                        case LeagueOver():
                            reason = "done"
            finally:
                # The runner no longer listens to this job; another job plays the open matches
                # again.
                nursery.cancel_scope.cancel()
                with trio.CancelScope(shield=True), trio.move_on_after(GOODBYE_SECONDS):
                    await pool.say_bye(reason)

    async def _tell_wrong_tokens(self, lobby: Lobby) -> None:
        """Send the count of connections with wrong tokens, the first at once."""
        while True:
            await self._channel.send(StrangersTold(await lobby.wrong_tokens()))
            await trio.sleep(COUNT_SECONDS)

    async def _play(self, pool: Pool, order: PlaySet) -> None:
        async with aclosing(play_set(pool, order)) as matches:
            async for played in matches:
                for player in pool.players():
                    await self._tell_said(player)
                await self._channel.send(MatchOver(order.lease, played))
        await self._channel.send(SetOver(order.number, order.lease))

    async def _tell_said(self, player: Player) -> None:
        """Send the words of a bot's hello about itself, unless they were sent before."""
        guest = player.guest
        if guest is None or guest.hello is None:
            return
        hello = guest.hello
        said = Said(player.name, hello.version, hello.author, hello.language)
        if self._said.get(said.name) != said:
            self._said[said.name] = said
            await self._channel.send(said)


async def main(receiving: int, sending: int) -> None:
    channel: Channel[Order] = Channel(
        trio.lowlevel.FdStream(receiving), trio.lowlevel.FdStream(sending), Order
    )
    try:
        await JobProcess(channel).run()
    except* trio.BrokenResourceError:
        pass  # the runner is gone


if __name__ == "__main__":
    # Bots and their children must not inherit the pipes, and a stray print must not get into one.
    read, write = os.dup(0), os.dup(1)
    os.set_inheritable(read, False)
    os.set_inheritable(write, False)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    # `python -m arena.league.play.job RUNNER [CORES]`: the runner's process, cores as in "0,2".
    end_after(int(sys.argv[1]))
    if len(sys.argv) > 2:
        os.sched_setaffinity(0, {int(core) for core in sys.argv[2].split(",")})
    trio.run(main, read, write)
