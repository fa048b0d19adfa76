"""A referee process of a league: it gets orders, plays sets, and sends back each match.

`play_set` does that; the rest of this module is the process around it, which ends when its standard
input does, in a hurry if the runner was killed. Its bots live from set to set.
"""

from __future__ import annotations

import os
import socket
import sys
import traceback
from collections.abc import AsyncGenerator
from contextlib import aclosing

import trio

from arena.bots.program import Program
from arena.bots.refused import ProcessError
from arena.groups import leaves
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.league.play.held_output import word_of
from arena.league.play.orders import (
    Channel,
    EnterBots,
    LeagueOver,
    MatchOver,
    Order,
    PlaySet,
    Said,
    SetOver,
    Setup,
)
from arena.parent import end_after
from arena.record.confinement import DIALLED_IN
from arena.referee.door.socket_line import SocketLine
from arena.referee.house import House, open_house
from arena.referee.match import Plan
from arena.referee.players.lent import LentLinks
from arena.referee.players.player import Player
from arena.referee.players.pool import Pool, Seated, SeatedGuest
from arena.referee.wire.packed import LendLink
from arena.text import listed
from arena.utc import now

# Time for all bots together to end after `bye`.
GOODBYE_SECONDS = 2.0
# The runner is gone, or the machine or the warden cannot go on: this process ends, and another may.
ENDS_A_JOB = (trio.BrokenResourceError, trio.ClosedResourceError, ProcessError)


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


def places_of(house: House, setup: Setup, program: Program) -> list[Seated]:
    """Make places for all processes of a bot."""
    return [Seated(house.player(program, setup.start_ms)) for _ in range(setup.processes)]


def pool_of(house: House, setup: Setup) -> Pool:
    """Make places for all processes of the bots."""
    house.confine_by(setup.confine)
    word = house.confiner.word if setup.bots else DIALLED_IN
    places = {bot.name: places_of(house, setup, bot) for bot in setup.bots}
    return Pool(places, word, setup.pieces)


class JobProcess:
    """The process: reads orders from a pipe, plays each in a task, writes news to another pipe.

    `line` brings the sockets of bots that dial in.
    """

    def __init__(self, channel: Channel[Order], line: SocketLine):
        self._channel = channel
        self._line = line
        self._said: dict[str, Said] = {}
        self._lent: dict[tuple[int, int], LentLinks] = {}  # by set and lease

    async def run(self) -> None:
        """Play until no more orders come, then see the bots off."""
        orders = self._channel.__aiter__()
        setup = await anext(orders, None)
        if not isinstance(setup, Setup):
            return
        async with open_house(hello_ms=setup.start_ms) as house, trio.open_nursery() as nursery:
            pool = pool_of(house, setup)
            reason = "stopping"  # unless the league is said to be over
            try:
                async for order in orders:
                    match order:
                        case PlaySet():
                            lent = LentLinks(order.guests, order.absent, setup.start_ms)
                            self._lent[order.number, order.lease] = lent
                            places = {
                                name: [*map(SeatedGuest, players)]
                                for name, players in lent.players.items()
                            }
                            pool.lend(order.number, places)
                            nursery.start_soon(self._play, pool, order)
                        case LendLink():
                            await self._receive(house, order)
                        case EnterBots(bots):
                            for bot in bots:
                                for player in pool.add(bot.name, places_of(house, setup, bot)):
                                    nursery.start_soon(player.say_bye, "replaced")
                            pool.confinement = house.confiner.word
                        case LeagueOver():
                            reason = "done"
            finally:
                # The runner no longer listens to this job; another job plays the open matches
                # again.
                nursery.cancel_scope.cancel()
                with trio.CancelScope(shield=True), trio.move_on_after(GOODBYE_SECONDS):
                    await pool.say_bye(reason)

    async def _receive(self, house: House, order: LendLink) -> None:
        """Take a connection whose socket comes on the line; let go of it if its set is over."""
        sock = await self._line.receive()
        lent = self._lent.get((order.set, order.lease))
        if lent is None:
            sock.close()
            return
        lent.receive(order, sock, house.lookout)

    async def _play(self, pool: Pool, order: PlaySet) -> None:
        bug = ""
        try:
            await self._play_matches(pool, order)
        except Exception as error:  # a bug in arena costs this set, and no match of another
            if any(isinstance(each, ENDS_A_JOB) for each in leaves(error)):
                raise
            print(f"set {order.number} of {listed(order.line_up)}:", file=sys.stderr)
            traceback.print_exception(error)
            # Events are public, and the words of an error may name a card of the unfinished set.
            bug = type(error).__name__
        back = self._lent.pop((order.number, order.lease)).give_back()
        await self._channel.send(SetOver(order.number, order.lease, back, bug))

    async def _play_matches(self, pool: Pool, order: PlaySet) -> None:
        async with aclosing(play_set(pool, order)) as matches:
            async for played in matches:
                for player in pool.players():
                    await self._tell_said(player)
                await self._channel.send(MatchOver(order.lease, played))
        # A worker of a cluster takes the output of the set when it hears that the set is over.
        await pool.written()

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


async def main(receiving: int, sending: int, line: int) -> None:
    channel: Channel[Order] = Channel(
        trio.lowlevel.FdStream(receiving), trio.lowlevel.FdStream(sending), Order
    )
    try:
        await JobProcess(channel, SocketLine(socket.socket(fileno=line))).run()
    except* trio.BrokenResourceError:
        pass  # the runner is gone


if __name__ == "__main__":
    # Bots and their children must not inherit the pipes, and a stray print must not get into one.
    read, write = os.dup(0), os.dup(1)
    # `python -m arena.league.play.job RUNNER LINE CORES`: the runner's process, the descriptor of
    # the line, cores as in "0,2", or "".
    runner, line, cores = sys.argv[1:]
    for each in (read, write, int(line)):
        os.set_inheritable(each, False)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    end_after(int(runner))
    if cores:
        os.sched_setaffinity(0, {int(core) for core in cores.split(",")})
    trio.run(main, read, write, int(line))
