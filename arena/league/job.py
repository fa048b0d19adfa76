"""A referee process of a league: is handed sets, plays them, hands back each match.

`play_set` is all of it; the rest of this module is the process around it, which ends when its
standard input does. Its bots live from set to set.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

import trio

from arena.league import events
from arena.league.orders import (
    Awaited,
    Channel,
    MatchOver,
    Order,
    PlaySet,
    Said,
    SetOver,
    Setup,
)
from arena.league.played import Evidence, Played
from arena.league.pool import Pool, Seated
from arena.referee import match as referee
from arena.referee.absence import written_down
from arena.referee.addresses import TcpAddress
from arena.referee.house import open_house
from arena.referee.match import Plan
from arena.referee.player import Player
from arena.referee.remains import remains_by_seat
from arena.referee.sitting import NotBegun, sit_down

# Bots that are told to go have this long, all at once.
GOODBYE_SECONDS = 2.0


async def play_set(pool: Pool, order: PlaySet) -> AsyncGenerator[Played, None]:
    """The matches of a set as they end; a void one is the last."""
    try:
        for turn in order.turns:
            played = await play_match(pool, order, turn)
            yield played
            if played.is_void:
                return
    finally:
        pool.forget(order.number)


async def play_match(pool: Pool, order: PlaySet, turn: int) -> Played:
    """One match of a set, on processes that have seen none of it."""
    names = order.planned.seating(turn)
    plan = Plan(
        match="",
        game=order.game,
        seats=len(names),
        seed=order.seed,
        names=names,
        options=order.options,
        timing=order.timing,
        shown_names=names if order.show_names else None,
        may_void=order.may_void,
    )
    async with pool.seated(names, order.number) as places:
        for place in places:
            await pool.make_fresh(place, order.number)
        came = await sit_down(plan, [place.player for place in places])
        processes = tuple(place.played(order.number) for place in places)
        match = written_down(came) if isinstance(came, NotBegun) else came
        evidence = await with_tails(match.evidence, places)
    ended = events.now()
    return Played(
        order.number, turn, order.attempt, match.record, processes, ended, match.stood, evidence
    )


async def with_tails(
    evidence: Sequence[referee.Evidence], places: Sequence[Seated]
) -> tuple[Evidence, ...]:
    """The evidence of a match, and what the bots had printed by its end."""
    remains = await remains_by_seat(evidence, [place.player for place in places])
    return tuple(
        Evidence(
            kept.entry.seat,
            kept.entry.move,
            kept.entry.kind,
            kept.entry.code,
            kept.entry.text,
            kept.came,
            kept.expected,
            kept.request,
            kept.reply,
            kept.legal,
            kept.played or "",
            kept.allowed_us,
            kept.took_us,
            remains[kept.entry.seat].stdout,
            remains[kept.entry.seat].stderr,
            remains[kept.entry.seat].exit,
        )
        for kept in evidence
    )


class Job:
    """The process around it: orders come, news go."""

    def __init__(self, channel: Channel[Order]):
        self._channel = channel
        self._said: dict[str, Said] = {}

    async def run(self) -> None:
        """Until no more orders come."""
        orders = self._channel.__aiter__()
        setup = await anext(orders, None)
        if not isinstance(setup, Setup):
            return
        listen = TcpAddress.of(setup.listen) if setup.listen is not None else None
        async with (
            open_house(hello_ms=setup.start_ms, listen=listen) as house,
            trio.open_nursery() as nursery,
        ):

            def tell_awaited(name: str) -> None:
                nursery.start_soon(self._channel.send, Awaited(name))

            pool = Pool(house, setup, tell_awaited)
            try:
                async for order in orders:
                    assert isinstance(order, PlaySet)
                    nursery.start_soon(self._play, pool, order)
            finally:
                # Nobody waits for matches any more; what is unfinished is played again.
                nursery.cancel_scope.cancel()
                with trio.CancelScope(shield=True), trio.move_on_after(GOODBYE_SECONDS):
                    await self._see_off(pool.players())

    async def _play(self, pool: Pool, order: PlaySet) -> None:
        async with aclosing(play_set(pool, order)) as matches:
            async for played in matches:
                for player in pool.players():
                    await self._tell_said(player)
                await self._channel.send(MatchOver(played))
        await self._channel.send(SetOver(order.number))

    async def _tell_said(self, player: Player) -> None:
        """What a bot says of itself, when it first does, or says otherwise."""
        guest = player.guest
        if guest is None or guest.hello is None:
            return
        hello = guest.hello
        said = Said(player.name, hello.version, hello.author, hello.language)
        if self._said.get(said.name) != said:
            self._said[said.name] = said
            await self._channel.send(said)

    async def _see_off(self, players: Sequence[Player]) -> None:
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.say_bye, "stopping")


async def main(receiving: int, sending: int) -> None:
    channel: Channel[Order] = Channel(
        trio.lowlevel.FdStream(receiving), trio.lowlevel.FdStream(sending), Order
    )
    try:
        await Job(channel).run()
    except* trio.BrokenResourceError:
        pass  # whoever wanted the matches is gone


if __name__ == "__main__":
    # Bots and whatever they start inherit neither end; and a stray print harms nothing.
    read, write = os.dup(0), os.dup(1)
    os.set_inheritable(read, False)
    os.set_inheritable(write, False)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    if len(sys.argv) > 1:
        os.sched_setaffinity(0, {int(core) for core in sys.argv[1].split(",")})
    trio.run(main, read, write)
