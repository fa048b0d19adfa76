"""One match between players: wait until all are there, play it, write its record.

There is always a Result; that of a match that never began counts against the absent only
(SPEC 7.1).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

import trio

from arena.record import FORMAT, VERSION, FaultEntry, Record
from arena.record.endings import NOT_BEGUN
from arena.record.evidence import Evidence
from arena.record.penalties import places_with_forfeits
from arena.referee.match import Match, OnMove, Plan, Result
from arena.referee.players.player import Player, SeatAtTable
from arena.referee.replies import Reply
from protocol.breach import Breach
from protocol.commitment import NONCE_BYTES, commit

Ended = TypeVar("Ended")


async def sit_down(plan: Plan, players: Sequence[Player], on_move: OnMove | None = None) -> Result:
    """Play the match with these players, by seat, once all of them are connected."""
    absent: dict[int, Breach] = {}

    async def call(seat: int, player: Player) -> None:
        breach = await player.ready()
        if breach is not None:
            absent[seat] = breach

    async with trio.open_nursery() as nursery:
        for seat, player in enumerate(players):
            nursery.start_soon(call, seat, player)
    if absent:
        return not_begun(plan, dict(sorted(absent.items())))
    return await play(committed(plan), [player.link for player in players], on_move)


def committed(plan: Plan) -> Plan:
    """Give the plan a match id, a nonce and a commitment of its own (SPEC 13.2)."""
    match = f"m-{secrets.token_hex(8)}"
    nonce = secrets.token_bytes(NONCE_BYTES)
    return replace(plan, match=match, nonce=nonce, commitment=commit(match, nonce, plan.seed))


def not_begun(plan: Plan, absent: Mapping[int, Breach]) -> Result:
    """Write down a match without moves and scores. `absent`: the reasons, by seat."""
    record = Record(
        format=FORMAT,
        version=VERSION,
        game=plan.game,
        seats=plan.seats,
        options=plan.options,
        seed=plan.seed.hex(),
        names=plan.names,
        moves=(),
        scores=(),
        places=places_with_forfeits((1,) * plan.seats, list(absent)),
        ending=NOT_BEGUN,
        faults=tuple(
            FaultEntry(seat, 0, breach.kind, breach.code, breach.text, forfeit=True)
            for seat, breach in absent.items()
        ),
        forfeits=tuple(absent),
        confinement=plan.confinement,
        clocks=plan.clocks,
    )
    evidence = tuple(
        Evidence(
            seat,
            0,
            breach.kind,
            breach.code,
            breach.text,
            came=breach.came,
            expected=breach.expected,
            request=b"",
            reply=b"",
            legal=(),
            played="",
            allowed_us=0,
            took_us=0,
        )
        for seat, breach in absent.items()
    )
    return Result(record, evidence, None)


async def play(plan: Plan, links: Sequence[SeatAtTable], on_move: OnMove | None = None) -> Result:
    """Play the match to its end with these links, by seat; a lookout must be running.

    Any exception is a bug of ours or comes from `on_move`. Cancelled, it leaves the links in the
    middle of a match, and they are good for no other.
    """
    return await stepped(Match(plan, links, on_move).steps(), links)


async def stepped(steps: Generator[None, Reply, Ended], links: Sequence[SeatAtTable]) -> Ended:
    """Step through a match, or through something like one, to its end, and return that.

    `steps` asks these links, and yields wherever a reply is not there yet.
    """
    going = _Going(steps)
    try:
        for link in links:
            link.join(going.go_on)
        going.go_on(None)
        await going.is_over.wait()
    finally:
        for link in links:
            link.leave()
        going.steps.close()
    if going.error is not None:
        raise going.error
    assert going.ended is not None
    return going.ended


class _Going(Generic[Ended]):
    """A match in play: the lookout sends in each reply that it waits for."""

    def __init__(self, steps: Generator[None, Reply, Ended]):
        self.steps = steps
        self.is_over = trio.Event()
        self.ended: Ended | None = None
        self.error: Exception | None = None
        # Before the first reply the generator wants to be sent None, which its type cannot say.
        self._send: Callable[[Any], None] = steps.send

    def go_on(self, reply: Reply | None) -> None:
        """Step to the next wait. `reply` is None only at the beginning."""
        try:
            self._send(reply)
        except StopIteration as end:
            self.ended = end.value
            self.is_over.set()
        except Exception as error:  # raised in `play`, not in the lookout
            self.error = error
            self.is_over.set()
